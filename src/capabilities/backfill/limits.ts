/** Largest workbook, in bytes. A quarter takes about 300,000. */
// limit: Workbook | 2 MB | refused
export const MAX_WORKBOOK_BYTES = 2 * 1024 * 1024;

/** PostgreSQL holds no zero byte and fails when asked for one, so texts are checked first. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/**
 * Whether a row can have this text. PostgreSQL holds no zero byte and fails when it is asked for one, so
 * whatever a caller names is checked before it is looked for.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

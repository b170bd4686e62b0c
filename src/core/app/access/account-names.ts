/**
 * The name of an account as a person reads it. Two accounts of one file, or of a file that is loaded
 * again, must differ in it.
 */
export function nameAsRead(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

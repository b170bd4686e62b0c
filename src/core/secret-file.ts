import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** The ending of the variable that names the file of a secret. */
export const FILE_ENDING = '_FILE';

// limit: File of a secret | 4096 bytes | not started
export const MAX_SECRET_FILE_BYTES = 4_096;

const READABLE_BY_ALL = 0o004;

/** An unusable file. The message says why, after the name of its variable, and never what is in it. */
export class SecretFileError extends Error {}

/** The one line of a file, without its end. @throws SecretFileError */
export function readSecretFile(path: string): string {
  const [line = '', ...more] = textOf(path)
    .replace(/\r?\n$/, '')
    .split(/[\r\n]/);
  if (more.length > 0) throw new SecretFileError(`${path} has more than one line.`);
  if (line.trim() === '') throw new SecretFileError(`${path} is empty.`);
  return line;
}

function textOf(path: string): string {
  const file = opened(path);
  try {
    requireSafe(path, fstatSync(file));
    const bytes = Buffer.alloc(MAX_SECRET_FILE_BYTES + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < bytes.length; length += more) {
      more = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > MAX_SECRET_FILE_BYTES) {
      throw new SecretFileError(`${path} has more than ${MAX_SECRET_FILE_BYTES} bytes.`);
    }
    return decoded(path, bytes.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    // A pipe without a writer must not stop the start.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SecretFileError(`${path} cannot be read: ${why}.`);
  }
}

function requireSafe(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new SecretFileError(`${path} is no regular file.`);
  if ((stats.mode & READABLE_BY_ALL) === 0) return;
  throw new SecretFileError(`every user can read ${path}: take that right away with chmod o-r.`);
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SecretFileError(`${path} is not text in UTF-8.`);
  }
}

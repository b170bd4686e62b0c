import { mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailable } from '../../app/failures.ts';

/**
 * Creates a folder that only its owner may enter, and its missing parents. Node's own recursive
 * option never ends below a path such as /proc, where nothing can be created.
 * @throws StoreUnavailable
 */
export function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = `The folder ${folder} cannot be made: ${error.message}.`;
    throw new StoreUnavailable(message, { cause: error });
  }
}

const OF_OTHERS = 0o077;

/**
 * The octal permissions, such as `755`, of a folder that others than its owner may enter or read;
 * undefined otherwise. Keys are stored as digests, but names of accounts and usage are private.
 */
export function permissionsForOthers(folder: string): string | undefined {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OF_OTHERS) === 0) return undefined;
  return (mode & 0o777).toString(8);
}

/** Free bytes for the service on the disk of a folder; undefined when there is no such folder. */
export function freeBytesIn(folder: string): number | undefined {
  if (!isFolder(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in between.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

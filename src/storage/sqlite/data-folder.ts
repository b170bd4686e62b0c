import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailable } from '../../app/failures.ts';

/**
 * Makes a folder that only its owner may enter, and those above it, where they are missing. Node's
 * own recursive way never ends below a place such as /proc, where a name is neither found nor taken.
 * @throws StoreUnavailable when it cannot be made.
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

/** Permission bits of the group and of everyone else. */
const OF_OTHERS = 0o077;

/**
 * The permissions of a folder that others than its owner may enter or read, as `ls` numbers them, such
 * as `755`; undefined for one that is closed to them, or missing. Keys are stored as digests, but names
 * of accounts and their usage are nobody else's business.
 */
export function permissionsForOthers(folder: string): string | undefined {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OF_OTHERS) === 0) return undefined;
  return (mode & 0o777).toString(8);
}

function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

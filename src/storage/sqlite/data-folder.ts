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

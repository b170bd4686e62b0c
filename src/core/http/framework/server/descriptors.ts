import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { MAX_CONNECTIONS, RESERVED_DESCRIPTORS } from './limits.ts';

/**
 * Most connections of the process: `MAX_CONNECTIONS`, or fewer where the system limits descriptors.
 * Some descriptors are reserved for the database, its files and the sources.
 */
export function maxConnections(): number {
  const descriptors = descriptorLimit();
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 2));
  return Math.min(MAX_CONNECTIONS, left);
}

/**
 * Why the process cannot open another descriptor; undefined while it can. Without descriptors the
 * event loop accepts a connection and closes it at once, and reports nothing.
 */
export function descriptorProblem(): Error | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NONE_LEFT.includes(String(error.code))) {
      return error;
    }
    throw error;
  }
}

/** The process has none left, or the whole system has none left. */
const NONE_LEFT: readonly string[] = ['EMFILE', 'ENFILE'];

/** Most descriptors that the system lets the process open; no limit where it does not say. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

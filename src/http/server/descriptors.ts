import { readFileSync } from 'node:fs';
import { MAX_CONNECTIONS, RESERVED_DESCRIPTORS } from './limits.ts';

/**
 * How many connections the process may have: `MAX_CONNECTIONS`, or fewer where the system gives it
 * fewer descriptors. Some are kept back for the database, its files and the sources.
 */
export function maxConnections(): number {
  const descriptors = descriptorLimit();
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 2));
  return Math.min(MAX_CONNECTIONS, left);
}

/** What the system lets the process open; no limit where it does not say. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

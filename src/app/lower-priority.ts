import { getPriority, setPriority } from 'node:os';

/**
 * Lets other work go first.
 *
 * @param niceness of this process, or on Linux of this thread, unless its own is higher already
 */
export function lowerPriority(niceness: number): void {
  try {
    // Raising a priority needs a privilege, and nobody asked for it.
    if (getPriority() < niceness) setPriority(niceness);
  } catch {
    // A sandbox may forbid it, which is no reason to stop.
  }
}

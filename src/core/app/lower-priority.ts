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

/** Parts of long work that wait for their turn. */
const waiting: (() => void)[] = [];

/** Lets one part of long work run. The next one runs a turn of the event loop later. */
function admitOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admitOne);
}

/**
 * Waits for a turn of the event loop in which no other part of long work runs. Short requests
 * therefore wait for one part at most, however many are under way.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitOne);
  });
}

import { onTestFinished } from 'vitest';

const TICK_MS = 10;
/** The most of a pause between two ticks that counts. */
const MAX_COUNTED_MS = 2 * TICK_MS;

/**
 * Measures how long the test waits, for upper bounds. The time in which a busy machine does not let
 * this process run does not count, so what it shows is at most the time that passed. It does not see
 * work that blocks the process.
 * @returns the milliseconds so far.
 */
export function stopwatch(): () => number {
  let counted = 0;
  let last = performance.now();
  const count = () => {
    const now = performance.now();
    counted += Math.min(now - last, MAX_COUNTED_MS);
    last = now;
    return counted;
  };
  const timer = setInterval(count, TICK_MS);
  onTestFinished(() => clearInterval(timer));
  return count;
}

import { getPriority } from 'node:os';
import { SourceFailure } from '../../src/core/app/failures.ts';

/** Well-behaved and faulty parsers for the parser threads. */

export function echo<T>(value: T): T {
  return value;
}

export function niceness(): number {
  return getPriority();
}

export function giveUp(message: string): never {
  throw new SourceFailure('content', message);
}

export function crash(message: string): never {
  throw new TypeError(message);
}

export function neverEnd(): never {
  for (;;) {
    // Never ends, like a parser that takes quadratic time.
  }
}

/** Waits without using the processor, like a thread on a machine that is busy with other work. */
export function rest(ms: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return 'rested';
}

/** Uses the processor for that long. */
export function compute(ms: number): string {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= 1_000 * ms) return 'computed';
  }
}

export function fillMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
}

export function leave(): never {
  process.exit(3);
}

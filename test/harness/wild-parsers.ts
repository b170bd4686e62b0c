import { getPriority } from 'node:os';
import { SourceFailure } from '../../src/core/app/failures.ts';
import { answerCalls } from '../../src/core/sources/parser/answer-calls.ts';

/** Well-behaved and faulty parsers, in the place of those of a parser thread. */
answerCalls(async () => ({
  ...{ echo, niceness, giveUp, crash, neverEnd, rest, compute, fillMemory, leave },
}));

function echo<T>(value: T): T {
  return value;
}

function niceness(): number {
  return getPriority();
}

function giveUp(message: string): never {
  throw new SourceFailure('content', message);
}

function crash(message: string): never {
  throw new TypeError(message);
}

function neverEnd(): never {
  for (;;) {
    // Never ends, like a parser that takes quadratic time.
  }
}

/** Waits without using the processor, like a thread on a machine that is busy with other work. */
function rest(ms: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return 'rested';
}

/** Uses the processor for that long. */
function compute(ms: number): string {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= 1_000 * ms) return 'computed';
  }
}

function fillMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
}

function leave(): never {
  process.exit(3);
}

import { getPriority } from 'node:os';
import { SourceFailure } from '../../src/app/failures.ts';

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

export function fillMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
}

export function leave(): never {
  process.exit(3);
}

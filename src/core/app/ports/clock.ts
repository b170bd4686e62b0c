import type { Instant } from '../../domain/time.ts';

export interface Clock {
  now(): Instant;
  /** Milliseconds that setting the clock does not change; absent where no real time passes. */
  monotonic?(): number;
}

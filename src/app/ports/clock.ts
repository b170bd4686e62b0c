import type { Instant } from '../../domain/time.ts';

export interface Clock {
  now(): Instant;
}

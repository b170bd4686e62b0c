import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  ALLOWANCE_LASTS_MS,
  BLOCK_LASTS_MS,
  MAX_BLOCK_UNITS,
  MIN_ALLOWANCE_UNITS,
  MIN_BLOCK_UNITS,
} from './lease-limits.ts';

/** How fast a process spends the units of a window, and how many it may therefore hold. */
export class Pace {
  /** When units were last granted, and how many were spent by then. */
  #grantedAt: Instant;
  #spentAtGrant = 0;
  /** Units spent for each millisecond, over the last second or longer that was measured. */
  #measured = 0;
  #measuredAt: Instant;
  #spentAtMeasure = 0;

  constructor(from: Instant) {
    this.#grantedAt = from;
    this.#measuredAt = from;
  }

  /** Units were granted. */
  noteGrant(spent: number, now: Instant): void {
    this.#grantedAt = now;
    this.#spentAtGrant = spent;
  }

  /** Units to lease: about `BLOCK_LASTS_MS` at the rate since the last grant. */
  block(spent: number, now: Instant): number {
    const pace = (spent - this.#spentAtGrant) / Math.max(1, now - this.#grantedAt);
    return Math.max(MIN_BLOCK_UNITS, Math.min(MAX_BLOCK_UNITS, Math.ceil(pace * BLOCK_LASTS_MS)));
  }

  /** Most units of the allowance: what a death may cost the account (decisions §3). */
  allowance(spent: number, perMinute: number | undefined, now: Instant): number {
    const most = perMinute === undefined ? Infinity : perMinute / MINUTE_MS;
    const pace = Math.min(this.#measure(spent, now), most);
    return Math.max(MIN_ALLOWANCE_UNITS, Math.floor(pace * ALLOWANCE_LASTS_MS));
  }

  /** Units spent for each millisecond now. A burst counts over a whole second. */
  #measure(spent: number, now: Instant): number {
    const [elapsed, more] = [now - this.#measuredAt, spent - this.#spentAtMeasure];
    if (elapsed >= 0 && elapsed < SECOND_MS) return Math.max(this.#measured, more / SECOND_MS);
    this.#measured = Math.max(0, more / elapsed);
    this.#measuredAt = now;
    this.#spentAtMeasure = spent;
    return this.#measured;
  }
}

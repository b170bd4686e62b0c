import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.ts';
import { LeaseLost } from '../failures.ts';
import type { Lease } from '../ports/lease.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { prune } from '../prune.ts';
import { firstDayOf } from './source-health.ts';

/** How long bodies and held records are kept. Daily counts are kept for `HEALTH_DAYS`. */
// limit: Raw bodies, held records kept | 30 days | deleted
export const BODIES_AND_HELD_KEPT_MS = 30 * DAY_MS;
const REMOVE_EXPIRED_EVERY_MS = HOUR_MS;

export interface HousekeepingParts {
  readonly store: Store;
  readonly log: Log;
  /** Captures before this instant are thinned to the last of each day. Without it none is. */
  readonly rawKeptFrom?: (now: Instant) => Instant | undefined;
}

/** Removes what the store need not keep, under the lease to collect. */
export class Housekeeping {
  readonly #parts: HousekeepingParts;
  #removedExpiredAt = Number.NEGATIVE_INFINITY;
  readonly #thinningUnder = new WeakSet<Lease>();

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  /**
   * Deletes expired bodies and held records, once an hour. Never rejects.
   * @returns whether the hour was over.
   */
  async removeExpired(now: Instant, lease: Lease): Promise<boolean> {
    if (Math.abs(now - this.#removedExpiredAt) < REMOVE_EXPIRED_EVERY_MS) return false;
    this.#removedExpiredAt = now;
    const { store, log } = this.#parts;
    await store
      .forgetBefore(now - BODIES_AND_HELD_KEPT_MS, { firstDay: firstDayOf(now), lease })
      .catch((error: unknown) => {
        log.error({ err: error }, 'old bodies and held records could not be deleted');
      });
    return true;
  }

  /** Thins old captures, unless that is being done under the lease. May take long. Never rejects. */
  async thin(now: Instant, lease: Lease, signal: AbortSignal): Promise<void> {
    const { store, log, rawKeptFrom } = this.#parts;
    const before = rawKeptFrom?.(now);
    if (before === undefined || this.#thinningUnder.has(lease)) return;
    this.#thinningUnder.add(lease);
    try {
      const { markets, batches } = await prune(store, { before, lease, signal });
      const captures = markets.reduce((sum, { thinned }) => sum + thinned, 0);
      if (captures + batches > 0) log.info({ captures, batches }, 'old captures were thinned');
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) return;
      log.error({ err: error }, 'old captures could not be thinned');
    } finally {
      this.#thinningUnder.delete(lease);
    }
  }
}

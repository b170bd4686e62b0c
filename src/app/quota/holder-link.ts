import { type Instant, SECOND_MS } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { AccountUnits, UnitsAsk, UnitsGrant, UsageCount } from '../ports/usage.ts';
import { UNITS_LEASE_MARGIN_MS, UNITS_LEASE_MS } from './lease-limits.ts';

/** How often a process says that it lives, and which units it leases. */
export const HEARTBEAT_MS = 5 * SECOND_MS;
/** After the store failed, calls that can do without it leave it alone for so long. */
export const STORE_PAUSE_MS = 500;

/**
 * Connects one process with the store's units. Knows when the store last heard of the process and
 * whether it answers. Changes of units run one after another, for each depends on the one before.
 */
export class HolderLink {
  readonly #parts: { readonly store: Store; readonly clock: Clock; readonly holder: string };
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** When the store last heard of this process. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Since when the store answers; what others lease is safe from reclaiming for a while after. */
  #answersSince = Number.NEGATIVE_INFINITY;
  #liveHolders = 1;

  /** @param parts `holder` names this process among those that share the store. */
  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly holder: string }) {
    this.#parts = parts;
  }

  /** Live processes that lease units, this one included, as the store last said. */
  get liveHolders(): number {
    return this.#liveHolders;
  }

  /** Whether others may take this process for dead, so that its units may be theirs by now. */
  hasLapsed(now: Instant): boolean {
    return now - this.#heardAt >= UNITS_LEASE_MS - UNITS_LEASE_MARGIN_MS;
  }

  /** Whether the store failed a moment ago. */
  isPaused(now: Instant): boolean {
    return Math.abs(now - this.#failedAt) < STORE_PAUSE_MS;
  }

  /** Runs `work` after what was given before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const turn = this.#lastTurn.then(work).then(
      (result) => {
        if (this.#answersSince === Infinity) this.#answersSince = clock.now();
        return result;
      },
      (error: unknown) => {
        if (error instanceof StoreUnavailable) {
          this.#failedAt = clock.now();
          this.#answersSince = Infinity;
        }
        throw error;
      },
    );
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<readonly UnitsGrant[]> {
    const { store, holder } = this.#parts;
    const grants = await store.takeUnits(holder, asks, {
      now,
      // After an outage the living must have had time to say so.
      reclaim: now - this.#answersSince >= 2 * HEARTBEAT_MS,
    });
    this.#heardAt = now;
    return grants;
  }

  returnUnits(units: readonly AccountUnits[]): Promise<void> {
    return this.#parts.store.returnUnits(this.#parts.holder, units);
  }

  /** Says that this process lives. @returns the reported units that other processes got meanwhile. */
  async renew(reports: readonly AccountUnits[], now: Instant): Promise<ReadonlySet<AccountUnits>> {
    const { store, holder } = this.#parts;
    const { holders, lost } = await store.renewHolder(holder, reports, now);
    this.#liveHolders = Math.max(1, holders);
    return new Set(lost);
  }

  /** To be called once the units that were lost are settled: from now on units may be spent. */
  heard(now: Instant): void {
    this.#heardAt = now;
  }

  wanted(): ReturnType<Store['wantedFrom']> {
    return this.#parts.store.wantedFrom(this.#parts.holder);
  }

  monthUsage(accountId: string, now: Instant): Promise<UsageCount> {
    return this.#parts.store.monthUsage(this.#parts.holder, accountId, now);
  }
}

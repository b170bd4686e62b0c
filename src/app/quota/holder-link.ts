import { type Instant, SECOND_MS } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { AccountUnits, UnitsAsk, UnitsGrant, UsageCount } from '../ports/usage.ts';
import { UNITS_LEASE_MARGIN_MS, UNITS_LEASE_MS } from './lease-limits.ts';

/** How often a process sends a heartbeat with its leased units. */
export const HEARTBEAT_MS = 5 * SECOND_MS;
/** Pause after a failure of the store, in which calls that do not need it do not use it. */
export const STORE_PAUSE_MS = 500;

export interface HolderParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Identifies this process among those that share the store. */
  readonly holder: string;
}

/**
 * Connects one process with the store's units. Tracks the last heartbeat and whether the store
 * answers. Changes of units run one after another, because each depends on the one before.
 */
export class HolderLink {
  readonly #parts: HolderParts;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** When the store last received a heartbeat or a request of this process. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Since when the store answers. Soon after an outage, units of others are not reclaimed. */
  #answersSince = Number.NEGATIVE_INFINITY;
  #liveHolders = 1;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  /** Number of live processes with leased units, including this one, from the last heartbeat. */
  get liveHolders(): number {
    return this.#liveHolders;
  }

  /** Whether other processes may consider this one dead and have its units. */
  hasLapsed(now: Instant): boolean {
    return now - this.#heardAt >= UNITS_LEASE_MS - UNITS_LEASE_MARGIN_MS;
  }

  /** Whether the store failed a moment ago. */
  isPaused(now: Instant): boolean {
    return Math.abs(now - this.#failedAt) < STORE_PAUSE_MS;
  }

  /** Runs `work` after all earlier work. */
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
      // After an outage, live processes need time to send a heartbeat.
      reclaim: now - this.#answersSince >= 2 * HEARTBEAT_MS,
    });
    this.#heardAt = now;
    return grants;
  }

  returnUnits(units: readonly AccountUnits[]): Promise<void> {
    return this.#parts.store.returnUnits(this.#parts.holder, units);
  }

  /**
   * Sends a heartbeat.
   * @returns the reported units that were reassigned to other processes.
   */
  async renew(reports: readonly AccountUnits[], now: Instant): Promise<ReadonlySet<AccountUnits>> {
    const { store, holder } = this.#parts;
    const { holders, lost } = await store.renewHolder(holder, reports, now);
    this.#liveHolders = Math.max(1, holders);
    return new Set(lost);
  }

  /** Call this once lost units are settled. From then on units may be spent. */
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

import type { Instant } from '../../domain/time.ts';
import { StoreBusy, StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type {
  AccountUnits,
  HolderRenewal,
  UnitsAsk,
  UnitsGrant,
  UnitsReport,
  UsageCount,
} from '../ports/usage.ts';
import { HEARTBEAT_MS, MAX_BUSY_MS, RECLAIM_PAUSE_MS, UNITS_LEASE_MS } from './lease-limits.ts';

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
  /** Since when the store has answered without a longer gap. */
  #answersSince = Number.NEGATIVE_INFINITY;
  /** When the first of the writes began that a busy store did not accept. */
  #busySince: Instant | undefined;
  #isAway = false;
  #liveHolders = 1;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  /** Number of live processes with leased units, including this one, from the last heartbeat. */
  get liveHolders(): number {
    return this.#liveHolders;
  }

  /** Whether other processes may consider this one dead and have its reserves. */
  hasLapsed(now: Instant): boolean {
    return Math.abs(now - this.#heardAt) >= UNITS_LEASE_MS / 2;
  }

  /** Whether the store is out of reach: the last write failed, and not because others wrote. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Runs `work` after all earlier work. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<readonly UnitsGrant[]> {
    const { store, holder } = this.#parts;
    const reclaim = now - this.#answersSince >= RECLAIM_PAUSE_MS;
    const grants = await this.#written(() => store.takeUnits(holder, asks, { now, reclaim }));
    this.#heard(now);
    return grants;
  }

  returnUnits(units: readonly AccountUnits[]): Promise<void> {
    return this.#written(() => this.#parts.store.returnUnits(this.#parts.holder, units));
  }

  /** Sends a heartbeat. @returns the new share of each report. */
  async renew(reports: readonly UnitsReport[], now: Instant): Promise<HolderRenewal['shares']> {
    const { store, holder } = this.#parts;
    const { holders, shares } = await this.#written(() => store.renewHolder(holder, reports, now));
    this.#liveHolders = Math.max(1, holders);
    this.#heard(now);
    return shares;
  }

  wanted(): ReturnType<Store['wantedFrom']> {
    return this.#parts.store.wantedFrom(this.#parts.holder);
  }

  monthUsage(accountId: string, now: Instant): Promise<UsageCount> {
    return this.#parts.store.monthUsage(this.#parts.holder, accountId, now);
  }

  #heard(now: Instant): void {
    // A live process that the store did not hear either has not lost its lease after such a gap.
    if (Math.abs(now - this.#heardAt) > 2 * HEARTBEAT_MS) this.#answersSince = now;
    this.#heardAt = now;
  }

  async #written<T>(write: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    try {
      const result = await write();
      if (this.#isAway) this.#answersSince = clock.now();
      this.#isAway = false;
      this.#busySince = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreBusy) {
        this.#busySince ??= startedAt;
        this.#isAway ||= Math.abs(clock.now() - this.#busySince) >= MAX_BUSY_MS;
      } else if (error instanceof StoreUnavailable) this.#isAway = true;
      throw error;
    }
  }
}

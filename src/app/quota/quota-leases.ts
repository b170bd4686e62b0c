import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Log } from '../ports/log.ts';
import type { AccountUnits, UsageCount, UsageWindow } from '../ports/usage.ts';
import {
  AccountMeters,
  hasUnitsOfOtherMonth,
  type LeasedUnits,
  type Reservation,
} from './account-meters.ts';
import { HolderLink, type HolderParts, LeaseExchange } from './lease-exchange.ts';
import { HEARTBEAT_MS } from './lease-limits.ts';
import { Meter } from './meter.ts';
import { OPENED_WITHOUT_STORE, WINDOWS, type WindowLimits } from './windows.ts';

/** Longest wait for units that another process may return. */
export const RECALL_WAIT_MS = 2 * SECOND_MS;
/** How often a waiting call checks for returned units. */
export const RECALL_POLL_MS = 50;
/** Units of an account without calls for this long are returned. */
export const IDLE_MS = 600 * SECOND_MS;

const REFUNDED_WINDOWS: readonly UsageWindow[] = ['hour', 'month'];

/**
 * Counts calls exactly, over one process or many, also when processes are killed. Processes lease
 * units from the store in blocks, and spend in memory a small allowance, which the store counts as
 * spent before it is. They enlarge it from the rest of the block, the reserve, before it is used
 * up; near the limit a block is one unit. When the store is empty while other processes have units,
 * those are recalled before a call is refused.
 *
 * Every process sends a heartbeat every few seconds. The reserves of one without are free for
 * others after `UNITS_LEASE_MS`; its allowances are lost. A process that was only paused learns of
 * it when it next needs units from its reserve. While the store cannot be reached, calls use the
 * reserves, which are reported first when it is back.
 */
export class QuotaLeases {
  readonly #parts: HolderParts & { readonly log: Log };
  readonly #link: HolderLink;
  readonly #meters = new AccountMeters();
  readonly #exchange: LeaseExchange;
  /** Look-ups in progress. Concurrent calls of one account share a look-up. */
  readonly #learning = new Map<string, Promise<void>>();
  readonly #onLow = (accountId: string, limit: number, meter: Meter) => {
    void this.#exchange.askAhead(accountId, limit, meter);
  };
  #heartbeatAt = Number.NEGATIVE_INFINITY;

  constructor(parts: HolderParts & { readonly log: Log }) {
    this.#parts = parts;
    this.#link = new HolderLink(parts);
    this.#exchange = new LeaseExchange(this.#link, this.#meters, parts.clock);
  }

  #now(): Instant {
    return this.#parts.clock.now();
  }

  /**
   * Takes one unit of each window that has a limit, synchronously when they are leased.
   * @throws ApiError `rate_limit_exceeded` or `quota_exceeded`, with the time to wait;
   *   StoreUnavailable when the store is needed and does not answer.
   */
  reserve(accountId: string, limits: WindowLimits): Reservation | Promise<Reservation> {
    const reserved = this.#reserveLeased(accountId, limits, this.#now());
    return reserved ?? this.#reserveFromStore(accountId, limits);
  }

  /**
   * Returns the units of the month and of the bulk hour for a call that was not answered. The unit
   * of the minute stays spent, because the request was made. Resolves when every process can use
   * the units; never rejects.
   */
  refund(reservation: Reservation): Promise<void> {
    return this.#return(reservation, REFUNDED_WINDOWS);
  }

  /** Returns all units of a call that another limit refused. Resolves like `refund`. */
  cancel(reservation: Reservation): Promise<void> {
    return this.#return(reservation, WINDOWS);
  }

  async #return(
    { accountId, openedAt: opened }: Reservation,
    windows: readonly UsageWindow[],
  ): Promise<void> {
    const late: AccountUnits[] = [];
    const reported: Promise<void>[] = [];
    for (const window of windows) {
      const openedAt = opened[window];
      if (openedAt === undefined) continue;
      const meter = this.#meters.find(accountId, window);
      if (meter?.openedAt !== openedAt) {
        late.push({ accountId, window, openedAt, allowance: 1 });
      } else if (meter.refund()) {
        reported.push(this.#exchange.askAhead(accountId, meter.limit, meter));
      }
    }
    if (late.length > 0) {
      const returned = this.#link.inTurn(() => this.#link.returnUnits(late));
      reported.push(
        returned.catch((error: unknown) => {
          this.#parts.log.error({ err: error }, 'quota units could not be returned');
        }),
      );
    }
    await Promise.all(reported);
  }

  /** Loads the account's month, so that `monthUsage` can answer without the store. */
  learn(accountId: string): Promise<void> {
    const known = this.#learning.get(accountId);
    if (known !== undefined) return known;
    const learning = this.#learnOnce(accountId).finally(() => this.#learning.delete(accountId));
    this.#learning.set(accountId, learning);
    return learning;
  }

  async #learnOnce(accountId: string): Promise<void> {
    const now = this.#now();
    const known = this.#meters.find(accountId, 'month');
    if (known?.isOpen(now) === true) return;
    // A process whose clock is behind may still need units of a month that has ended here.
    if (known !== undefined) await this.#exchange.giveBack([{ accountId, meter: known }]);
    const month = await this.#link.inTurn(() => this.#storedMonth(accountId, now));
    // A call in between may have taken units and has newer counts.
    if (this.#meters.find(accountId, 'month')?.isOpen(now) === true) return;
    const meter = new Meter('month', month.openedAt);
    meter.recount(month);
    this.#meters.set(accountId, meter);
  }

  /** Units used this month by all processes, read from the store. */
  countedThisMonth(accountId: string): Promise<number> {
    return this.#link.inTurn(async () => {
      const month = await this.#storedMonth(accountId, this.#now());
      const known = this.#meters.find(accountId, 'month');
      const meter = known?.openedAt === month.openedAt ? known : new Meter('month', month.openedAt);
      meter.recount(month);
      return meter.used;
    });
  }

  #storedMonth(accountId: string, now: Instant): Promise<UsageCount> {
    return this.#parts.store.monthUsage(this.#parts.holder, accountId, now);
  }

  /** Units used and the end of the month, for the headers. */
  monthUsage(accountId: string, now: Instant): { readonly used: number; readonly endsAt: Instant } {
    const meter = this.#meters.find(accountId, 'month');
    if (meter?.isOpen(now) !== true) return { used: 0, endsAt: utcMonthOf(now).end };
    return { used: meter.used, endsAt: meter.closesAt };
  }

  /** Calls left in the bulk hour (§4.6). */
  hourLeft(accountId: string, limit: number, now: Instant): number {
    const meter = this.#meters.find(accountId, 'hour');
    return meter?.isOpen(now) === true ? Math.max(0, limit - meter.used) : limit;
  }

  /**
   * Regular maintenance: sends the heartbeat, and returns units that are idle or that other
   * processes need.
   * @returns the idle accounts, whose usage was removed from memory.
   */
  async tend(now: Instant): Promise<readonly string[]> {
    const wait = this.#heartbeatAt + HEARTBEAT_MS - now;
    let idle: readonly string[] = [];
    // A wait longer than the maximum means that the clock was set back.
    const isDue = wait <= 0 || wait > HEARTBEAT_MS;
    if (this.#meters.haveLeases && (isDue || this.#link.isAway)) {
      await this.#exchange.renew();
      this.#heartbeatAt = now;
      idle = await this.#sweep(now);
    }
    if (!this.#meters.haveLeases) return idle;
    const wanted: LeasedUnits[] = [];
    const { store, holder } = this.#parts;
    for (const { accountId, window } of await store.wantedFrom(holder)) {
      const meter = this.#meters.find(accountId, window);
      if (meter === undefined) continue;
      meter.contend();
      wanted.push({ accountId, meter });
    }
    await this.#exchange.giveBack(wanted);
    return idle;
  }

  /** Returns an account's units, so that another plan's limits meet exact counts. */
  release(accountId: string): Promise<void> {
    return this.#release(() => this.#meters.of(accountId));
  }

  /** Returns the units of all accounts, because the limits of plans may have changed. */
  releaseAll(): Promise<void> {
    return this.#release(() => this.#meters.all());
  }

  async #release(metersOf: () => readonly LeasedUnits[]): Promise<void> {
    await this.#exchange.giveBack(metersOf());
    for (const { meter } of metersOf()) meter.forgetSpent();
  }

  /** Returns all units before the process ends. */
  async close(): Promise<void> {
    await this.#exchange.giveBack(this.#meters.all());
  }

  #reserveLeased(accountId: string, limits: WindowLimits, now: Instant): Reservation | undefined {
    return this.#meters.spend(accountId, { limits, now }, this.#onLow);
  }

  async #reserveFromStore(accountId: string, limits: WindowLimits): Promise<Reservation> {
    for (;;) {
      const now = this.#now();
      if (this.#link.isAway) {
        const reserved = this.#reserveWithoutStore(accountId, limits, now);
        if (reserved !== undefined) return reserved;
      }
      try {
        return await this.#reserveAfterAsking(accountId, limits, now);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // A store that is only busy is asked again, until it counts as out of reach.
        if (!this.#meters.hasReserves(accountId, limits, this.#now())) throw error;
      }
    }
  }

  async #reserveAfterAsking(
    accountId: string,
    limits: WindowLimits,
    startedAt: Instant,
  ): Promise<Reservation> {
    const leased = this.#reserveLeased(accountId, limits, startedAt);
    if (leased !== undefined) return leased;
    for (const [meter, limit] of this.#meters.limited(accountId, limits)) {
      if (meter.isSpentFor(limit, startedAt)) throw meter.refusal(limit, startedAt);
    }
    const deadline = startedAt + RECALL_WAIT_MS;
    for (;;) {
      await this.#exchange.ask(accountId, limits);
      const now = this.#now();
      const reserved = this.#reserveLeased(accountId, limits, now);
      if (reserved !== undefined) return reserved;
      let mayComeBack = false;
      for (const [meter, limit] of this.#meters.limited(accountId, limits)) {
        const exhaustion = meter.exhaustion(limit, now);
        if (exhaustion === undefined) continue;
        if (exhaustion === 'spent' || now >= deadline) throw meter.refusal(limit, now);
        mayComeBack = true;
      }
      if (mayComeBack) await new Promise((resolve) => setTimeout(resolve, RECALL_POLL_MS));
    }
  }

  /**
   * Uses only leased units. In a minute that opens without the store, also that of calls that cost no
   * unit, this process may spend an equal share of the limit: the limit divided by the live processes.
   */
  #reserveWithoutStore(
    accountId: string,
    limits: WindowLimits,
    now: Instant,
  ): Reservation | undefined {
    for (const window of OPENED_WITHOUT_STORE) {
      const limit = limits[window];
      if (limit === undefined || this.#meters.find(accountId, window)?.isOpen(now) === true)
        continue;
      const share = Math.floor(limit / this.#link.liveHolders);
      this.#meters.set(accountId, Meter.local(window, now, { limit, share }));
    }
    return this.#meters.spend(accountId, { limits, now, isStoreAway: true }, this.#onLow);
  }

  /**
   * Returns the units of idle accounts, and removes ended windows.
   * @returns the idle accounts that were removed.
   */
  async #sweep(now: Instant): Promise<readonly string[]> {
    const back: LeasedUnits[] = [];
    const idle: string[] = [];
    for (const [accountId, askedAt] of this.#meters.accounts()) {
      const leased = this.#meters.of(accountId);
      if (Math.abs(now - askedAt) >= IDLE_MS) {
        idle.push(accountId);
        back.push(...leased);
      } else back.push(...leased.filter(({ meter }) => hasUnitsOfOtherMonth(meter, now)));
    }
    await this.#exchange.giveBack(back);
    this.#meters.removeEnded(now);
    // An account that called again in between is no longer idle.
    const gone = idle.filter((id) => !this.#meters.of(id).some(({ meter }) => meter.hasUnspent));
    for (const accountId of gone) this.#meters.remove(accountId);
    return gone;
  }
}

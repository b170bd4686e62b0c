import { type Instant, utcMonthOf } from '../../domain/time.ts';
import { StoreBusy, StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { UsageWindow } from '../ports/usage.ts';
import { within } from '../within.ts';
import { AccountMeters, BlockExchange, type HeldWindow } from './block-exchange.ts';
import { FORGOTTEN_MS, SWEEP_MS, UNITS_WAIT_MS } from './block-limits.ts';
import { Meter } from './meter.ts';
import { isMinute, WINDOWS, type WindowLimits } from './windows.ts';

/** One unit of each window for one call, identified by when each window opened. */
export interface Reservation {
  readonly accountId: string;
  /** Calls in the bulk hour including this one, when the hour was charged. */
  readonly hourUsed?: number | undefined;
  readonly openedAt: Partial<Record<UsageWindow, Instant>>;
}

const REFUNDED_WINDOWS: readonly UsageWindow[] = ['hour', 'month'];

interface QuotaParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts calls over one process or many, and admits never one too many. A process takes units from the
 * store in blocks, which the store counts as spent when they are taken, and spends only those. So
 * nothing has to be counted when a process dies: its account loses what was left of a block. Near the
 * limit a block is one unit.
 */
export class Quota {
  readonly #parts: QuotaParts;
  readonly #meters = new AccountMeters();
  readonly #exchange: BlockExchange;
  /** Look-ups in progress. Concurrent calls of one account share a look-up. */
  readonly #learning = new Map<string, Promise<void>>();
  #sweptAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: QuotaParts) {
    this.#parts = parts;
    this.#exchange = new BlockExchange(parts, this.#meters);
  }

  #now(): Instant {
    return this.#parts.clock.now();
  }

  /**
   * Takes one unit of each window that has a limit, synchronously when this process has them.
   * @throws ApiError `rate_limit_exceeded` or `quota_exceeded`, with the time to wait;
   *   StoreUnavailable when the store is needed and does not answer.
   */
  reserve(accountId: string, limits: WindowLimits): Reservation | Promise<Reservation> {
    return this.#spend(accountId, limits, this.#now()) ?? this.#reserveFromStore(accountId, limits);
  }

  #spend(accountId: string, limits: WindowLimits, now: Instant): Reservation | undefined {
    const { isAway } = this.#exchange;
    const meters = this.#meters.get(accountId);
    for (const window of WINDOWS) {
      const limit = limits[window];
      if (limit === undefined) continue;
      if (meters?.[window]?.canSpend(limit, now, isAway) !== true) return undefined;
    }
    const openedAt: Partial<Record<UsageWindow, Instant>> = {};
    let hourUsed: number | undefined;
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = limit === undefined ? undefined : meters?.[window];
      if (limit === undefined || meter === undefined) continue;
      if (meter.spend(now)) void this.#exchange.askAhead(accountId, limit, meter);
      openedAt[window] = meter.openedAt;
      if (window === 'hour') hourUsed = meter.used;
    }
    return { accountId, hourUsed, openedAt };
  }

  async #reserveFromStore(accountId: string, limits: WindowLimits): Promise<Reservation> {
    let isLate = false;
    const asked = this.#askUntil(() => isLate, accountId, limits);
    const reserved = await within(asked, UNITS_WAIT_MS);
    if (reserved !== 'late') return reserved;
    isLate = true;
    // Units that still come for this call are others'.
    void asked.then(
      (unused) => this.cancel(unused),
      () => undefined,
    );
    throw tooLate();
  }

  async #askUntil(
    isLate: () => boolean,
    accountId: string,
    limits: WindowLimits,
  ): Promise<Reservation> {
    while (!isLate()) {
      let reserved = this.#reserveWithoutStore(accountId, limits);
      if (reserved !== undefined) return reserved;
      const refusal = this.#refusal(accountId, limits);
      if (refusal !== undefined) throw refusal;
      try {
        await this.#exchange.ask(accountId, limits);
        reserved = this.#spend(accountId, limits, this.#now());
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        reserved = this.#reserveWithoutStore(accountId, limits);
        if (reserved === undefined) throw error;
      }
      if (reserved !== undefined) return reserved;
    }
    throw tooLate();
  }

  /** By the store's last answer, of the first window that has no unit. */
  #refusal(accountId: string, limits: WindowLimits) {
    const now = this.#now();
    for (const window of WINDOWS) {
      const limit = limits[window];
      if (limit === undefined) continue;
      const refusal = this.#meters.find(accountId, window)?.refusal(limit, now);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** A call while the store is out of reach, which opens the minutes that have ended since. */
  #reserveWithoutStore(accountId: string, limits: WindowLimits): Reservation | undefined {
    if (!this.#exchange.isAway) return undefined;
    const now = this.#now();
    for (const window of WINDOWS) {
      const [limit, before] = [limits[window], this.#meters.find(accountId, window)];
      if (!isMinute(window) || limit === undefined || before === undefined) continue;
      if (!before.isOpen(now)) this.#meters.put(accountId, Meter.alone(before, limit, now));
    }
    return this.#spend(accountId, limits, now);
  }

  /**
   * Takes the units of the month and of the bulk hour back for a call that was not answered. The unit
   * of the minute stays spent, because the request was made. Resolves when every process can use
   * the units; never rejects.
   */
  refund(reservation: Reservation): Promise<void> {
    return this.#takeBack(reservation, REFUNDED_WINDOWS);
  }

  /** Takes all units of a call back that another limit refused. Resolves like `refund`. */
  cancel(reservation: Reservation): Promise<void> {
    return this.#takeBack(reservation, WINDOWS);
  }

  async #takeBack({ accountId, openedAt: opened }: Reservation, windows: readonly UsageWindow[]) {
    const back: HeldWindow[] = [];
    for (const window of windows) {
      const openedAt = opened[window];
      if (openedAt === undefined) continue;
      const meter = this.#meters.find(accountId, window);
      if (meter?.openedAt !== openedAt) {
        this.#exchange.giveBackLater({ accountId, window, openedAt, units: 1, spare: 0 });
      } else if (meter.refund()) back.push({ accountId, meter });
    }
    if (back.length === 0 || this.#exchange.isAway) return;
    await this.#exchange
      .giveBack(() => back)
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'quota units could not be given back');
      });
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
    const month = await this.#read((store) => store.monthUsage(accountId, now));
    const before = this.#meters.find(accountId, 'month');
    // A call in between may have taken units and has newer counts.
    if (before?.isOpen(now) === true) return;
    // A process whose clock is behind may still spend units of a month that has ended here.
    if (before !== undefined) this.#exchange.giveBackLater(before.giveBack(accountId));
    const meter = new Meter('month', month.openedAt, now, before);
    meter.recount(month);
    this.#meters.put(accountId, meter);
  }

  async #read<T extends object | number>(read: (store: Store) => Promise<T>): Promise<T> {
    const result = await within(this.#exchange.read(read), UNITS_WAIT_MS);
    if (result === 'late') throw tooLate();
    return result;
  }

  /** Units used this month: those that the store counts, without those unspent here. */
  countedThisMonth(accountId: string): Promise<number> {
    return this.#read(async (store) => {
      const month = await store.monthUsage(accountId, this.#now());
      const meter = this.#meters.find(accountId, 'month');
      if (meter?.openedAt !== month.openedAt) return month.taken;
      meter.recount(month);
      return meter.used;
    });
  }

  /** Units used and the end of the month, for the headers. */
  monthUsage(accountId: string, now: Instant): { readonly used: number; readonly endsAt: Instant } {
    const meter = this.#meters.find(accountId, 'month');
    if (meter?.isOpen(now) !== true) return { used: 0, endsAt: utcMonthOf(now).end };
    return { used: meter.used, endsAt: meter.closesAt };
  }

  /** Units of the month that this process has and did not spend. */
  unspentOf(accountId: string, now: Instant): number {
    const meter = this.#meters.find(accountId, 'month');
    return meter?.isOpen(now) === true ? meter.unspent : 0;
  }

  /** Calls left in the bulk hour (§4.6). */
  hourLeft(accountId: string, limit: number, now: Instant): number {
    const meter = this.#meters.find(accountId, 'hour');
    return meter?.isOpen(now) === true ? Math.max(0, limit - meter.used) : limit;
  }

  /**
   * Regular maintenance, while the store answers: gives back what is left over.
   * @returns accounts without calls for long, whose usage was removed from memory.
   */
  async tend(now: Instant): Promise<readonly string[]> {
    if (this.#exchange.isAway) {
      await this.#exchange.catchUp(this.#meters.those((meter) => meter.needsStore(now)));
    }
    // A wait longer than the maximum means that the clock was set back.
    const waited = now - this.#sweptAt;
    if (waited >= 0 && waited < SWEEP_MS) return [];
    this.#sweptAt = now;
    await this.#exchange.giveBack(() => this.#meters.those((meter) => meter.isLeftOver(now)));
    return this.#meters.remove((meter) => meter.isIdle(now, FORGOTTEN_MS) && meter.unspent === 0);
  }

  /** Gives all units back before the process ends. */
  close(): Promise<void> {
    return this.#exchange.close();
  }
}

function tooLate(): StoreBusy {
  return new StoreBusy('The database cannot be reached: it does not tell of units in time.');
}

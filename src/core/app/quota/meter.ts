import type { ApiError } from '../../domain/errors.ts';
import { type Instant, MINUTE_MS } from '../../domain/time.ts';
import type {
  HeldUnits,
  ReturnedUnits,
  UnitsAsk,
  UnitsGrant,
  UsageCount,
  UsageWindow,
} from '../ports/usage.ts';
import {
  BLOCK_LASTS_MS,
  COMES_BACK_RETRY_MS,
  EMPTY_KEPT_MS,
  IDLE_MS,
  MIN_BLOCK_UNITS,
} from './block-limits.ts';
import { closingOf, isMinute, refusalOf } from './windows.ts';

/** Calls that ask for units of a window. */
export interface PendingAsk extends Pick<UnitsAsk, 'accountId' | 'window'> {
  limit: number;
  /** Calls that wait for a unit. */
  waiting: number;
}

/**
 * One window of an account as seen by this process, with the block that it spends from. The store
 * counts the units of a block as spent. Only the meter changes its figures; each method is one
 * transition.
 */
export class Meter {
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  readonly closesAt: Instant;
  /** Units that may be spent. Negative by those that were spent while the store was out of reach. */
  #units = 0;
  /** Units of the window that count as spent, by the store's last answer. */
  #taken = 0;
  /** Most units of the window, in the plan of the last request. */
  #limit = 0;
  /** Units of them that this process got and did not give back. */
  #got = 0;
  /** See `HeldUnits`. */
  #spare = 0;
  /** The next block is taken when at most this many units are left; -1 for never. */
  #low = -1;
  /** Units that may be spent while the store is out of reach, beside those that this process has. */
  #credit = 0;
  /** See `#part`, of the last window that the store knows, in one that it does not know yet. */
  #partBefore = 0;
  #mayComeBack = false;
  #answeredAt: Instant = Number.NEGATIVE_INFINITY;
  #usedAt: Instant;
  readonly #use: RecentUse;
  /** Whether a request for the next block is in progress. */
  isAsking = false;

  /** @param before The same window before it opened again. */
  constructor(window: UsageWindow, openedAt: Instant, now: Instant, before?: Meter) {
    this.window = window;
    this.openedAt = openedAt;
    this.closesAt = closingOf(window, openedAt);
    this.#usedAt = now;
    this.#use = before === undefined ? new RecentUse(now) : before.#use.continued(before.#spent);
  }

  /**
   * A minute that opens without the store: of its units this process may spend the part that it had
   * in the one before.
   */
  static alone(before: Meter, limit: number, now: Instant): Meter {
    const meter = new Meter(before.window, now, now, before);
    meter.#limit = limit;
    meter.#partBefore = before.#part;
    meter.#credit = Math.floor(limit * before.#part);
    return meter;
  }

  /**
   * Whether `now` lies in the window. A minute or an hour that opened shortly after `now` counts
   * too, so that a clock set back does not give the account a second one.
   */
  isOpen(now: Instant): boolean {
    if (now >= this.closesAt) return false;
    if (this.window === 'month') return now >= this.openedAt;
    return this.openedAt - now < this.closesAt - this.openedAt;
  }

  /** Whether a call can be admitted now without asking the store. A block of a larger plan cannot. */
  canSpend(limit: number, now: Instant, isStoreAway: boolean): boolean {
    const isThere = this.#units > (isStoreAway ? -this.#credit : 0);
    return isThere && this.#limit <= limit && this.isOpen(now);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Units of this process that are not spent. */
  get unspent(): number {
    return Math.max(0, this.#units);
  }

  /** Units spent by all processes, as far as known here. */
  get used(): number {
    return Math.max(0, this.#taken - this.#units);
  }

  /** Spends one unit. @returns whether to ask for the next block. */
  spend(now: Instant): boolean {
    this.#units -= 1;
    this.#usedAt = now;
    return this.#units <= this.#low && !this.isAsking;
  }

  /**
   * Takes the unit of a call back that was not answered.
   * @returns whether it has to go back to the store at once, which knows of no block here: near the
   *   limit others may need it.
   */
  refund(): boolean {
    this.#units += 1;
    return this.#units > 0 && this.#spare === 0;
  }

  /** Whether the next block is due, or the store does not know yet what was spent without it. */
  needsStore(now: Instant): boolean {
    return (this.#units <= this.#low || this.#units < 0) && this.isOpen(now);
  }

  /** The request to the store for waiting and for future calls. */
  static ask(base: PendingAsk, meter: Meter | undefined, now: Instant): UnitsAsk {
    const { waiting: need, ...asked } = base;
    const least = MIN_BLOCK_UNITS[base.window];
    if (meter === undefined) return { ...asked, need, want: least };
    const recent = Math.ceil(meter.#use.ofMinute(meter.#spent, now));
    const want = least === 0 ? 0 : Math.max(least, recent);
    return { ...asked, need, want, held: meter.isOpen(now) ? meter.#held : undefined };
  }

  /** Applies a grant. Calls may have spent some of the units since the request. */
  credit(grant: UnitsGrant, { limit, need, held }: UnitsAsk, now: Instant): void {
    const owed = Math.max(0, -(held?.units ?? 0));
    this.#units += grant.granted + owed;
    this.#got += grant.granted + owed;
    this.#limit = limit;
    this.#taken = grant.taken;
    this.#spare = grant.spare;
    this.#low = grant.spare > 0 ? (grant.spare + need) >> 1 : -1;
    this.#credit = isMinute(this.window)
      ? Math.floor(Math.max(0, limit - this.#taken) * this.#part)
      : 0;
    this.#mayComeBack = grant.mayComeBack;
    this.#answeredAt = now;
  }

  /** What this process owes goes on in the window that the store has opened instead. */
  continueIn(next: Meter): void {
    next.#units = Math.min(0, this.#units);
  }

  /** Applies a count of all processes. */
  recount({ taken }: UsageCount): void {
    this.#taken = taken;
  }

  /** The refusal of a call when no units remain, by an answer of the store that is fresh. */
  refusal(limit: number, now: Instant): ApiError | undefined {
    const isEmpty = this.#units <= 0 && this.#taken >= limit && this.isOpen(now);
    // After the clock was set back, an answer dated in the future is not fresh either.
    if (!isEmpty || Math.abs(now - this.#answeredAt) >= EMPTY_KEPT_MS) return undefined;
    const untilEnd = this.closesAt - now;
    const mayComeBack = this.#mayComeBack;
    const waitMs = mayComeBack ? Math.min(untilEnd, COMES_BACK_RETRY_MS) : untilEnd;
    return refusalOf(this.window, { limit, waitMs, mayComeBack });
  }

  isIdle(now: Instant, forMs = IDLE_MS): boolean {
    return Math.abs(now - this.#usedAt) >= forMs;
  }

  /** Whether the account now uses too little for the block, or its month is over. */
  isLeftOver(now: Instant): boolean {
    if (this.#units <= 0) return false;
    if (!this.isOpen(now)) return this.window === 'month';
    return this.isIdle(now) || Math.abs(now - this.#answeredAt) >= BLOCK_LASTS_MS;
  }

  /** Removes all units, to give them back. */
  giveBack(accountId: string): ReturnedUnits {
    const back = { ...this.#held, accountId, window: this.window };
    this.#add(-back.units);
    this.#spare = 0;
    this.#low = -1;
    return back;
  }

  /** Undoes `giveBack` when the store certainly did not take them. */
  keep({ units, spare }: ReturnedUnits): void {
    this.#add(units);
    this.#spare = spare;
  }

  /** The store did or did not take them, and the account loses them in the second case. */
  lose({ units }: ReturnedUnits): void {
    this.#taken += units;
  }

  #add(units: number): void {
    this.#units += units;
    this.#got += units;
    this.#taken += units;
  }

  get #held(): HeldUnits {
    return { openedAt: this.openedAt, units: this.#units, spare: this.#spare };
  }

  get #spent(): number {
    return this.#got - this.#units;
  }

  /** The part of the window that this process had, of all processes. */
  get #part(): number {
    return this.#taken > 0 ? Math.min(1, this.#got / this.#taken) : this.#partBefore;
  }
}

/** How many units were used in the past minute, from counts of those used in all. */
class RecentUse {
  #since: Instant;
  #before = 0;
  #offset = 0;
  #usedBefore = 0;

  constructor(since: Instant) {
    this.#since = since;
  }

  /** For a count that begins again at 0. */
  continued(used: number): this {
    this.#offset += used;
    return this;
  }

  ofMinute(used: number, now: Instant): number {
    const all = this.#offset + used;
    const elapsed = now - this.#since;
    const more = all - this.#usedBefore;
    if (elapsed >= 0 && elapsed < MINUTE_MS) return more + this.#before * (1 - elapsed / MINUTE_MS);
    this.#before = elapsed > 0 ? (more * MINUTE_MS) / elapsed : 0;
    this.#since = now;
    this.#usedBefore = all;
    return this.#before;
  }
}

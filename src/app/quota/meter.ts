import type { ApiError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type {
  AccountUnits,
  UnitsAsk,
  UnitsGrant,
  UnitsReport,
  UnitsShare,
  UsageCount,
  UsageWindow,
} from '../ports/usage.ts';
import {
  EMPTY_KEPT_MS,
  LEASED_RETRY_MS,
  MIN_ALLOWANCE_UNITS,
  MIN_BLOCK_UNITS,
} from './lease-limits.ts';
import { closingOf, Pace, refusalOf } from './windows.ts';

/** A request of a meter, with the minute limit of the plan. */
export interface MeterAsk extends UnitsAsk {
  readonly perMinute: number | undefined;
}

/** What a request of a meter is made of. */
export interface PendingAsk extends Pick<MeterAsk, 'accountId' | 'window' | 'limit' | 'perMinute'> {
  /** Calls that wait for a unit. */
  waiting: number;
}

/** The first request for a window. */
export function firstAsk(base: PendingAsk): MeterAsk {
  const need = Math.min(base.waiting, MIN_ALLOWANCE_UNITS);
  const want = base.window === 'hour' ? need : Math.max(need, MIN_BLOCK_UNITS);
  return { ...base, need, want, most: MIN_ALLOWANCE_UNITS };
}

/**
 * One window of an account as seen by this process, with its leased units: an allowance, from which
 * calls spend, and a reserve (see `UnitsShare`). Only the meter changes its figures; each method is
 * one transition.
 */
export class Meter {
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  readonly closesAt: Instant;
  /** Opened without the store, and unknown to it. */
  readonly isLocal: boolean;
  /** Most units in the window, from the last request. */
  #limit = 0;
  #perMinute: number | undefined;
  /** Units that may be spent now. Negative after the reserve was spent without the store. */
  #allowance = 0;
  /** Units recorded in the store as unused, by its last answer. */
  #reserve = 0;
  /** Most units of the allowance, and its units, as last told to the store. */
  #most = MIN_ALLOWANCE_UNITS;
  #told = 0;
  /** Whether the store knows that this process may have units, so that others can recall them. */
  #isListed = false;
  /** The store's last answer: see `UnitsGrant`. */
  #taken = 0;
  #heldElsewhere = 0;
  #mayComeBack = false;
  #answeredAt: Instant = Number.NEGATIVE_INFINITY;
  /** All units that came here, without those that went back. */
  #received = 0;
  readonly #pace: Pace;
  /** The allowance is enlarged when at most this many units of it are left; -1 for never. */
  #low = -1;
  /** More units are requested when at most this many are left; -1 for never. */
  #lowInAll = -1;
  /** Another process has no units left. From then on only needed units are requested. */
  #isContended = false;
  #hasUnreportedRefund = false;
  /** Whether a request for more units is in progress. */
  isAsking = false;

  constructor(window: UsageWindow, openedAt: Instant, { isLocal = false } = {}) {
    this.window = window;
    this.openedAt = openedAt;
    this.closesAt = closingOf(window, openedAt);
    this.isLocal = isLocal;
    this.#pace = new Pace(openedAt);
  }

  /** A window opened without the store, with a share of its units. */
  static local(
    window: UsageWindow,
    openedAt: Instant,
    { limit, share }: { readonly limit: number; readonly share: number },
  ): Meter {
    const meter = new Meter(window, openedAt, { isLocal: true });
    meter.#limit = limit;
    meter.#set(share, 0);
    meter.#taken = limit - share;
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

  get limit(): number {
    return this.#limit;
  }

  get perMinute(): number | undefined {
    return this.#perMinute;
  }

  /** Whether a call can be admitted now without the store. */
  canSpend(now: Instant): boolean {
    return this.#allowance > 0 && this.isOpen(now);
  }

  /** The same when the store is out of reach: then the reserve is spent too, and reported later. */
  canSpendReserve(now: Instant): boolean {
    return this.#left > 0 && this.isOpen(now);
  }

  /** Whether this process has units that the store knows or should know. */
  get hasUnits(): boolean {
    return !this.isLocal && (this.#isListed || this.#left !== 0);
  }

  get hasUnspent(): boolean {
    return this.#left > 0;
  }

  /** Units spent by all processes, as far as known here. */
  get used(): number {
    return Math.max(0, this.#taken - this.#heldElsewhere - this.#left);
  }

  /**
   * Spends one unit.
   * @returns whether to request more.
   */
  spend(): boolean {
    this.#allowance -= 1;
    return this.#allowance <= this.#low && !this.isAsking;
  }

  /**
   * Returns the unit of a call that was not answered.
   * @returns whether the store must be informed, because the unit could not be recalled, or the
   *   allowance is too large.
   */
  refund(): boolean {
    this.#allowance += 1;
    this.#hasUnreportedRefund = !this.#isListed || this.#allowance > this.#most;
    return this.#hasUnreportedRefund && !this.isAsking;
  }

  /** Whether a unit was refunded during a request to the store. */
  get hasUnreportedRefund(): boolean {
    return this.#hasUnreportedRefund;
  }

  /** Applies a grant of the store. */
  credit(grant: UnitsGrant, ask: MeterAsk, now: Instant): void {
    this.#limit = ask.limit;
    this.#perMinute = ask.perMinute;
    this.#most = ask.most;
    this.#isListed = grant.isListed;
    this.#taken = grant.taken;
    this.#heldElsewhere = grant.heldElsewhere;
    this.#mayComeBack = grant.mayComeBack;
    this.#answeredAt = now;
    this.#share(grant, ask.held?.openedAt === this.openedAt ? ask.held.allowance : 0, ask.need);
    if (grant.granted > 0) this.#pace.noteGrant(this.#spent, now);
    this.#lowInAll = this.#isContended
      ? -1
      : (grant.allowance + grant.reserve - ask.need) >> 1 || -1;
  }

  /** Applies the store's answer to a report. */
  divide(share: UnitsShare, { allowance }: UnitsReport): void {
    this.#share(share, allowance, 0);
  }

  /** Applies a count of all processes. */
  recount({ taken, heldElsewhere, reserve }: UsageCount): void {
    this.#taken = taken;
    this.#heldElsewhere = heldElsewhere;
    this.#set(this.#allowance, reserve);
  }

  /**
   * `spent` when no units are left, `leased` when only other processes may have some; undefined
   * when units remain or nothing is known.
   */
  exhaustion(limit: number, now: Instant): 'spent' | 'leased' | undefined {
    if (this.#left > 0 || !this.isOpen(now) || this.#taken < limit) return undefined;
    return this.#mayComeBack ? 'leased' : 'spent';
  }

  /** Whether the store has just answered that nothing remains: to ask again is useless. */
  isSpentFor(limit: number, now: Instant): boolean {
    // After the clock was set back, an answer dated in the future is not fresh either.
    return (
      this.exhaustion(limit, now) === 'spent' && Math.abs(now - this.#answeredAt) < EMPTY_KEPT_MS
    );
  }

  /** The plan may have changed, so the next call asks the store again. */
  forgetSpent(): void {
    this.#answeredAt = Number.NEGATIVE_INFINITY;
  }

  /** Another process ran out of units. */
  contend(): void {
    this.#isContended = true;
  }

  /** Whether the reserve is enough for waiting and for future calls. */
  hasReserveFor(waiting: number, now: Instant): boolean {
    return this.#isListed && this.isOpen(now) && this.#left - waiting > this.#lowInAll;
  }

  /** Whether so little of the block is left that more should be leased. */
  isLow(now: Instant): boolean {
    return this.#isListed && this.isOpen(now) && this.#left <= this.#lowInAll;
  }

  /** Builds the request to the store for waiting and for future calls. */
  ask(base: PendingAsk, now: Instant): MeterAsk {
    if (!this.isOpen(now)) return firstAsk(base);
    this.#perMinute = base.perMinute;
    const { allowance, most } = this.#begin(now);
    const need = Math.min(base.waiting, most);
    // The bulk hour has a small limit and expensive calls, so its units are not leased in blocks.
    const isBlock = base.window !== 'hour' && !this.#isContended;
    const want = isBlock ? Math.max(need, this.#pace.block(this.#spent, now)) : need;
    const { openedAt } = this;
    return this.isLocal
      ? { ...base, need, want, most, owed: { since: openedAt, units: this.#spent } }
      : { ...base, need, want, most, held: { openedAt, allowance } };
  }

  /** The request after the store told that the reserve of a report is lost. */
  askAfterLoss({ accountId, allowance, most }: UnitsReport): MeterAsk {
    const { window, openedAt } = this;
    const base = { accountId, window, limit: this.#limit, perMinute: this.#perMinute };
    return { ...base, need: 0, want: 0, most, held: { openedAt, allowance } };
  }

  /** Whether the allowance is too large or was exceeded, or the reserve may be lost. */
  needsReport(now: Instant, hasLapsed: boolean): boolean {
    if (this.isLocal || !this.isOpen(now)) return false;
    if (!this.#isListed) return this.#left !== 0;
    if (this.#allowance < 0 || this.#allowance > this.#bound(now) || hasLapsed) return true;
    // Other processes show how much of the month is used.
    return this.window === 'month' && this.#allowance !== this.#told;
  }

  /** The report of the allowance to the store. */
  report(accountId: string, now: Instant): UnitsReport {
    const { window, openedAt } = this;
    return { accountId, window, openedAt, ...this.#begin(now) };
  }

  /** Removes all units, to return them to the store. */
  returnAll(accountId: string): ReturnedUnits {
    const { window, openedAt } = this;
    const [allowance, reserve] = [this.#allowance, this.#reserve];
    this.#taken -= this.#left;
    this.#set(0, 0);
    this.#isListed = false;
    this.#low = -1;
    this.#lowInAll = -1;
    return { accountId, window, openedAt, allowance, reserve };
  }

  /**
   * Undoes `returnAll` after a failure. Unless `isSure`, the store may have the units: then only a
   * debt is kept, and the store's next answer tells the reserve.
   */
  takeBack({ allowance, reserve }: ReturnedUnits, isSure: boolean): void {
    const [back, inReserve] = isSure ? [allowance, reserve] : [Math.min(0, allowance), 0];
    this.#taken += back + inReserve;
    this.#set(this.#allowance + back, this.#reserve + inReserve);
    this.#isListed = true;
  }

  refusal(limit: number, now: Instant): ApiError {
    const isLeased = this.exhaustion(limit, now) === 'leased';
    const untilEnd = this.closesAt - now;
    const waitMs = isLeased ? Math.min(untilEnd, LEASED_RETRY_MS) : untilEnd;
    return refusalOf(this.window, { limit, waitMs, isLeased });
  }

  #bound(now: Instant): number {
    return this.#pace.allowance(this.#spent, this.#perMinute, now);
  }

  get #left(): number {
    return this.#allowance + this.#reserve;
  }

  get #spent(): number {
    return this.#received - this.#left;
  }

  /** Changes the units without spending any. */
  #set(allowance: number, reserve: number): void {
    this.#received += allowance + reserve - this.#left;
    this.#allowance = allowance;
    this.#reserve = reserve;
  }

  /**
   * Begins a request that reports the allowance. What is over the bound goes to the reserve: it may
   * not be spent meanwhile, because the answer may be lost.
   */
  #begin(now: Instant): { readonly allowance: number; readonly most: number } {
    this.#hasUnreportedRefund = false;
    this.#most = this.#bound(now);
    const allowance = this.#allowance;
    this.#set(Math.min(allowance, this.#most), this.#reserve);
    return { allowance, most: this.#most };
  }

  /** Applies the store's division. Calls may have spent some of the reported allowance since. */
  #share({ allowance, reserve }: UnitsShare, reported: number, need: number): void {
    const kept = Math.min(reported, this.#most);
    this.#set(this.#allowance + allowance - kept, reserve);
    this.#told = Math.max(0, allowance - need);
    const spare = Math.min(this.#most, allowance + reserve - need);
    this.#low = this.#isContended ? -1 : spare >> 1 || -1;
  }
}

/** Units that were returned, with the reserve, which the store knows. */
interface ReturnedUnits extends AccountUnits {
  readonly reserve: number;
}

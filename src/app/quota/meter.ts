import { ApiError } from '../../domain/errors.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type {
  AccountUnits,
  UnitsAsk,
  UnitsGrant,
  UsageCount,
  UsageWindow,
} from '../ports/usage.ts';
import { BLOCK_LASTS_MS, EMPTY_KEPT_MS, MAX_BLOCK_UNITS, MIN_BLOCK_UNITS } from './lease-limits.ts';

const WINDOW_NOUN: Readonly<Record<UsageWindow, string>> = {
  minute: 'requests of this minute',
  hour: 'bulk calls of this hour',
  month: 'units of this month',
  account: 'account calls of this minute',
};

function closingOf(window: UsageWindow, openedAt: Instant): Instant {
  switch (window) {
    case 'minute':
    case 'account':
      return openedAt + MINUTE_MS;
    case 'hour':
      return openedAt + HOUR_MS;
    case 'month':
      return utcMonthOf(openedAt).end;
    default:
      return window satisfies never;
  }
}

/** Units spent by all processes, as far as reported to the store. */
export function usedOf({
  taken,
  heldElsewhere,
  left = 0,
}: Pick<UsageCount, 'taken' | 'heldElsewhere'> & { left?: number }): number {
  return Math.max(0, taken - heldElsewhere - left);
}

/**
 * One window of an account as seen by this process, with its leased units. Only the meter changes
 * its figures; each method is one transition.
 */
export class Meter {
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  readonly closesAt: Instant;
  /** Opened without the store, and unknown to it. */
  readonly isLocal: boolean;
  /** Most units in the window, from the last request. */
  #limit = 0;
  /** Units leased and not spent. */
  #left = 0;
  /** Unspent units in the last report to the store; 0 when it knows of none. */
  #reported = 0;
  /** Units granted to all processes, from the store's last answer. */
  #taken = 0;
  /** Unspent units leased to other processes, from the store's last answer. */
  #heldElsewhere = 0;
  /** Of these, the units that may be returned, from the store's last answer. */
  #recallable = 0;
  /** Time of the store's last answer. */
  #answeredAt: Instant = Number.NEGATIVE_INFINITY;
  /** When units were last granted, and how many were leased then. */
  #grantedAt: Instant;
  #handed = 0;
  /** More units are requested when at most this many are left; -1 for never. */
  #low = -1;
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
    this.#grantedAt = openedAt;
  }

  /** A window opened without the store, with a share of its units. */
  static local(
    window: UsageWindow,
    openedAt: Instant,
    { limit, share }: { readonly limit: number; readonly share: number },
  ): Meter {
    const meter = new Meter(window, openedAt, { isLocal: true });
    meter.#limit = limit;
    meter.#left = share;
    meter.#handed = share;
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

  /** Whether a call can be admitted now without the store. */
  canSpend(now: Instant): boolean {
    return this.#left > 0 && this.isOpen(now);
  }

  /** Whether this process has units that the store knows or should know. */
  get hasUnits(): boolean {
    return !this.isLocal && (this.#left > 0 || this.#reported > 0);
  }

  get hasUnspent(): boolean {
    return this.#left > 0;
  }

  /** Units spent by all processes, as far as known here. */
  get used(): number {
    return usedOf({
      taken: this.#taken,
      heldElsewhere: this.#heldElsewhere,
      left: this.#left,
    });
  }

  /**
   * Spends one unit.
   * @returns whether to request more.
   */
  spend(): boolean {
    this.#left -= 1;
    return this.#left <= this.#low && !this.isAsking;
  }

  /**
   * Returns the unit of a call that was not answered.
   * @returns whether the store must be informed, because it counts the unit as spent.
   */
  refund(): boolean {
    this.#left += 1;
    this.#hasUnreportedRefund = this.#left > this.#reported;
    return this.#hasUnreportedRefund && !this.isAsking;
  }

  /** Whether a unit was refunded during a request to the store. */
  get hasUnreportedRefund(): boolean {
    return this.#hasUnreportedRefund;
  }

  /** Applies a grant of the store. */
  credit(grant: UnitsGrant, limit: number, now: Instant): void {
    this.#limit = limit;
    this.#left += grant.granted;
    this.#reported = grant.reported;
    this.#taken = grant.taken;
    this.#heldElsewhere = grant.heldElsewhere;
    this.#recallable = grant.recallable;
    this.#answeredAt = now;
    if (grant.granted > 0) {
      this.#grantedAt = now;
      this.#handed = this.#left;
    }
    this.#low = this.#isContended ? -1 : grant.reported >> 1 || -1;
  }

  /** Applies a count of all processes. */
  recount({ taken, heldElsewhere }: UsageCount): void {
    this.#taken = taken;
    this.#heldElsewhere = heldElsewhere;
  }

  /**
   * `spent` when no units are left, `recallable` when only other processes have some; undefined
   * when units remain or nothing is known.
   */
  exhaustion(limit: number, now: Instant): 'spent' | 'recallable' | undefined {
    if (this.#left > 0 || !this.isOpen(now) || this.#taken < limit) return undefined;
    return this.#recallable > 0 ? 'recallable' : 'spent';
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

  /** Builds the request to the store for waiting and for future calls. */
  ask(base: UnitsBase, now: Instant): UnitsAsk {
    if (!this.isOpen(now)) return firstAsk(base);
    this.#hasUnreportedRefund = false;
    // The bulk hour has a small limit and expensive calls, so its units are not leased in blocks.
    const isBlock = base.window !== 'hour' && !this.#isContended;
    const want = isBlock ? Math.max(base.need, this.#block(now)) : base.need;
    const { openedAt } = this;
    if (this.isLocal) {
      return { ...base, want, owed: { since: openedAt, units: this.#handed - this.#left } };
    }
    return { ...base, want, held: { openedAt, units: this.#left, reported: this.#reported } };
  }

  /** Units to lease: about `BLOCK_LASTS_MS` at the rate since the last grant. */
  #block(now: Instant): number {
    const pace = (this.#handed - this.#left) / Math.max(1, now - this.#grantedAt);
    return Math.max(MIN_BLOCK_UNITS, Math.min(MAX_BLOCK_UNITS, Math.ceil(pace * BLOCK_LASTS_MS)));
  }

  /** Whether to report the remaining units to the store. */
  needsReport(hasLapsed: boolean): boolean {
    if (this.isLocal) return false;
    return this.#left !== this.#reported || (hasLapsed && this.#reported > 0);
  }

  /** The report of the remaining units to the store. */
  report(accountId: string): AccountUnits {
    const { window, openedAt } = this;
    return { accountId, window, openedAt, units: this.#left, reported: this.#reported };
  }

  /** The store accepted a report. */
  confirm({ units }: AccountUnits): void {
    this.#reported = units;
  }

  /** Removes all units, to return them to the store. */
  returnAll(accountId: string): AccountUnits {
    const units = this.report(accountId);
    this.#left = 0;
    this.#reported = 0;
    this.#low = -1;
    this.#taken -= units.units;
    return units;
  }

  /** Undoes `returnAll`, because the store did not accept the units. */
  takeBack({ units, reported }: AccountUnits): void {
    this.#left += units;
    this.#reported = reported;
    this.#taken += units;
  }

  refusal(limit: number, now: Instant): ApiError {
    const { window } = this;
    return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
      message: `The ${limit} ${WINDOW_NOUN[window]} are used up.`,
      retryAfterSec: Math.max(1, Math.ceil((this.closesAt - now) / SECOND_MS)),
      scope: window,
      details: { limit },
    });
  }
}

type UnitsBase = Pick<UnitsAsk, 'accountId' | 'window' | 'limit' | 'need'>;

/** The first request for a window. */
export function firstAsk(base: UnitsBase): UnitsAsk {
  return {
    ...base,
    want: base.window === 'hour' ? base.need : Math.max(base.need, MIN_BLOCK_UNITS),
  };
}

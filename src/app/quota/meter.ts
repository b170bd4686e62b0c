import { ApiError } from '../../domain/errors.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type {
  AccountUnits,
  UnitsAsk,
  UnitsGrant,
  UsageCount,
  UsageWindow,
} from '../ports/usage.ts';
import { BLOCK_LASTS_MS, BLOCK_MAX, BLOCK_MIN, EMPTY_KEPT_MS } from './lease-limits.ts';

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

/** Units spent by all processes, as far as the store was told. */
export function usedOf({
  taken,
  heldElsewhere,
  left = 0,
}: Pick<UsageCount, 'taken' | 'heldElsewhere'> & { left?: number }): number {
  return Math.max(0, taken - heldElsewhere - left);
}

/**
 * What a process knows of one window of an account, and the units of it that it leases. The meter
 * alone changes its figures: each method is one transition.
 */
export class Meter {
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  readonly closesAt: Instant;
  /** Opened without the store, which has not heard of it. */
  readonly isLocal: boolean;
  /** Most units in the window, as it was last asked for. */
  #limit = 0;
  /** Units leased and not spent. */
  #left = 0;
  /** Unspent units as the store was last told; 0 when it knows of none. */
  #reported = 0;
  /** Units handed out to all processes, as the store last said. */
  #taken = 0;
  /** Unspent units leased to other processes, as the store last said. */
  #heldElsewhere = 0;
  /** Those of them that may come back, as the store last said. */
  #recallable = 0;
  /** When the store last said so. */
  #toldAt: Instant = Number.NEGATIVE_INFINITY;
  /** When units were last granted, and how many were leased then. */
  #grantedAt: Instant;
  #handed = 0;
  /** More are asked for when no more than these are left; -1 for never. */
  #low = -1;
  /** Another process ran out: from then on only what is needed is asked for. */
  #isContended = false;
  #hasUntoldRefund = false;
  /** More units are being asked for. */
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
   * Whether `now` falls into the window. A minute or an hour that opened a little after `now` counts
   * too: a clock that was set back must not give the account a second one.
   */
  isOpen(now: Instant): boolean {
    if (now >= this.closesAt) return false;
    if (this.window === 'month') return now >= this.openedAt;
    return this.openedAt - now < this.closesAt - this.openedAt;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Whether a call can be admitted now, without asking the store. */
  canSpend(now: Instant): boolean {
    return this.#left > 0 && this.isOpen(now);
  }

  /** Whether the store knows of units here, or should. */
  get hasUnits(): boolean {
    return !this.isLocal && (this.#left > 0 || this.#reported > 0);
  }

  get hasUnspent(): boolean {
    return this.#left > 0;
  }

  /** Units spent by all processes, as far as is known here. */
  get used(): number {
    return usedOf({
      taken: this.#taken,
      heldElsewhere: this.#heldElsewhere,
      left: this.#left,
    });
  }

  /** Spends one unit. @returns whether it is time to ask for more. */
  spend(): boolean {
    this.#left -= 1;
    return this.#left <= this.#low && !this.isAsking;
  }

  /**
   * The call was not answered: its unit is unspent again.
   * @returns whether the store must hear of it, for it takes the unit to be spent.
   */
  refund(): boolean {
    this.#left += 1;
    this.#hasUntoldRefund = this.#left > this.#reported;
    return this.#hasUntoldRefund && !this.isAsking;
  }

  /** Whether a unit came back while the store was being asked. */
  get hasUntoldRefund(): boolean {
    return this.#hasUntoldRefund;
  }

  /** Takes over what the store granted and said. */
  credit(grant: UnitsGrant, limit: number, now: Instant): void {
    this.#limit = limit;
    this.#left += grant.granted;
    this.#reported = grant.reported;
    this.#taken = grant.taken;
    this.#heldElsewhere = grant.heldElsewhere;
    this.#recallable = grant.recallable;
    this.#toldAt = now;
    if (grant.granted > 0) {
      this.#grantedAt = now;
      this.#handed = this.#left;
    }
    this.#low = this.#isContended ? -1 : grant.reported >> 1 || -1;
  }

  /** Takes over the count of all processes. */
  recount({ taken, heldElsewhere }: UsageCount): void {
    this.#taken = taken;
    this.#heldElsewhere = heldElsewhere;
  }

  /**
   * Whether nothing is left anywhere, or only what other processes lease. `undefined`: unknown, or
   * units remain.
   */
  exhaustion(limit: number, now: Instant): 'spent' | 'recallable' | undefined {
    if (this.#left > 0 || !this.isOpen(now) || this.#taken < limit) return undefined;
    return this.#recallable > 0 ? 'recallable' : 'spent';
  }

  /** Whether the store said so lately that nothing remains that asking again is of no use. */
  isSpentFor(limit: number, now: Instant): boolean {
    // What the clock says of a moment ahead of it is not fresh either.
    return this.exhaustion(limit, now) === 'spent' && Math.abs(now - this.#toldAt) < EMPTY_KEPT_MS;
  }

  /** The plan may have changed: the store is to be asked again. */
  forgetSpent(): void {
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  /** Another process ran out of units. */
  contend(): void {
    this.#isContended = true;
  }

  /** What is asked of the store for calls that wait and for those to come. */
  ask(base: UnitsBase, now: Instant): UnitsAsk {
    if (!this.isOpen(now)) return firstAsk(base);
    this.#hasUntoldRefund = false;
    // The bulk hour is small and its calls are heavy: it is counted call by call.
    const isBlock = base.window !== 'hour' && !this.#isContended;
    const want = isBlock ? Math.max(base.need, this.#block(now)) : base.need;
    const { openedAt } = this;
    if (this.isLocal) {
      return { ...base, want, owed: { since: openedAt, units: this.#handed - this.#left } };
    }
    return { ...base, want, held: { openedAt, units: this.#left, reported: this.#reported } };
  }

  /** Units to lease: what lasts a while at the pace since the last ones were granted. */
  #block(now: Instant): number {
    const pace = (this.#handed - this.#left) / Math.max(1, now - this.#grantedAt);
    return Math.max(BLOCK_MIN, Math.min(BLOCK_MAX, Math.ceil(pace * BLOCK_LASTS_MS)));
  }

  /** Whether the store should hear how many units are left. */
  needsReport(hasLapsed: boolean): boolean {
    if (this.isLocal) return false;
    return this.#left !== this.#reported || (hasLapsed && this.#reported > 0);
  }

  /** What is left, as it is told to the store. */
  report(accountId: string): AccountUnits {
    const { window, openedAt } = this;
    return { accountId, window, openedAt, units: this.#left, reported: this.#reported };
  }

  /** The store took over a report. */
  confirm({ units }: AccountUnits): void {
    this.#reported = units;
  }

  /** Takes all units out, to give them back. */
  returnAll(accountId: string): AccountUnits {
    const units = this.report(accountId);
    this.#left = 0;
    this.#reported = 0;
    this.#low = -1;
    this.#taken -= units.units;
    return units;
  }

  /** Undoes `returnAll`: the store did not take the units. */
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

/** Asks for a window of which nothing is known here. */
export function firstAsk(base: UnitsBase): UnitsAsk {
  return { ...base, want: base.window === 'hour' ? base.need : Math.max(base.need, BLOCK_MIN) };
}

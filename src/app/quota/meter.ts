import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
  utcMonthOf,
} from '../../domain/time.ts';
import type {
  AccountUnits,
  HeldUnits,
  UnitsAsk,
  UnitsGrant,
  UsageCount,
  UsageWindow,
} from '../ports/usage.ts';

/** Units that a process leases: how many it asks for, and how long they are its own. */

/**
 * Near the limit a block is at most this share of what remains, and then one unit. A minute is soon
 * over: more of it may be in hand, so that its calls go on when the store does not.
 */
export const BLOCK_SHARE = { minute: 4, hour: 16, month: 16 } as const satisfies Readonly<
  Record<UsageWindow, number>
>;
/** A block is made to last so long at the pace of its account. */
export const BLOCK_LASTS_MS = 60 * SECOND_MS;
/** Fewest units of a block, while plenty remain: what an account goes on with without the store. */
export const BLOCK_MIN = 1_000;
/** Most units of a block. */
export const BLOCK_MAX = 1_000_000;
/** A process that was not heard of for so long is dead, and its units go to others. */
export const UNITS_LEASE_MS = 60 * SECOND_MS;
/** A process stops spending a little earlier, until it was heard of again. */
export const UNITS_LEASE_MARGIN_MS = 5 * SECOND_MS;
/** A process that was not heard of for so long will hardly give units back when asked. */
export const HOLDER_SILENT_MS = 15 * SECOND_MS;
/** Dead processes are forgotten after this. */
export const HOLDER_FORGOTTEN_MS = DAY_MS;

/** How many units a plan gives in each window; undefined where the window does not apply. */
export type WindowLimits = Readonly<Record<UsageWindow, number | undefined>>;

/** What a process knows of an account's window, and the units of it that it may spend. */
export interface Meter {
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  readonly closesAt: Instant;
  /** Most units in the window, as it was last asked for. */
  limit: number;
  /** Units in hand, not spent. */
  left: number;
  /** Units in hand as the store was last told; 0 when it knows of none. */
  reported: number;
  /** Units handed out to all processes, as the store last said. */
  taken: number;
  /** Unspent units leased to other processes, as the store last said. */
  heldElsewhere: number;
  /** Those of them that may come back, as the store last said. */
  recallable: number;
  /** When the store last said so. */
  toldAt: Instant;
  /** When units were last got, and how many were in hand then. */
  grantedAt: Instant;
  handed: number;
  /** More are asked for when no more than these are in hand; -1 for never. */
  low: number;
  isAsking: boolean;
  /** Another process ran out: from then on only what is needed is asked for. */
  isContended: boolean;
  /** Opened without the store, which has not heard of it. */
  readonly isLocal: boolean;
}

const WINDOW_NOUN: Readonly<Record<UsageWindow, string>> = {
  minute: 'requests of this minute',
  hour: 'bulk calls of this hour',
  month: 'units of this month',
};

export function limitsOf(plan: Plan, { bulk }: { readonly bulk: boolean }): WindowLimits {
  return {
    minute: plan.requestsPerMinute ?? undefined,
    hour: bulk ? (plan.bulkCallsPerHour ?? undefined) : undefined,
    // Without a limit the units are still counted, for the account to see.
    month: plan.unitsPerMonth ?? Number.MAX_SAFE_INTEGER,
  };
}

function closingOf(window: UsageWindow, openedAt: Instant): Instant {
  switch (window) {
    case 'minute':
      return openedAt + MINUTE_MS;
    case 'hour':
      return openedAt + HOUR_MS;
    case 'month':
      return utcMonthOf(openedAt).end;
    default:
      return window satisfies never;
  }
}

export function newMeter(
  window: UsageWindow,
  openedAt: Instant,
  { limit = 0, taken = 0, left = 0, isLocal = false } = {},
): Meter {
  return {
    window,
    openedAt,
    closesAt: closingOf(window, openedAt),
    limit,
    left,
    reported: 0,
    taken,
    heldElsewhere: 0,
    recallable: 0,
    toldAt: Number.NEGATIVE_INFINITY,
    grantedAt: openedAt,
    handed: left,
    low: -1,
    isAsking: false,
    isContended: false,
    isLocal,
  };
}

/** A window one length ahead of the clock is not ours: the clock was far off when it opened. */
export function isOpen({ openedAt, closesAt }: Meter, now: Instant): boolean {
  return now < closesAt && openedAt - now < closesAt - openedAt;
}

/** Units to have in hand: what lasts a while at the pace since the last ones were got. */
export function blockOf(meter: Meter | undefined, now: Instant): number {
  if (meter === undefined) return BLOCK_MIN;
  const spent = meter.handed - meter.left;
  const pace = spent / Math.max(1, now - meter.grantedAt);
  return Math.max(BLOCK_MIN, Math.min(BLOCK_MAX, Math.ceil(pace * BLOCK_LASTS_MS)));
}

/** Takes over what the store granted and said. */
export function credit(meter: Meter, grant: UnitsGrant, now: Instant): void {
  meter.left += grant.granted;
  meter.reported = grant.reported;
  meter.taken = grant.taken;
  meter.heldElsewhere = grant.heldElsewhere;
  meter.recallable = grant.recallable;
  meter.toldAt = now;
  if (grant.granted > 0) {
    meter.grantedAt = now;
    meter.handed = meter.left;
  }
  meter.low = meter.isContended ? -1 : grant.reported >> 1 || -1;
}

/** Units spent by all processes, as far as the store was told. */
export function usedOf({ taken, heldElsewhere, left = 0 }: UsageCount & { left?: number }): number {
  return Math.max(0, taken - heldElsewhere - left);
}

/** What is asked of the store for calls that wait and for those to come. */
export function askOf(
  ask: Pick<UnitsAsk, 'accountId' | 'window' | 'limit' | 'need'>,
  meter: Meter | undefined,
  now: Instant,
): UnitsAsk {
  const known = meter !== undefined && isOpen(meter, now) ? meter : undefined;
  // The bulk hour is small and its calls are heavy: it is counted call by call.
  const isBlock = ask.window !== 'hour' && known?.isContended !== true;
  const want = isBlock ? Math.max(ask.need, blockOf(known, now)) : ask.need;
  if (known === undefined) return { ...ask, want };
  const { openedAt, left, reported } = known;
  if (known.isLocal) {
    return { ...ask, want, owed: { since: openedAt, units: known.handed - left } };
  }
  return { ...ask, want, held: { openedAt, units: left, reported } };
}

/** Takes all units out of the hand, to give them back. */
export function returnAll(accountId: string, meter: Meter): AccountUnits {
  const { window, openedAt, left: units, reported } = meter;
  meter.left = 0;
  meter.reported = 0;
  meter.low = -1;
  meter.taken -= units;
  return { accountId, window, openedAt, units, reported };
}

/** Undoes `returnAll`: the store did not take them. */
export function takeBack(meter: Meter, { units, reported }: HeldUnits): void {
  meter.left += units;
  meter.reported = reported;
  meter.taken += units;
}

export function refusal(limit: number, { window, closesAt }: Meter, now: Instant): ApiError {
  return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
    message: `The ${limit} ${WINDOW_NOUN[window]} are used up.`,
    retryAfterSec: Math.max(1, Math.ceil((closesAt - now) / SECOND_MS)),
    scope: window,
    details: { limit },
  });
}

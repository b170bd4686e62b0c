import type { BankCalendar } from '../calendar.ts';
import { ApiError } from '../errors.ts';
import { isOfficial, type Market } from '../markets.ts';
import type { Plan } from '../plans.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  type Instant,
} from '../time.ts';

/**
 * How an official rate is chosen for a day on which the banks are closed (decisions §9):
 * `value_date` takes the rate in force, of the business day before; `next_banking_day` takes the
 * rate of the business day after. On a business day both give the same rate.
 */
export const DATE_RULES = ['value_date', 'next_banking_day'] as const;
export type DateRule = (typeof DATE_RULES)[number];

/** A question about a past day. */
export interface PastAsk {
  /** A day in Caracas, today at the latest. */
  readonly date: CaracasDay;
  readonly rule: DateRule;
}

/** Where the rate of a past day comes from. */
export interface AsOf {
  readonly date: CaracasDay;
  /** Whether the bank calendar has the day as a business day. */
  readonly businessDay: boolean;
  /** When the service observed the rate. */
  readonly capturedAt: Instant;
  /** Only of official markets. */
  readonly official?: {
    readonly rule: DateRule;
    readonly valueDate: CaracasDay;
    /** Days that the rate is older than the day asked for; 0 when it is not older. */
    readonly carriedDays: number;
  };
}

/** @throws ApiError `invalid_format` for a day that has not begun in Caracas. */
export function requireBegunDay(date: CaracasDay, now: Instant): void {
  if (date <= caracasDayOf(now)) return;
  throw new ApiError('invalid_format', {
    field: 'date',
    message: 'date must not be in the future.',
  });
}

/** The days that a plan reaches back for a market; null without limit (decisions §9). */
export function depthOf(plan: Plan, market: Market): number | null {
  return isOfficial(market) ? plan.officialDays : plan.historyDays;
}

/** Whether a depth reaches the day: with 7 days, today minus 7 is the first that it does. */
export function reachesDay(days: number | null, date: CaracasDay, now: Instant): boolean {
  return days === null || date >= addCaracasDays(caracasDayOf(now), -days);
}

/** @throws ApiError `history_out_of_retention` when the depth does not reach the day. */
export function requireDayInDepth(days: number | null, date: CaracasDay, now: Instant): void {
  if (days === null || reachesDay(days, date, now)) return;
  throw new ApiError('history_out_of_retention', {
    details: { max_days: days },
    message: `Your plan reaches back ${days} days.`,
  });
}

/** Which official rate answers a question. */
export interface WantedRate {
  /** The value date that the calendar expects; an older rate does not answer. */
  readonly expected: CaracasDay;
  /** The last value date that may answer. */
  readonly upTo: CaracasDay;
}

/**
 * The official rate that a question is about. `upTo` differs from `expected` only on a closed day:
 * should the central bank have published a rate for that very day, it is the one in force.
 */
export function wantedRate({ date, rule }: PastAsk, calendar: BankCalendar): WantedRate {
  if (calendar.isBusinessDay(date)) return { expected: date, upTo: date };
  switch (rule) {
    case 'value_date':
      return { expected: calendar.previousBusinessDay(date), upTo: date };
    case 'next_banking_day': {
      const next = calendar.nextValueDate(date);
      return { expected: next, upTo: next };
    }
    default:
      return rule satisfies never;
  }
}

/** Days that a rate is carried past its value date; 0 for a value date after the day. */
export function carriedDays(valueDate: CaracasDay, date: CaracasDay): number {
  return Math.max(0, daysBetween({ from: valueDate, to: date }));
}

/** The refusal for a value date that the calendar expects and that is not stored. */
export function rateNotPublished(
  market: Market,
  { expected, last }: { readonly expected: CaracasDay; readonly last: CaracasDay | undefined },
): ApiError {
  return new ApiError('rate_not_published', {
    field: 'date',
    details: { market: market.id, value_date: expected, last_value_date: last ?? null },
    message: `No rate of ${market.id} is stored for the value date ${expected}.`,
  });
}

/** The refusal for a day before the first record. */
export function nothingStoredYet(): ApiError {
  return new ApiError('resource_not_found', {
    field: 'date',
    message: 'Nothing is stored up to that day.',
  });
}

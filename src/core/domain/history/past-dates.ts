import type { BankCalendar } from '../calendar.ts';
import { sentence } from '../errors/sentence.ts';
import { ApiError, notFound } from '../errors.ts';
import { isOfficial, type Market } from '../markets.ts';
import type { Plan, Plans } from '../plans.ts';
import type { Redenomination } from '../redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  type Instant,
  type UtcDay,
} from '../time.ts';
import {
  type Depth,
  dayToCome,
  depthInPlan,
  type Known,
  requireDepth,
  UNLIMITED_DAYS,
} from './history.ts';

/**
 * How an official rate is chosen for a day on which banks are closed (contract §9). `value_date`
 * takes the rate in force, published for the business day before. `next_banking_day` takes the rate
 * of the business day after. On a business day both give the same rate.
 */
export const DATE_RULES = ['value_date', 'next_banking_day'] as const;
export type DateRule = (typeof DATE_RULES)[number];

export interface PastDate {
  /** A day in Caracas, for official markets up to the newest stored value date. */
  readonly date: CaracasDay;
  readonly rule: DateRule;
  /** Whether its figures are in the unit of today, not in that of the day. */
  readonly isAdjusted?: boolean;
}

/** Where the rate of a past day comes from. */
export interface AsOf {
  readonly date: CaracasDay;
  readonly businessDay: boolean;
  /** When the rate was read; for an official rate that took effect later, its effect (contract §1). */
  readonly capturedAt: Instant;
  /** The reforms since the unit that the rate is in, until today, oldest first. */
  readonly unitChanges: readonly Redenomination[];
  /** Only for official markets. */
  readonly official?: {
    readonly rule: DateRule;
    readonly valueDate: CaracasDay;
    /** Days from the value date to the requested day; 0 when the value date is not before it. */
    readonly carriedDays: number;
  };
}

/**
 * The last day that can be asked for in Caracas (contract §9): today, or a later value date that is
 * stored.
 * @param lastValueDate The newest stored value date; absent for markets without value dates.
 */
export function lastKnownDay(now: Instant, lastValueDate: CaracasDay | undefined): CaracasDay {
  const today = caracasDayOf(now);
  return lastValueDate === undefined || lastValueDate < today ? today : lastValueDate;
}

/** @throws ApiError `invalid_format` for a day after the last that can be asked for. */
export function requireKnownDay(
  { field, day }: { readonly field: string; readonly day: CaracasDay },
  known: Known,
): void {
  const last = lastKnownDay(known.now, known.lastValueDate ?? undefined);
  if (day <= last) return;
  if (last === caracasDayOf(known.now)) throw dayToCome(field, known);
  throw dayToCome(
    field,
    known,
    sentence(
      `${field} must not be after ${last}, the newest value date.`,
      `El valor de \`${field}\` no puede ser posterior a ${last}, la fecha valor más reciente.`,
    ),
  );
}

/** Days of history that a plan includes for a market; null without limit (contract §9). */
export function depthOf(plan: Plan, market: Market): number | null {
  return isOfficial(market) ? plan.officialDays : plan.historyDays;
}

/** How far back some of the markets reach. */
export function pastDepth(plan: Plan, plans: Plans, markets: readonly Market[]): Depth {
  return depthInPlan(plan, plans, (one) => {
    const depths = markets.map((market) => depthOf(one, market));
    return depths.reduce(
      (most, days) => (most === null || days === null ? null : Math.max(most, days)),
      0,
    );
  });
}

/** Whether a history of `days` includes the day. With 7 days, the first is today minus 7. */
export function reachesDay(days: number | null, date: CaracasDay, now: Instant): boolean {
  return days === null || date >= firstCaracasDay(days, now);
}

/** The first day in Caracas in a plan of `days`. */
export function firstCaracasDay(days: number | null, now: Instant): CaracasDay {
  return addCaracasDays(caracasDayOf(now), -(days ?? UNLIMITED_DAYS));
}

/** @throws ApiError `history_out_of_retention` for a day before the depth. */
export function requireDayInDepth(depth: Depth, day: CaracasDay, now: Instant): void {
  requireDepth({ field: 'date', day }, depth, (days) => firstCaracasDay(days, now));
}

/**
 * The value dates that may answer a request for a past day: `expected`, that of the calendar, to
 * `upTo`. They differ only on a closed day: if the central bank did publish a rate for that day, it
 * is the one in force.
 */
export function wantedRate(
  { date, rule }: PastDate,
  calendar: BankCalendar,
): Record<'expected' | 'upTo', CaracasDay> {
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

/** Days from a rate's value date to the day; 0 for a value date after the day. */
export function carriedDays(valueDate: CaracasDay, date: CaracasDay): number {
  return Math.max(0, daysBetween({ from: valueDate, to: date }));
}

/** The error for an expected value date that is not stored. */
export function rateNotPublished(
  market: Market,
  { expected, last }: { readonly expected: CaracasDay; readonly last: CaracasDay | undefined },
): ApiError {
  return new ApiError('rate_not_published', {
    field: 'date',
    details: { market: market.id, value_date: expected, last_value_date: last ?? null },
    message: sentence(
      `No rate of ${market.id} is stored for the value date ${expected}.`,
      `No hay guardada una tasa de ${market.id} con fecha valor ${expected}.`,
    ),
  });
}

/**
 * The error for a day before the first record.
 * @param earliest The first day with a record; undefined when nothing is stored.
 */
export function nothingStoredYet(
  earliest: CaracasDay | UtcDay | undefined,
  message = sentence('Nothing is stored up to that day.', 'No hay nada guardado hasta ese día.'),
): ApiError {
  return notFound('no_data', { field: 'date', details: { earliest: earliest ?? null }, message });
}

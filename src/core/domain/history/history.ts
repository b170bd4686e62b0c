import { type Sentence, sentence } from '../errors/sentence.ts';
import { ApiError, invalidFormat, reversedRange } from '../errors.ts';
import type { Plan, Plans } from '../plans.ts';
import {
  addUtcDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
  type UtcDay,
  utcDayOf,
} from '../time.ts';

/** Most points of a `raw` series (§8). */
// limit: Points of a raw series | 5,000 | the newest, `truncated`
export const MAX_RAW_POINTS = 5_000;

export const GRANULARITIES = ['daily', 'raw'] as const;

/** A stored observation of a market, as history returns it. */
export interface Capture {
  readonly mid: number;
  readonly updatedAt: Instant;
  /** When it was read. For an official rate, the later of its reading and its effect. */
  readonly capturedAt: Instant;
}

/** An inclusive range of UTC days. */
export interface UtcRange {
  readonly from: UtcDay;
  readonly to: UtcDay;
}

/** Days of history without a plan limit: more than the service will ever store. */
export const UNLIMITED_DAYS = 36_525;

/** The first UTC day in a plan. With 7 days of history it is today minus 7 (§4.3 rule 6). */
export function firstDayInRetention(today: UtcDay, days: number | null): UtcDay {
  return addUtcDays(today, -(days ?? UNLIMITED_DAYS));
}

/** How far back a caller may read. */
export interface Depth {
  /** Days back from today; null without limit. */
  readonly days: number | null;
  /** The same of every plan, cheapest first; empty where no plan changes it. */
  readonly ofPlans: readonly { readonly plan: string; readonly days: number | null }[];
}

/** A depth that the plan sets. */
export function depthInPlan(
  plan: Plan,
  plans: Plans,
  daysOf: (plan: Plan) => number | null,
): Depth {
  const ofPlans = plans.list.map((one) => ({ plan: one.name, days: daysOf(one) }));
  return { days: daysOf(plan), ofPlans };
}

/** Of history, candles and changes. */
export function historyDepth(plan: Plan, plans: Plans): Depth {
  return depthInPlan(plan, plans, ({ historyDays }) => historyDays);
}

/**
 * @param asked The day, and the parameter that named it.
 * @param firstDay The first day of a depth, in the calendar of the day.
 * @throws ApiError `history_out_of_retention` when the day is before the depth.
 */
export function requireDepth<Day extends string>(
  { field, day }: { readonly field: string; readonly day: Day },
  { days, ofPlans }: Depth,
  firstDay: (days: number) => Day,
  message = sentence(`Your plan reaches back ${days} days.`, `Su plan llega ${days} días atrás.`),
): void {
  if (days === null || day >= firstDay(days)) return;
  const enough = ofPlans.find((one) => one.days === null || day >= firstDay(one.days));
  throw new ApiError('history_out_of_retention', {
    field,
    details: {
      max_days: days,
      earliest: firstDay(days),
      required_plan: enough?.plan ?? null,
    },
    message,
  });
}

/** Up to when days are known. */
export interface Known {
  readonly now: Instant;
  /** The newest stored value date of an official market, null without any; absent for others. */
  readonly lastValueDate?: CaracasDay | null | undefined;
}

/**
 * The error for a day that nobody knows yet. Its details have today in Caracas, because a program
 * that counts days in UTC is ahead from 20:00 on.
 */
export function dayToCome(
  field: string,
  { now, lastValueDate }: Known,
  message = sentence(
    `${field} must not be in the future.`,
    `El valor de \`${field}\` no puede ser un día futuro.`,
  ),
): ApiError {
  return invalidFormat(field, 'future_day', message, {
    today: caracasDayOf(now),
    ...(lastValueDate !== undefined && { last_value_date: lastValueDate }),
  });
}

/** @throws ApiError `invalid_format` for a day after `today`, of the same calendar. */
export function requireBegun<Day extends string>(
  field: string,
  day: Day,
  today: Day,
  known: Known,
): void {
  if (day > today) throw dayToCome(field, known);
}

/** @throws ApiError `history_out_of_retention` when the UTC day is before the depth. */
export function requireInRetention(
  asked: { readonly field: string; readonly day: UtcDay },
  now: Instant,
  depth: Depth,
  message?: Sentence,
): void {
  const today = utcDayOf(now);
  requireDepth(asked, depth, (days) => firstDayInRetention(today, days), message);
}

/**
 * The range of a series. A missing side defaults to the plan's history; `to` is capped at today
 * (§4.3).
 * @throws ApiError `invalid_format` for a future `from` or a `from` after `to`.
 */
export function effectiveRange(
  asked: { readonly from?: UtcDay | undefined; readonly to?: UtcDay | undefined },
  now: Instant,
  days: number | null,
): UtcRange {
  const today = utcDayOf(now);
  if (asked.from !== undefined) requireBegun('from', asked.from, today, { now });
  if (asked.from !== undefined && asked.to !== undefined && asked.from > asked.to) {
    throw reversedRange();
  }
  const to = asked.to === undefined || asked.to > today ? today : asked.to;
  return { from: asked.from ?? firstDayInRetention(today, days), to };
}

/** @throws ApiError `history_out_of_retention` when either end is before the depth. */
export function requireRangeInRetention(
  { from, to }: UtcRange,
  now: Instant,
  depth: Depth,
  message?: Sentence,
): void {
  requireInRetention({ field: 'from', day: from }, now, depth, message);
  requireInRetention({ field: 'to', day: to }, now, depth, message);
}

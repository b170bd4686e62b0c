import { ApiError, invalidFormat } from '../errors.ts';
import { addUtcDays, type Instant, type UtcDay, utcDayOf } from '../time.ts';

/** Most points of a `raw` series (§8). */
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
const UNLIMITED_DAYS = 36_525;

/** The first UTC day in a plan. With 7 days of history it is today minus 7 (§4.3 rule 6). */
export function firstDayInRetention(today: UtcDay, days: number | null): UtcDay {
  return addUtcDays(today, -(days ?? UNLIMITED_DAYS));
}

/** The error for a request that reaches further back than `days`. */
export function beyondHistory(
  days: number,
  message = `Your plan reaches back ${days} days.`,
): ApiError {
  return new ApiError('history_out_of_retention', { details: { max_days: days }, message });
}

/** @throws ApiError `invalid_format` for a day after today, of the same calendar. */
export function requireBegun<Day extends string>(field: string, day: Day, today: Day): void {
  if (day > today) throw invalidFormat(field, `${field} must not be in the future.`);
}

/** @throws ApiError `history_out_of_retention` when the day is before the plan's history. */
export function requireInRetention(day: UtcDay, now: Instant, days: number | null): void {
  if (days !== null && day < firstDayInRetention(utcDayOf(now), days)) throw beyondHistory(days);
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
  if (asked.from !== undefined) requireBegun('from', asked.from, today);
  if (asked.from !== undefined && asked.to !== undefined && asked.from > asked.to) {
    throw invalidFormat('from', 'from must not be after to.');
  }
  const to = asked.to === undefined || asked.to > today ? today : asked.to;
  return { from: asked.from ?? firstDayInRetention(today, days), to };
}

/** @throws ApiError `history_out_of_retention` when either end is before the plan's history. */
export function requireRangeInRetention(range: UtcRange, now: Instant, days: number | null): void {
  requireInRetention(range.from, now, days);
  requireInRetention(range.to, now, days);
}

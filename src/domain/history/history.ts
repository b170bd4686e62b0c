import { ApiError } from '../errors.ts';
import { addUtcDays, type Instant, type UtcDay, utcDayOf } from '../time.ts';

/** Most points of a `raw` series (§8). */
export const MAX_RAW_POINTS = 5_000;

export const GRANULARITIES = ['daily', 'raw'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A stored observation of a market, as history returns it. */
export interface Capture {
  readonly mid: number;
  readonly updatedAt: Instant;
  /**
   * When it was read. For official rates, the later of the reading and the instant they take
   * effect.
   */
  readonly capturedAt: Instant;
}

/** An inclusive range of UTC days. */
export interface UtcRange {
  readonly from: UtcDay;
  readonly to: UtcDay;
}

/** Days of history without a plan limit: more than the service will ever store. */
const UNLIMITED_DAYS = 36_525;

/**
 * The first UTC day that a plan includes. With 7 days of history it is today minus 7 (§4.3 rule 6).
 */
export function firstDayInRetention(today: UtcDay, days: number | null): UtcDay {
  return addUtcDays(today, -(days ?? UNLIMITED_DAYS));
}

function requireInRetention(day: UtcDay, today: UtcDay, days: number | null): void {
  if (days === null || day >= firstDayInRetention(today, days)) return;
  throw new ApiError('history_out_of_retention', {
    details: { max_days: days },
    message: `Your plan reaches back ${days} days.`,
  });
}

function notAfterToday(field: string, day: UtcDay, today: UtcDay): void {
  if (day <= today) return;
  throw new ApiError('invalid_format', { field, message: `${field} must not be in the future.` });
}

/**
 * Checks the date of a point request (§4.3 rule 1).
 * @throws ApiError `invalid_format` for a future day.
 */
export function requirePastDate(date: UtcDay, now: Instant): void {
  notAfterToday('date', date, utcDayOf(now));
}

/** @throws ApiError `history_out_of_retention` when the day is before the plan's history. */
export function requireDateInRetention(date: UtcDay, now: Instant, days: number | null): void {
  requireInRetention(date, utcDayOf(now), days);
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
  if (asked.from !== undefined) notAfterToday('from', asked.from, today);
  if (asked.from !== undefined && asked.to !== undefined && asked.from > asked.to) {
    throw new ApiError('invalid_format', { field: 'from', message: 'from must not be after to.' });
  }
  const to = asked.to === undefined || asked.to > today ? today : asked.to;
  return { from: asked.from ?? firstDayInRetention(today, days), to };
}

/** @throws ApiError `history_out_of_retention` when either end is before the plan's history. */
export function requireRangeInRetention(range: UtcRange, now: Instant, days: number | null): void {
  const today = utcDayOf(now);
  requireInRetention(range.from, today, days);
  requireInRetention(range.to, today, days);
}

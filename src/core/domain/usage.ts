import { sentence } from './errors/sentence.ts';
import {
  effectiveRange,
  firstDayInRetention,
  requireRangeInRetention,
  type UtcRange,
} from './history/history.ts';
import { type Instant, type UtcDay, utcDayOf } from './time.ts';

/** Days of usage that an account can read. The first one is today minus this many UTC days. */
// limit: Usage: days, keys | today and 90 before, 500 (the most used) | 403 `history_out_of_retention`; left out | MAX_USAGE_KEYS
export const USAGE_DAYS = 90;

/** Most keys in an answer: an account may make and revoke more. */
export const MAX_USAGE_KEYS = 500;

/**
 * The range of a request. A missing side defaults to the kept days; `to` is capped at today.
 * @throws ApiError `invalid_format` for a future `from` or a `from` after `to`.
 */
export function usageRange(
  asked: { readonly from?: UtcDay | undefined; readonly to?: UtcDay | undefined },
  now: Instant,
): UtcRange {
  return effectiveRange(asked, now, USAGE_DAYS);
}

/** @throws ApiError `history_out_of_retention` when either end is before the kept days. */
export function requireUsageKept(range: UtcRange, now: Instant): void {
  const kept = { days: USAGE_DAYS, ofPlans: [] };
  requireRangeInRetention(
    range,
    now,
    kept,
    sentence(`Usage is kept for ${USAGE_DAYS} days.`, `El uso se guarda ${USAGE_DAYS} días.`),
  );
}

/** The first day that can be read. Earlier days may be deleted. */
export function firstKeptDay(now: Instant): UtcDay {
  return firstDayInRetention(utcDayOf(now), USAGE_DAYS);
}

import { addUtcDays, DAY_MS, type Instant, utcDayOf } from '../time.ts';
import { type Depth, requireInRetention } from './history.ts';

/** The periods of a change, in days (contract §10). */
export const PERIOD_DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type Period = keyof typeof PERIOD_DAYS;
export const PERIODS = ['1d', '7d', '30d', '90d', '365d'] as const satisfies readonly Period[];

/** @throws ApiError `history_out_of_retention` for a period longer than the plan's history. */
export function requirePeriodInDepth(period: Period, now: Instant, depth: Depth): void {
  const day = addUtcDays(utcDayOf(now), -PERIOD_DAYS[period]);
  requireInRetention({ field: 'period', day }, now, depth);
}

/** The instant with whose rate the current one is compared. */
export function startOfPeriod(period: Period, now: Instant): Instant {
  return now - PERIOD_DAYS[period] * DAY_MS;
}

import { firstDayInRetention, MAX_RAW_POINTS } from '../../domain/history/history.ts';
import { depthOf } from '../../domain/history/past-dates.ts';
import type { Market } from '../../domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../../domain/time.ts';
import type { ForeignCall } from './foreign-endpoint.ts';

/** Most days of a series at another service's address, for any plan. */
const MAX_COMPAT_DAYS = 3_660;

/** The first day whose official rates the caller may read. */
export function firstOfficialDay({ plan, now }: ForeignCall, market: Market): CaracasDay {
  const days = Math.min(depthOf(plan, market) ?? MAX_COMPAT_DAYS, MAX_COMPAT_DAYS);
  return addCaracasDays(caracasDayOf(now), -days);
}

/** The official rates that took effect since the day, by value date, oldest first. */
export async function officialSeries(
  { services, now }: ForeignCall,
  market: string,
  from: CaracasDay,
) {
  // A capture is never dated before its effect, but may be days later.
  const range = { start: startOfCaracasDay(from), end: now + 1 };
  const captures = await services.store.latestCaptures(market, range, MAX_RAW_POINTS);
  const byDate = new Map<CaracasDay, number>();
  // Of two captures with the same value date the later one is a correction.
  for (const { mid, updatedAt } of captures) byDate.set(caracasDayOf(updatedAt), mid);
  return [...byDate]
    .map(([date, rate]) => ({ date, rate }))
    .filter(({ date }) => date >= from)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** The last rate of each UTC day of the plan's history, oldest first. */
export async function freeSeries({ services, plan, now }: ForeignCall, market: Market) {
  const days = Math.min(plan.historyDays ?? MAX_COMPAT_DAYS, MAX_COMPAT_DAYS);
  const start = startOfUtcDay(firstDayInRetention(utcDayOf(now), days));
  const captures = await services.store.lastCaptureOfEachDay(market.id, start, now + 1);
  return captures.map(({ mid, capturedAt }) => ({ date: utcDayOf(capturedAt), rate: mid }));
}

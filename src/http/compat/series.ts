import { firstDayInRetention } from '../../domain/history/history.ts';
import { depthOf } from '../../domain/history/past-dates.ts';
import type { Market } from '../../domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
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

/** The official rates in force since the day, by value date, oldest first. */
export async function officialSeries(
  { services, now }: ForeignCall,
  market: string,
  from: CaracasDay,
): Promise<readonly { readonly date: CaracasDay; readonly rate: number }[]> {
  const rates = await services.store.officialRates(market, { from, to: caracasDayOf(now) });
  return rates.flatMap(({ effectiveDate: date, mid: rate }) =>
    date === undefined ? [] : [{ date, rate }],
  );
}

/** The last rate of each UTC day of the plan's history, oldest first. */
export async function freeSeries({ services, plan, now }: ForeignCall, market: Market) {
  const days = Math.min(plan.historyDays ?? MAX_COMPAT_DAYS, MAX_COMPAT_DAYS);
  const start = startOfUtcDay(firstDayInRetention(utcDayOf(now), days));
  const captures = await services.store.lastCaptureOfEachDay(market.id, start, now + 1);
  return captures.map(({ mid, capturedAt }) => ({ date: utcDayOf(capturedAt), rate: mid }));
}

import type { CaracasRange } from '../../core/domain/calendar.ts';
import { depthOf } from '../../core/domain/history/past-dates.ts';
import type { Market } from '../../core/domain/markets.ts';
import { shownUnits } from '../../core/domain/redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../../core/domain/time.ts';
import type { ForeignCall } from './foreign-endpoint.ts';

/** Most days of a series at another service's address, for any plan. */
// limit: Days of a series at addresses of other services | 3,660, or the plan's | older ones are left out
const MAX_COMPAT_DAYS = 3_660;

/** The first day whose official rates the caller may read. */
export function firstOfficialDay({ plan, now }: ForeignCall, market: Market): CaracasDay {
  const days = Math.min(depthOf(plan, market) ?? MAX_COMPAT_DAYS, MAX_COMPAT_DAYS);
  return addCaracasDays(caracasDayOf(now), -days);
}

/** A stored rate in the unit of its day. */
function rateOn(
  date: CaracasDay,
  stored: number,
  { redenominations }: ForeignCall['services'],
): number {
  return redenominations.rebased(stored, shownUnits(date, { on: date }));
}

/** The official rates of the value dates of a range, oldest first. */
export async function officialSeries(
  { services }: ForeignCall,
  market: string,
  range: CaracasRange,
): Promise<readonly { readonly date: CaracasDay; readonly rate: number }[]> {
  const rates = await services.store.officialRates(market, range);
  return rates.flatMap(({ effectiveDate: date, mid }) =>
    date === undefined ? [] : [{ date, rate: rateOn(date, mid, services) }],
  );
}

/** The last rate of each day in Caracas of the plan's history, oldest first. */
export async function freeSeries({ services, plan, now }: ForeignCall, market: Market) {
  const { store } = services;
  const days = Math.min(plan.historyDays ?? MAX_COMPAT_DAYS, MAX_COMPAT_DAYS);
  const start = startOfCaracasDay(addCaracasDays(caracasDayOf(now), -days));
  const rates = new Map<CaracasDay, number>();
  for (const { capturedAt, mid } of await store.lastCaptureOfEachDay(market.id, start, now + 1)) {
    // The first hours of a day in UTC are the evening of the day before in Caracas.
    const evening = {
      start: startOfUtcDay(utcDayOf(capturedAt)),
      end: startOfCaracasDay(caracasDayOf(capturedAt)),
    };
    if (evening.start >= start && evening.start < evening.end) {
      const [last] = await store.latestCaptures(market.id, evening, 1);
      if (last !== undefined) rates.set(caracasDayOf(last.capturedAt), last.mid);
    }
    rates.set(caracasDayOf(capturedAt), mid);
  }
  return [...rates].map(([date, rate]) => ({ date, rate: rateOn(date, rate, services) }));
}

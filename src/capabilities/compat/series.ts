import { pastRate } from '../../core/app/past-rates.ts';
import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import type { CaracasRange } from '../../core/domain/calendar.ts';
import {
  depthOf,
  pastDepth,
  requireDayInDepth,
  requireKnownDay,
} from '../../core/domain/history/past-dates.ts';
import { isOfficial, type Market, OFFICIAL_RATES } from '../../core/domain/markets.ts';
import { laterDay, shownUnits } from '../../core/domain/redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../../core/domain/time.ts';
import { lastValueDateOf } from '../../core/http/endpoints/rates/past-date.ts';
import { isOfficialInPlan, marketOfPlan } from './figures.ts';
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

/** The official rates of a currency in a range, as far back as the plan's history of the dollar. */
export async function officialRatesInPlan(
  call: ForeignCall,
  currency: PublishedCurrency,
  { from, to }: CaracasRange,
) {
  const dollar = marketOfPlan(call, OFFICIAL_RATES.USD);
  if (dollar === undefined || !isOfficialInPlan(call, currency)) return [];
  const first = laterDay(from, firstOfficialDay(call, dollar));
  return officialSeries(call, OFFICIAL_RATES[currency], { from: first, to });
}

/** The last rate of each day in Caracas of the plan's history, oldest first. */
async function freeSeries({ services, plan, now }: ForeignCall, market: Market) {
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

/** The series of the plan's history, oldest first. */
export async function seriesOf(call: ForeignCall, market: Market) {
  if (!isOfficial(market)) return freeSeries(call, market);
  const range = { from: firstOfficialDay(call, market), to: caracasDayOf(call.now) };
  return officialSeries(call, market.id, range);
}

/**
 * The rate of a past day in Caracas, or the last one before it, with its own day: the value date of
 * the official rate in force, and the day on which a rate of another market was captured.
 * @throws ApiError when the day is not known yet or before the plan's history, or its official rate is
 *   missing.
 */
export async function rateOfDay(call: ForeignCall, market: Market, date: CaracasDay) {
  const { services, plan, now, snapshot } = call;
  requireKnownDay(
    { field: 'date', day: date },
    { now, lastValueDate: lastValueDateOf(market, snapshot) },
  );
  requireDayInDepth(pastDepth(plan, services.plans, [market]), date, now);
  const pastDate = { date, rule: 'value_date' } as const;
  const { quote, asOf } = await pastRate(market, pastDate, { ...services, now });
  return { date: asOf.official?.valueDate ?? caracasDayOf(asOf.capturedAt), rate: quote.mid };
}

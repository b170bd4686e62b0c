import { pastRate } from '../../core/app/past-rates.ts';
import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import type { CaracasRange } from '../../core/domain/calendar.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { invalidFormat } from '../../core/domain/errors.ts';
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
// limit: Days of a series | 3,660, or the plan's | older ones left out
const MAX_COMPAT_DAYS = 3_660;

export interface AskedRange {
  readonly from?: CaracasDay | undefined;
  readonly to?: CaracasDay | undefined;
}

/**
 * A range, by default all of the plan's history of a market until today.
 * @throws ApiError for one that is reversed or begins before the plan's history.
 */
export function rangeInPlan(
  call: ForeignCall,
  market: Market,
  { from, to = caracasDayOf(call.now) }: AskedRange,
): CaracasRange {
  const { plan, services, now } = call;
  const first = firstDay(call, market);
  if (from === undefined) return { from: first, to };
  if (from > to) {
    throw invalidFormat(
      undefined,
      'reversed_range',
      sentence('The range ends before it begins.', 'El rango termina antes de empezar.'),
    );
  }
  requireDayInDepth(pastDepth(plan, services.plans, [market]), from, now);
  return { from: laterDay(from, first), to };
}

/** The first day of a market that the caller may read. */
function firstDay({ plan, now }: ForeignCall, market: Market): CaracasDay {
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
  const first = laterDay(from, firstDay(call, dollar));
  return officialSeries(call, OFFICIAL_RATES[currency], { from: first, to });
}

/** The last rate of each day in Caracas of the plan's history, oldest first. */
async function freeSeries(call: ForeignCall, market: Market) {
  const { services, now } = call;
  const { store } = services;
  const start = startOfCaracasDay(firstDay(call, market));
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
  return officialSeries(call, market.id, rangeInPlan(call, market, {}));
}

/** Of that series the days of a range. */
export async function seriesWithin(call: ForeignCall, market: Market, { from, to }: CaracasRange) {
  return (await seriesOf(call, market)).filter(({ date }) => date >= from && date <= to);
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

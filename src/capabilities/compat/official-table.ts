import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError, invalidFormat, notFound } from '../../core/domain/errors.ts';
import { pastDepth, requireDayInDepth } from '../../core/domain/history/past-dates.ts';
import { OFFICIAL_RATES, OFFICIAL_USD } from '../../core/domain/markets.ts';
import { laterDay } from '../../core/domain/redenomination.ts';
import { type CaracasDay, caracasDayOf, parseCaracasDay } from '../../core/domain/time.ts';
import { NOT_A_DAY, parsed } from '../../core/http/routing/schemas.ts';
import { isOfficialInPlan, marketOfPlan, officialFigure, shown } from './figures.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { lastOfficialDay, type PairRate, ratesOnDay } from './frankfurter-rates.ts';
import { firstOfficialDay, officialSeries } from './series.ts';

/** The official rates of several currencies, for services that show those of a day together. */

export const caracasDay = parsed(parseCaracasDay, NOT_A_DAY, { format: 'date' });

/** The rates of one value date; a currency without one is absent. */
export interface OfficialRow {
  readonly date: CaracasDay;
  readonly rates: Readonly<Partial<Record<PublishedCurrency, number>>>;
}

interface OneRate {
  readonly currency: PublishedCurrency;
  readonly date: CaracasDay;
  readonly rate: number;
}

/** A row for each date, oldest first. */
function rowsOf(rates: readonly OneRate[]): readonly OfficialRow[] {
  const byDate = Map.groupBy(rates, ({ date }) => date);
  return [...byDate]
    .map(([date, of]) => ({
      date,
      rates: Object.fromEntries(of.map(({ currency, rate }) => [currency, rate])),
    }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** An answer has one date, so rates of older dates are left out. @throws ApiError without any. */
function newestOf(rates: readonly OneRate[]): OfficialRow {
  const newest = rowsOf(rates).at(-1);
  if (newest === undefined) throw notFound('no_quote');
  return newest;
}

/** What one unit of a base is worth, of one date. @throws ApiError without a rate. */
export function newestPairs(pairs: readonly PairRate[]) {
  const date = pairs
    .map((one) => one.date)
    .sort()
    .at(-1);
  if (date === undefined) throw notFound('no_quote');
  const newest = pairs.filter((one) => one.date === date);
  return { date, rates: new Map(newest.map(({ quote, rate }) => [quote, rate])) };
}

/** @throws ApiError without a rate in force. */
export function rowInForce(call: ForeignCall, currencies: readonly PublishedCurrency[]) {
  const figures = currencies.flatMap((currency) => officialFigure(call, currency));
  return newestOf(
    shown(call, figures, ({ currency, valueDate: date, rate }) => ({ currency, date, rate })),
  );
}

/** The rates in force on a past day. @throws ApiError for a day that cannot be answered. */
export async function rowOfDay(
  call: ForeignCall,
  currencies: readonly PublishedCurrency[],
  day: CaracasDay,
): Promise<OfficialRow> {
  if (day > lastOfficialDay(call)) {
    const message = sentence(
      'No rate of that day is published yet.',
      'Aún no se ha publicado una tasa de ese día.',
    );
    throw notFound('no_data', { message });
  }
  const rates: OneRate[] = [];
  for (const currency of currencies) {
    const request = { base: currency, quotes: ['VES'], amount: 1 };
    const found = await ratesOnDay(call, request, day).catch((error: unknown) => {
      // The first one decides whether the day has an answer; another may be missing.
      if (currency === currencies[0] || !(error instanceof ApiError)) throw error;
      return [];
    });
    rates.push(...found.map(({ date, rate }) => ({ currency, date, rate })));
  }
  return newestOf(rates);
}

/**
 * The rates of the value dates of a range, oldest first, by default all of the plan's history until today.
 * @throws ApiError for a range that is reversed or begins before the plan's history.
 */
export async function rowsOfRange(
  call: ForeignCall,
  currencies: readonly PublishedCurrency[],
  { from, to = caracasDayOf(call.now) }: { readonly from?: CaracasDay; readonly to?: CaracasDay },
): Promise<readonly OfficialRow[]> {
  const { plan, now, services } = call;
  const market = marketOfPlan(call, OFFICIAL_USD);
  if (market === undefined) throw notFound('unknown_market');
  if (from !== undefined) {
    if (from > to) {
      throw invalidFormat(
        undefined,
        'reversed_range',
        sentence('The range ends before it begins.', 'El rango termina antes de empezar.'),
      );
    }
    requireDayInDepth(pastDepth(plan, services.plans, [market]), from, now);
  }
  const first = firstOfficialDay(call, market);
  const range = { from: laterDay(from ?? first, first), to };
  const rates: OneRate[] = [];
  for (const currency of currencies) {
    if (!isOfficialInPlan(call, currency)) continue;
    for (const one of await officialSeries(call, OFFICIAL_RATES[currency], range)) {
      rates.push({ currency, ...one });
    }
  }
  return rowsOf(rates);
}

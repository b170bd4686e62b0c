import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError, notFound } from '../../core/domain/errors.ts';
import { officialDays } from '../../core/domain/history/official-days.ts';
import { OFFICIAL_RATES, OFFICIAL_USD } from '../../core/domain/markets.ts';
import { type CaracasDay, parseCaracasDay } from '../../core/domain/time.ts';
import { NOT_A_DAY, parsed } from '../../core/http/pipeline/schemas.ts';
import { isOfficialInPlan, marketOfPlan, officialFigure, shown } from './figures.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { lastOfficialDay, ratesOnDay } from './frankfurter-rates.ts';
import { type AskedRange, officialSeries, rangeInPlan } from './series.ts';

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

/** @throws ApiError when the plan has no official dollar, whose history is that of every official rate. */
function officialDollar(call: ForeignCall) {
  const market = marketOfPlan(call, OFFICIAL_USD);
  if (market === undefined) throw notFound('unknown_market');
  return market;
}

/**
 * The rates in force on each day of the plan's history until today, oldest first. A day whose rate is missing
 * has no row.
 */
export async function rowsOfDays(call: ForeignCall, currencies: readonly PublishedCurrency[]) {
  const { services } = call;
  const range = rangeInPlan(call, officialDollar(call), {});
  const rates: (OneRate & { readonly day: CaracasDay })[] = [];
  for (const currency of currencies) {
    if (!isOfficialInPlan(call, currency)) continue;
    const stored = await services.store.officialSeries(OFFICIAL_RATES[currency], range);
    const { rows } = officialDays(stored, range, 'all', services);
    for (const { date: day, valueDate: date, rate } of rows) {
      rates.push({ currency, day, date, rate });
    }
  }
  return [...Map.groupBy(rates, ({ day }) => day)]
    .map(([day, of]) => ({ day, ...newestOf(of) }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * The rates of the value dates of a range, oldest first, by default all of the plan's history until today.
 * @throws ApiError for a range that is reversed or begins before the plan's history.
 */
export async function rowsOfRange(
  call: ForeignCall,
  currencies: readonly PublishedCurrency[],
  asked: AskedRange,
): Promise<readonly OfficialRow[]> {
  const range = rangeInPlan(call, officialDollar(call), asked);
  const rates: OneRate[] = [];
  for (const currency of currencies) {
    if (!isOfficialInPlan(call, currency)) continue;
    for (const one of await officialSeries(call, OFFICIAL_RATES[currency], range)) {
      rates.push({ currency, ...one });
    }
  }
  return rowsOf(rates);
}

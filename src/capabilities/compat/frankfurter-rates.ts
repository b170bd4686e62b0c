import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../core/domain/bcv.ts';
import type { DecimalInput } from '../../core/domain/decimal.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { invalidFormat, notFound } from '../../core/domain/errors.ts';
import {
  lastKnownDay,
  pastDepth,
  rateNotPublished,
  requireDayInDepth,
  wantedRate,
} from '../../core/domain/history/past-dates.ts';
import { OFFICIAL_RATES, OFFICIAL_USD } from '../../core/domain/markets.ts';
import { shownUnits } from '../../core/domain/redenomination.ts';
import type { CaracasDay } from '../../core/domain/time.ts';
import { inBolivares, ofBolivares } from './converted.ts';
import { isOfficialInPlan, marketOfPlan, officialFigure, shown } from './figures.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { officialSeries } from './series.ts';

/** The official rates in Frankfurter's model: a base, and quotes in it. */

export const LOCAL = 'VES';

/** Fewest decimals of the inverse rate. */
const INVERSE_DECIMALS = 12;

/** The currency pairs of a request. */
export interface PairRequest {
  /** Upper case. */
  readonly base: string;
  /** Upper case; all currencies when undefined. */
  readonly quotes: readonly string[] | undefined;
  readonly amount: DecimalInput;
}

export interface PairRate {
  readonly quote: string;
  readonly date: CaracasDay;
  readonly rate: number;
}

interface Pair {
  readonly currency: PublishedCurrency;
  readonly quote: string;
}

/** The pairs of a request that the central bank publishes daily: each has VES on one side. */
function pairsOf({ base, quotes }: PairRequest): readonly Pair[] {
  const pairs = PUBLISHED_CURRENCIES.flatMap((currency) => {
    if (base === LOCAL) return { currency, quote: currency };
    return base === currency ? { currency, quote: LOCAL } : [];
  });
  const asked = pairs.filter(({ quote }) => quotes === undefined || quotes.includes(quote));
  if (asked.length === 0) throw notFound('unknown_market');
  return asked;
}

/** Converts the published rate (VES for one unit) to the pair and amount, rounded once. */
export function inQuote(
  rate: number,
  { quote }: { readonly quote: string },
  amount: DecimalInput,
): number {
  return quote === LOCAL ? inBolivares(amount, rate) : ofBolivares(amount, rate, INVERSE_DECIMALS);
}

export function currentRates(call: ForeignCall, request: PairRequest): readonly PairRate[] {
  return pairsOf(request).flatMap((pair) =>
    shown(call, officialFigure(call, pair.currency), ({ rate, valueDate: date }) => ({
      ...{ quote: pair.quote, date },
      rate: inQuote(rate, pair, request.amount),
    })),
  );
}

/**
 * The rates in force on a day in Caracas.
 * @throws ApiError for a day that is not known yet, one before the plan's history, or a missing rate when only
 *   one is requested.
 */
export async function ratesOnDay(
  call: ForeignCall,
  request: PairRequest,
  date: CaracasDay,
): Promise<readonly PairRate[]> {
  const { services } = call;
  if (date > lastOfficialDay(call)) throw notFound('no_data');
  const pairs = pairsOf(request);
  const market = requireOfficialDay(call, date);
  const { expected, upTo } = wantedRate({ date, rule: 'value_date' }, services.calendar);
  const rates: PairRate[] = [];
  for (const pair of pairs) {
    if (!isOfficialInPlan(call, pair.currency)) continue;
    const stored = await services.store.officialRateUpTo(OFFICIAL_RATES[pair.currency], upTo);
    const valueDate = stored?.effectiveDate;
    if (stored === undefined || valueDate === undefined) continue;
    if (valueDate < expected) {
      // Of several pairs one may be missing; a single pair may not.
      if (pairs.length > 1) continue;
      throw rateNotPublished(market, { expected, last: valueDate });
    }
    const { rebased } = services.redenominations;
    const inForce = rebased(stored.mid, shownUnits(valueDate, { on: date }));
    const rate = inQuote(inForce, pair, request.amount);
    rates.push({ quote: pair.quote, date: valueDate, rate });
  }
  return rates;
}

/**
 * The rates of the value dates from `from` to `to`, oldest first. The first one is the rate in force
 * on `from`, also when its value date is earlier, as that service has it.
 * @throws ApiError when the first day is after the last or before the plan's history.
 */
export async function rateSeries(
  call: ForeignCall,
  request: PairRequest,
  { from, to }: { readonly from: CaracasDay; readonly to: CaracasDay },
): Promise<readonly PairRate[]> {
  requireSeriesRange(call, { from, to });
  const pairs = pairsOf(request);
  if (from > lastOfficialDay(call)) return [];
  const { expected } = wantedRate({ date: from, rule: 'value_date' }, call.services.calendar);
  const rows: PairRate[] = [];
  for (const pair of pairs) {
    if (!isOfficialInPlan(call, pair.currency)) continue;
    const rates = await officialSeries(call, OFFICIAL_RATES[pair.currency], {
      from: expected,
      to,
    });
    const first = rates.findLast(({ date }) => date <= from)?.date ?? from;
    for (const { date, rate } of rates) {
      if (date < first || date > to) continue;
      rows.push({ quote: pair.quote, date, rate: inQuote(rate, pair, request.amount) });
    }
  }
  return rows.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** @throws ApiError when the first day is after the last or before the plan's history. */
export function requireSeriesRange(
  call: ForeignCall,
  { from, to }: { readonly from: CaracasDay; readonly to: CaracasDay },
): void {
  if (from > to) {
    throw invalidFormat(
      'from',
      'reversed_range',
      sentence('invalid date range', 'rango de fechas no válido'),
    );
  }
  requireOfficialDay(call, from);
}

/** The last day with a known rate: today, or a later value date that is published. */
export function lastOfficialDay({
  now,
  snapshot,
}: Pick<ForeignCall, 'now' | 'snapshot'>): CaracasDay {
  return lastKnownDay(now, snapshot.newestValueDate);
}

/** The history of all official rates equals that of the dollar. */
export function requireOfficialDay(call: ForeignCall, date: CaracasDay) {
  const market = marketOfPlan(call, OFFICIAL_USD);
  if (market === undefined) throw notFound('unknown_market');
  requireDayInDepth(pastDepth(call.plan, call.services.plans, [market]), date, call.now);
  return market;
}

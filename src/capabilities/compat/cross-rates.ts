import { isPublishedDaily } from '../../core/domain/bcv.ts';
import { divideToDigits, multiply, toNumber } from '../../core/domain/decimal.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError, invalidFormat, notFound } from '../../core/domain/errors.ts';
import { rateNotPublished, wantedRate } from '../../core/domain/history/past-dates.ts';
import { currencyOf, officialNameOf } from '../../core/domain/markets.ts';
import { shownUnits } from '../../core/domain/redenomination.ts';
import { type CaracasDay, caracasDayOf, daysBetween } from '../../core/domain/time.ts';
import { isOfficialInPlan } from './figures.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import {
  currentRates,
  inQuote,
  LOCAL,
  lastOfficialDay,
  type PairRate,
  type PairRequest,
  rateSeries,
  ratesOnDay,
  requireOfficialDay,
  requireSeriesRange,
} from './frankfurter-rates.ts';

/**
 * Pairs without the bolívar, and those of currencies that only the workbooks have. The quotient is of
 * two rates of one value date, exact, and rounded once.
 */

/** Digits of a quotient, or its decimals if those are more: an amount of money keeps its cents. */
const CROSS_DIGITS = 6;
const CROSS_DECIMALS = 2;

/** Days times currencies of a series. */
// limit: Series at Frankfurter's | 25,000 days times currencies | 422
export const MAX_CROSS_FIGURES = 25_000;

/** What the workbooks call a currency otherwise than the standard does, since 1993. */
const OLD_CODES: Readonly<Record<string, string>> = { MXP: 'MXN' };

const codeOf = (name: string) => currencyOf(name) ?? OLD_CODES[name] ?? name;
export const storedNameOf = (code: string) =>
  Object.keys(OLD_CODES).find((old) => OLD_CODES[old] === code) ?? officialNameOf(code);

/** The currencies with a stored rate that the plan includes, with their newest value date, by code. */
export function knownCurrencies(call: ForeignCall): ReadonlyMap<string, CaracasDay> {
  const known = [...call.snapshot.newestValueDates].flatMap(([name, newest]) => {
    const currency = currencyOf(name);
    const isIncluded = currency === undefined || isOfficialInPlan(call, currency);
    const code = codeOf(name);
    return isIncluded && /^[A-Z]{3}$/.test(code) ? [[code, newest] as const] : [];
  });
  return new Map(known.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The quotes of a request: those that the central bank publishes daily in bolívares, and the others. */
function quotesOf(call: ForeignCall, { base, quotes }: PairRequest) {
  const known = [LOCAL, ...knownCurrencies(call).keys()];
  const asked = known.filter((code) => code !== base && (quotes?.includes(code) ?? true));
  if (!known.includes(base) || asked.length === 0) throw notFound('unknown_market');
  const isDirect = (quote: string) =>
    (base === LOCAL && isPublishedDaily(quote)) || (quote === LOCAL && isPublishedDaily(base));
  return { direct: asked.filter(isDirect), others: asked.filter((quote) => !isDirect(quote)) };
}

interface StoredRate {
  readonly date: CaracasDay;
  /** In the unit in which it is stored. */
  readonly stored: number;
}

/** The rates of some currencies from a day to another, by code and oldest first. */
async function storedRates(
  { services: { store } }: ForeignCall,
  codes: readonly string[],
  range: { readonly from: CaracasDay; readonly to: CaracasDay },
) {
  const names = codes.filter((code) => code !== LOCAL).map(storedNameOf);
  const rows = await store.officialRatesAround(names, range);
  const rates = rows.flatMap(({ market, effectiveDate: date, mid: stored }) =>
    date === undefined || date > range.to ? [] : [{ code: codeOf(market), date, stored }],
  );
  return Map.groupBy<string, StoredRate & { readonly code: string }>(rates, ({ code }) => code);
}

/** A pair on a value date, from the stored rate of each side. @param on The day in whose unit it is shown. */
function quotient(
  { services }: ForeignCall,
  { base, amount }: PairRequest,
  quote: string,
  [over, under]: readonly [number | undefined, number | undefined],
  { date, on }: { readonly date: CaracasDay; readonly on: CaracasDay },
): number {
  const inUnit = (stored = 1) => services.redenominations.rebased(stored, shownUnits(date, { on }));
  if (quote === LOCAL || base === LOCAL) {
    return inQuote(inUnit(quote === LOCAL ? over : under), { quote }, amount);
  }
  return toNumber(
    divideToDigits(multiply(amount, over ?? 1), under ?? 1, CROSS_DIGITS, CROSS_DECIMALS),
  );
}

/** Those pairs at the newest value date up to a day that both sides have, from `expected` on. */
async function crossedOn(
  call: ForeignCall,
  request: PairRequest,
  quotes: readonly string[],
  { upTo, on, expected }: { upTo: CaracasDay; on: CaracasDay; expected?: CaracasDay },
) {
  const { base } = request;
  const newest = await storedRates(call, [base, ...quotes], { from: upTo, to: upTo });
  const last = (code: string) => newest.get(code)?.at(-1);
  const dates = quotes.map((quote) => {
    const sides = [base, quote].filter((code) => code !== LOCAL).map((code) => last(code)?.date);
    const date = sides.some((one) => one === undefined) ? undefined : sides.sort()[0];
    return { quote, date };
  });
  const atDate = new Map<CaracasDay, Awaited<ReturnType<typeof storedRates>>>();
  for (const { date } of dates) {
    if (date === undefined || atDate.has(date)) continue;
    atDate.set(date, await storedRates(call, [base, ...quotes], { from: date, to: date }));
  }
  const rates = dates.flatMap(({ quote, date }): readonly PairRate[] => {
    if (date === undefined || (expected !== undefined && date < expected)) return [];
    const of = (code: string) =>
      code === LOCAL
        ? undefined
        : atDate
            .get(date)
            ?.get(code)
            ?.find((one) => one.date === date)?.stored;
    const sides = [of(base), of(quote)] as const;
    const isWhole = [base, quote].every((code) => code === LOCAL || of(code) !== undefined);
    return isWhole
      ? [{ quote, date, rate: quotient(call, request, quote, sides, { date, on }) }]
      : [];
  });
  // The newest date of a pair whose rate is missing.
  const missed = dates
    .flatMap(({ date }) => date ?? [])
    .sort()
    .at(-1);
  return { rates, missed };
}

const byQuote = (a: PairRate, b: PairRate) => (a.quote < b.quote ? -1 : 1);

/** Every pair of a request that has a rate now. */
export async function allCurrentRates(call: ForeignCall, request: PairRequest) {
  const { direct, others } = quotesOf(call, request);
  const today = caracasDayOf(call.now);
  const rates = direct.length === 0 ? [] : currentRates(call, { ...request, quotes: direct });
  if (others.length === 0) return rates;
  const crossed = await crossedOn(call, request, others, { upTo: today, on: today });
  return [...rates, ...crossed.rates].sort(byQuote);
}

/** Every pair of a request on a past day. @throws ApiError as `ratesOnDay`. */
export async function allRatesOnDay(call: ForeignCall, request: PairRequest, date: CaracasDay) {
  if (date > lastOfficialDay(call)) throw notFound('no_data');
  const { direct, others } = quotesOf(call, request);
  if (others.length === 0) return ratesOnDay(call, { ...request, quotes: direct }, date);
  const market = requireOfficialDay(call, date);
  const { expected, upTo } = wantedRate({ date, rule: 'value_date' }, call.services.calendar);
  const rates = await (direct.length === 0
    ? []
    : ratesOnDay(call, { ...request, quotes: direct }, date).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'rate_not_published') return [];
        throw error;
      }));
  const crossed = await crossedOn(call, request, others, { upTo, on: date, expected });
  const all = [...rates, ...crossed.rates].sort(byQuote);
  if (all.length > 0) return all;
  const last = crossed.missed;
  if (last === undefined) return [];
  throw rateNotPublished(market, { expected, last });
}

/** Every pair of a request by value date, oldest first. @throws ApiError as `rateSeries`. */
export async function allRateSeries(
  call: ForeignCall,
  request: PairRequest,
  range: { readonly from: CaracasDay; readonly to: CaracasDay },
): Promise<readonly PairRate[]> {
  requireSeriesRange(call, range);
  const { direct, others } = quotesOf(call, request);
  const last = lastOfficialDay(call);
  const to = range.to > last ? last : range.to;
  const figures =
    Math.max(0, daysBetween({ from: range.from, to })) * (direct.length + others.length);
  if (figures > MAX_CROSS_FIGURES) {
    throw invalidFormat(
      'from',
      'out_of_range',
      sentence(
        'too many days and currencies: ask for fewer of either',
        'demasiados días y monedas: pida menos de unos u otras',
      ),
    );
  }
  const rates =
    direct.length === 0 ? [] : await rateSeries(call, { ...request, quotes: direct }, range);
  if (others.length === 0 || range.from > last) return rates;
  const { expected } = wantedRate({ date: range.from, rule: 'value_date' }, call.services.calendar);
  const { base } = request;
  const stored = await storedRates(call, [base, ...others], { from: expected, to });
  const known = new Map(
    [...stored].map(([code, of]) => [code, new Map(of.map((one) => [one.date, one.stored]))]),
  );
  const crossed = others.flatMap((quote) => {
    const days = stored.get(quote === LOCAL ? base : quote) ?? [];
    const pairs = days.filter(
      ({ date }) => date >= expected && (base === LOCAL || known.get(base)?.has(date) === true),
    );
    const first = pairs.findLast(({ date }) => date <= range.from)?.date ?? range.from;
    return pairs
      .filter(({ date }) => date >= first)
      .map(({ date }): PairRate => {
        const sides = [known.get(base)?.get(date), known.get(quote)?.get(date)] as const;
        return { quote, date, rate: quotient(call, request, quote, sides, { date, on: date }) };
      });
  });
  return [...rates, ...crossed].sort((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : byQuote(a, b),
  );
}

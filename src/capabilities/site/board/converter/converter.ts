import type { BoardRate } from '../../../../client/types.ts';
import { convertAmount, parseAmount } from '../../../../core/domain/calculations/convert.ts';
import {
  type Decimal,
  divideToDigits,
  multiply,
  toNumber,
} from '../../../../core/domain/decimal.ts';
import type { DateRule } from '../../../../core/domain/history/past-dates.ts';
import {
  hasValueDates,
  OFFICIAL_EUR,
  OFFICIAL_RATES,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../../../../core/domain/markets.ts';
import { ageSec, type Instant } from '../../../../core/domain/time.ts';
import { type Language, languageNamed } from '../../../../core/domain/words/language.ts';
import { type ReadAmount, readAmount } from '../../frame/amount.ts';
import type { ConversionProblem } from '../../texts/es/converter.ts';
import { CONVERTER_TEXTS } from '../../texts/texts.ts';
import type { BoardReader } from '../age.ts';
import type { BoardFigures, ConvertibleRate } from '../board-figures.ts';
import { datedRates, indexDatedAt, indexStaleFrom, p2pStaleFrom } from '../staleness.ts';

/** The conversion that an address or a form requests, unparsed. */
export interface ConversionRequest {
  readonly amount: string;
  /** '' for the currency that the market quotes. */
  readonly from: string;
  /** '' for the other side of the market. */
  readonly to: string;
  /** Id of a market; '' for the official one. */
  readonly via: string;
  /** A day in Caracas, unparsed; '' for the current rates, `other` before a day is chosen. */
  readonly date: string;
  /** Which rate applies to a day without banks; for official markets only. */
  readonly rule: DateRule;
  /** The language in which the amount was typed; undefined in a shared address. */
  readonly typedIn: Language | undefined;
}

export interface DoneConversion extends Omit<ReadAmount, 'currency'> {
  readonly from: string;
  readonly to: string;
  readonly toVes: boolean;
  readonly result: number;
  /** The result as the API gives it: with two decimals, also below 1. */
  readonly rounded: number;
  readonly rate: ConvertibleRate;
}

export type Conversion =
  | { readonly done: DoneConversion }
  | { readonly done?: undefined; readonly problem: ConversionProblem };

const DATE_PROBLEMS: readonly ConversionProblem[] = [
  ...(['no_past_rate', 'no_next_rate', 'only_today', 'future', 'before_history'] as const),
  'unreadable_date',
];

/** The input at fault: a day without a rate is not a fault of the amount, and an empty input is none. */
export function faultyInput(problem: ConversionProblem): 'amount' | 'date' | undefined {
  if (problem === 'no_amount' || problem === 'no_date') return undefined;
  return DATE_PROBLEMS.includes(problem) ? 'date' : 'amount';
}

const DEFAULT_AMOUNT = '1';
/** Digits of a result below 1. */
export const SMALL_DIGITS = 3;

/** Rates computed from several markets. No market has these ids. */
export const P2P_MEDIAN = 'p2p_median';
export const INDEX = 'index';
export const COMPUTED: readonly string[] = [P2P_MEDIAN, INDEX];

/**
 * An address without a conversion converts one dollar, as an example. The form
 * sends both amounts, `amount` and `other`, and their former texts, `amount_was` and `other_was`: the
 * lower one, `other`, counts when it alone changed. An upper one that the page wrote itself for the amount
 * of an address stays that amount, `amount_is`: `1.500`, read as typed, could be one and a half.
 */
export function conversionRequest(query: URLSearchParams): ConversionRequest {
  const given = (name: string) => query.get(name) ?? '';
  const day = query.get('day');
  const dated = DATE_NAMES.map(given).find((text) => text !== '') ?? '';
  const asked = {
    to: given('to').toUpperCase(),
    via: given('via') || given('market'),
    // The form sends the chosen day, or `other` and the date of its field; an address has only a date.
    date: dayNamed(day === null || day === OTHER_DAY ? dated || (day ?? '') : day),
    rule: ruleNamed(given('rule')),
    typedIn: languageNamed(query.get('typed')),
  };
  const from = given('from').toUpperCase();
  const amount = query.get('amount') ?? DEFAULT_AMOUNT;
  const isUnchanged = given('amount') === given('amount_was');
  const isLower = query.has('other') && given('other') !== given('other_was') && isUnchanged;
  const written = query.get('amount_is');
  if (!isLower && isUnchanged && written !== null) {
    return { ...asked, amount: written, from, typedIn: undefined };
  }
  if (!isLower) return { ...asked, amount, from };
  return { ...asked, amount: given('other'), from: from === 'VES' ? '' : 'VES' };
}

export const OTHER_DAY = 'other';

/** Links that people write name the day in Spanish too. Without it they would show that of today. */
const DATE_NAMES = ['date', 'fecha', 'dia'];

/** Links that people write have days such as `22/11/2026`. */
function dayNamed(text: string): string {
  return text.replace(
    /^(\d\d?)\/(\d\d?)\/(\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
}

/** Unknown text means `value_date`. */
export function ruleNamed(text: string): DateRule {
  return text === 'next_banking_day' ? text : 'value_date';
}

/** The rule for the chosen market. Only official markets have value dates. */
export function ruleOf({ rule, via }: Pick<ConversionRequest, 'rule' | 'via'>): DateRule {
  return via === '' || hasValueDates(via) ? rule : 'value_date';
}

/** Every rate for conversions: the markets, the median of P2P and the index. */
export function convertibleRates(figures: BoardFigures): readonly ConvertibleRate[] {
  const { p2p, index } = figures;
  const computed = (
    market: typeof P2P_MEDIAN | typeof INDEX,
    rate: Pick<ConvertibleRate, 'mid' | 'updated_at'>,
    end: Instant,
  ): ConvertibleRate => ({
    ...{ market, type: market, base: 'USD', ...rate },
    name: CONVERTER_TEXTS.es.computed[market],
    name_en: CONVERTER_TEXTS.en.computed[market],
    stale_after_sec: ageSec({ since: Date.parse(rate.updated_at), now: end }) - 1,
    source: { name: 'vesfx', kind: 'computed' },
  });
  const median = p2p && { mid: p2p.median, updated_at: p2p.updated_at };
  const value = index && { mid: index.value, updated_at: indexDatedAt(figures) ?? index.as_of };
  const end = indexStaleFrom(figures);
  return [
    ...datedRates(figures),
    ...(median ? [computed(P2P_MEDIAN, median, p2pStaleFrom(figures.rates))] : []),
    ...(value && end !== undefined ? [computed(INDEX, value, end)] : []),
  ];
}

const NEGATIVE = /^\s*[-\u2212]\s*\d/;

/**
 * Converts with the functions of `/v1/fx/convert`, at the rates shown.
 * @param whyNoRate Why no rate can be found, if that is known.
 */
export function convertTyped(
  request: ConversionRequest,
  rates: readonly ConvertibleRate[],
  language: Language,
  whyNoRate?: ConversionProblem,
): Conversion {
  const { to } = request;
  if (request.amount.trim() === '') return { problem: 'no_amount' };
  const read = readAmount(request.amount, { typedIn: request.typedIn, language });
  if (read === undefined) {
    return { problem: NEGATIVE.test(request.amount) ? 'out_of_range' : 'unreadable' };
  }
  const amount = parseAmount(read.amount);
  if (amount === undefined) return { problem: 'out_of_range' };
  const rate = rateFor(request, read, rates);
  const asked = request.from || (to === '' || to === 'VES' ? (rate?.base ?? 'USD') : 'VES');
  // A currency beside the amount takes precedence over the currency of its field.
  const from = read.currency ?? asked;
  const turned = (from === 'VES') !== (asked === 'VES');
  const wanted = turned ? '' : to;
  const foreign = from === 'VES' ? wanted || rate?.base || 'USD' : from;
  if (
    (foreign !== 'USD' && foreign !== 'EUR') ||
    (from !== 'VES' && wanted !== '' && wanted !== 'VES')
  ) {
    return { problem: 'unknown_pair' };
  }
  if (rate === undefined) {
    if (whyNoRate !== undefined) return { problem: whyNoRate };
    if (request.date === '') return { problem: 'no_rate' };
    if (request.via === INDEX) return { problem: 'only_today' };
    return { problem: ruleOf(request) === 'value_date' ? 'no_past_rate' : 'no_next_rate' };
  }
  if (rate.base !== foreign) return { problem: 'other_currency' };
  const toVes = from !== 'VES';
  if (!toVes && rate.type === 'remittance') return { problem: 'one_way' };
  const result = resultOf(amount, rate.mid, toVes);
  const rounded = toNumber(convertAmount(amount, rate.mid, toVes));
  return { done: { ...read, from, to: toVes ? 'VES' : foreign, toVes, result, rounded, rate } };
}

/** The result of the same amount by another rate; undefined for one of another currency. */
export function resultBy(
  rate: ConvertibleRate | undefined,
  { amount, toVes, rate: { base } }: DoneConversion,
): number | undefined {
  const exact = parseAmount(amount);
  if (exact === undefined || rate?.base !== base) return undefined;
  return resultOf(exact, rate.mid, toVes);
}

/** As the API converts. A result below 1 keeps the digits that two decimals would lose. */
function resultOf(amount: Decimal, mid: number, toVes: boolean): number {
  const result = toNumber(convertAmount(amount, mid, toVes));
  if (result >= 1) return result;
  return toNumber(toVes ? multiply(amount, mid) : divideToDigits(amount, mid, SMALL_DIGITS));
}

/**
 * The chosen rate. A currency beside the amount replaces an official choice, and a missing one: USDT
 * takes the median of P2P, another currency its official rate.
 */
function rateFor(
  { from, to, via }: ConversionRequest,
  { currency, isTether = false }: ReadAmount,
  rates: readonly ConvertibleRate[],
) {
  const typed = currency === 'VES' ? undefined : currency;
  const currencies = typed === undefined ? [from, to] : [typed];
  const official = OFFICIAL_RATES[currencies.includes('EUR') ? 'EUR' : 'USD'];
  const isTyped = via === '' || (typed !== undefined && hasValueDates(via));
  const wanted = isTether ? P2P_MEDIAN : official;
  return rates.find(({ market }) => market === (isTyped ? wanted : via));
}

/** Id of the converter, to which a shared address leads. */
export const CONVERTER_ID = 'converter';

type AddressReader = Pick<BoardReader, 'language' | 'languageChosen'>;

/**
 * The address of a conversion, the same for every reader.
 * @param day The day whose official rate the address keeps; '' to convert by the rate of its time.
 */
export function conversionAddress(
  { amount, from, rate }: Pick<DoneConversion, 'amount' | 'from' | 'rate'>,
  reader: AddressReader,
  day = '',
): string {
  const kept = hasValueDates(rate.market) ? day : '';
  const { date = kept, rule = 'value_date' } = rate.as_of ?? {};
  const asked = { amount, from, via: rate.market, date, rule, typedIn: undefined };
  return requestAddress(asked, reader);
}

/** The address of the same amount the other way round. */
export function swapAddress(
  conversion: Conversion | undefined,
  request: ConversionRequest,
  reader: AddressReader,
): string {
  const { done } = conversion ?? {};
  return done
    ? conversionAddress({ ...done, from: done.to }, reader)
    : requestAddress({ ...request, from: request.from === 'VES' ? '' : 'VES' }, reader);
}

/** The address of a request, also of one that has no result: opened again, it is the same. */
export function requestAddress(
  { amount, from, via, date, rule, typedIn }: Omit<ConversionRequest, 'to'>,
  { language, languageChosen }: AddressReader,
): string {
  const query = new URLSearchParams({ amount, from, via });
  if (date !== '') query.set('date', date);
  if (date !== '' && rule !== 'value_date') query.set('rule', rule);
  if (typedIn !== undefined) query.set('typed', typedIn);
  if (languageChosen) query.set('lang', language);
  return `/?${query}#${CONVERTER_ID}`;
}

/** The rates that have a button, if they are known. */
export const RATE_CHOICES = [
  ['official', OFFICIAL_USD],
  ['parallel', PARALLEL_MARKET],
  ['p2p', P2P_MEDIAN],
  ['index', INDEX],
  ['euro', OFFICIAL_EUR],
] as const;

/** The markets that have no button of their own. */
export function otherMarkets({ rates }: BoardFigures): readonly BoardRate[] {
  const own: readonly string[] = RATE_CHOICES.map(([, id]) => id);
  return rates.filter(({ market }) => !own.includes(market));
}

import { convertAmount, parseAmount } from '../../domain/convert.ts';
import { toNumber } from '../../domain/decimal.ts';
import { OFFICIAL_EUR, OFFICIAL_USD } from '../../domain/markets.ts';
import { type Language, languageNamed } from '../frame/language.ts';
import { readAmount } from './amount.ts';
import type { ConvertibleRate } from './board-figures.ts';

/** What an address or a form asks to convert, as it stands there. */
export interface ConversionAsk {
  readonly amount: string;
  readonly from: string;
  /** '' for the other side of the market. */
  readonly to: string;
  /** Id of a market; '' for the official one. */
  readonly via: string;
  /** A past day in Caracas as it was given; '' for the rates of now. */
  readonly date: string;
  /** The language in which the amount was typed; none in an address that was made to be shared. */
  readonly typedIn: Language | undefined;
}

/** Why an amount is not converted. */
export type ConversionProblem =
  | 'no_amount'
  | 'unreadable'
  | 'out_of_range'
  | 'unknown_pair'
  | 'unknown_market'
  | 'no_past_rate'
  | 'other_currency'
  | 'one_way';

export interface ConversionDone {
  /** In the grammar of the API. */
  readonly amount: string;
  /** What the typed text could have been too. */
  readonly other?: string;
  readonly from: string;
  readonly to: string;
  readonly toVes: boolean;
  readonly result: number;
  readonly rate: ConvertibleRate;
}

export type Conversion =
  | { readonly done: ConversionDone }
  | { readonly done?: undefined; readonly problem: ConversionProblem };

const DEFAULT_AMOUNT = '1';

/** An address that asks for nothing converts one dollar, so that there is something to see. */
export function conversionAsk(query: URLSearchParams): ConversionAsk {
  return {
    amount: query.get('amount') ?? DEFAULT_AMOUNT,
    from: (query.get('from') || 'USD').toUpperCase(),
    to: (query.get('to') ?? '').toUpperCase(),
    date: query.get('date') ?? '',
    via: query.get('via') || query.get('market') || '',
    typedIn: languageNamed(query.get('typed')),
  };
}

/** Converts as `/v1/fx/convert` does, by the same functions and the rates that are shown. */
export function convert(
  ask: ConversionAsk,
  rates: readonly ConvertibleRate[],
  language: Language,
): Conversion {
  const { from, to } = ask;
  if (ask.amount.trim() === '') return { problem: 'no_amount' };
  const read = readAmount(ask.amount, { typedIn: ask.typedIn, language });
  if (read === undefined) return { problem: 'unreadable' };
  const amount = parseAmount(read.amount);
  if (amount === undefined) return { problem: 'out_of_range' };
  const rate = rateFor(ask, rates);
  const foreign = from === 'VES' ? to || rate?.base || 'USD' : from;
  if ((foreign !== 'USD' && foreign !== 'EUR') || (from !== 'VES' && to !== '' && to !== 'VES')) {
    return { problem: 'unknown_pair' };
  }
  if (rate === undefined) {
    return { problem: ask.date === '' ? 'unknown_market' : 'no_past_rate' };
  }
  if (rate.base !== foreign) return { problem: 'other_currency' };
  const toVes = from !== 'VES';
  if (!toVes && rate.type === 'remittance') return { problem: 'one_way' };
  return {
    done: {
      ...read,
      from,
      to: toVes ? 'VES' : foreign,
      toVes,
      result: toNumber(convertAmount(amount, rate.mid, toVes)),
      rate,
    },
  };
}

function rateFor({ from, to, via }: ConversionAsk, rates: readonly ConvertibleRate[]) {
  const official = from === 'EUR' || to === 'EUR' ? OFFICIAL_EUR : OFFICIAL_USD;
  return rates.find(({ market }) => market === (via || official));
}

/** The address of a conversion, the same for every reader. */
export function conversionAddress(
  { amount, from, rate }: Pick<ConversionDone, 'amount' | 'from' | 'rate'>,
  language: Language | undefined,
): string {
  const query = new URLSearchParams({ amount, from, via: rate.market });
  if (rate.as_of !== undefined) query.set('date', rate.as_of.date);
  if (language !== undefined) query.set('lang', language);
  return `/?${query}`;
}

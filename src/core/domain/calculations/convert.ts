import {
  add,
  compare,
  type Decimal,
  type DecimalInput,
  decimal,
  divide,
  multiply,
  round,
  toNumber,
} from '../decimal.ts';
import { sentence } from '../errors/sentence.ts';
import { fault, type ValueFault } from '../errors/value-rules.ts';
import { type ApiError, invalidFormat } from '../errors.ts';
import { BASES, type Base, type Market, onlyToVes } from '../markets.ts';

/** Largest amount that may be converted (§8). */
// limit: Amount; amounts of a batch | one trillion (10^12); 50 | 400 | MAX_BATCH_AMOUNTS
export const MAX_AMOUNT = '1e12';

/** The same as messages and documents say it. */
export const AMOUNT_LIMIT = sentence('one trillion (10^12)', 'un billón (10^12)');

/** Most amounts in one batch (§4.6). */
export const MAX_BATCH_AMOUNTS = 50;

/** Decimals of a converted amount (§2.4). */
export const AMOUNT_DECIMALS = 2;

const LARGEST_AMOUNT = decimal(MAX_AMOUNT);

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads an amount in the JSON number grammar: finite, greater than 0, at most `MAX_AMOUNT` (§4.5).
 * @returns the exact decimal value; undefined for any other text.
 */
export function parseAmount(text: string): Decimal | undefined {
  if (!JSON_NUMBER.test(text)) return undefined;
  const nearest = Number(text);
  // Checked on the double first: it rules out exponents that would make an enormous decimal.
  if (!(nearest > 0 && nearest <= Number(MAX_AMOUNT))) return undefined;
  const amount = decimal(text);
  return compare(amount, LARGEST_AMOUNT) <= 0 ? amount : undefined;
}

/** What is wrong with a text that `parseAmount` refuses. */
export function amountFault(text: string): ValueFault {
  return fault(
    JSON_NUMBER.test(text) ? 'out_of_range' : 'not_a_number',
    `must be a number greater than 0 and at most ${AMOUNT_LIMIT.en}, with a point for decimals`,
    `debe ser un número mayor que 0 y como máximo ${AMOUNT_LIMIT.es}, con punto para los decimales`,
  );
}

/** A conversion between VES and one foreign currency. */
export interface Direction {
  readonly from: 'VES' | Base;
  readonly to: 'VES' | Base;
  readonly foreign: Base;
  readonly toVes: boolean;
}

/**
 * Checks a pair of upper-case currency codes: one side must be VES, the other one of `foreign`
 * (§4.5). Bulk conversion and route accept only USD.
 * @throws ApiError `invalid_format` naming the offending side (`to` when both are foreign).
 */
export function parseDirection(
  { from, to }: { readonly from: string; readonly to: string },
  foreign: readonly Base[] = BASES,
): Direction {
  const foreignFrom = foreign.find((base) => base === from);
  const foreignTo = foreign.find((base) => base === to);
  if (foreignFrom === undefined && from !== 'VES') throw unknownCurrency('from', foreign);
  if (foreignTo === undefined && to !== 'VES') throw unknownCurrency('to', foreign);
  if (foreignFrom !== undefined && to === 'VES') {
    return { from: foreignFrom, to, foreign: foreignFrom, toVes: true };
  }
  if (foreignTo !== undefined && from === 'VES') {
    return { from, to: foreignTo, foreign: foreignTo, toVes: false };
  }
  throw invalidFormat(
    'to',
    'wrong_pair',
    sentence(
      'One side must be VES and the other a foreign currency.',
      'Una de las monedas debe ser VES y la otra, extranjera.',
    ),
  );
}

function unknownCurrency(field: string, foreign: readonly Base[]): ApiError {
  return invalidFormat(
    field,
    'unknown_value',
    sentence(
      `${field} must be VES or ${foreign.join(' or ')}.`,
      `El valor de \`${field}\` debe ser VES o ${foreign.join(' o ')}.`,
    ),
  );
}

/**
 * Checks that a market can serve a conversion: it has the same base currency and converts in that
 * direction (§4.5).
 * @throws ApiError `invalid_format` naming `field`, the parameter that chose the market.
 */
export function requireConvertible(market: Market, direction: Direction, field: string): void {
  if (market.base !== direction.foreign) {
    throw invalidFormat(
      field,
      'wrong_market',
      sentence(
        `${market.id} quotes ${market.base}, not ${direction.foreign}.`,
        `El mercado ${market.id} cotiza ${market.base}, no ${direction.foreign}.`,
      ),
    );
  }
  if (!direction.toVes && onlyToVes(market)) {
    throw invalidFormat(
      field,
      'wrong_market',
      sentence(
        `${market.id} only converts to VES.`,
        `El mercado ${market.id} solo convierte a VES.`,
      ),
    );
  }
}

/** Multiplies by the rate to VES, divides by it from VES. Rounds once (§2.4). */
export function convertAmount(amount: DecimalInput, mid: DecimalInput, toVes: boolean): Decimal {
  return toVes
    ? round(multiply(amount, mid), AMOUNT_DECIMALS)
    : divide(amount, mid, AMOUNT_DECIMALS);
}

/** Converts each amount at one rate. The totals sum the inputs and the rounded results (§2.5). */
export function convertBatch(amounts: readonly Decimal[], mid: number, toVes: boolean) {
  const rate = decimal(mid);
  let totalIn = decimal(0);
  let totalOut = decimal(0);
  const results = amounts.map((amount) => {
    const result = convertAmount(amount, rate, toVes);
    totalIn = add(totalIn, amount);
    totalOut = add(totalOut, result);
    return { amount: toNumber(amount), result: toNumber(result) };
  });
  return { results, totalIn: toNumber(totalIn), totalOut: toNumber(totalOut) };
}

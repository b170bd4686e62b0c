import Big from 'big.js';

/**
 * Exact decimal arithmetic. Sums and products stay exact; the last operation rounds once, half away
 * from zero. Only this file uses the decimal library.
 */
export type Decimal = Big;

/** A value that can be read as an exact decimal. A double is read as its shortest decimal text. */
export type DecimalInput = Decimal | number | string;

/** Most significant digits that a double carries exactly, and the most of a published rate. */
// limit: Digits of a rate | 15 | record refused
export const MAX_SIGNIFICANT_DIGITS = 15;

/** Decimals of a computed rate: the most that the central bank publishes. */
export const RATE_DECIMALS = 8;

const HALF_AWAY_FROM_ZERO = 1;

/** Reads a value as a decimal. Decimals are immutable, so one is returned as it is. */
export function decimal(value: DecimalInput): Decimal {
  return value instanceof Big ? value : new Big(value);
}

export function add(a: DecimalInput, b: DecimalInput): Decimal {
  return decimal(a).plus(b);
}

export function subtract(a: DecimalInput, b: DecimalInput): Decimal {
  return decimal(a).minus(b);
}

export function multiply(a: DecimalInput, b: DecimalInput): Decimal {
  return decimal(a).times(b);
}

/**
 * `a / b`, rounded once to `places` decimals from the exact remainder. The division of whole numbers
 * takes half the time of the one in big.js, which V8 at times runs a hundred times slower.
 * @throws RangeError when `b` is zero.
 */
export function divide(a: DecimalInput, b: DecimalInput, places: number): Decimal {
  const [over, under] = [decimal(a), decimal(b)];
  const shift = places + decimalsOf(under) - decimalsOf(over);
  const dividend = wholeOf(over) * 10n ** BigInt(Math.max(0, shift));
  const divisor = wholeOf(under) * 10n ** BigInt(Math.max(0, -shift));
  const rounded = (2n * dividend + divisor) / (2n * divisor);
  return new Big(`${over.s === under.s ? '' : '-'}${rounded}e${-places}`);
}

/** The digits as a whole number, without the sign. */
function wholeOf({ c }: Decimal): bigint {
  return BigInt(c.join(''));
}

/** How many of the digits are decimals. Negative for a multiple of ten. */
function decimalsOf({ c, e }: Decimal): number {
  return c.length - 1 - e;
}

/** `a / b` of positive values, rounded once to `digits` significant digits, or `places` decimals if those are more. */
export function divideToDigits(
  a: DecimalInput,
  b: DecimalInput,
  digits: number,
  places = 0,
): Decimal {
  const [over, under] = [decimal(a), decimal(b)];
  const apart = over.e - under.e;
  // The exponent of the quotient is one less when the digits of `a` are below those of `b`.
  const exponent = compare(over, multiply(under, `1e${apart}`)) < 0 ? apart - 1 : apart;
  return divide(over, under, Math.max(places, digits - 1 - exponent));
}

export function sum(values: Iterable<DecimalInput>): Decimal {
  let total = decimal(0);
  for (const value of values) total = total.plus(value);
  return total;
}

export function round(value: DecimalInput, places: number): Decimal {
  return decimal(value).round(places, HALF_AWAY_FROM_ZERO);
}

export function compare(a: DecimalInput, b: DecimalInput): -1 | 0 | 1 {
  return decimal(a).cmp(b);
}

/** All digits, without an exponent. */
export function withoutExponent(value: DecimalInput): string {
  return decimal(value).toFixed();
}

/** The double nearest to the value, for the wire. */
export function toNumber(value: Decimal): number {
  return Number(value.toString());
}

/** The middle of two sides, rounded to `RATE_DECIMALS`. */
export function middle(a: number, b: number): number {
  return toNumber(divide(add(a, b), 2, RATE_DECIMALS));
}

/**
 * The exact median: half of a sum is exact, where a division would round.
 * @throws RangeError without values.
 */
export function median(values: readonly Decimal[]): Decimal {
  const sorted = [...values].sort(compare);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (lower === undefined || upper === undefined) throw new RangeError('no values');
  return multiply(add(lower, upper), '0.5');
}

/** Number of decimals in a double's shortest decimal text. */
export function decimalPlaces(value: number): number {
  return Math.max(0, decimalsOf(decimal(value)));
}

/** Number of significant digits, without outer zeros. A double is read as its shortest text. */
export function significantDigits(value: DecimalInput): number {
  return decimal(value).c.length;
}

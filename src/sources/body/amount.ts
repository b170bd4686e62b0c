import { compare, MAX_SIGNIFICANT_DIGITS, significantDigits } from '../../domain/decimal.ts';

/** A figure of a page. */
export interface Amount {
  /** Exactly what the text says. */
  readonly value: number;
  /** How many decimals it is written with. */
  readonly decimals: number;
  /** As it is written. */
  readonly text: string;
}

/**
 * A decimal comma with 2 to 8 digits after it, dots between the thousands or none. Three digits
 * after it are refused: `1,012` may be a thousand and twelve in the English way of writing.
 */
const AMOUNT = /^((?:0|[1-9]\d{0,14})|[1-9]\d{0,2}(?:\.\d{3}){1,4}),(\d{2}|\d{4,8})$/;

/**
 * Reads a figure as the central bank writes it, `889,57540000` or `1.012,34560000`; 0 is one.
 * @returns undefined for any other text, and for figures of more than 15 significant digits.
 */
export function amountOf(text: string): Amount | undefined {
  const [, whole, decimals] = AMOUNT.exec(text) ?? [];
  if (whole === undefined || decimals === undefined) return undefined;
  const plain = `${whole.replaceAll('.', '')}.${decimals}`;
  const value = Number(plain);
  if (compare(plain, value) !== 0 || significantDigits(value) > MAX_SIGNIFICANT_DIGITS) {
    return undefined;
  }
  return { value, decimals: decimals.length, text };
}

/**
 * The central bank writes all figures of a table with one number of decimals, so that of figures
 * with others one has lost a digit, or its comma has moved.
 */
export function haveSameDecimals(amounts: readonly Amount[]): boolean {
  return amounts.every(({ decimals }) => decimals === amounts[0]?.decimals);
}

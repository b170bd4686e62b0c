import { compare, MAX_SIGNIFICANT_DIGITS, significantDigits } from '../../domain/decimal.ts';

/** A figure of a page. */
export interface Amount {
  /** The exact value of the text. */
  readonly value: number;
  /** Number of written decimals. */
  readonly decimals: number;
  readonly text: string;
}

/**
 * A decimal comma with 2 to 8 digits after it, with or without dots between thousands. Not three:
 * `1,012` is one thousand and twelve in English notation.
 */
const AMOUNT = /^((?:0|[1-9]\d{0,14})|[1-9]\d{0,2}(?:\.\d{3}){1,4}),(\d{2}|\d{4,8})$/;

/**
 * Reads a figure in the format of the central bank, `889,57540000` or `1.012,34560000`. 0 is valid.
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

/** As in every table of the bank. Otherwise a figure lost a digit, or its comma moved. */
export function haveSameDecimals(amounts: readonly Amount[]): boolean {
  return amounts.every(({ decimals }) => decimals === amounts[0]?.decimals);
}

import {
  type DecimalInput,
  divideToDigits,
  multiply,
  RATE_DECIMALS,
  toNumber,
} from '../../core/domain/decimal.ts';

/** Fewest significant digits: a small figure has more decimals, so that it is never shown as 0. */
const DIGITS = 10;

/** An amount in bolívares, at a rate in bolívares; rounded once. */
export const inBolivares = (amount: DecimalInput, rate: number) =>
  toNumber(divideToDigits(multiply(amount, rate), 1, DIGITS, RATE_DECIMALS));

/** An amount of bolívares in the currency of a rate; rounded once, to more decimals if a service has them. */
export const ofBolivares = (amount: DecimalInput, rate: number, decimals = RATE_DECIMALS) =>
  toNumber(divideToDigits(amount, rate, DIGITS, decimals));

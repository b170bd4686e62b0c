import { add, compare, divide, middle, multiply, subtract, toNumber } from '../decimal.ts';

/** Comparisons of two positive values, decided in exact decimals. */

/** An inclusive range. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/** Relative error far above what four operations on doubles can accumulate. */
const DOUBLE_ERROR = 1e-6;

const FACTOR_DECIMALS = 12;

/** Factors by percent. The rules use only a few percentages. */
const factors = new Map<number, number>();

/**
 * How a value compares with a limit: below 0 when it is under, above 0 when it is over. Far from the
 * limit doubles decide as decimals would, and nearly every pair is far from it. With decimals alone,
 * they took a third of the time of a large import.
 */
function comparedWith(limit: number, value: number, exactly: () => number): number {
  if (value < limit * (1 - DOUBLE_ERROR)) return -1;
  if (value > limit * (1 + DOUBLE_ERROR)) return 1;
  return exactly();
}

function comparedWithProduct(a: number, b: number, factor: number): number {
  return comparedWith(b * factor, a, () => compare(a, multiply(b, factor)));
}

/** Whether the larger value divided by the smaller is strictly over `limit`. */
export function isRatioOver(a: number, b: number, limit: number): boolean {
  return comparedWithProduct(Math.max(a, b), Math.min(a, b), limit) > 0;
}

/** Whether `value` is outside `low` to `high` times `base`. */
export function isOutside(value: number, base: number, { low, high }: Band): boolean {
  return comparedWithProduct(value, base, high) > 0 || comparedWithProduct(value, base, low) < 0;
}

/** Whether `value` differs from `base` by strictly more than `percent` of `base`. */
export function isAway(value: number, base: number, percent: number): boolean {
  const exactly = () => {
    const distance = subtract(Math.max(value, base), Math.min(value, base));
    return compare(multiply(distance, 100), multiply(base, percent));
  };
  return comparedWith(base * percent, Math.abs(value - base) * 100, exactly) > 0;
}

/** The factor of an increase in percent: 10 percent gives 1.1. */
export function factorOf(percent: number): number {
  const known = factors.get(percent);
  if (known !== undefined) return known;
  const factor = toNumber(divide(add(100, percent), 100, FACTOR_DECIMALS));
  factors.set(percent, factor);
  return factor;
}

/** The median; the mean of the middle two for an even count. Undefined for no values. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return undefined;
  return low === high ? low : middle(low, high);
}

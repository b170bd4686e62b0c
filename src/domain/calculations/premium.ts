import { divide, multiply, round, subtract, toNumber } from '../decimal.ts';

/** Decimals of the absolute difference in VES. */
const ABSOLUTE_DECIMALS = 4;
const PERCENTAGE_DECIMALS = 2;

interface Premium {
  /** `compared - reference`, 4 decimals. */
  readonly absolute: number;
  /** Percent of the reference, 2 decimals. */
  readonly percentage: number;
  readonly direction: 'higher' | 'lower' | 'equal';
}

/**
 * The premium: how far another market's rate is from the official USD rate (§2.11), in VES per USD.
 * The direction follows the rounded figures: it is `equal` when both round to 0.
 */
export function premiumOf({
  reference,
  compared,
}: {
  reference: number;
  compared: number;
}): Premium {
  const difference = subtract(compared, reference);
  const absolute = toNumber(round(difference, ABSOLUTE_DECIMALS));
  const percentage = toNumber(divide(multiply(difference, 100), reference, PERCENTAGE_DECIMALS));
  return { absolute, percentage, direction: directionOf(absolute || percentage) };
}

function directionOf(rounded: number): Premium['direction'] {
  if (rounded === 0) return 'equal';
  return rounded > 0 ? 'higher' : 'lower';
}

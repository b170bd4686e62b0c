import { divide, multiply, round, subtract, toNumber } from '../decimal.ts';

/** Decimals of the absolute difference in VES. */
const ABSOLUTE_DECIMALS = 4;
const PERCENTAGE_DECIMALS = 2;

/**
 * The premium: how far another market's rate is from the official USD rate (§2.11), in VES per USD.
 * `absolute` is `compared - reference`, 4 decimals; `percentage` is that in percent of the
 * reference, 2 decimals. The direction follows the rounded figures: it is `equal` when both round
 * to 0.
 */
export function premiumOf({ reference, compared }: Record<'reference' | 'compared', number>) {
  const difference = subtract(compared, reference);
  const absolute = toNumber(round(difference, ABSOLUTE_DECIMALS));
  const percentage = toNumber(divide(multiply(difference, 100), reference, PERCENTAGE_DECIMALS));
  return { absolute, percentage, direction: directionOf(absolute || percentage) };
}

function directionOf(rounded: number): 'higher' | 'lower' | 'equal' {
  if (rounded === 0) return 'equal';
  return rounded > 0 ? 'higher' : 'lower';
}

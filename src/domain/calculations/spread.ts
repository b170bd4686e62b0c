import { divide, multiply, round, subtract, toNumber } from '../decimal.ts';

export interface Spread {
  /** `compared - reference`, 4 decimals. */
  readonly absolute: number;
  /** Of the reference, 2 decimals. */
  readonly percentage: number;
  readonly direction: 'higher' | 'lower' | 'equal';
}

/**
 * The difference between the official USD rate and another market's (§2.11). Both in VES per USD.
 * The direction follows the figures that are shown: it is `equal` where both are 0.
 */
export function spread({ reference, compared }: { reference: number; compared: number }): Spread {
  const difference = subtract(compared, reference);
  const absolute = toNumber(round(difference, 4));
  const percentage = toNumber(divide(multiply(difference, 100), reference, 2));
  return { absolute, percentage, direction: directionOf(absolute || percentage) };
}

function directionOf(shown: number): Spread['direction'] {
  if (shown === 0) return 'equal';
  return shown > 0 ? 'higher' : 'lower';
}

import { divide, multiply, round, subtract, toNumber } from './decimal.ts';

export interface Spread {
  /** `compared - reference`, 4 decimals. */
  readonly absolute: number;
  /** Of the reference, 2 decimals. */
  readonly percentage: number;
  readonly direction: 'higher' | 'lower' | 'equal';
}

/** The gap between the official USD rate and another market's (§2.11). Both in VES per USD. */
export function spread({ reference, compared }: { reference: number; compared: number }): Spread {
  const gap = subtract(compared, reference);
  return {
    absolute: toNumber(round(gap, 4)),
    percentage: toNumber(divide(multiply(gap, 100), reference, 2)),
    direction: gap.gt(0) ? 'higher' : gap.lt(0) ? 'lower' : 'equal',
  };
}

import type { UnitsAsk } from '../ports/usage.ts';
import { MIN_ALLOWANCE_UNITS, MIN_BLOCK_UNITS } from './lease-limits.ts';

/** A request of a meter, with the minute limit of the plan. */
export interface MeterAsk extends UnitsAsk {
  readonly perMinute: number | undefined;
}

export type AskBase = Pick<MeterAsk, 'accountId' | 'window' | 'limit' | 'perMinute'> & {
  /** Calls that wait for a unit. */
  readonly waiting: number;
};

/** The first request for a window. */
export function firstAsk(base: AskBase): MeterAsk {
  const need = Math.min(base.waiting, MIN_ALLOWANCE_UNITS);
  const want = base.window === 'hour' ? need : Math.max(need, MIN_BLOCK_UNITS);
  return { ...base, need, want, most: MIN_ALLOWANCE_UNITS };
}

import { add, compare, multiply, subtract } from './decimal.ts';

/**
 * Figures that stay this close, in percent, are the same feed with a flickering last digit. The
 * Binance market of Venezuela stayed so close for 12 hours at most in quiet weeks of 2026, so this
 * alone does not say that a feed is frozen: see `haveMoved`.
 */
export const STEADY_PERCENT = 0.05;
/** Other venues that moved by more than this meanwhile, in percent, show that the market moved. */
export const VENUES_MOVED_PERCENT = 1;
/** Other venues that must have moved. */
export const VENUES_NEEDED = 2;

/** Two figures of one market, at different times. */
export interface Move {
  readonly before: number;
  readonly now: number;
}

/** Whether two figures differ by no more than a flickering last digit. */
export function isSteady(now: number, before: number): boolean {
  return !isApart({ before, now }, STEADY_PERCENT);
}

/** Whether most of the venues moved, and at least `VENUES_NEEDED` of them. */
export function haveMoved(venues: readonly Move[]): boolean {
  const moved = venues.filter((venue) => isApart(venue, VENUES_MOVED_PERCENT));
  return moved.length >= VENUES_NEEDED && 2 * moved.length > venues.length;
}

/** Strictly more than the share of `before` away from it, up or down. */
function isApart({ before, now }: Move, percent: number): boolean {
  const hundredfold = multiply(now, 100);
  return (
    compare(hundredfold, multiply(before, add(100, percent))) > 0 ||
    compare(hundredfold, multiply(before, subtract(100, percent))) < 0
  );
}

import { isAway } from './calculations/ratio.ts';
import type { Thresholds } from './judgement.ts';
import { isOfficial, type Market, type MarketType } from './markets.ts';
import { type Instant, SECOND_MS } from './time.ts';

/**
 * Percent within which two figures count as unchanged, apart from a flickering last digit. In quiet
 * weeks of 2026 the Binance market of Venezuela stayed that close for up to 12 hours, so this alone
 * does not make a feed frozen: see `haveMoved`.
 */
const STEADY_PERCENT = 0.05;
/** A venue that moved by more than this percentage has moved with the market. */
const VENUES_MOVED_PERCENT = 1;
/** Fewest venues that must have moved. */
const VENUES_NEEDED = 2;

/** Two figures of one market at different times. */
export interface Move {
  readonly before: number;
  readonly now: number;
}

/** Whether two figures differ by at most `STEADY_PERCENT`. */
export function isSteady(now: number, before: number): boolean {
  return !isAway(now, before, STEADY_PERCENT);
}

/** Whether most of the venues moved, and at least `VENUES_NEEDED` of them. */
export function haveMoved(venues: readonly Move[]): boolean {
  const moved = venues.filter(({ now, before }) => isAway(now, before, VENUES_MOVED_PERCENT));
  return moved.length >= VENUES_NEEDED && 2 * moved.length > venues.length;
}

/** From when on a published figure that stays the same is frozen. An official rate never is. */
export function frozenFrom(
  market: Market,
  unchangedSince: Instant,
  { frozenAfterSec }: Thresholds,
): Instant {
  if (isOfficial(market)) return Number.POSITIVE_INFINITY;
  return unchangedSince + frozenAfterSec[market.type] * SECOND_MS + 1;
}

/**
 * Whether a value stayed the same for too long while its source kept giving it new update times.
 * `unchangedSince` is when the value was first seen, `updatedAt` its latest update time. A value
 * whose update time also stays the same is not frozen but old, which its age shows.
 */
export function isFrozen(
  type: MarketType,
  { unchangedSince, updatedAt }: { readonly unchangedSince: Instant; readonly updatedAt: Instant },
  { frozenAfterSec }: Thresholds,
): boolean {
  return updatedAt - unchangedSince > frozenAfterSec[type] * SECOND_MS;
}

import { isAway } from './calculations/ratio.ts';
import type { Thresholds } from './judgement.ts';
import { isOfficial, type MarketType } from './markets.ts';
import type { Quote } from './quotes.ts';
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

/**
 * Quotes with the time since which their figures are the same, frozen ones marked. An official rate
 * never is.
 * @returns them, `until`, the first instant at which another one is frozen, and `changedAt`, the last
 *   one at which one of them became so.
 */
export function standingQuotes(
  quotes: readonly Quote[],
  sinceOf: ReadonlyMap<string, Instant>,
  { frozenAfterSec }: Thresholds,
  now: Instant,
): { readonly quotes: readonly Quote[]; readonly until: Instant; readonly changedAt: Instant } {
  let [until, changedAt] = [Number.POSITIVE_INFINITY, 0];
  const standing = quotes.map((quote) => {
    const { market, unchangedSince = sinceOf.get(market.id) } = quote;
    if (unchangedSince === undefined || isOfficial(market)) return quote;
    // Strictly longer ago than its time.
    const from = unchangedSince + frozenAfterSec[market.type] * SECOND_MS + 1;
    if (from > now) until = Math.min(until, from);
    else changedAt = Math.max(changedAt, from);
    return Object.freeze({
      ...quote,
      unchangedSince,
      ...(from <= now && { isFrozen: true as const }),
    });
  });
  return { quotes: standing, until, changedAt };
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

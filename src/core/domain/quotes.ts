import type { Market } from './markets.ts';
import { ageSec, type CaracasDay, type Instant, SECOND_MS, startOfCaracasDay } from './time.ts';

/** The latest value of a market: VES for one unit of the market's base currency. */
export interface Quote {
  readonly market: Market;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  /** The source's update time; for official rates, 00:00 in Caracas of the value date. */
  readonly updatedAt: Instant;
  /** Value date of an official rate. */
  readonly effectiveDate?: CaracasDay;
  /** When its figures were last divided because the unit changed. */
  readonly rebasedAt?: Instant;
  /** Whether it moved far and no second source confirms it, or a witness contradicts it (contract §8). */
  readonly inDoubt?: true;
  /** When the current figures were first read. */
  readonly unchangedSince?: Instant;
  /** Whether that is longer ago than a market of its type stands still (contract §8). */
  readonly isFrozen?: true;
  /** Id of the stored capture, as `vesfx evidence` takes it. */
  readonly evidence?: string;
  /** Name of its source: for an official rate the central bank, whichever source read it. */
  readonly source?: string;
}

/**
 * Bounds of a valid rate; one outside them comes from a broken source. Within them, the conversion
 * of every accepted amount fits in a double.
 */
// limit: Rate | 1e-15 to 1e15 | record refused | MAX_RATE
export const MIN_RATE = 1e-15;
export const MAX_RATE = 1e15;

/** Sources agree when the larger of their figures is at most this percentage above the smaller. */
export const SOURCES_AGREE_PERCENT = 2;

/**
 * When the quote last changed. For an official rate, the instant it took effect, which stays the
 * same when the same figures are read again. A change of the unit changes it too.
 */
export function changedAt({ effectiveDate, updatedAt, rebasedAt = 0 }: Quote): Instant {
  const since = effectiveDate === undefined ? updatedAt : startOfCaracasDay(effectiveDate);
  return Math.max(since, rebasedAt);
}

/**
 * The time to show for a quote. If `time` is after `now`, the quote was taken when it was read
 * (contract §1). The result is never after `now`. Clocks of sources and processes may be ahead.
 */
export function shownTime(
  time: Instant,
  { readAt, now }: Record<'readAt' | 'now', Instant>,
): Instant {
  return time <= now ? time : Math.min(readAt, now);
}

/** Age in whole seconds. Answers report it and every age rule uses it. */
export function stalenessSec(quote: Quote, now: Instant): number {
  return ageSec({ since: quote.updatedAt, now });
}

/** Whether the age is strictly over the market's threshold (§2.4). */
export function isStale(quote: Quote, now: Instant): boolean {
  return stalenessSec(quote, now) > quote.market.staleAfterSec;
}

/** The first instant at which the quote is stale: ages are whole seconds. */
export function staleFrom({ updatedAt, market }: Pick<Quote, 'updatedAt' | 'market'>): Instant {
  return updatedAt + (market.staleAfterSec + 1) * SECOND_MS;
}

/** The instant at which the quote leaves the snapshot; Infinity for official quotes. */
export function dropsAt(quote: Quote): Instant {
  const { dropAfterSec } = quote.market;
  if (dropAfterSec === undefined) return Number.POSITIVE_INFINITY;
  return quote.updatedAt + dropAfterSec * SECOND_MS + 1;
}

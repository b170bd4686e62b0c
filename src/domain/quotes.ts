import type { Market } from './markets.ts';
import { ageSec, type CaracasDay, type Instant, SECOND_MS, startOfCaracasDay } from './time.ts';

/** The latest value of a market: VES for one unit of the market's base currency. */
export interface Quote {
  readonly market: Market;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  /** The source's time, or 00:00 in Caracas of the value date for official rates. */
  readonly updatedAt: Instant;
  /** Value date of an official rate. */
  readonly effectiveDate?: CaracasDay;
  /** Id of the stored capture, as `vesfx evidence` takes it. */
  readonly evidence?: string;
  /** Name of the source that brought it; an official rate is the central bank's, whichever source read it. */
  readonly source?: string;
}

/**
 * Rates outside of this are a broken source. Within it no conversion of an accepted amount leaves
 * the range of a double.
 */
export const MIN_RATE = 1e-15;
export const MAX_RATE = 1e15;

/**
 * When the quote became what it is: of an official rate the instant at which it took effect. It does
 * not move while the same figures are read again.
 */
export function changedAt({ effectiveDate, updatedAt }: Quote): Instant {
  return effectiveDate === undefined ? updatedAt : startOfCaracasDay(effectiveDate);
}

/** Age in whole seconds: what answers show, and what every age rule is judged by. */
export function stalenessSec(quote: Quote, now: Instant): number {
  return ageSec({ since: quote.updatedAt, now });
}

/** True when the age is strictly over the market's threshold (§2.4). */
export function isStale(quote: Quote, now: Instant): boolean {
  return stalenessSec(quote, now) > quote.market.staleAfterSec;
}

/** The first instant at which the quote is stale: ages are whole seconds. */
export function staleFrom({ updatedAt, market }: Pick<Quote, 'updatedAt' | 'market'>): Instant {
  return updatedAt + (market.staleAfterSec + 1) * SECOND_MS;
}

/** The instant at which the quote leaves the snapshot; Infinity for official ones. */
export function dropsAt(quote: Quote): Instant {
  const { dropAfterSec } = quote.market;
  if (dropAfterSec === undefined) return Number.POSITIVE_INFINITY;
  return quote.updatedAt + dropAfterSec * SECOND_MS + 1;
}

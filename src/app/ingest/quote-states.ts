import {
  type MovingMarket,
  type PastFigure,
  type QuoteState,
  stateInUnit,
  statesAfter,
} from '../../domain/judgement/quote-state.ts';
import { isOfficial } from '../../domain/markets.ts';
import { type Quote, shownTime } from '../../domain/quotes.ts';
import { caracasDayOf, DAY_MS, HOUR_MS, type Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { BatchContext } from './batch-context.ts';

interface Published {
  /** The current quote of every market without value dates, after the batch. */
  readonly quotes: readonly StoredQuote[];
  /** The newest reading of a market, accepted or held. */
  readonly shownBy: (market: string) => PastFigure | undefined;
  /** The source of those that are new: read in the batch, or held before and released by it. */
  readonly newSourceOf: (quote: StoredQuote) => string | undefined;
  readonly isTrusted: boolean;
  /** Whether an independent source showed the same figures of a market. */
  readonly isConfirmed: (market: string) => boolean;
}

/** What is remembered of the markets that have new quotes, once a batch has published these. */
export async function quoteStatesAfter(
  { quotes, newSourceOf, shownBy, isTrusted, isConfirmed }: Published,
  context: BatchContext,
  originOf: (source: string, subject: string) => string,
): Promise<readonly QuoteState[]> {
  const newest = quotes.filter((quote) => newSourceOf(quote) !== undefined);
  if (newest.length === 0) return [];
  const { markets, current, store, thresholds, redenominations } = context;
  const at = Math.max(...newest.map(({ capturedAt }) => capturedAt));
  const day = caracasDayOf(at);
  const inUnit = (mid: number, readAt: Instant) =>
    redenominations.rebased(mid, { from: caracasDayOf(readAt), to: day });
  const ids = quotes.map(({ market }) => market);
  const sides = (stored: StoredQuote) =>
    redenominations.rebasedSides(stored, { from: caracasDayOf(stored.capturedAt), to: day });
  const figureOf = ({ mid, capturedAt }: StoredQuote): PastFigure => ({
    mid: inUnit(mid, capturedAt),
    at: capturedAt,
  });
  const before = async (ms: number) => {
    const known = isTrusted ? [] : await store.lastQuotesBefore(ids, at - ms + 1);
    return new Map(known.map((quote) => [quote.market, figureOf(quote)]));
  };
  const [hourAgo, twoHoursAgo] = [await before(HOUR_MS), await before(2 * HOUR_MS)];
  const dayAgo = await before(DAY_MS);
  const states = new Map(current.states.map((state) => [state.market, state]));
  const moving = quotes.flatMap((stored): readonly MovingMarket[] => {
    const market = markets.find(stored.market);
    if (market === undefined || isOfficial(market)) return [];
    const known = current.quotes.find((one) => one.market === market.id);
    const state = states.get(market.id);
    const shown = shownBy(market.id);
    const isNewer = shown !== undefined && shown.at > stored.capturedAt;
    const { mid, ask, bid } = sides(stored);
    const updatedAt = shownTime(stored.updatedAt, { readAt: stored.capturedAt, now: at });
    const quote: Quote = { market, mid, ask, bid, updatedAt };
    const source = newSourceOf(stored);
    const from = source ?? stored.source ?? '';
    return [
      {
        quote,
        shown: isNewer ? inUnit(shown.mid, shown.at) : quote.mid,
        at: stored.capturedAt,
        // An aggregator with all its venues is one origin.
        origin: `${market.type} ${market.type === 'p2p' ? from : originOf(from, market.id)}`,
        isNew: source !== undefined,
        isConfirmed: isTrusted || isConfirmed(market.id),
        before: known && sides(known),
        hourAgo: hourAgo.get(market.id),
        twoHoursAgo: twoHoursAgo.get(market.id),
        dayAgo: dayAgo.get(market.id),
        state: state && stateInUnit(state, inUnit),
      },
    ];
  });
  return statesAfter(moving, thresholds);
}

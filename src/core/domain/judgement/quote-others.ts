import { isAway, medianOf } from '../calculations/ratio.ts';
import { isNear, type Thresholds } from '../judgement.ts';
import type { Market, MarketType } from '../markets.ts';
import { ageSec, type Instant } from '../time.ts';
import type { OtherVenues } from './quote-judgement.ts';
import type { HeldQuote, MarketMemory, QuoteReading, Shown } from './quote-memory.ts';

/** What other markets say about one at an instant: its venues, and the other kind of market. */

type Markets = ReadonlyMap<string, MarketMemory>;

/** The other venues of a market; undefined when it is not a P2P venue. */
export function othersOf(
  market: Market,
  at: Instant,
  markets: Markets,
  expected: readonly HeldQuote[],
): OtherVenues | undefined {
  if (market.type !== 'p2p') return undefined;
  const published: number[] = [];
  const newest: number[] = [];
  const likely: number[] = [];
  for (const { of, ...figures } of freshOf('p2p', market, at, markets)) {
    if (figures.published !== undefined) published.push(figures.published);
    if (figures.newest !== undefined) newest.push(figures.newest);
    const next = expected.find(({ reading }) => reading.market.id === of.id);
    const will = next === undefined ? figures.published : freshMid(of, asShown(next), at);
    if (will !== undefined) likely.push(will);
  }
  const [parallel] = freshOf('parallel', market, at, markets);
  return { published, newest, expected: likely, parallel: parallel?.newest };
}

/** The fresh figures of the markets of a type beside one, of the same base currency, by their ids. */
export function freshOf(
  type: MarketType,
  { id, base }: Market,
  at: Instant,
  markets: Markets,
): readonly (FreshFigures & { readonly of: Market })[] {
  return [...markets.values()]
    .filter(({ market }) => market.type === type && market.base === base && market.id !== id)
    .sort((a, b) => (a.market.id < b.market.id ? -1 : 1))
    .map((memory) => ({ of: memory.market, ...freshFigures(memory, at) }));
}

function freshFigures({ market, published, shown }: MarketMemory, at: Instant): FreshFigures {
  const current = published && {
    ...published,
    figuresAt: published.isDated ? published.updatedAt : published.at,
  };
  const isNewer = shown !== undefined && shown.at > (published?.at ?? 0);
  return {
    published: current && freshMid(market, current, at),
    newest: isNewer ? freshMid(market, shown, at) : current && freshMid(market, current, at),
  };
}

/** A figure, unless it is older at an instant than one of its market may be. */
function freshMid(
  { staleAfterSec }: Market,
  { mid, figuresAt }: Shown,
  now: Instant,
): number | undefined {
  return ageSec({ since: figuresAt, now }) <= staleAfterSec ? mid : undefined;
}

/** A reading as the newest one of its market: undated figures are as old as their reading. */
export function asShown({ reading, mid, at, updatedAt }: HeldQuote): Shown {
  return { mid, at, figuresAt: reading.datedAt === undefined ? at : updatedAt };
}

/**
 * The time of a quote whose source gives none: when its content was first read. Reading the same
 * content again does not make it newer (contract §1).
 */
export function contentTime(
  { mid, ask, bid, at }: QuoteReading,
  { published, held }: Pick<MarketMemory, 'published' | 'held'>,
): Instant {
  const last = held.at(-1);
  const newest = last !== undefined && last.at > (published?.at ?? 0) ? last : undefined;
  const same = [published, newest].find(
    (one) =>
      one !== undefined && one.at <= at && one.mid === mid && one.ask === ask && one.bid === bid,
  );
  return same?.updatedAt ?? at;
}

/** The figures of a market that are fresh at an instant. */
export interface FreshFigures {
  readonly published?: number | undefined;
  /** The newest reading, accepted or held. */
  readonly newest?: number | undefined;
}

/**
 * The figure of the other kind of market: the parallel for a venue, the venues for the parallel.
 * @param freshOf The markets of a type beside this one, of the same base currency.
 */
export function secondSourceOf(
  { type }: Market,
  freshOf: (type: MarketType) => readonly FreshFigures[],
  thresholds: Thresholds,
): number | undefined {
  if (type === 'p2p') return figureOfParallel(freshOf('parallel')[0] ?? {}, thresholds);
  return type === 'parallel' ? figureOfVenues(freshOf('p2p'), thresholds) : undefined;
}

/**
 * The figure of the parallel market that P2P quotes are compared with; undefined while it is not
 * fresh, or in doubt because its newest reading differs from what it publishes.
 */
export function figureOfParallel(
  { published, newest }: FreshFigures,
  { agreementPercent }: Thresholds,
): number | undefined {
  if (published === undefined || newest === undefined) return undefined;
  return isNear(published, newest, agreementPercent) ? published : undefined;
}

/**
 * The figure of the P2P venues that a quote of the parallel market is compared with: the median of
 * those that agree, in what they publish and in what they read. Undefined when they are too few, or
 * not most of the fresh venues.
 */
export function figureOfVenues(
  venues: readonly FreshFigures[],
  { venuePercent, parallelVenuesNeeded }: Thresholds,
): number | undefined {
  const published = publishedIn(venues);
  const median = medianOf(published);
  if (median === undefined || parallelVenuesNeeded === undefined) return undefined;
  const agreeing = venues.filter((venue) =>
    [venue.published, venue.newest].every(
      (value) => value !== undefined && !isAway(value, median, venuePercent),
    ),
  );
  const isEnough =
    agreeing.length >= parallelVenuesNeeded && agreeing.length * 2 > published.length;
  return isEnough ? medianOf(publishedIn(agreeing)) : undefined;
}

function publishedIn(venues: readonly FreshFigures[]): readonly number[] {
  return venues.flatMap(({ published }) => published ?? []);
}

import { isAway, medianOf } from '../calculations/ratio.ts';
import { isNear, type Thresholds } from '../judgement.ts';
import type { Market, MarketType } from '../markets.ts';

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

/**
 * Whether a figure of the P2P venues and one of the parallel market, if there are both, support each
 * other: they differ by at most `parallelPercent` of the parallel's.
 */
export function areSupporting(
  p2p: number | undefined,
  parallel: number | undefined,
  { parallelPercent }: Thresholds,
): boolean {
  if (p2p === undefined || parallel === undefined || parallelPercent === undefined) return false;
  return !isAway(p2p, parallel, parallelPercent);
}

import { isAway, isOutside, isRatioOver, medianOf } from '../calculations/ratio.ts';
import { type Doubt, isNear, type QuoteFigures, type Thresholds } from '../judgement.ts';

/** What a quote of a market without value dates is compared with. */
export interface QuoteContext {
  /** The last accepted quote of the market before it; undefined for its first one. */
  readonly last: QuoteFigures | undefined;
  /** The value that the last quote replaced a short time ago. A reading may return to it. */
  readonly replaced: number | undefined;
  /** The official rate in force of the market's base currency; undefined when none is stored. */
  readonly official: number | undefined;
  /** The other fresh venues, for a P2P venue. */
  readonly venues?: OtherVenues;
  /**
   * For a P2P venue the figure of the parallel market, and for that one the figure of the venues.
   * Undefined while it is not fresh, or in doubt itself.
   */
  readonly secondSource?: number | undefined;
  /** The other venues in the same source body, when every quote in it is within its range. */
  readonly body?: readonly number[] | undefined;
}

/** The quotes of the other fresh P2P venues of the same base currency. */
export interface OtherVenues {
  /** Their published quotes. */
  readonly published: readonly number[];
  /** Their newest readings, including held ones. */
  readonly newest: readonly number[];
  /** The quotes they are likely to publish after the current body is judged. */
  readonly expected: readonly number[];
  /** The newest reading of the parallel market, if it is fresh. */
  readonly parallel?: number | undefined;
}

/** The other venues before the current body is judged, and the venue's own last published value. */
type VenuesAround = Omit<OtherVenues, 'expected'> & { readonly last?: number | undefined };

/** The doubts about a quote of a market without value dates; empty when there is none. */
export function quoteDoubts(
  quote: QuoteFigures,
  context: QuoteContext,
  thresholds: Thresholds,
): readonly Doubt[] {
  return [
    bandDoubt(quote, context, thresholds),
    firstDoubt(quote, context, thresholds),
    venueDoubt(quote, context, thresholds),
    parallelDoubt(quote, context, thresholds),
    ...moveDoubts(quote, context, thresholds),
  ].filter((doubt) => doubt !== undefined);
}

const SIDES = ['mid', 'ask', 'bid'] as const;

/** So far from the official rate, the unit, the currency or the decimal point is wrong. */
function bandDoubt(
  quote: QuoteFigures,
  { official }: QuoteContext,
  { quoteBand }: Thresholds,
): Doubt | undefined {
  if (official === undefined) return undefined;
  for (const name of SIDES) {
    const value = quote[name];
    if (value === undefined || !isOutside(value, official, quoteBand)) continue;
    const message = `${name} ${value} is outside of ${quoteBand.low} to ${quoteBand.high} times the official rate in force, ${official}`;
    return { reason: 'out_of_band', message };
  }
  return undefined;
}

/** A first quote can be compared only with the other venues of its own body. */
function firstDoubt(
  { mid }: QuoteFigures,
  { last, official, body = [] }: QuoteContext,
  { venuePercent, venuesNeeded }: Thresholds,
): Doubt | undefined {
  if (last !== undefined || official !== undefined) return undefined;
  const agreeing = body.filter((other) => isNear(mid, other, venuePercent));
  if (agreeing.length >= venuesNeeded) return undefined;
  const message = `mid ${mid} is the first quote of its market, and no official rate is stored`;
  return { reason: 'first_quote', message };
}

/**
 * A venue is accepted when it is near the median of the other venues, both as they publish now and
 * as they are likely to publish after the current body. When all venues move at once, the published
 * quotes lag: then most of the newest readings must agree with it.
 */
function venueDoubt(
  { mid }: QuoteFigures,
  { venues, last }: QuoteContext,
  thresholds: Thresholds,
): Doubt | undefined {
  if (venues === undefined) return undefined;
  const { venuePercent, venuesNeeded } = thresholds;
  const apart = [venues.published, venues.expected]
    .filter((values) => values.length >= venuesNeeded)
    .map((values) => ({ median: medianOf(values) ?? mid, count: values.length }))
    .find(({ median }) => isAway(mid, median, venuePercent));
  if (apart === undefined) return undefined;
  if (isBacked(mid, apart.median, { ...venues, last: last?.mid }, thresholds)) return undefined;
  const message = `mid ${mid} is more than ${venuePercent}% away from ${apart.median}, the median of ${apart.count} other venues`;
  return { reason: 'venues_differ', message };
}

/** Whether enough readings agree with a value that is away from the median of the other venues. */
function isBacked(
  mid: number,
  median: number,
  venues: VenuesAround,
  thresholds: Thresholds,
): boolean {
  return (
    haveMostMoved(mid, venues, thresholds) ||
    doesHalfAgree(mid, venues, thresholds) ||
    isTieOf(mid, median, venues, thresholds)
  );
}

/**
 * Whether most other venues agree with this value. Being within `venuePercent` is too little. A
 * reading that is away from this value and from the published median is in doubt itself and does
 * not count: two wrong venues of five must not hold back a move of the other three.
 */
function haveMostMoved(mid: number, venues: VenuesAround, thresholds: Thresholds): boolean {
  const { newest, published } = venues;
  const { agreementPercent, venuePercent, venuesNeeded } = thresholds;
  const agreeing = newest.filter((other) => isNear(mid, other, agreementPercent));
  const median = published.length < venuesNeeded ? undefined : medianOf(published);
  const opposed = newest.filter(
    (other) =>
      !agreeing.includes(other) && (median === undefined || !isAway(other, median, venuePercent)),
  );
  const vote = median === undefined ? 0 : parallelVote(mid, median, venues, thresholds);
  const [votes, against] = [
    agreeing.length + Math.max(vote, 0),
    opposed.length - Math.min(vote, 0),
  ];
  return votes >= venuesNeeded && votes > against;
}

/**
 * The vote of the parallel market while the readings of the venues disagree: 1 for this value, -1
 * for the published median, 0 for neither. It may differ from right P2P quotes by more than they
 * differ from each other, so it counts for the nearer of the two.
 */
function parallelVote(
  mid: number,
  median: number,
  venues: VenuesAround,
  thresholds: Thresholds,
): -1 | 0 | 1 {
  const readings = [...venues.newest, mid];
  const middle = medianOf(readings) ?? mid;
  if (readings.every((reading) => isNear(reading, middle, thresholds.venuePercent))) return 0;
  return sideOfParallel(mid, median, venues, thresholds);
}

function sideOfParallel(
  mid: number,
  median: number,
  { parallel }: VenuesAround,
  { parallelPercent }: Thresholds,
): -1 | 0 | 1 {
  if (parallel === undefined || parallelPercent === undefined) return 0;
  const isForMid = Math.abs(parallel - mid) < Math.abs(parallel - median);
  if (isAway(isForMid ? mid : median, parallel, parallelPercent)) return 0;
  return isForMid ? 1 : -1;
}

/**
 * A market whose second source is far from it shows another figure for the same dollar. The distance
 * is a share of the parallel's figure, whichever is judged: what one of them may publish never
 * holds back the other.
 */
function parallelDoubt(
  { mid }: QuoteFigures,
  { secondSource, venues }: QuoteContext,
  { parallelPercent }: Thresholds,
): Doubt | undefined {
  if (secondSource === undefined || parallelPercent === undefined) return undefined;
  const isVenue = venues !== undefined;
  const [p2p, parallel] = isVenue ? [mid, secondSource] : [secondSource, mid];
  if (!isAway(p2p, parallel, parallelPercent)) return undefined;
  const message = `mid ${mid} is more than ${parallelPercent}% away from ${secondSource}, the figure between P2P venues and the parallel market`;
  return { reason: 'parallel_differs', message };
}

/**
 * After a silence, wrong venues may publish first and be most of the fresh quotes. Half of the
 * readings are therefore enough for a venue that keeps its last value. Half are also enough for its
 * first quote, when other readings are held too or half of the published quotes agree.
 */
function doesHalfAgree(mid: number, venues: VenuesAround, thresholds: Thresholds): boolean {
  const { published, newest, last } = venues;
  const { agreementPercent, venuesNeeded } = thresholds;
  const agreeing = (values: readonly number[]) =>
    values.filter((other) => isNear(mid, other, agreementPercent)).length;
  const isHalf = (values: readonly number[]) => agreeing(values) * 2 >= values.length;
  if (agreeing(newest) < venuesNeeded || !isHalf(newest)) return false;
  if (last !== undefined) return isNear(mid, last, agreementPercent);
  return newest.length > published.length || isHalf(published);
}

/**
 * Whether a venue that keeps its last value, those that agree with it and a fresh parallel are as many
 * as the others: the parallel decides for the side that it agrees with.
 * @param median Of the others, which its value is away from.
 */
function isTieOf(
  mid: number,
  median: number,
  venues: VenuesAround,
  thresholds: Thresholds,
): boolean {
  const { newest, last } = venues;
  const { agreementPercent, venuesNeeded } = thresholds;
  if (last === undefined || !isNear(mid, last, agreementPercent)) return false;
  if (sideOfParallel(mid, median, venues, thresholds) !== 1) return false;
  const agreeing = newest.filter((other) => isNear(mid, other, agreementPercent)).length;
  const [votes, all] = [agreeing + VENUE_AND_PARALLEL, newest.length + VENUE_AND_PARALLEL];
  return agreeing + 1 >= venuesNeeded && votes * 2 >= all;
}

/** The votes of the venue itself and of the parallel market. */
const VENUE_AND_PARALLEL = 2;

/**
 * Whether a venue's reading is likely to be published, before its body is judged. With too few
 * fresh published quotes the body itself decides: a reading is likely unless most of the other
 * readings are far from it.
 */
export function isLikely(mid: number, venues: VenuesAround, thresholds: Thresholds): boolean {
  const { venuePercent, venuesNeeded } = thresholds;
  const isKnown = venues.published.length >= venuesNeeded;
  const others = isKnown ? venues.published : venues.newest;
  const median = others.length < venuesNeeded ? undefined : medianOf(others);
  if (median === undefined || !isAway(mid, median, venuePercent)) return true;
  if (isKnown) return isBacked(mid, median, venues, thresholds);
  return others.filter((other) => !isAway(mid, other, venuePercent)).length * 2 >= others.length;
}

/** Whether a value leaves the last one by a jump, for the one that it had replaced. */
export function isRestored(
  mid: number,
  { last, replaced }: Pick<QuoteContext, 'last' | 'replaced'>,
  { quoteRatio, agreementPercent }: Thresholds,
): boolean {
  if (last === undefined || !isRatioOver(mid, last.mid, quoteRatio)) return false;
  return isNear(mid, replaced, agreementPercent);
}

/**
 * `mid` may not differ too much from the last accepted one, unless it returns to the value that one
 * replaced. A side may differ from its last value, because in a thin market one advertisement moves
 * it, as long as it stays near its `mid`. The highest offers of a real shock stay near; a misplaced
 * decimal point does not.
 */
function moveDoubts(
  quote: QuoteFigures,
  { last, replaced }: QuoteContext,
  thresholds: Thresholds,
): readonly Doubt[] {
  const { quoteRatio } = thresholds;
  const { mid } = quote;
  const doubts: Doubt[] = [];
  if (last !== undefined && isRatioOver(mid, last.mid, quoteRatio)) {
    if (!isRestored(mid, { last, replaced }, thresholds)) {
      const message = `mid ${mid} is over a ratio of ${quoteRatio} to the last accepted one, ${last.mid}`;
      doubts.push({ reason: 'moved', message });
    }
  }
  for (const name of ['ask', 'bid'] as const) {
    const [side, before] = [quote[name], last?.[name]];
    if (side === undefined || !isRatioOver(side, mid, quoteRatio)) continue;
    if (before !== undefined && !isRatioOver(side, before, quoteRatio)) continue;
    const known = before === undefined ? '' : `, and to the last accepted one, ${before}`;
    const message = `${name} ${side} is over a ratio of ${quoteRatio} to mid, ${mid}${known}`;
    doubts.push({ reason: 'side_apart', message });
  }
  return doubts;
}

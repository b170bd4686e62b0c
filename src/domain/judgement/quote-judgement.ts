import { factorOf, isAway, isOutside, isRatioOver, medianOf } from '../calculations/ratio.ts';
import { type Doubt, isNear, type QuoteObservation, type Thresholds } from '../judgement.ts';

/** What a quote of a market without value dates is compared with. */
export interface QuoteContext {
  /** The last accepted quote of the market before it; undefined for its first one. */
  readonly last: QuoteObservation | undefined;
  /** What the last one replaced a short time ago, so that a good reading may restore it. */
  readonly replaced: number | undefined;
  /** The official rate in force of its base; undefined when none is stored. */
  readonly official: number | undefined;
  /** Of a P2P venue: the other fresh venues. */
  readonly venues?: OtherVenues;
  /** Of a source's body: the other venues in it, if all that it quotes is within its bounds. */
  readonly body?: readonly number[];
}

export interface OtherVenues {
  /** Their published quotes. */
  readonly published: readonly number[];
  /** Their newest readings, held ones too. */
  readonly newest: readonly number[];
  /** What they publish once the body at hand is judged, as far as it is known before. */
  readonly expected: readonly number[];
}

/** What is doubtful about a quote of a market without value dates; empty when nothing is. */
export function quoteDoubts(
  quote: QuoteObservation,
  context: QuoteContext,
  thresholds: Thresholds,
): readonly Doubt[] {
  return [
    bandDoubt(quote, context, thresholds),
    firstDoubt(quote, context, thresholds),
    venueDoubt(quote, context, thresholds),
    ...moveDoubts(quote, context, thresholds),
  ].filter((doubt) => doubt !== undefined);
}

const SIDES = ['mid', 'ask', 'bid'] as const;

/** A value so far from the official rate is of another unit, currency or decimal point. */
function bandDoubt(
  quote: QuoteObservation,
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

/** Nothing is known that a first quote could be compared with, but its own body. */
function firstDoubt(
  { mid }: QuoteObservation,
  { last, official, body = [] }: QuoteContext,
  { venuePercent, venuesNeeded }: Thresholds,
): Doubt | undefined {
  if (last !== undefined || official !== undefined) return undefined;
  const agreeing = body.filter((other) => !isRatioOver(mid, other, factorOf(venuePercent)));
  if (agreeing.length >= venuesNeeded) return undefined;
  const message = `mid ${mid} is the first quote of its market, and no official rate is stored`;
  return { reason: 'first_quote', message };
}

/**
 * A venue is believed when it is near the median of what the others publish, before the body at hand
 * and with it: a market that moves takes the others along. When all move at once, what they publish
 * is behind: then most of them must say the same in their newest readings.
 */
function venueDoubt(
  { mid }: QuoteObservation,
  { venues }: QuoteContext,
  thresholds: Thresholds,
): Doubt | undefined {
  if (venues === undefined) return undefined;
  const { venuePercent, venuesNeeded } = thresholds;
  const apart = [venues.published, venues.expected]
    .filter((values) => values.length >= venuesNeeded)
    .map((values) => ({ median: medianOf(values) ?? mid, count: values.length }))
    .find(({ median }) => isAway(mid, median, venuePercent));
  if (apart === undefined || haveMostMoved(mid, venues, thresholds)) return undefined;
  const message = `mid ${mid} is more than ${venuePercent}% away from ${apart.median}, the median of ${apart.count} other venues`;
  return { reason: 'venues_differ', message };
}

/** They have moved to it when they say the same, not when they are near enough by themselves. */
function haveMostMoved(
  mid: number,
  { newest }: Pick<OtherVenues, 'newest'>,
  { agreementPercent, venuesNeeded }: Thresholds,
): boolean {
  const agreeing = newest.filter((other) => isNear(mid, other, agreementPercent)).length;
  return agreeing >= venuesNeeded && agreeing * 2 > newest.length;
}

/**
 * Whether a venue's reading is likely to be published, before the body that it is part of is judged.
 * Where too little that is fresh is published, the body itself decides: a reading is likely unless
 * most of the others are elsewhere.
 */
export function isLikely(
  mid: number,
  venues: Omit<OtherVenues, 'expected'>,
  thresholds: Thresholds,
): boolean {
  const { venuePercent, venuesNeeded } = thresholds;
  const isKnown = venues.published.length >= venuesNeeded;
  const others = isKnown ? venues.published : venues.newest;
  const median = others.length < venuesNeeded ? undefined : medianOf(others);
  if (median === undefined || !isAway(mid, median, venuePercent)) return true;
  if (isKnown) return haveMostMoved(mid, venues, thresholds);
  return others.filter((other) => !isAway(mid, other, venuePercent)).length * 2 >= others.length;
}

/**
 * `mid` may not leave the last accepted one too far, unless it returns to what that one replaced. A
 * side may leave its own, for in a thin market one advertisement moves it, as long as it stays near
 * its `mid`: the dearest offers of a real shock do, a misplaced decimal point does not.
 */
function moveDoubts(
  quote: QuoteObservation,
  { last, replaced }: QuoteContext,
  { quoteRatio, agreementPercent }: Thresholds,
): readonly Doubt[] {
  const { mid } = quote;
  const doubts: Doubt[] = [];
  if (last !== undefined && isRatioOver(mid, last.mid, quoteRatio)) {
    const returns =
      replaced !== undefined && !isRatioOver(mid, replaced, factorOf(agreementPercent));
    if (!returns) {
      const message = `mid ${mid} is over a ratio of ${quoteRatio} to the last accepted one, ${last.mid}`;
      doubts.push({ reason: 'moved', message });
    }
  }
  for (const name of ['ask', 'bid'] as const) {
    const [side, before] = [quote[name], last?.[name]];
    if (side === undefined || !isRatioOver(side, mid, quoteRatio)) continue;
    if (before !== undefined && !isRatioOver(side, before, quoteRatio)) continue;
    const known = before === undefined ? '' : ` and to the last accepted one, ${before}`;
    const message = `${name} ${side} is over a ratio of ${quoteRatio} to mid, ${mid},${known}`;
    doubts.push({ reason: 'side_apart', message });
  }
  return doubts;
}

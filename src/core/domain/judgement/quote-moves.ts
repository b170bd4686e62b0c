import { factorOf, isRatioOver, medianOf } from '../calculations/ratio.ts';
import { isNear, type Thresholds } from '../judgement.ts';
import { isStale, type Quote, shownTime } from '../quotes.ts';
import { DAY_MS, HOUR_MS, type Instant, SECOND_MS } from '../time.ts';
import { hasSupport } from './in-doubt.ts';
import {
  type MarketMemory,
  type PastFigure,
  pastFigureAt,
  type QuotesState,
  type Step,
} from './quote-memory.ts';

/** A market with its current quote, and how far that moved. */
interface Moving {
  readonly memory: MarketMemory;
  readonly quote: Quote;
  /** When the quote was read. */
  readonly at: Instant;
  /** Where its figures come from. An aggregator with all its venues is one origin. */
  readonly origin: string;
  /** Undefined without a figure to compare with, and for a stale quote. */
  readonly move: Move | undefined;
}

/** How far the figures of a market moved, as factors. */
interface Move {
  /** The figure of an hour before, or the last one when that is further away. */
  readonly from: number;
  readonly factor: number;
  /** The same of its newest reading, also one that is held: an origin moves by what it shows. */
  readonly shownFactor: number;
  /** Within two hours: a market that follows another may be an hour behind it. */
  readonly longFactor: number;
}

/**
 * What is remembered of the markets after a step, with how they moved, where that is something else
 * (contract §8). A reading may confirm the quotes of other markets, which were not read with it.
 * @param confirmed The markets whose quote the operator has checked, or an independent source showed.
 */
export function movesAfter(
  before: QuotesState,
  { at, markets }: QuotesState,
  confirmed: ReadonlySet<string>,
  thresholds: Thresholds,
): readonly MarketMemory[] {
  const memories = [...markets.values()];
  const isChanged = ({ market: { id }, published }: MarketMemory) =>
    published !== before.markets.get(id)?.published;
  if (!memories.some(isChanged)) return [];
  const moving = memories.flatMap((memory) => movingOf(memory, before, at) ?? []);
  const quotes = moving.map(({ quote }) => quote);
  return moving.flatMap((market) => {
    const { quote, at: readAt, memory } = market;
    if (!isChanged(memory)) {
      const supports = (mid: number) => hasSupport({ ...quote, mid }, quotes, thresholds, at);
      return laterConfirmed(market, { supports, moving, thresholds, at }) ?? [];
    }
    if (confirmed.has(memory.market.id)) return confirmedMemory(memory);
    const supports = (mid: number) => hasSupport({ ...quote, mid }, quotes, thresholds, readAt);
    const isSupported = supports(quote.mid);
    const step = stepOf(market, moving, thresholds);
    return {
      ...memory,
      past: isBack(market, thresholds) ? withoutStep(memory, quote, thresholds) : memory.past,
      supported: isSupported ? { mid: quote.mid, at: readAt } : memory.supported,
      driftedAt: !isSupported && hasDrifted(market, thresholds) ? readAt : undefined,
      insisted: isSupported ? otherJumps(memory, quote, thresholds) : memory.insisted,
      step: step && confirmedStep(step, market, { supports, moving, thresholds, at: readAt }),
    };
  });
}

/**
 * The past figures of a market that is back from a step, without those since an hour before it that were
 * far from this one. They are no figures to measure later moves from.
 */
function withoutStep(
  { past, step }: MarketMemory,
  { mid }: Quote,
  { agreementPercent }: Thresholds,
): readonly PastFigure[] {
  const since = (step?.since ?? 0) - HOUR_MS;
  return past.filter(({ mid: one, at }) => at < since || isNear(one, mid, agreementPercent));
}

interface Others {
  /** Whether a fresh second source is near a figure. */
  readonly supports: (mid: number) => boolean;
  readonly moving: readonly Moving[];
  readonly thresholds: Thresholds;
  readonly at: Instant;
}

/** What is remembered of a market whose quote others confirm that were read after it. */
function laterConfirmed(market: Moving, others: Others): MarketMemory | undefined {
  const { memory, quote } = market;
  const { thresholds, at } = others;
  const step = memory.step && confirmedStep(memory.step, market, others);
  const isInDoubt = memory.insisted.length > 0 || memory.driftedAt !== undefined;
  if (!isInDoubt || !others.supports(quote.mid)) {
    return step === memory.step ? undefined : { ...memory, step };
  }
  const supported = { ...memory, step, supported: { mid: quote.mid, at } };
  return {
    ...supported,
    // It may still be far from its figure of a day before.
    driftedAt: hasDrifted({ ...market, memory: supported }, thresholds)
      ? memory.driftedAt
      : undefined,
    insisted: otherJumps(memory, quote, thresholds),
  };
}

/** The jumps by repetition that are not to this quote. A second source has shown that one. */
function otherJumps(
  { insisted }: MarketMemory,
  { mid }: Quote,
  { quoteRatio }: Thresholds,
): readonly PastFigure[] {
  return insisted.filter((other) => isRatioOver(other.mid, mid, quoteRatio));
}

/**
 * A step, confirmed if another origin has moved too, or if a second source is near the figure after it
 * and not near the one before.
 */
function confirmedStep(step: Step, { quote }: Moving, others: Others): Step {
  const { supports, moving, thresholds, at } = others;
  if (!isOpen(step, at, thresholds)) return step;
  const isNow = isFollowed(step, moving) || (supports(quote.mid) && !supports(step.from));
  return isNow ? { ...step, confirmedAt: at } : step;
}

/** A figure that somebody has checked, or a second source showed, is in no doubt, and later ones are compared with it. */
function confirmedMemory(memory: MarketMemory): MarketMemory {
  const { published, supported } = memory;
  const figure = published && { mid: published.mid, at: published.at };
  const ends = { driftedAt: undefined, step: undefined, checkedAt: published?.at };
  return { ...memory, supported: figure ?? supported, ...ends };
}

function movingOf(memory: MarketMemory, before: QuotesState, now: Instant): Moving | undefined {
  const { market, published } = memory;
  if (published === undefined) return undefined;
  const { mid, at, updatedAt, source, origin } = published;
  const quote = { market, mid, updatedAt: shownTime(updatedAt, { readAt: at, now }) };
  const last = before.markets.get(market.id)?.published?.mid;
  return {
    ...{ memory, quote, at },
    origin: `${market.type} ${market.type === 'p2p' ? source : origin}`,
    move: isStale(quote, at) ? undefined : moveOf(memory, { mid, at }, last, now),
  };
}

function moveOf(
  { market, shown, past, checkedAt = 0 }: MarketMemory,
  { mid, at }: PastFigure,
  last: number | undefined,
  now: Instant,
): Move | undefined {
  const checked = past.filter((figure) => figure.at >= checkedAt);
  const hoursAgo = (hours: number, figures: readonly PastFigure[]) => {
    const since = now - hours * HOUR_MS;
    const figure = pastFigureAt(figures, since);
    const isFresh = figure && at - hours * HOUR_MS - figure.at <= market.staleAfterSec * SECOND_MS;
    // A market that was first read, or read again, after that is compared with its first figure.
    return isFresh ? figure.mid : figures.find((first) => first.at > since)?.mid;
  };
  const furthest = (figures: readonly (number | undefined)[]) =>
    figures
      .filter((figure) => figure !== undefined)
      .sort((a, b) => distance(mid / b) - distance(mid / a))[0];
  // A figure that somebody has checked is no step, although its market moved.
  const from = furthest([hoursAgo(1, checked), last]);
  const long = furthest([from, hoursAgo(2, past)]);
  if (from === undefined || long === undefined) return undefined;
  const newest = shown !== undefined && shown.at > at ? shown.mid : mid;
  return { from, factor: mid / from, shownFactor: newest / from, longFactor: mid / long };
}

/** The same for a factor and its inverse. */
const distance = (factor: number): number => Math.abs(Math.log(factor));

/**
 * Whether a quote is over `quoteRatio` from the last one that a second source supported within a day,
 * or from the one of a day before, or its market's first one since. The first may have been led away
 * itself, as far as a second source still supports a figure. Those of before the last one that somebody
 * has checked count for nothing.
 */
function hasDrifted(
  { quote, at, memory: { supported, past, checkedAt = 0 } }: Moving,
  { quoteRatio }: Thresholds,
): boolean {
  const dayBefore = pastFigureAt(past, at - DAY_MS) ?? past[0];
  const bases = [
    ...(supported !== undefined && at - supported.at <= DAY_MS ? [supported.mid] : []),
    ...(dayBefore !== undefined && dayBefore.at >= checkedAt ? [dayBefore.mid] : []),
  ];
  return bases.some((base) => isRatioOver(quote.mid, base, quoteRatio));
}

/** The last step of a market after its new quote: an open one, or one confirmed not long ago. */
function stepOf(
  market: Moving,
  moving: readonly Moving[],
  thresholds: Thresholds,
): Step | undefined {
  const { originStepPercent } = thresholds;
  if (originStepPercent === undefined) return undefined;
  const { quote, at, memory } = market;
  if (isBack(market, thresholds)) return undefined;
  const limit = factorOf(originStepPercent);
  const last = memory.step;
  if (last !== undefined && isLive(last, at, thresholds)) {
    const isOnward = quote.mid > last.from === last.to > last.from;
    if (isOnward && last.confirmedAt === undefined) return last;
    if (isOnward && !isRatioOver(quote.mid, last.to, limit)) return last;
  }
  const parts = { limit, thresholds };
  return newStep(market, moving, parts) ?? joinedStep(market, moving, parts);
}

/** Whether the figures of a market are about those of before its last step again. */
function isBack({ quote, at, memory: { step } }: Moving, thresholds: Thresholds): boolean {
  const { originStepPercent } = thresholds;
  if (step === undefined || originStepPercent === undefined) return false;
  return isLive(step, at, thresholds) && isNear(quote.mid, step.from, originStepPercent);
}

/** Whether nothing has confirmed a step, and it is not too old to be in doubt. */
function isOpen(
  { since, confirmedAt }: Step,
  at: Instant,
  { inDoubtSec = 0 }: Thresholds,
): boolean {
  return confirmedAt === undefined && at < since + inDoubtSec * SECOND_MS;
}

/** Whether a step is open, or was confirmed not long ago. */
function isLive(step: Step, at: Instant, thresholds: Thresholds): boolean {
  return isOpen(step, at, thresholds) || at < (step.confirmedAt ?? 0) + FOLLOWED_MS;
}

interface StepParts {
  /** The factor over which a move is a step. */
  readonly limit: number;
  readonly thresholds: Thresholds;
}

/**
 * The step of its origin that a market takes part in later, because it was held until now. What
 * confirms the step confirms it for this market too.
 */
function joinedStep(
  { quote, at, origin, move }: Moving,
  moving: readonly Moving[],
  { limit, thresholds }: StepParts,
): Step | undefined {
  if (move === undefined || !isRatioOver(move.factor, 1, limit)) return undefined;
  const step = moving
    .flatMap((one) => (one.origin === origin && one.memory.step) || [])
    .find((one) => isOpen(one, at, thresholds) && one.to > one.from === move.factor > 1);
  return step && { ...step, from: move.from, to: quote.mid };
}

/** A market that follows another is an hour behind it at most, and is measured over an hour. */
const FOLLOWED_MS = 2 * HOUR_MS;

function newStep(
  { quote, at, origin, move: own }: Moving,
  moving: readonly Moving[],
  { limit, thresholds }: StepParts,
): Step | undefined {
  const whole = medianOf(
    moving.flatMap((one) => (one.origin === origin ? (one.move?.shownFactor ?? []) : [])),
  );
  if (own === undefined || whole === undefined) return undefined;
  const isStep = [own.factor, whole].every((factor) => isRatioOver(factor, 1, limit));
  if (!isStep || own.factor > 1 !== whole > 1) return undefined;
  const others = moving.flatMap(({ origin: other, move, memory }) =>
    other === origin || move === undefined ? [] : [{ ...move, ...memory }],
  );
  const isJoined = others.some(
    ({ longFactor, step }) =>
      isHalfOf(longFactor, whole) ||
      (step && isLive(step, at, thresholds) && isHalfOf(step.to / step.from, whole)),
  );
  const before = others.map(({ market: { id }, from }) => [id, from] as const);
  return {
    since: at,
    ...{ from: own.from, to: quote.mid, others: Object.fromEntries(before) },
    confirmedAt: isJoined ? at : undefined,
  };
}

/** Whether a market of another origin has moved at least half as far since. */
function isFollowed({ from, to, others }: Step, moving: readonly Moving[]): boolean {
  return moving.some(({ quote, move }) => {
    const { [quote.market.id]: before } = others;
    return move !== undefined && before !== undefined && isHalfOf(quote.mid / before, to / from);
  });
}

/** Whether one factor leads at least half as far as another, in the same direction. */
function isHalfOf(factor: number, other: number): boolean {
  return factor > 1 === other > 1 && distance(factor) * 2 >= distance(other);
}

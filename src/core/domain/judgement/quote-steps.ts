import { factorOf, isRatioOver, medianOf } from '../calculations/ratio.ts';
import { isNear, type Thresholds } from '../judgement.ts';
import { isStale, type Quote, shownTime } from '../quotes.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../time.ts';
import { hasSupport } from './in-doubt.ts';
import {
  type MarketMemory,
  type PastFigure,
  type PublishedQuote,
  pastFigureAt,
  type Step,
} from './quote-memory.ts';

/** A market with its current quote, and the figures that its moves are measured from. */
export interface Moving {
  readonly memory: MarketMemory;
  readonly quote: Quote;
  /** When the quote was read. */
  readonly at: Instant;
  /** Where its figures come from. An aggregator with all its venues is one origin. */
  readonly origin: string;
  /** Whether it was fresh when it was read. */
  readonly isFresh: boolean;
  /** Its published figures, oldest first. */
  readonly figures: readonly PastFigure[];
}

/** All markets after a body, at its time. */
export interface Scene {
  readonly markets: readonly Moving[];
  readonly quotes: readonly Quote[];
  /** Those of markets that are in no step, and did not jump within a day. */
  readonly sure: readonly Quote[];
  /** Also of markets that have no quote yet. */
  readonly memories: readonly MarketMemory[];
  readonly thresholds: Thresholds;
  readonly at: Instant;
}

/** A market after a body. @param last Its quote before that. */
export function movingOf(
  memory: MarketMemory,
  last: PublishedQuote | undefined,
  now: Instant,
): Moving | undefined {
  const { market, published, past } = memory;
  if (published === undefined) return undefined;
  const { mid, at, updatedAt, source, origin } = published;
  const quote = { market, mid, updatedAt: shownTime(updatedAt, { readAt: at, now }) };
  return {
    ...{ memory, quote, at },
    origin: `${market.type} ${market.type === 'p2p' ? source : origin}`,
    isFresh: !isStale(quote, at),
    // Of a few minutes only the first figure is kept, so the last one may be missing.
    figures: [
      ...past.filter((figure) => figure.at < (last?.at ?? at)),
      ...(last === undefined || last.at >= at ? [] : [last]),
      { mid, at },
    ],
  };
}

/** Whether a fresh second source is near a figure of a market. */
export function supports(
  { quote }: Moving,
  mid: number,
  { quotes, thresholds, at }: Scene,
): boolean {
  return hasSupport({ ...quote, mid }, quotes, thresholds, at);
}

/** A market that follows another is an hour behind it at most, and is measured over an hour. */
const FOLLOWED_MS = 2 * HOUR_MS;

/** Whether a market is in no step, and no repetition released a jump to its figures within a day. */
export function isSure(
  { memory: { step, insisted }, quote }: Moving,
  at: Instant,
  thresholds: Thresholds,
) {
  const since = at - (thresholds.inDoubtSec ?? 0) * SECOND_MS;
  const isStep = step !== undefined && isOpen(step, at, thresholds);
  const isOver = ({ mid, at: jumpedAt }: PastFigure) =>
    jumpedAt <= since || isRatioOver(quote.mid, mid, thresholds.quoteRatio);
  return !isStep && insisted.every(isOver);
}

/** Whether nothing has confirmed a step, and it is not too old to be in doubt. */
function isOpen(
  { since, confirmedAt }: Step,
  at: Instant,
  { inDoubtSec = 0 }: Thresholds,
): boolean {
  return confirmedAt === undefined && at < since + inDoubtSec * SECOND_MS;
}

/** Whether the figures of a market are about those of before its step, open or confirmed not long ago. */
export function isBack({ quote, at, memory: { step } }: Moving, thresholds: Thresholds): boolean {
  const { originStepPercent } = thresholds;
  if (step === undefined || originStepPercent === undefined) return false;
  const isLive = isOpen(step, at, thresholds) || at < (step.confirmedAt ?? 0) + FOLLOWED_MS;
  return isLive && isNear(quote.mid, step.from, originStepPercent);
}

/**
 * The past figures of a market that is back from a step, without those since an hour before it that were
 * far from the current one. They are no figures to measure later moves from.
 */
export function withoutStep(
  { memory: { past, step }, quote }: Moving,
  { agreementPercent }: Thresholds,
): readonly PastFigure[] {
  const since = (step?.since ?? 0) - HOUR_MS;
  return past.filter(({ mid, at }) => at < since || isNear(mid, quote.mid, agreementPercent));
}

/** The step that a market is in after its new quote. */
export function stepOf(market: Moving, scene: Scene): Step | undefined {
  const { quote, at, memory } = market;
  const last = memory.step;
  const isOnward = last !== undefined && quote.mid > last.from === last.to > last.from;
  if (isOnward && isOpen(last, at, scene.thresholds)) return last;
  const kept = last?.confirmedAt === undefined ? undefined : last;
  const own = stepTo(quote.mid, market, scene);
  if (!market.isFresh || !isFar(own.factor, scene)) return kept;
  return newStep(market, own, scene) ?? joinedStep(market, own, scene) ?? kept;
}

/**
 * A step, confirmed if another origin has moved too, or if a second source is near the figure after it
 * and not near the one before.
 */
export function confirmedStep(step: Step, market: Moving, scene: Scene): Step {
  if (!isOpen(step, scene.at, scene.thresholds)) return step;
  const isShown = supports(market, market.quote.mid, scene) && !supports(market, step.from, scene);
  return isShown || isFollowed(step, scene) ? { ...step, confirmedAt: scene.at } : step;
}

/** From when on the moves of a market count: nobody has confirmed what came after that. */
function confirmedAtOf({ checkedAt = 0, step }: MarketMemory): Instant {
  return Math.max(checkedAt, step?.confirmedAt ?? 0);
}

/** A move of a market, as a factor of the figure that it began with. */
interface Move {
  readonly from: number;
  readonly factor: number;
}

/** How far a figure is from the furthest one that a market had within an hour. */
function stepTo(mid: number, { figures, memory }: Moving, { at }: Scene): Move {
  const known = figures.filter((figure) => figure.at >= confirmedAtOf(memory));
  const from = standingSince(known, at - HOUR_MS)
    .map((figure) => figure.mid)
    .reduce((one, other) => (distance(mid / other) > distance(mid / one) ? other : one), mid);
  return { from, factor: mid / from };
}

/** The figure that stood at an instant, and those after it. */
function standingSince(figures: readonly PastFigure[], since: Instant): readonly PastFigure[] {
  const standing = figures.findLast(({ at }) => at <= since);
  return [...(standing ? [standing] : []), ...figures.filter(({ at }) => at > since)];
}

/** The same for a factor and its inverse. */
const distance = (factor: number): number => Math.abs(Math.log(factor));

/** Whether a figure is over `originStepPercent` away, and on which side. */
function isFar(factor: number, { thresholds: { originStepPercent } }: Scene): boolean {
  return originStepPercent !== undefined && isRatioOver(factor, 1, factorOf(originStepPercent));
}

/** The step that a market begins, if all that its origin shows moves so far. */
function newStep(market: Moving, { from, factor }: Move, scene: Scene): Step | undefined {
  const { quote, at, origin, memory } = market;
  const own = scene.markets.filter((one) => one.isFresh && one.origin === origin);
  // An origin moves by what it shows, also while that is held.
  const shown = own.map((one) => stepTo(newestOf(one), one, scene).factor);
  const whole = medianOf(shown) ?? 1;
  if (!isFar(whole, scene) || factor > 1 !== whole > 1) return undefined;
  const others = scene.markets.filter((one) => one.isFresh && one.origin !== origin);
  const agoOf = (ms: number) => Math.max(scene.at - ms, confirmedAtOf(memory));
  const isJoined = others.some((one) =>
    [FOLLOWED_MS, HOUR_MS].some((ms) => isHalfOf(one.quote.mid / figureAt(one, agoOf(ms)), whole)),
  );
  const before = others.map((one) => [one.memory.market.id, figureAt(one, agoOf(HOUR_MS))]);
  return {
    since: at,
    ...{ from, to: quote.mid, others: Object.fromEntries(before) },
    confirmedAt: isJoined ? at : undefined,
  };
}

function newestOf({ memory: { shown }, quote, at }: Moving): number {
  return shown !== undefined && shown.at > at ? shown.mid : quote.mid;
}

/** What a market showed at an instant, if it was read within an hour before; else what it showed next. */
function figureAt({ figures, quote }: Moving, time: Instant): number {
  const known = figures.filter(({ at }) => at >= time - HOUR_MS);
  return (pastFigureAt(known, time) ?? known[0] ?? quote).mid;
}

/**
 * The step of its origin that a market takes part in later, because it was held until now. What
 * confirms the step confirms it for this market too.
 */
function joinedStep(market: Moving, { from, factor }: Move, scene: Scene): Step | undefined {
  const { quote, at, origin } = market;
  const step = scene.markets
    .flatMap((one) => (one.origin === origin && one.memory.step) || [])
    .find((one) => isOpen(one, at, scene.thresholds) && one.to > one.from === factor > 1);
  return step && { ...step, from, to: quote.mid };
}

/** Whether a market of another origin has moved at least half as far since. */
function isFollowed({ from, to, others }: Step, { markets }: Scene): boolean {
  return markets.some(({ quote, isFresh }) => {
    const { [quote.market.id]: before } = others;
    return isFresh && before !== undefined && isHalfOf(quote.mid / before, to / from);
  });
}

/**
 * Whether a market of another origin has moved as far as this one since a confirmed step of the last day,
 * within `agreementPercent`.
 */
export function isMatching(
  step: Step | undefined,
  { quote: { mid } }: Moving,
  { markets, thresholds: { agreementPercent, inDoubtSec = 0 }, at }: Scene,
): boolean {
  if (step?.confirmedAt === undefined || at >= step.since + inDoubtSec * SECOND_MS) return false;
  return markets.some(({ quote, isFresh }) => {
    const { [quote.market.id]: before } = step.others;
    const factor = before === undefined || !isFresh ? undefined : quote.mid / before;
    return isNear(factor, mid / step.from, agreementPercent);
  });
}

/** Whether one factor leads at least half as far as another, in the same direction. */
function isHalfOf(factor: number, other: number): boolean {
  return factor > 1 === other > 1 && distance(factor) * 2 >= distance(other);
}

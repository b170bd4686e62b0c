import { factorOf, isRatioOver, medianOf } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
import { isStale, type Quote } from '../quotes.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../time.ts';
import { hasSupport } from './in-doubt.ts';

/** A figure that was published, and when it was read. */
export interface PastFigure {
  readonly mid: number;
  readonly at: Instant;
}

/** A step of an origin: its figures moved far within an hour. */
export interface Step {
  readonly since: Instant;
  /** The figure of the market before the step, and the one that it led to. */
  readonly from: number;
  readonly to: number;
  /** The figures of the markets of other origins before the step. */
  readonly others: Readonly<Record<string, number>>;
  /** When another origin had moved too; absent while none has. */
  readonly confirmedAt?: Instant | undefined;
}

/** What is remembered of the published quotes of a market, to judge how they move (decisions §8). */
export interface QuoteState {
  readonly market: string;
  /** When the current figures were first read. */
  readonly unchangedSince: Instant;
  /** The last figure that a second voice supported. */
  readonly supported?: PastFigure | undefined;
  /** When a figure was read last that drifted too far without a second voice; cleared by one that did not. */
  readonly driftedAt?: Instant | undefined;
  readonly step?: Step | undefined;
}

/** A market with its current quote, and what it published before. Figures are in one unit. */
export interface MovingMarket {
  readonly quote: Quote;
  /** When the quote was read. */
  readonly at: Instant;
  /** Where its figures come from. Venues that one feed brings are of one origin. */
  readonly origin: string;
  /** Set when the quote is new. */
  readonly isNew: boolean;
  /** Whether the operator has checked it, or an independent source showed the same. */
  readonly isConfirmed: boolean;
  /** The newest reading, also one that is held: an origin moves by what it shows. */
  readonly shown: number;
  /** The figures before it, or the same ones when they were read before. */
  readonly before: Pick<Quote, 'mid' | 'ask' | 'bid'> | undefined;
  /** What was published an hour, two hours and a day before. */
  readonly hourAgo: PastFigure | undefined;
  readonly twoHoursAgo: PastFigure | undefined;
  readonly dayAgo: PastFigure | undefined;
  readonly state: QuoteState | undefined;
}

const DAY_SEC = 86_400;

/** The states of the markets that have new quotes, after these were published. */
export function statesAfter(
  markets: readonly MovingMarket[],
  thresholds: Thresholds,
): readonly QuoteState[] {
  const quotes = markets.map(({ quote }) => quote);
  const moves = movesOf(markets);
  return markets
    .filter(({ isNew }) => isNew)
    .map((market) => {
      const { quote, at, before, state, isConfirmed } = market;
      const isSupported = hasSupport(quote, quotes, thresholds, at);
      const isUnchanged = before !== undefined && areEqual(before, quote);
      return {
        market: quote.market.id,
        unchangedSince: isUnchanged ? (state?.unchangedSince ?? at) : at,
        supported: isSupported ? { mid: quote.mid, at } : state?.supported,
        driftedAt: isConfirmed || isSupported || !hasDrifted(market, thresholds) ? undefined : at,
        step: isConfirmed ? undefined : stepOf(market, moves, thresholds),
      };
    });
}

function areEqual(a: Pick<Quote, 'mid' | 'ask' | 'bid'>, b: Pick<Quote, 'mid' | 'ask' | 'bid'>) {
  return a.mid === b.mid && a.ask === b.ask && a.bid === b.bid;
}

/**
 * Whether a quote is over `quoteRatio` from the last one that a second voice supported within a day,
 * or from the one of a day before. The first may have been led away itself, as far as a second voice
 * still supports a figure.
 */
function hasDrifted(
  { quote, at, dayAgo, state }: MovingMarket,
  { quoteRatio }: Thresholds,
): boolean {
  const supported = state?.supported;
  const isRecent = supported !== undefined && at - supported.at <= DAY_SEC * SECOND_MS;
  const bases = [isRecent ? supported.mid : undefined, dayAgo?.mid];
  return bases.some((base) => base !== undefined && isRatioOver(quote.mid, base, quoteRatio));
}

/** How far the figures of a market moved, as a factor. */
interface Moved {
  readonly market: MovingMarket;
  /** An hour before, or just before when that is further away. */
  readonly from: number;
  readonly factor: number;
  /** The same of its newest reading. */
  readonly shownFactor: number;
  /** Within two hours: a market that follows another may be an hour behind it. */
  readonly longFactor: number;
}

function movesOf(markets: readonly MovingMarket[]): readonly Moved[] {
  return markets.flatMap((market) => {
    const { quote, before, hourAgo, twoHoursAgo, at } = market;
    const isFresh = (figure: PastFigure | undefined, hours: number) =>
      figure !== undefined && at - hours * HOUR_MS - figure.at <= staleMs(quote);
    const furthest = (figures: readonly (number | undefined)[]) =>
      figures
        .filter((mid) => mid !== undefined)
        .sort((a, b) => distance(quote.mid / b) - distance(quote.mid / a))[0];
    const from = furthest([isFresh(hourAgo, 1) ? hourAgo?.mid : undefined, before?.mid]);
    const long = furthest([from, isFresh(twoHoursAgo, 2) ? twoHoursAgo?.mid : undefined]);
    if (from === undefined || long === undefined || isStale(quote, at)) return [];
    const factors = { factor: quote.mid / from, longFactor: quote.mid / long };
    return [{ market, from, ...factors, shownFactor: market.shown / from }];
  });
}

const staleMs = ({ market: { staleAfterSec } }: Quote): number => staleAfterSec * SECOND_MS;

/** The same for a factor and its inverse. */
const distance = (factor: number): number => Math.abs(Math.log(factor));

/** The last step of a market after its new quote: an open one, or one confirmed not long ago. */
function stepOf(
  market: MovingMarket,
  moves: readonly Moved[],
  { originStepPercent, inDoubtSec = DAY_SEC }: Thresholds,
): Step | undefined {
  if (originStepPercent === undefined) return undefined;
  const { quote, at, state } = market;
  const limit = factorOf(originStepPercent);
  const last = state?.step;
  const endsAt = (step: Step) =>
    step.confirmedAt === undefined
      ? step.since + inDoubtSec * SECOND_MS
      : step.confirmedAt + REMEMBERED_MS;
  if (last !== undefined && at < endsAt(last)) {
    const factor = quote.mid / last.from;
    const isAway = isRatioOver(factor, 1, limit);
    // Back where it was.
    if (!isAway) return undefined;
    const isOnward = factor > 1 === last.to > last.from;
    if (isOnward && last.confirmedAt === undefined) {
      return isFollowed(last, moves) ? { ...last, confirmedAt: at } : last;
    }
    if (isOnward && !isRatioOver(quote.mid, last.to, limit)) return last;
  }
  return newStep(market, moves, limit);
}

/** A market that follows another is an hour behind it at most, and is measured over an hour. */
const REMEMBERED_MS = 2 * HOUR_MS;

function newStep(market: MovingMarket, moves: readonly Moved[], limit: number): Step | undefined {
  const { quote, at, origin } = market;
  const own = moves.find((move) => move.market === market);
  const whole = medianOf(
    moves.filter((move) => move.market.origin === origin).map((move) => move.shownFactor),
  );
  if (own === undefined || whole === undefined) return undefined;
  const isStep = [own.factor, whole].every((factor) => isRatioOver(factor, 1, limit));
  if (!isStep || own.factor > 1 !== whole > 1) return undefined;
  const others = moves.filter((move) => move.market.origin !== origin);
  const isJoined = others.some(
    ({ longFactor, market: { state: other } }) =>
      isHalfOf(longFactor, whole) ||
      (other?.step && isHalfOf(other.step.to / other.step.from, whole)),
  );
  const before = others.map(({ market: other, from }) => [other.quote.market.id, from] as const);
  return {
    since: at,
    ...{ from: own.from, to: quote.mid, others: Object.fromEntries(before) },
    confirmedAt: isJoined ? at : undefined,
  };
}

/** Whether a market of another origin has moved at least half as far since. */
function isFollowed({ from, to, others }: Step, moves: readonly Moved[]): boolean {
  return moves.some(({ market: { quote } }) => {
    const { [quote.market.id]: before } = others;
    return before !== undefined && isHalfOf(quote.mid / before, to / from);
  });
}

/** Whether one factor leads at least half as far as another, in the same direction. */
function isHalfOf(factor: number, other: number): boolean {
  return factor > 1 === other > 1 && distance(factor) * 2 >= distance(other);
}

/** A state with its figures in another unit. Each is in the unit of its own time. */
export function stateInUnit(
  state: QuoteState,
  inUnit: (mid: number, readAt: Instant) => number,
): QuoteState {
  const { supported, step } = state;
  const ofStep = (mid: number) => inUnit(mid, step?.since ?? 0);
  return {
    ...state,
    supported: supported && { ...supported, mid: inUnit(supported.mid, supported.at) },
    step: step && {
      ...step,
      ...{ from: ofStep(step.from), to: ofStep(step.to) },
      others: Object.fromEntries(
        Object.entries(step.others).map(([market, mid]) => [market, ofStep(mid)]),
      ),
    },
  };
}

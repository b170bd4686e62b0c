import { factorOf, isRatioOver, medianOf } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
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

/** A market with its current quote, and what it published before. */
interface MovingMarket {
  readonly memory: MarketMemory;
  readonly quote: Quote;
  /** When the quote was read. */
  readonly at: Instant;
  /** Where its figures come from. An aggregator with all its venues is one origin. */
  readonly origin: string;
  /** The newest reading, also one that is held: an origin moves by what it shows. */
  readonly shown: number;
  /** The quote before it. */
  readonly before: number | undefined;
  /** What was published an hour and two hours before. */
  readonly hourAgo: PastFigure | undefined;
  readonly twoHoursAgo: PastFigure | undefined;
}

/**
 * What is remembered of the markets whose quote a step changed, with how they moved (contract §8).
 * @param confirmed The markets whose quote the operator has checked, or an independent source showed.
 */
export function movesAfter(
  before: QuotesState,
  { at, markets }: QuotesState,
  confirmed: ReadonlySet<string>,
  thresholds: Thresholds,
): readonly MarketMemory[] {
  const memories = [...markets.values()];
  const changed = memories.filter(
    ({ market: { id }, published }) => published !== before.markets.get(id)?.published,
  );
  const isConfirmed = ({ market: { id } }: MarketMemory) => confirmed.has(id);
  const checked = changed.filter(isConfirmed).map(confirmedMemory);
  const moved = changed.filter((memory) => !isConfirmed(memory));
  if (moved.length === 0) return checked;
  const moving = memories.flatMap((memory) => movingOf(memory, before, at) ?? []);
  const quotes = moving.map(({ quote }) => quote);
  const moves = movesOf(moving);
  const judged = moving.filter(({ memory }) => moved.includes(memory));
  return [
    ...checked,
    ...judged.map((market) => {
      const { quote, at: readAt, memory } = market;
      const isSupported = hasSupport(quote, quotes, thresholds, readAt);
      return {
        ...memory,
        supported: isSupported ? { mid: quote.mid, at: readAt } : memory.supported,
        driftedAt: !isSupported && hasDrifted(market, thresholds) ? readAt : undefined,
        step: stepOf(market, moves, thresholds),
      };
    }),
  ];
}

/** A figure that somebody has checked, or a second source showed, is in no doubt, and later ones are compared with it. */
function confirmedMemory(memory: MarketMemory): MarketMemory {
  const { published, supported } = memory;
  const figure = published && { mid: published.mid, at: published.at };
  return { ...memory, supported: figure ?? supported, driftedAt: undefined, step: undefined };
}

function movingOf(
  memory: MarketMemory,
  before: QuotesState,
  now: Instant,
): MovingMarket | undefined {
  const { market, published, shown, past } = memory;
  if (published === undefined) return undefined;
  const { mid, ask, bid, at, updatedAt, source, origin } = published;
  const sides = { ...(ask !== undefined && { ask }), ...(bid !== undefined && { bid }) };
  const known = before.markets.get(market.id)?.published;
  return {
    memory,
    quote: { market, mid, ...sides, updatedAt: shownTime(updatedAt, { readAt: at, now }) },
    at,
    origin: `${market.type} ${market.type === 'p2p' ? source : origin}`,
    shown: shown !== undefined && shown.at > at ? shown.mid : mid,
    before: known?.mid,
    hourAgo: pastFigureAt(past, now - HOUR_MS),
    twoHoursAgo: pastFigureAt(past, now - 2 * HOUR_MS),
  };
}

/**
 * Whether a quote is over `quoteRatio` from the last one that a second source supported within a day,
 * or from the one of a day before. The first may have been led away itself, as far as a second source
 * still supports a figure.
 */
function hasDrifted(
  { quote, at, memory: { supported, past } }: MovingMarket,
  { quoteRatio }: Thresholds,
): boolean {
  const isRecent = supported !== undefined && at - supported.at <= DAY_MS;
  const bases = [isRecent ? supported.mid : undefined, pastFigureAt(past, at - DAY_MS)?.mid];
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
    const from = furthest([isFresh(hourAgo, 1) ? hourAgo?.mid : undefined, before]);
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
  { originStepPercent, inDoubtSec = 0 }: Thresholds,
): Step | undefined {
  if (originStepPercent === undefined) return undefined;
  const { quote, at, memory } = market;
  const limit = factorOf(originStepPercent);
  const last = memory.step;
  const endsAt = (step: Step) =>
    step.confirmedAt === undefined
      ? step.since + inDoubtSec * SECOND_MS
      : step.confirmedAt + FOLLOWED_MS;
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
const FOLLOWED_MS = 2 * HOUR_MS;

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
    ({ longFactor, market: { memory: other } }) =>
      isHalfOf(longFactor, whole) ||
      (other.step && isHalfOf(other.step.to / other.step.from, whole)),
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

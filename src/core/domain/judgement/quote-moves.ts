import { isRatioOver } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
import { DAY_MS } from '../time.ts';
import { isWaiting } from './held-run.ts';
import { isApart, isSecondSource } from './in-doubt.ts';
import {
  type MarketMemory,
  type PastFigure,
  pastFigureAt,
  type QuotesState,
  type Step,
} from './quote-memory.ts';
import {
  confirmedStep,
  isBack,
  isMatching,
  isSure,
  type Moving,
  movingOf,
  type Scene,
  stepOf,
  supports,
  withoutStep,
} from './quote-steps.ts';

/**
 * What is remembered of the markets after a step, with how they moved, where that is something else
 * (contract §8). A reading may confirm the quotes of other markets, which were not read with it.
 * @param confirmed The markets whose quote the operator has checked, or an independent source showed.
 */
export function movesAfter(
  before: QuotesState,
  { at, markets: known }: QuotesState,
  confirmed: ReadonlySet<string>,
  thresholds: Thresholds,
): readonly MarketMemory[] {
  const lastOf = ({ market: { id } }: MarketMemory) => before.markets.get(id)?.published;
  const isRead = (memory: MarketMemory) => memory.published !== lastOf(memory);
  const memories = [...known.values()];
  if (!memories.some(isRead)) return [];
  const markets = memories.flatMap((memory) => movingOf(memory, lastOf(memory), at) ?? []);
  const quotes = markets.map(({ quote }) => quote);
  const sure = markets.filter((one) => isSure(one, at, thresholds)).map(({ quote }) => quote);
  const scene = { markets, quotes, sure, memories, thresholds, at };
  return markets.flatMap((market) => {
    const { memory } = market;
    if (!isRead(memory)) return confirmedBy(market, scene);
    return confirmed.has(memory.market.id) ? checked(memory) : moved(market, scene);
  });
}

/** A figure that somebody has checked is in no doubt, and later ones are compared with it. */
function checked({ published, ...memory }: MarketMemory): MarketMemory {
  const supported = published && { mid: published.mid, at: published.at };
  const none = { driftedAt: undefined, apartSince: undefined, step: undefined };
  return { ...memory, ...none, published, supported, checkedAt: published?.at };
}

/** What is remembered of a market that was read. */
function moved(market: Moving, scene: Scene): MarketMemory {
  const { thresholds } = scene;
  const isReturn = isBack(market, thresholds);
  const step = isReturn ? undefined : stepOf(market, scene);
  const past = isReturn ? withoutStep(market, thresholds) : market.memory.past;
  return marked({ ...market.memory, past }, { market, step, scene });
}

/** What is remembered of a market that was not, if the readings of others confirm its quote. */
function confirmedBy(market: Moving, scene: Scene): readonly MarketMemory[] {
  const { memory } = market;
  const step = memory.step && confirmedStep(memory.step, market, scene);
  const isInDoubt = memory.insisted.length > 0 || memory.driftedAt !== undefined;
  const isShown = supports(market, market.quote.mid, scene) || isMatching(step, market, scene);
  const isNoLongerApart = memory.apartSince !== undefined && !isContradicted(market, scene);
  const isChanged = (isInDoubt && isShown) || isNoLongerApart || step !== memory.step;
  return isChanged ? [marked(memory, { market, step, scene })] : [];
}

interface Parts {
  readonly market: Moving;
  readonly step: Step | undefined;
  readonly scene: Scene;
}

/** A market with the marks of its current quote. */
function marked(memory: MarketMemory, { market, step, scene }: Parts): MarketMemory {
  const { quote, at } = market;
  const { quoteRatio } = scene.thresholds;
  const known = step && confirmedStep(step, market, scene);
  const isMatched = isMatching(known, market, scene);
  const isShown = isMatched || supports(market, quote.mid, scene);
  const after = {
    ...memory,
    step: known,
    supported: isShown ? { mid: quote.mid, at: scene.at } : memory.supported,
    // Figures of before the step are no measure.
    checkedAt: isMatched ? at : memory.checkedAt,
  };
  return {
    ...after,
    apartSince: isContradicted(market, scene) ? (memory.apartSince ?? scene.at) : undefined,
    // In doubt only while no second source supports it.
    driftedAt: hasDrifted(after, { mid: quote.mid, at }, scene.thresholds) ? at : undefined,
    // Another origin has shown the jump to this quote.
    insisted: isShown
      ? memory.insisted.filter((jump) => isRatioOver(jump.mid, quote.mid, quoteRatio))
      : memory.insisted,
  };
}

/**
 * Whether a second source that is far from a market is published beside it, or held because of it, while
 * none has supported that market for a day.
 */
function isContradicted({ quote, memory }: Moving, scene: Scene): boolean {
  if (!isSecondSource(quote)) return false;
  const { sure, memories, thresholds, at } = scene;
  // One that moved alone is marked for that: what it left is not contradicted by it.
  if (isApart(quote, sure, thresholds, at)) return true;
  const { supported, market } = memory;
  if (supported !== undefined && at - supported.at <= DAY_MS) return false;
  return memories.some(({ market: other, held }) => {
    const last = held.at(-1);
    const isOther = other.base === market.base && other.type !== market.type;
    if (!isOther || last === undefined) return false;
    return isWaiting(last, at) && last.doubts.some(({ reason }) => reason === 'parallel_differs');
  });
}

/**
 * Whether a quote is over `quoteRatio` from the last one that a second source supported within a day,
 * or from the one of a day before, or without either from its market's first one of the last day. The supported
 * one may have been led away itself, as far as a second source still supports a figure. Those of before the last one that somebody
 * has checked, or another origin matched, count for nothing.
 */
function hasDrifted(
  { supported, past, checkedAt = 0 }: MarketMemory,
  { mid, at }: PastFigure,
  { quoteRatio }: Thresholds,
): boolean {
  const isRecent = supported !== undefined && at - supported.at <= DAY_MS;
  const dayBefore = pastFigureAt(past, at - DAY_MS) ?? (isRecent ? undefined : past[0]);
  const isUnchecked = dayBefore !== undefined && dayBefore.at >= checkedAt;
  return [isRecent ? supported.mid : mid, isUnchecked ? dayBefore.mid : mid].some((base) =>
    isRatioOver(mid, base, quoteRatio),
  );
}

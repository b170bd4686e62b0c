import { isRatioOver } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
import type { MarketType } from '../markets.ts';
import { isStale, type Quote, staleFrom } from '../quotes.ts';
import { type Instant, SECOND_MS } from '../time.ts';
import type { PastFigure, Step } from './quote-memory.ts';
import { areSupporting, secondSourceOf } from './second-source.ts';

/** What is remembered of a market, as far as it makes its quote doubtful. */
export interface DoubtfulState {
  readonly market: string;
  readonly driftedAt?: Instant | undefined;
  readonly step?: Pick<Step, 'since' | 'from' | 'confirmedAt'> | undefined;
  readonly insisted: readonly PastFigure[];
}

/**
 * The quotes in doubt (contract §8): released by repeated readings alone after a jump and still near
 * them, or drifted too far, and in either case supported by no fresh second source; or moved with
 * all quotes of their origin while no other origin followed.
 * @returns them, `until`, the first instant at which a doubt may end by the passage of time, and
 *   `changedAt`, the last one at which one may have begun or ended so.
 */
export function quotesInDoubt(
  quotes: readonly Quote[],
  states: readonly DoubtfulState[],
  thresholds: Thresholds,
  now: Instant,
): { readonly quotes: readonly Quote[]; readonly until: Instant; readonly changedAt: Instant } {
  const { inDoubtSec = 0, quoteRatio } = thresholds;
  const endOf = (since: Instant) => since + inDoubtSec * SECOND_MS;
  const isOpen = (since: Instant | undefined) => since !== undefined && now < endOf(since);
  const byMarket = new Map(states.map((state) => [state.market, state]));
  const inDoubt = quotes.filter((quote) => {
    const { insisted = [], driftedAt, step } = byMarket.get(quote.market.id) ?? {};
    const supports = (mid: number) => hasSupport({ ...quote, mid }, quotes, thresholds, now);
    // A second source that is near the figure after the step and was not near the one before confirms it.
    const isStep = step !== undefined && isOpen(beginOf(step));
    if (isStep && !(supports(quote.mid) && !supports(step.from))) return true;
    const isRepeated = insisted.some(
      ({ mid, at }) => isOpen(at) && !isRatioOver(quote.mid, mid, quoteRatio),
    );
    return (isRepeated || isOpen(driftedAt)) && !supports(quote.mid);
  });
  const supported = states.flatMap(({ insisted, driftedAt }) => [
    ...insisted.map(({ at }) => at),
    ...(driftedAt === undefined ? [] : [driftedAt]),
  ]);
  const steps = states.flatMap(({ step }) => (step && beginOf(step)) ?? []);
  const others = supported.length === 0 ? [] : quotes.filter(isSecondSource);
  const ends = [...supported, ...steps].map(endOf);
  const past = [...ends, ...others.map(staleFrom)].filter((at) => at <= now);
  const until = Math.min(...ends.filter((at) => now < at));
  return { quotes: inDoubt, until, changedAt: Math.max(0, ...past) };
}

/** Since when a step is open; undefined once another origin has moved too. */
function beginOf({ since, confirmedAt }: NonNullable<DoubtfulState['step']>): Instant | undefined {
  return confirmedAt === undefined ? since : undefined;
}

/** Whether the other kind of market publishes about the same: the parallel for a venue, venues for it. */
export function hasSupport(
  { market, mid }: Quote,
  quotes: readonly Quote[],
  thresholds: Thresholds,
  now: Instant,
): boolean {
  const freshOf = (type: MarketType) =>
    quotes
      .filter((quote) => quote.market.type === type && quote.market.base === market.base)
      .filter((quote) => !isStale(quote, now))
      .map((quote) => ({ published: quote.mid, newest: quote.mid }));
  const other = secondSourceOf(market, freshOf, thresholds);
  const [p2p, parallel] = market.type === 'p2p' ? [mid, other] : [other, mid];
  return areSupporting(p2p, parallel, thresholds);
}

function isSecondSource({ market: { type } }: Quote): boolean {
  return type === 'p2p' || type === 'parallel';
}

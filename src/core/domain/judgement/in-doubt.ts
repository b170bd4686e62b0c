import { isRatioOver } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
import { isStale, type Quote, staleFrom } from '../quotes.ts';
import { type Instant, SECOND_MS } from '../time.ts';
import type { PastFigure, Step } from './quote-memory.ts';
import { areSupporting, figureOfParallel, figureOfVenues } from './second-source.ts';

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
  const insisted = states.flatMap(({ market, insisted: jumps }) =>
    jumps.map(({ mid, at }) => ({ market, mid, until: at + inDoubtSec * SECOND_MS })),
  );
  const steps = states.flatMap(({ market, step }) =>
    step === undefined || step.confirmedAt !== undefined
      ? []
      : [{ market, from: step.from, until: step.since + inDoubtSec * SECOND_MS }],
  );
  const drifts = states.flatMap(({ market, driftedAt }) =>
    driftedAt === undefined ? [] : [{ market, until: driftedAt + inDoubtSec * SECOND_MS }],
  );
  const inDoubt = quotes.filter((quote) => {
    const { id } = quote.market;
    const supports = (mid: number) => hasSupport({ ...quote, mid }, quotes, thresholds, now);
    const openOf = <Mark extends { readonly market: string; readonly until: Instant }>(
      marks: readonly Mark[],
    ) => marks.find(({ market, until: end }) => market === id && now < end);
    const step = openOf(steps);
    // A second source that is near the figure after the step and was not near the one before confirms it.
    if (step !== undefined && !(supports(quote.mid) && !supports(step.from))) return true;
    const isRepeated = insisted.some(
      ({ market, mid, until: end }) =>
        market === id && now < end && !isRatioOver(quote.mid, mid, quoteRatio),
    );
    return (isRepeated || openOf(drifts) !== undefined) && !supports(quote.mid);
  });
  const others = insisted.length + drifts.length === 0 ? [] : quotes.filter(isSecondSource);
  const ends = [...insisted, ...steps, ...drifts].map(({ until: end }) => end);
  const past = [...ends, ...others.map(staleFrom)].filter((at) => at <= now);
  const until = Math.min(...ends.filter((at) => now < at));
  return { quotes: inDoubt, until, changedAt: Math.max(0, ...past) };
}

/** Whether the other kind of market publishes about the same: the parallel for a venue, venues for it. */
export function hasSupport(
  { market, mid }: Quote,
  quotes: readonly Quote[],
  thresholds: Thresholds,
  now: Instant,
): boolean {
  const freshOf = (type: 'parallel' | 'p2p') =>
    quotes
      .filter((quote) => quote.market.type === type && quote.market.base === market.base)
      .filter((quote) => !isStale(quote, now))
      .map((quote) => ({ published: quote.mid, newest: quote.mid }));
  if (market.type === 'p2p') {
    return areSupporting(
      mid,
      figureOfParallel(freshOf('parallel')[0] ?? {}, thresholds),
      thresholds,
    );
  }
  if (market.type !== 'parallel') return false;
  return areSupporting(figureOfVenues(freshOf('p2p'), thresholds), mid, thresholds);
}

function isSecondSource({ market: { type } }: Quote): boolean {
  return type === 'p2p' || type === 'parallel';
}

import { isRatioOver } from '../calculations/ratio.ts';
import type { Thresholds } from '../judgement.ts';
import { isStale, type Quote, staleFrom } from '../quotes.ts';
import { type Instant, SECOND_MS } from '../time.ts';
import { areSupporting, voiceOfParallel, voiceOfVenues } from './second-voice.ts';

/** A quote that jumped and was published because its source repeated it. */
export interface InsistedQuote {
  readonly market: string;
  readonly mid: number;
  readonly capturedAt: Instant;
}

/**
 * The quotes in doubt: published by insistence alone after a jump, supported by no fresh second
 * voice, and still near what insisted (decisions §8).
 * @returns them, `until`, the first instant at which a doubt may end by the passage of time, and
 *   `changedAt`, the last one at which one may have begun or ended so.
 */
export function quotesInDoubt(
  quotes: readonly Quote[],
  insisted: readonly InsistedQuote[],
  thresholds: Thresholds,
  now: Instant,
): { readonly quotes: readonly Quote[]; readonly until: Instant; readonly changedAt: Instant } {
  const { inDoubtSec = 0, quoteRatio } = thresholds;
  const untilOf = ({ capturedAt }: InsistedQuote) => capturedAt + inDoubtSec * SECOND_MS;
  const recent = insisted.filter((one) => now < untilOf(one));
  const inDoubt = quotes.filter(
    (quote) =>
      recent.some(
        ({ market, mid }) => market === quote.market.id && !isRatioOver(quote.mid, mid, quoteRatio),
      ) && !hasSupport(quote, quotes, thresholds, now),
  );
  const voices = insisted.length === 0 ? [] : quotes.filter(isVoice);
  const past = [...insisted.map(untilOf), ...voices.map(staleFrom)].filter((at) => at <= now);
  const until = Math.min(...recent.map(untilOf));
  return { quotes: inDoubt, until, changedAt: Math.max(0, ...past) };
}

/** Whether the other kind of market publishes about the same: the parallel for a venue, venues for it. */
function hasSupport(
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
      voiceOfParallel(freshOf('parallel')[0] ?? {}, thresholds),
      thresholds,
    );
  }
  if (market.type !== 'parallel') return false;
  return areSupporting(voiceOfVenues(freshOf('p2p'), thresholds), mid, thresholds);
}

function isVoice({ market: { type } }: Quote): boolean {
  return type === 'p2p' || type === 'parallel';
}

import { isRatioOver } from '../../../domain/calculations/ratio.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../../../domain/time.ts';
import type { StoredQuote } from '../../ports/quotes.ts';
import type { BatchContext } from '../batch-context.ts';

/**
 * An instant up to `from` at which no jump waited for the repeated readings that have released it
 * since: until then the quote before it was the current one. What waits is of fewer readings than
 * release it, or of a shorter time.
 */
export async function windowStart(
  markets: readonly string[],
  from: Instant,
  {
    store,
    thresholds,
    redenominations,
  }: Pick<BatchContext, 'store' | 'thresholds' | 'redenominations'>,
): Promise<Instant> {
  const { confirmingReads, confirmingSpanSec, quoteRatio } = thresholds;
  const before = async ({ market, capturedAt }: StoredQuote, spanSec = 0) =>
    (await store.lastQuotesBefore([market], capturedAt - spanSec * SECOND_MS))[0];
  const midOf = ({ mid, capturedAt }: StoredQuote) =>
    redenominations.rebased(mid, { from: caracasDayOf(capturedAt), to: caracasDayOf(from) });
  let start = from;
  for (const last of await store.lastQuotesBefore(markets, from)) {
    const earlier = [await before(last, confirmingSpanSec)];
    let next: StoredQuote | undefined = last;
    for (let reads = 1; reads < confirmingReads && next !== undefined; reads += 1) {
      next = await before(next);
      earlier.push(next);
    }
    for (const one of earlier) {
      if (one === undefined || !isRatioOver(midOf(last), midOf(one), quoteRatio)) continue;
      start = Math.min(start, one.capturedAt + 1);
    }
  }
  return start;
}

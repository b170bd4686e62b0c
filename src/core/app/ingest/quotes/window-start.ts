import { isRatioOver } from '../../../domain/calculations/ratio.ts';
import type { MarketMemory } from '../../../domain/judgement/quote-memory.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../../../domain/time.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { StoredQuote } from '../../ports/quotes.ts';
import type { BatchContext } from '../batch-context.ts';

/** Most quotes of some minutes among which a jump is looked for, and held and released records of which some counted once. */
// limit: For a late reading looked through: quotes before it, held and released records | 1,000 of each, the newest of the records | others do not count again
const MAX_LOOKED_THROUGH = 1_000;

/** Most times that the readings judged again begin earlier, because something waited. */
// limit: Steps back before a late reading | 5 | the last counts
const MAX_STEPS_BACK = 5;

/**
 * An instant up to `from` at which no jump waited for the repeated readings that have released it
 * since, nor a reading that others held: until then the quote before it was the current one. A jump
 * that waits is of fewer readings than release it, or of a shorter time, in which there may be many.
 */
export async function windowStart(
  markets: readonly string[],
  from: Instant,
  context: Pick<BatchContext, 'store' | 'thresholds' | 'redenominations'>,
): Promise<Instant> {
  let start = from;
  for (let round = 0; round < MAX_STEPS_BACK; round += 1) {
    // At the earlier start something else may have waited.
    const earlier = await stepBack(markets, start, context);
    if (earlier === start) break;
    start = earlier;
  }
  return start;
}

async function stepBack(
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
    (await lastReadBefore([market], { store, before: capturedAt - spanSec * SECOND_MS }))[0];
  const midOf = ({ mid, capturedAt }: StoredQuote) =>
    redenominations.rebased(mid, { from: caracasDayOf(capturedAt), to: caracasDayOf(from) });
  let start = from;
  const lasts = await lastReadBefore(markets, { store, before: from });
  const released = await store.listHeld('released', MAX_LOOKED_THROUGH);
  for (const { market, capturedAt, observedAt = capturedAt } of lasts) {
    // Perhaps only a reading of after `from` released it.
    const isReleased = released.some(
      (one) => one.subject === market && one.capturedAt === observedAt,
    );
    if (isReleased) start = Math.min(start, observedAt);
  }
  // Most markets were read together: their quotes of those minutes are read once.
  for (const [to, together] of Map.groupBy(lasts, ({ capturedAt }) => capturedAt)) {
    const span = { from: to - confirmingSpanSec * SECOND_MS, to };
    const { captures } = await store.quotesRead(span, MAX_LOOKED_THROUGH);
    for (const last of together) {
      const own = captures.flatMap(({ quote }) => (quote.market === last.market ? quote : []));
      const earlier = [await before(last, confirmingSpanSec), ...own];
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
  }
  return start;
}

/** The held readings that counted before an instant, because nothing was published after them. */
export async function endedSince(
  before: Instant,
  {
    store,
    memories,
  }: { readonly memories: ReadonlyMap<string, MarketMemory> } & Pick<BatchContext, 'store'>,
): Promise<readonly HeldRecord[]> {
  const held = await store.listHeld('held', MAX_LOOKED_THROUGH);
  return held.filter(({ counts, capturedAt, subject }) => {
    const { at = 0 } = memories.get(subject)?.published ?? {};
    return !counts && capturedAt < before && capturedAt > at;
  });
}

/** The last quote of each market that stands before an instant and was read before it. */
export async function lastReadBefore(
  markets: readonly string[],
  { store, before }: { readonly before: Instant } & Pick<BatchContext, 'store'>,
): Promise<readonly StoredQuote[]> {
  const found: StoredQuote[] = [];
  for (const last of await store.lastQuotesBefore(markets, before)) {
    let quote: StoredQuote | undefined = last;
    while (quote !== undefined && (quote.observedAt ?? 0) >= before) {
      [quote] = await store.lastQuotesBefore([quote.market], quote.capturedAt);
    }
    if (quote !== undefined) found.push(quote);
  }
  return found;
}

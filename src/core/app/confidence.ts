import { isOfficial, type Market } from '../domain/markets.ts';
import { type Quote, SOURCES_AGREE_PERCENT } from '../domain/quotes.ts';
import { dayOfCapture, type Redenominations, shownUnits } from '../domain/redenomination.ts';
import { caracasDayOf, type Instant, SECOND_MS, startOfCaracasDay } from '../domain/time.ts';
import { parseEvidenceId, quoteDigest } from './evidence.ts';
import type { Origins } from './ingest/batch-context.ts';
import type { HeldRecord } from './ports/held.ts';
import type { Store } from './ports/store.ts';

/** Most held records that are searched for those of the quoted markets. */
// limit: Held records searched for a market | 1,000 | not shown
const MAX_HELD_SEARCHED = 1_000;

/** The evidence for a published quote. */
export interface Confidence {
  /** The source of its batch; undefined once the batch is deleted. */
  readonly source: string | undefined;
  /** Number of independent sources that agree now, including its own; at least 1. */
  readonly agreeingSources: number;
  readonly observedAt: Instant;
  /** The newest held record of the market that was read later. */
  readonly held: HeldRecord | undefined;
  readonly evidence: string;
}

interface Parts {
  readonly store: Store;
  readonly originOf: Origins;
  readonly redenominations: Redenominations;
  readonly held: readonly HeldRecord[];
}

/** The confidence of quotes published at `now`; none for a quote without a stored capture. */
export async function confidenceOf(
  quotes: readonly Quote[],
  { store, originOf, redenominations }: Omit<Parts, 'held'>,
  now: Instant,
): Promise<ReadonlyMap<Market, Confidence>> {
  const held = await store.listHeld('held', MAX_HELD_SEARCHED);
  const found = await Promise.all(
    quotes.map(async (quote) => {
      const parts = { store, originOf, redenominations, held };
      return [quote.market, await confidenceOfOne(quote, parts, now)] as const;
    }),
  );
  return new Map(found.flatMap(([market, one]) => (one === undefined ? [] : [[market, one]])));
}

async function confidenceOfOne(
  quote: Quote,
  { store, originOf, redenominations, held }: Parts,
  now: Instant,
): Promise<Confidence | undefined> {
  const { market, evidence = '' } = quote;
  const key = parseEvidenceId(evidence);
  if (key === undefined) return undefined;
  const [captures, readings] = await Promise.all([
    store.capturesAt(market.id, key.capturedAt),
    store.readingsBySource(market.id, agreementSince(quote, now)),
  ]);
  const traced = captures.findLast(({ quote: stored }) => quoteDigest(stored) === key.digest);
  const source = traced?.origin?.source;
  const observedAt = Math.min(traced?.quote.observedAt ?? key.capturedAt, now);
  const agreeing = readings.filter(
    ({ quote: stored }) =>
      stored.effectiveDate === quote.effectiveDate &&
      agrees(
        redenominations.rebased(
          stored.mid,
          shownUnits(dayOfCapture(stored), { on: caracasDayOf(now) }),
        ),
        quote.mid,
      ),
  );
  const names = agreeing.map((reading) => reading.source);
  // Its own reading may be older than the threshold.
  const origins = new Set(
    [...names, ...(source === undefined ? [] : [source])].map((name) => originOf(name, market.id)),
  );
  return {
    source,
    agreeingSources: Math.max(1, origins.size),
    observedAt,
    // The store lists the newest first.
    held: held.find(({ subject, capturedAt }) => subject === market.id && capturedAt > observedAt),
    evidence,
  };
}

/**
 * The first instant of readings that count: within the market's threshold, or for an official rate
 * since its value date began.
 */
function agreementSince({ market, effectiveDate }: Quote, now: Instant): Instant {
  if (isOfficial(market) && effectiveDate !== undefined) return startOfCaracasDay(effectiveDate);
  return now - market.staleAfterSec * SECOND_MS;
}

function agrees(a: number, b: number): boolean {
  return Math.max(a, b) <= Math.min(a, b) * (1 + SOURCES_AGREE_PERCENT / 100);
}

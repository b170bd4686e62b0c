import type { QuoteReading } from '../../../domain/judgement/quote-memory.ts';
import type { IngestStore } from '../../ports/ingest-store.ts';
import { quoteReading } from '../record-entry.ts';
import type { CandidateOf } from './stored-quotes.ts';

/* What an operator has decided on is not judged again when its source sends it once more. */

/** Most rejected records that a batch is compared with. */
// limit: Rejected records compared with a batch | 1,000, the newest | an older one is judged again when it is sent again
const MAX_REJECTED = 1_000;

/** Those of the readings that no operator has rejected. */
export async function notRejected(
  readings: readonly QuoteReading[],
  store: Pick<IngestStore, 'listHeld'>,
  candidateOf: CandidateOf,
): Promise<readonly QuoteReading[]> {
  if (readings.length === 0) return readings;
  const times = new Set(readings.map(({ at }) => at));
  const rejected = await store.listHeld('rejected', MAX_REJECTED);
  const contents = rejected.flatMap((held) => {
    const candidate = times.has(held.capturedAt) ? candidateOf(held) : undefined;
    const from = { source: held.source, origin: '', isTrusted: false };
    const reading = candidate && quoteReading(candidate, from);
    return reading === undefined ? [] : [contentOf(reading)];
  });
  return without(contents, readings);
}

/** Those of the readings that are not among the stored ones that an operator has checked. */
export function notChecked(
  readings: readonly QuoteReading[],
  stored: readonly QuoteReading[],
): readonly QuoteReading[] {
  return without(stored.filter(({ isTrusted }) => isTrusted).map(contentOf), readings);
}

function without(contents: readonly string[], readings: readonly QuoteReading[]) {
  if (contents.length === 0) return readings;
  const decided = new Set(contents);
  return readings.filter((reading) => !decided.has(contentOf(reading)));
}

function contentOf({ market, mid, ask, bid, at, datedAt, source }: QuoteReading): string {
  return JSON.stringify([market.id, mid, ask ?? 0, bid ?? 0, at, datedAt ?? 0, source]);
}

import type { QuoteReading } from '../../../domain/judgement/quote-memory.ts';
import type { BatchContext } from '../batch-context.ts';
import { quoteReading } from '../record-entry.ts';

/* A reading that its source sends once more is not judged again. */

/** Most rejected records that a batch is compared with. */
// limit: Rejected records compared | 1,000, the newest | older ones, sent again, are judged again
const MAX_REJECTED = 1_000;

/** Those of the readings that no operator has rejected. */
export async function notRejected(
  readings: readonly QuoteReading[],
  { store, candidateOf }: Pick<BatchContext, 'store' | 'candidateOf'>,
): Promise<readonly QuoteReading[]> {
  if (readings.length === 0) return readings;
  const times = new Set(readings.map(({ at }) => at));
  const rejected = await store.listHeld('rejected', MAX_REJECTED);
  const known = rejected.flatMap((held) => {
    const candidate = times.has(held.capturedAt) ? candidateOf(held) : undefined;
    const from = { source: held.source, origin: '', isTrusted: false };
    return (candidate && quoteReading(candidate, from)) ?? [];
  });
  const again = sentAgain(readings, known);
  return readings.filter((reading) => !again.has(reading));
}

/** The stored readings, published or held, that new ones repeat, by the new ones. */
export function sentAgain(
  readings: readonly QuoteReading[],
  stored: readonly QuoteReading[],
): ReadonlyMap<QuoteReading, QuoteReading> {
  const known = new Map(stored.map((reading) => [contentOf(reading), reading]));
  return new Map(
    readings.flatMap((reading) => {
      const same = known.get(contentOf(reading));
      return same === undefined ? [] : [[reading, same] as const];
    }),
  );
}

/** What a batch brings, by its readings. One that it has twice would count as two. */
export function eachOnce<Given>(
  given: readonly Given[],
  readingOf: (one: Given) => QuoteReading | undefined,
): ReadonlyMap<QuoteReading, Given> {
  const known = new Set<string>();
  const once = new Map<QuoteReading, Given>();
  for (const one of given) {
    const reading = readingOf(one);
    if (reading === undefined || known.has(contentOf(reading))) continue;
    known.add(contentOf(reading));
    once.set(reading, one);
  }
  return once;
}

function contentOf({ market, mid, ask, bid, at, datedAt, source }: QuoteReading): string {
  return JSON.stringify([market.id, mid, ask ?? 0, bid ?? 0, at, datedAt ?? 0, source]);
}

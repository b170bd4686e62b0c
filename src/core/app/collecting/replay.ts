import type { Capture } from '../../domain/history/history.ts';
import type { Markets } from '../../domain/markets.ts';
import { NO_REDENOMINATIONS } from '../../domain/redenomination.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import { orRefusal, Refused } from '../ingest/record.ts';
import { toCandidate } from '../ingest/record-entry.ts';
import type { KeptReading } from '../ports/collecting.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { Source, SourceRecord } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { failureOf, recordsOf } from './read-source.ts';

/** Most captures of a market at one instant that are compared with a replayed one. */
// limit: Captures compared in a replay | 100 | not compared
const MAX_CAPTURES_COMPARED = 100;

/** What the current parser makes of a kept reading, compared with what was published then. */
export interface Replayed {
  readonly readAt: Instant;
  /** `uncompared`: it is a bank table, of which only the newest can be looked up, or of a witness. */
  readonly outcome: 'same' | 'changed' | 'failed' | 'uncompared';
  /** The differences, or why the reading cannot be parsed, one sentence each. */
  readonly notes: readonly string[];
}

interface ReplayOptions {
  readonly store: Store;
  readonly markets: Markets;
  /** Earlier readings are left out. */
  readonly since: Instant;
}

/**
 * Runs the current parser on the kept readings of a source, oldest first. Compares the `mid` of
 * each rate with the captures of that reading, and the time where the source gives one. Records
 * that were held or refused count as not published.
 */
export async function* replay(source: Source, options: ReplayOptions): AsyncGenerator<Replayed> {
  const { store, since } = options;
  for (const readAt of await store.keptReadingTimes(source.name)) {
    const reading = readAt < since ? undefined : await store.keptReading(source.name, readAt);
    if (reading !== undefined) yield replayOne(source, reading, options);
  }
}

async function replayOne(
  source: Source,
  { readAt, bodies }: KeptReading,
  { store, markets }: ReplayOptions,
): Promise<Replayed> {
  let records: readonly SourceRecord[];
  try {
    records = await recordsOf(source, bodies, readAt);
  } catch (error) {
    return { readAt, outcome: 'failed', notes: [failureOf(error).message] };
  }
  // A witness publishes nothing.
  if (source.role === 'witness') return { readAt, outcome: 'uncompared', notes: [] };
  const publishedAt = (market: string, at: Instant) =>
    store.latestCaptures(market, { start: at, end: at + 1 }, MAX_CAPTURES_COMPARED);
  const notes: string[] = [];
  const given = new Set<string>();
  let rates = 0;
  for (const record of records) {
    const candidate = candidateAt(readAt, record, markets);
    if (candidate instanceof Refused) {
      notes.push(`refused now: ${candidate.message}`);
      continue;
    }
    const isDated = record['updated_at'] !== undefined;
    for (const capture of candidate.entry.captures) {
      rates += 1;
      given.add(capture.market);
      const before = await publishedAt(capture.market, capture.capturedAt);
      if (before.some((one) => isEqual(one, capture, isDated))) continue;
      notes.push(`${capture.market}: ${inWords(before.at(-1))} then, ${inWords(capture)} now`);
    }
  }
  for (const market of source.markets) {
    const [before] = given.has(market) ? [] : await publishedAt(market, readAt);
    if (before !== undefined) notes.push(`${market}: ${inWords(before)} then, nothing now`);
  }
  if (notes.length > 0) return { readAt, outcome: 'changed', notes };
  return { readAt, outcome: rates > 0 ? 'same' : 'uncompared', notes };
}

function candidateAt(readAt: Instant, record: SourceRecord, markets: Markets) {
  const dated = { captured_at: isoInstant(readAt), ...record };
  const around = {
    markets,
    now: readAt,
    receivedAt: readAt,
    isSetBack: false,
    reforms: NO_REDENOMINATIONS,
    lastQuotes: () => [],
  };
  return orRefusal(() => toCandidate(dated, around));
}

function isEqual(before: Capture, now: StoredQuote, isDated: boolean): boolean {
  return before.mid === now.mid && (!isDated || before.updatedAt === now.updatedAt);
}

function inWords(capture: Pick<Capture, 'mid' | 'updatedAt'> | undefined): string {
  if (capture === undefined) return 'nothing';
  return `${capture.mid} of ${isoInstant(capture.updatedAt)}`;
}

import type { Doubt } from '../../domain/judgement.ts';
import { isOfficial, type Markets } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { type Contradiction, wantedOf } from './archive-rates.ts';
import type { Between, IngestStore } from './batch-context.ts';
import type { RepeatedHeld } from './held-records.ts';
import type { Judge } from './judge.ts';
import { checkRecord, type IncomingRecord, type InputRecord, Refused } from './record.ts';
import { type Candidate, captureTimeOf, type Surroundings, toCandidate } from './record-entry.ts';

/** Most quotes judged together. A larger body is judged in parts. */
const MAX_BODY_QUOTES = 100;

/** A record that was refused or skipped: its number, which counts empty lines too, and the reason. */
export interface BadLine {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

export interface IngestOptions {
  /** The name of the source, or `operator`. */
  readonly source: string;
  readonly provenance?: Provenance;
  readonly lease?: Lease;
  /** The range of plausible rates of the source, by market. */
  readonly between?: Between;
  /** Whether the records come from a page read now. An earlier value date is then doubtful. */
  readonly isPage?: boolean;
  /** Check and count without storing. */
  readonly dryRun?: boolean;
  /** Accept what judgement would hold, because the operator has checked it. */
  readonly trust?: boolean;
  /** Skip official rates of value dates that already have one, and count them as duplicate. */
  readonly onlyNewValueDates?: boolean;
  /** Called for each skipped rate that differs from the stored one. */
  readonly onContradiction?: (contradiction: Contradiction) => void;
  /** Store the differing rates instead of skipping them. */
  readonly acceptCorrections?: boolean;
  /** Called for each refused line, in order. */
  readonly onBadLine?: (bad: BadLine) => void;
  /**
   * Called for each quote that is older than the current one and outside the band of its own time. It
   * is neither stored nor held, and counts as duplicate.
   */
  readonly onPassedOver?: (line: BadLine) => void;
  /** Called with the doubts about each record that is held as a whole. */
  readonly onHeld?: (doubts: readonly Doubt[]) => void;
}

export type IncomingRecords = AsyncIterable<IncomingRecord> | Iterable<IncomingRecord>;

interface BatchParts {
  readonly options: IngestOptions;
  readonly store: IngestStore;
  readonly around: Surroundings;
  readonly judge: Judge;
  /** The held records that a trusted batch closes by repeating them. */
  readonly repeated: RepeatedHeld | undefined;
}

/** The records of one batch on their way to the store: checked, judged and counted, in order. */
export class Batch {
  readonly #parts: BatchParts;
  /** Ids of held publications that an archive confirmed. */
  readonly corrections: string[] = [];
  /** How many records were refused. A batch with one stores nothing. */
  refused = 0;
  /** How many records are neither stored nor held. */
  skipped = 0;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** The entries to store. Their number is final only when no record was refused. */
  async *entries(records: IncomingRecords): AsyncGenerator<Entry> {
    const { judge, around, options } = this.#parts;
    const bodies = bodiesOf(records, around);
    // The rows of an archive are judged beside each other.
    const read =
      options.onlyNewValueDates === true ? [(await Array.fromAsync(bodies)).flat()] : bodies;
    for await (const body of read) {
      const checked = body.map((item) => ({ line: item.line, candidate: this.#check(item) }));
      // After a refusal, the rest is read only to report others.
      if (this.refused > 0) continue;
      const candidates = checked.flatMap(({ candidate }) => candidate ?? []);
      await judge.lookAhead(candidates, options.trust === true);
      for (const { line, candidate } of checked) {
        if (candidate === undefined || this.refused > 0) continue;
        for (const { entry } of await this.#judgeOrRefuse(candidate, line)) yield entry;
      }
    }
    if (this.refused > 0) return;
    for (const { entry } of await judge.reconsider()) yield entry;
  }

  #check({ line, record, input }: Item): Candidate | undefined {
    try {
      if (record instanceof Refused) throw record;
      return toCandidate(record, this.#parts.around, input);
    } catch (error) {
      this.#refuse(line, error);
      return undefined;
    }
  }

  async #judgeOrRefuse(candidate: Candidate, line: number): Promise<readonly Candidate[]> {
    try {
      return await this.#judge(candidate, line);
    } catch (error) {
      this.#refuse(line, error);
      return [];
    }
  }

  /** @returns the candidates to store. */
  async #judge(checked: Candidate, line: number): Promise<readonly Candidate[]> {
    const { options, store, around, judge, repeated } = this.#parts;
    const archive = { ...options, store, now: around.now, corrections: this.corrections };
    const wanted = await wantedOf(checked, archive);
    if (wanted === undefined) {
      this.skipped += 1;
      return [];
    }
    const { candidate, isCorrection } = wanted;
    const trust = options.trust === true || isCorrection;
    const { passed, isDuplicate, passedOver, held } = await judge.judge(candidate, trust);
    if (held !== undefined) options.onHeld?.(held);
    if (isDuplicate || passedOver !== undefined) this.skipped += 1;
    if (passedOver !== undefined) {
      const reason = `older than the current quote, and ${passedOver.message}`;
      options.onPassedOver?.({ line, reason });
    }
    for (const stored of passed) repeated?.add(stored);
    return passed;
  }

  #refuse(line: number, error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.refused += 1;
    this.#parts.options.onBadLine?.({ line, reason: error.message });
  }
}

/** A record with its number and its checked fields, or the reason of its refusal. */
type Item =
  | { readonly line: number; readonly record: SourceRecord; readonly input: InputRecord }
  | { readonly line: number; readonly record: Refused; readonly input?: undefined };

/**
 * Groups records into bodies: consecutive quotes of different markets that were read at the same
 * time. Every other record is its own body.
 */
async function* bodiesOf(
  records: IncomingRecords,
  { markets, receivedAt }: { readonly markets: Markets; readonly receivedAt: Instant },
): AsyncGenerator<readonly Item[]> {
  let body: Item[] = [];
  let readAt: Instant | undefined;
  let seen = new Set<string>();
  let line = 0;
  for await (const record of records) {
    line += 1;
    if (record === undefined) continue;
    const item = itemOf(line, record);
    const market = marketOf(item, markets);
    const at =
      market === undefined || item.input === undefined
        ? undefined
        : captureTimeOf(item.input, { receivedAt });
    const joins =
      market !== undefined && at === readAt && !seen.has(market) && body.length < MAX_BODY_QUOTES;
    if (!joins && body.length > 0) {
      yield body;
      body = [];
      seen = new Set();
    }
    body.push(item);
    readAt = at;
    if (market !== undefined) seen.add(market);
  }
  if (body.length > 0) yield body;
}

function itemOf(line: number, record: SourceRecord | Refused): Item {
  if (record instanceof Refused) return { line, record };
  try {
    return { line, record, input: checkRecord(record) };
  } catch (error) {
    if (error instanceof Refused) return { line, record: error };
    throw error;
  }
}

/** The market of a quote without a value date; undefined for every other record. */
function marketOf({ input }: Item, markets: Markets): string | undefined {
  if (input?.kind !== 'quote') return undefined;
  const market = markets.find(input.market);
  return market === undefined || isOfficial(market) ? undefined : market.id;
}

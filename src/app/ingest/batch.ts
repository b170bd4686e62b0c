import type { Doubt } from '../../domain/judgement.ts';
import { isOfficial, type Markets } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { type Contradiction, wantedOf } from './archive-rates.ts';
import type { Between } from './batch-context.ts';
import type { RepeatedHeld } from './held-readings.ts';
import type { Judge } from './judge.ts';
import {
  checkRecord,
  type IncomingRecord,
  type InputRecord,
  orRefusal,
  Refused,
} from './record.ts';
import { because, type Candidate, captureTimeOf, toCandidate } from './record-entry.ts';

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
  /** Whether they come from a witness: it only confirms or contradicts held publications. */
  readonly isWitness?: boolean;
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

/** The records of one batch on their way to the store: checked, judged and counted, in order. */
export class Batch {
  readonly #options: IngestOptions;
  readonly #judge: Judge;
  readonly #repeated: RepeatedHeld | undefined;
  /** Ids of held publications that an archive confirmed. */
  readonly corrections: string[] = [];
  /** How many records were refused. A batch with one stores nothing. */
  refused = 0;
  /** How many records are neither stored nor held. */
  skipped = 0;

  /** @param repeated The held records that a trusted batch closes by repeating them. */
  constructor(options: IngestOptions, judge: Judge, repeated: RepeatedHeld | undefined) {
    this.#options = options;
    this.#judge = judge;
    this.#repeated = repeated;
  }

  /** The entries to store. Their number is final only when no record was refused. */
  async *entries(records: IncomingRecords): AsyncGenerator<Entry> {
    const judge = this.#judge;
    const { onlyNewValueDates = false, trust = false } = this.#options;
    const bodies = bodiesOf(records, judge.known.context);
    // The rows of an archive are judged beside each other.
    const read = onlyNewValueDates ? [(await Array.fromAsync(bodies)).flat()] : bodies;
    for await (const body of read) {
      const checked = body.map((item) => ({ line: item.line, candidate: this.#check(item) }));
      // After a refusal, the rest is read only to report others.
      if (this.refused > 0) continue;
      const candidates = checked.flatMap(({ candidate }) => candidate ?? []);
      await judge.lookAhead(candidates, trust);
      for (const { line, candidate } of checked) {
        if (candidate === undefined || this.refused > 0) continue;
        for (const { entry } of await this.#passed(candidate, line))
          yield judge.known.placed(entry);
      }
    }
    if (this.refused > 0) return;
    for (const { entry } of await judge.reconsider()) yield judge.known.placed(entry);
  }

  #check({ line, record, input }: Item): Candidate | undefined {
    const { around } = this.#judge.known;
    const candidate =
      record instanceof Refused ? record : orRefusal(() => toCandidate(record, around, input));
    if (!(candidate instanceof Refused)) return candidate;
    this.#refuse(line, candidate);
    return undefined;
  }

  /** @returns the candidates to store: none when the record is held, skipped or refused. */
  async #passed(candidate: Candidate, line: number): Promise<readonly Candidate[]> {
    try {
      return await this.#judged(candidate, line);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#refuse(line, error);
      return [];
    }
  }

  async #judged(checked: Candidate, line: number): Promise<readonly Candidate[]> {
    const options = this.#options;
    const { store, now } = this.#judge.known.context;
    const archive = { ...options, store, now, corrections: this.corrections };
    const wanted = await wantedOf(checked, archive);
    if (wanted === undefined) {
      this.skipped += 1;
      return [];
    }
    const { candidate, isCorrection } = wanted;
    const trust = options.trust === true || isCorrection;
    const why = options.trust === true ? 'operator' : isCorrection ? 'archive' : undefined;
    const { passed, isDuplicate, passedOver, held } = await this.#judge.judge(
      because(why, candidate),
      trust,
    );
    if (held !== undefined) options.onHeld?.(held);
    if (isDuplicate || passedOver !== undefined) this.skipped += 1;
    if (passedOver !== undefined) {
      const reason = `older than the current quote, and ${passedOver.message}`;
      options.onPassedOver?.({ line, reason });
    }
    for (const stored of passed) this.#repeated?.add(stored);
    return passed;
  }

  #refuse(line: number, { message: reason }: Refused): void {
    this.refused += 1;
    this.#options.onBadLine?.({ line, reason });
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
  const input = orRefusal(() => checkRecord(record));
  return input instanceof Refused ? { line, record: input } : { line, record, input };
}

/** The market of a quote without a value date; undefined for every other record. */
function marketOf({ input }: Item, markets: Markets): string | undefined {
  if (input?.kind !== 'quote') return undefined;
  const market = markets.find(input.market);
  return market === undefined || isOfficial(market) ? undefined : market.id;
}

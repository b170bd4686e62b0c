import type { HeldDoubt } from '../../domain/judgement/quote-memory.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry } from '../ports/records.ts';
import { type Contradiction, wantedOf } from './archive-rates.ts';
import type { Between } from './batch-context.ts';
import { MAX_HELD_PER_BATCH, type RepeatedHeld, TOO_MANY_HELD } from './held-readings.ts';
import type { Judge } from './judge.ts';
import type { JudgedQuotes } from './quotes/judged-quotes.ts';
import { type IncomingRecord, orRefusal, Refused } from './record.ts';
import { because, type Candidate, toCandidate } from './record-entry.ts';

/** Most quotes that are judged together: they are in memory. A larger batch is judged in parts. */
// limit: Quotes of one batch that are judged together | 20,000 | the batch is judged in parts, which must be in the order of their times
const MAX_JUDGED_QUOTES = 20_000;

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
  readonly onHeld?: (doubts: readonly HeldDoubt[]) => void;
}

export type IncomingRecords = AsyncIterable<IncomingRecord> | Iterable<IncomingRecord>;

/** A checked record, and its number. */
interface Checked {
  readonly line: number;
  readonly candidate: Candidate;
}

interface Judges {
  /** Of publications and bank tables. */
  readonly judge: Judge;
  /** Of quotes of markets without value dates. */
  readonly quotes: JudgedQuotes;
  /** The held records that a trusted batch closes by repeating them. */
  readonly repeated: RepeatedHeld | undefined;
}

/** The records of one batch on their way to the store: checked, judged and counted. */
export class Batch {
  readonly #options: IngestOptions;
  readonly #judges: Judges;
  /** Ids of held publications that an archive confirmed. */
  readonly corrections: string[] = [];
  /** How many records were refused. A batch with one stores nothing. */
  refused = 0;
  /** How many records are neither stored nor held. */
  skipped = 0;
  readonly #heldQuotes = new Set<Candidate>();
  /** The numbers of the quotes that are judged, or held. */
  readonly #lines = new Map<Candidate, number>();

  constructor(options: IngestOptions, judges: Judges) {
    this.#options = options;
    this.#judges = judges;
  }

  /** How many records are held. */
  get held(): number {
    return this.#judges.judge.readings.inDoubt + this.#heldQuotes.size;
  }

  /** The entries to store. Their number is final only when no record was refused. */
  async *entries(records: IncomingRecords): AsyncGenerator<Entry> {
    const { trust = false, onlyNewValueDates = false } = this.#options;
    let quotes: Checked[] = [];
    const archived: Checked[] = [];
    for await (const checked of this.#checked(records)) {
      const { candidate, line } = checked;
      // The rows of an archive are judged beside each other, and quotes in the order of their times.
      if (onlyNewValueDates) archived.push(checked);
      else if (!isQuote(candidate)) yield* this.#passed(candidate, line);
      else if (trust) yield* this.#trusted(candidate);
      else {
        if (quotes.length === MAX_JUDGED_QUOTES) {
          yield* this.#judgedQuotes(quotes, { isLast: false });
          quotes = [];
        }
        quotes.push(checked);
      }
    }
    await this.#judges.judge.expect(archived.map(({ candidate }) => candidate));
    for (const { candidate, line } of archived) yield* this.#passed(candidate, line);
    if (this.refused === 0 && !trust) yield* this.#judgedQuotes(quotes, { isLast: true });
  }

  /** The records that are valid. After a refusal, the rest is read only to report others. */
  async *#checked(records: IncomingRecords): AsyncGenerator<Checked> {
    const { around } = this.#judges.judge.known;
    let line = 0;
    for await (const record of records) {
      line += 1;
      if (record === undefined) continue;
      const candidate =
        record instanceof Refused ? record : orRefusal(() => toCandidate(record, around));
      if (candidate instanceof Refused) this.#refuse(line, candidate);
      else if (this.refused === 0) yield { line, candidate };
    }
  }

  /** An operator's quote: what it repeats of the held ones is closed. */
  async *#trusted(candidate: Candidate): AsyncGenerator<Entry> {
    const stored = await this.#judges.quotes.trust(because('operator', candidate));
    this.#judges.repeated?.add(stored);
    yield stored.entry;
  }

  async *#judgedQuotes(
    checked: readonly Checked[],
    part: { readonly isLast: boolean },
  ): AsyncGenerator<Entry> {
    const { quotes } = this.#judges;
    const candidates = checked.map(({ candidate }) => candidate);
    for (const { candidate, line } of checked) this.#lines.set(candidate, line);
    const judged = await orRefusalOf(quotes.judge(candidates, part));
    if (judged instanceof Refused) return this.#refuse(checked[0]?.line ?? 0, judged);
    const entries: Entry[] = [];
    for (const [candidate, change] of judged) {
      const line = this.#lines.get(candidate) ?? 0;
      const { doubts = [], status } = change;
      const [{ message = '' } = {}] = doubts;
      if (status !== 'held') {
        this.#lines.delete(candidate);
        this.#heldQuotes.delete(candidate);
      }
      if (status === 'published') entries.push(quotes.published(candidate, change).entry);
      else if (status === 'passed_over') {
        this.skipped += 1;
        const reason = `older than the current quote, and ${message}`;
        this.#options.onPassedOver?.({ line, reason });
      } else if (!this.#heldQuotes.has(candidate)) {
        if (this.held === MAX_HELD_PER_BATCH) {
          this.#refuse(line, new Refused(`${message}; ${TOO_MANY_HELD}`));
          continue;
        }
        this.#heldQuotes.add(candidate);
        this.#options.onHeld?.(doubts);
      }
    }
    if (this.refused === 0) yield* entries;
  }

  /** The entries to store: none when the record is held, skipped or refused. */
  async *#passed(candidate: Candidate, line: number): AsyncGenerator<Entry> {
    try {
      for (const { entry } of await this.#judged(candidate)) yield entry;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#refuse(line, error);
    }
  }

  async #judged(checked: Candidate): Promise<readonly Candidate[]> {
    const options = this.#options;
    const { judge, repeated } = this.#judges;
    const { store, now } = judge.known.context;
    const archive = { ...options, store, now, corrections: this.corrections };
    const wanted = await wantedOf(checked, archive);
    if (wanted === undefined) {
      this.skipped += 1;
      return [];
    }
    const { candidate, isCorrection } = wanted;
    const trust = options.trust === true || isCorrection;
    const why = options.trust === true ? 'operator' : isCorrection ? 'archive' : undefined;
    const { passed, isDuplicate, held } = await judge.judge(because(why, candidate), trust);
    if (held !== undefined) options.onHeld?.(held);
    if (isDuplicate) this.skipped += 1;
    for (const stored of passed) repeated?.add(stored);
    return passed;
  }

  #refuse(line: number, { message: reason }: Refused): void {
    this.refused += 1;
    this.#options.onBadLine?.({ line, reason });
  }
}

function isQuote({ observation }: Candidate): boolean {
  return observation.kind === 'quote';
}

async function orRefusalOf<Result>(work: Promise<Result>): Promise<Result | Refused> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

import type { HeldDoubt } from '../../domain/judgement/quote-memory.ts';
import type { ValueDates } from '../../domain/judgement/value-dates.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry } from '../ports/records.ts';
import type { BatchContext, Between } from './batch-context.ts';
import { type Contradiction, wantedOf } from './publications/archive-rates.ts';
import {
  type JudgedPublications,
  MAX_HELD_PER_BATCH,
  TOO_MANY_HELD,
} from './publications/judged-publications.ts';
import type { JudgedQuotes } from './quotes/judged-quotes.ts';
import { asRefusal, type IncomingRecord, orRefusal, Refused } from './record.ts';
import { because, type Candidate, toCandidate } from './record-entry.ts';
import { RepeatedHeld } from './repeated-held.ts';

/** Most quotes that are judged together: they are in memory. A larger batch is judged in parts. */
// limit: Quotes of a batch judged together | 20,000 | in parts, in order of time
export const MAX_JUDGED_QUOTES = 20_000;

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

export interface IngestCounts {
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  readonly duplicate: number;
}

export type IncomingRecords = AsyncIterable<IncomingRecord> | Iterable<IncomingRecord>;

/** Records that are read and compared with what is stored together. An archive is as a whole. */
// limit: Records read together | 1,000 | the next ones
const RECORDS_READ_TOGETHER = 1_000;

/** A record as it came, checked, and its number. */
interface Given {
  readonly line: number;
  readonly candidate: Candidate | Refused;
}

interface Checked extends Given {
  readonly candidate: Candidate;
}

interface Judges {
  readonly context: BatchContext;
  readonly publications: JudgedPublications;
  /** Of quotes of markets without value dates. */
  readonly quotes: JudgedQuotes;
  /** The held records that a trusted batch may close by repeating them, or an archive releases. */
  readonly held: readonly HeldRecord[];
}

/** The records of one batch on their way to the store: checked, judged and counted. */
export class Batch {
  readonly #options: IngestOptions;
  readonly #judges: Judges;
  readonly #repeated: RepeatedHeld | undefined;
  /** Ids of held publications that an archive confirmed. */
  readonly corrections = new Set<string>();
  /** How many records were refused. A batch with one stores nothing. */
  refused = 0;
  /** How many records are neither stored nor held. */
  skipped = 0;
  #quotes: Checked[] = [];
  readonly #heldQuotes = new Set<Candidate>();
  /** The numbers of the quotes that are judged, or held. */
  readonly #lines = new Map<Candidate, number>();

  constructor(options: IngestOptions, judges: Judges) {
    this.#options = options;
    this.#judges = judges;
    const { held, context } = judges;
    this.#repeated = options.trust === true ? new RepeatedHeld(held, context) : undefined;
  }

  /** How many records are held. */
  get held(): number {
    return this.#judges.publications.inDoubt + this.#heldQuotes.size;
  }

  /** Ids of the held records that it closes by repeating them. */
  get repeated(): readonly string[] {
    return this.#repeated?.ids ?? [];
  }

  /** The entries to store. Their number is final only when no record was refused. */
  async *entries(records: IncomingRecords): AsyncGenerator<Entry> {
    const { trust = false, onlyNewValueDates = false } = this.#options;
    const { context } = this.#judges;
    let part: Given[] = [];
    let line = 0;
    for await (const record of records) {
      line += 1;
      if (record === undefined) continue;
      const isRefused = record instanceof Refused;
      const candidate = isRefused ? record : orRefusal(() => toCandidate(record, context));
      part.push({ line, candidate });
      // The rows of an archive are judged beside each other.
      if (onlyNewValueDates || part.length < RECORDS_READ_TOGETHER) continue;
      yield* this.#judged(part);
      part = [];
    }
    yield* this.#judged(part);
    if (this.refused === 0 && !trust) yield* this.#judgedQuotes({ isLast: true });
  }

  /** After a refusal, the rest is read only to report others. */
  async *#judged(part: readonly Given[]): AsyncGenerator<Entry> {
    const official = part.flatMap(({ candidate }) =>
      candidate instanceof Refused || isQuote(candidate) ? [] : [candidate],
    );
    const dates =
      official.length > 0 && this.refused === 0
        ? await this.#judges.publications.load(official)
        : undefined;
    for (const { line, candidate } of part) {
      if (candidate instanceof Refused) this.#refuse(line, candidate);
      else if (this.refused > 0) continue;
      else if (isQuote(candidate)) yield* this.#quote({ line, candidate });
      else if (dates !== undefined) yield* this.#official({ line, candidate }, dates);
    }
  }

  /** Quotes are judged in the order of their times, those of an operator not at all. */
  async *#quote(checked: Checked): AsyncGenerator<Entry> {
    if (this.#options.trust === true) {
      const trusted = because('operator', checked.candidate);
      const stored = await this.#judges.quotes.trust(trusted);
      // What it repeats of the held ones is closed.
      this.#repeated?.add(stored);
      yield stored.entry;
      return;
    }
    if (this.#quotes.length === MAX_JUDGED_QUOTES) {
      yield* this.#judgedQuotes({ isLast: false });
      this.#quotes = [];
    }
    this.#quotes.push(checked);
  }

  /** The entries to store of a publication or table: none when it is held, skipped or refused. */
  *#official({ line, candidate: given }: Checked, dates: ValueDates): Generator<Entry> {
    const { trust = false, onlyNewValueDates = false, ...options } = this.#options;
    const { publications, held, context } = this.#judges;
    const archive = { ...options, dates, held, now: context.now, corrections: this.corrections };
    const all = { candidate: given, isCorrection: false };
    const wanted = onlyNewValueDates ? wantedOf(given, archive) : all;
    if (wanted === undefined) {
      this.skipped += 1;
      return;
    }
    const { candidate, isCorrection } = wanted;
    const why = trust ? 'operator' : isCorrection ? 'archive' : undefined;
    const changes = orRefusal(() =>
      publications.judge(because(why, candidate), trust || isCorrection),
    );
    if (changes instanceof Refused) return this.#refuse(line, changes);
    for (const change of changes) {
      if (change.status === 'duplicate') this.skipped += 1;
      else if (change.status === 'held' && candidate.entry.bankTable === undefined) {
        options.onHeld?.(change.reading.doubts);
      } else if (change.status === 'published') {
        this.#repeated?.add(change.candidate);
        yield change.candidate.entry;
      }
    }
  }

  async *#judgedQuotes(part: { readonly isLast: boolean }): AsyncGenerator<Entry> {
    const { quotes } = this.#judges;
    const candidates = this.#quotes.map(({ candidate }) => candidate);
    for (const { candidate, line } of this.#quotes) this.#lines.set(candidate, line);
    const judged = await quotes.judge(candidates, part).catch(asRefusal);
    if (judged instanceof Refused) return this.#refuse(this.#quotes[0]?.line ?? 0, judged);
    // The others are stored already, or an operator has rejected them.
    this.skipped += candidates.filter((candidate) => !judged.has(candidate)).length;
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

  #refuse(line: number, { message: reason }: Refused): void {
    this.refused += 1;
    this.#options.onBadLine?.({ line, reason });
  }
}

function isQuote({ observation }: Candidate): boolean {
  return observation.kind === 'quote';
}

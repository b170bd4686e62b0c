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

/** One thing that an import tells about a record, besides its count. */
export interface ToldOfRecord {
  /** It is refused. Told in order. */
  readonly bad?: BadLine;
  /**
   * A quote that is older than the current one and outside the band of its own time: it is neither
   * stored nor held, and counts as duplicate.
   */
  readonly passedOver?: BadLine;
  /** The doubts about a record that is held as a whole. */
  readonly held?: readonly HeldDoubt[];
  /** A rate that `onlyNewValueDates` skips although the stored one differs. */
  readonly contradiction?: Contradiction;
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
  /** Store the differing rates instead of skipping them. */
  readonly acceptCorrections?: boolean;
  readonly tell?: (told: ToldOfRecord) => void;
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

/** What judges the records of one source. */
export interface Judges {
  readonly publications: JudgedPublications;
  /** Of quotes of markets without value dates. */
  readonly quotes: JudgedQuotes;
}

/** The records of one batch on their way to the store: checked, judged and counted. */
export class Batch {
  readonly #options: IngestOptions;
  readonly #context: BatchContext;
  readonly #judges: Judges;
  readonly #compared: readonly HeldRecord[];
  readonly #repeated: RepeatedHeld | undefined;
  /** Ids of held publications that an archive confirmed. */
  readonly corrections = new Set<string>();
  /** How many records were refused. A batch with one stores nothing. */
  refused = 0;
  /** How many records are neither stored nor held. */
  skipped = 0;
  /** What is judged, and not handed to the store yet. */
  readonly #ready: Entry[] = [];
  /** What is judged with the quotes after it. */
  #quotes: Candidate[] = [];
  readonly #heldQuotes = new Set<Candidate>();

  /** @param compared The held records that it may close by repeating them, or an archive releases. */
  constructor(
    options: IngestOptions,
    context: BatchContext,
    judges: Judges,
    compared: readonly HeldRecord[],
  ) {
    this.#options = options;
    this.#context = context;
    this.#judges = judges;
    this.#compared = compared;
    this.#repeated = options.trust === true ? new RepeatedHeld(compared, context) : undefined;
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
    let part: (Candidate | BadLine)[] = [];
    let line = 0;
    for await (const record of records) {
      line += 1;
      if (record === undefined) continue;
      const made = orRefusal(() => toCandidate(record, this.#context, line));
      part.push(made instanceof Refused ? { line, reason: made.message } : made);
      // The rows of an archive are judged beside each other.
      if (this.#options.onlyNewValueDates === true || part.length < RECORDS_READ_TOGETHER) continue;
      yield* await this.#judged(part);
      part = [];
    }
    yield* await this.#judged(part);
    if (this.refused > 0 || this.#options.trust === true) return;
    await this.#judgeQuotes({ isLast: true });
    yield* this.#ready;
  }

  /**
   * What of a part can be stored already. After a refusal, the rest is read only to report others.
   */
  async #judged(part: readonly (Candidate | BadLine)[]): Promise<readonly Entry[]> {
    const official = part.flatMap((one) => (isBad(one) || isQuote(one) ? [] : [one]));
    const dates =
      official.length > 0 && this.refused === 0
        ? await this.#judges.publications.load(official)
        : undefined;
    for (const one of part) {
      if (isBad(one)) this.#refuse(one.line, one.reason);
      else if (this.refused > 0) continue;
      else if (isQuote(one)) await this.#quote(one);
      else if (dates !== undefined) this.#official(one, dates);
    }
    return this.#ready.splice(0);
  }

  /** Quotes are judged in the order of their times, those of an operator not at all. */
  async #quote(candidate: Candidate): Promise<void> {
    if (this.#options.trust === true) {
      const stored = await this.#judges.quotes.trust(because('operator', candidate));
      // What it repeats of the held ones is closed.
      this.#repeated?.add(stored);
      this.#ready.push(stored.entry);
      return;
    }
    if (this.#quotes.length === MAX_JUDGED_QUOTES) {
      await this.#judgeQuotes({ isLast: false });
      this.#quotes = [];
    }
    this.#quotes.push(candidate);
  }

  #official(given: Candidate, dates: ValueDates): void {
    const { trust = false, onlyNewValueDates = false, acceptCorrections, tell } = this.#options;
    const wanted = onlyNewValueDates
      ? wantedOf(given, {
          ...{ acceptCorrections, dates, held: this.#compared, now: this.#context.now },
          onContradiction: (contradiction) => tell?.({ contradiction }),
          corrections: this.corrections,
        })
      : { candidate: given, isCorrection: false };
    if (wanted === undefined) {
      this.skipped += 1;
      return;
    }
    const { candidate, isCorrection } = wanted;
    const why = trust ? 'operator' : isCorrection ? 'archive' : undefined;
    const { publications } = this.#judges;
    const changes = orRefusal(() =>
      publications.judge(because(why, candidate), trust || isCorrection),
    );
    if (changes instanceof Refused) {
      this.#refuse(candidate.line, changes.message);
      return;
    }
    for (const change of changes) {
      const isRepeated = change.status === 'repeated' && change.reading.held === undefined;
      if (isRepeated || change.status === 'duplicate') this.skipped += 1;
      else if (change.status === 'held' && candidate.entry.bankTable === undefined) {
        tell?.({ held: change.reading.doubts });
      } else if (change.status === 'published') {
        this.#repeated?.add(change.candidate);
        this.#ready.push(change.candidate.entry);
      }
    }
  }

  async #judgeQuotes(part: { readonly isLast: boolean }): Promise<void> {
    const { quotes } = this.#judges;
    const judged = await quotes.judge(this.#quotes, part).catch(asRefusal);
    if (judged instanceof Refused) {
      this.#refuse(this.#quotes[0]?.line ?? 0, judged.message);
      return;
    }
    // The others are stored already, or an operator has rejected them.
    this.skipped += this.#quotes.filter((candidate) => !judged.has(candidate)).length;
    for (const [candidate, change] of judged) {
      const { line } = candidate;
      const { doubts = [], status } = change;
      const [{ message = '' } = {}] = doubts;
      if (status !== 'held') this.#heldQuotes.delete(candidate);
      if (status === 'published') this.#ready.push(quotes.published(candidate, change).entry);
      else if (status === 'passed_over') {
        this.skipped += 1;
        const reason = `older than the current quote, and ${message}`;
        this.#options.tell?.({ passedOver: { line, reason } });
      } else if (!this.#heldQuotes.has(candidate)) {
        if (this.held === MAX_HELD_PER_BATCH) {
          this.#refuse(line, `${message}; ${TOO_MANY_HELD}`);
          continue;
        }
        this.#heldQuotes.add(candidate);
        this.#options.tell?.({ held: doubts });
      }
    }
  }

  #refuse(line: number, reason: string): void {
    this.refused += 1;
    this.#options.tell?.({ bad: { line, reason } });
  }
}

function isBad(one: Candidate | BadLine): one is BadLine {
  return 'reason' in one;
}

function isQuote({ observation }: Candidate): boolean {
  return observation.kind === 'quote';
}

import type { Doubt } from '../../domain/judgement.ts';
import type { Instant } from '../../domain/time.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry } from '../ports/records.ts';
import { type Contradiction, wantedOf } from './archive-rates.ts';
import { bodiesOf, type Line } from './bodies.ts';
import { contentKeys, type HeldContents } from './content.ts';
import type { IngestStore } from './ingest-store.ts';
import type { Judge } from './judge.ts';
import type { Between } from './known-quotes.ts';
import type { NewestQuotes } from './newest-quotes.ts';
import { Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** A line that was refused or skipped: its number in the file, from 1, and the reason. */
export interface BadLine {
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

interface BatchParts {
  readonly options: IngestOptions;
  readonly store: IngestStore;
  readonly now: Instant;
  readonly around: Surroundings;
  readonly newest: NewestQuotes;
  readonly judge: Judge;
  /** The held records that a trusted batch closes by repeating them. */
  readonly closing: HeldContents | undefined;
}

/** The lines of one batch on their way to the store: checked, judged and counted, in order. */
export class Batch {
  readonly #parts: BatchParts;
  readonly #corrections: string[] = [];
  #refused = 0;
  #skipped = 0;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** How many lines were refused. A batch with one stores nothing. */
  get refused(): number {
    return this.#refused;
  }

  /** How many records are neither stored nor held. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Ids of held publications that an archive confirmed. */
  get corrections(): readonly string[] {
    return this.#corrections;
  }

  /** The entries to store. Their number is final only when no line was refused. */
  async *entries(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Entry> {
    const { judge, around, options } = this.#parts;
    const bodies = bodiesOf(lines, around);
    // The rows of an archive are judged beside each other.
    const read =
      options.onlyNewValueDates === true ? [(await Array.fromAsync(bodies)).flat()] : bodies;
    for await (const body of read) {
      const checked = body.map((line) => ({ line, candidate: this.#check(line) }));
      // After a bad line, the rest is read only to report other bad lines.
      if (this.#refused > 0) continue;
      const candidates = checked.flatMap(({ candidate }) => candidate ?? []);
      await judge.lookAhead(candidates, options.trust === true);
      for (const { line, candidate } of checked) {
        if (candidate === undefined || this.#refused > 0) continue;
        for (const passed of await this.#judgeOrRefuse(candidate, line)) yield this.#accept(passed);
      }
    }
    if (this.#refused > 0) return;
    for (const passed of await judge.reconsider()) yield this.#accept(passed);
  }

  #check({ number, record }: Line): Candidate | undefined {
    try {
      if (record instanceof Refused) throw record;
      return toCandidate(record, this.#parts.around);
    } catch (error) {
      this.#refuse(number, error);
      return undefined;
    }
  }

  async #judgeOrRefuse(candidate: Candidate, line: Line): Promise<readonly Candidate[]> {
    try {
      return await this.#judge(candidate, line);
    } catch (error) {
      this.#refuse(line.number, error);
      return [];
    }
  }

  /** @returns the candidates to store. */
  async #judge(checked: Candidate, { number, text }: Line): Promise<readonly Candidate[]> {
    const { options, store, now, judge, newest, closing } = this.#parts;
    const archive = { ...options, store, now, corrections: this.#corrections };
    const wanted = await wantedOf(checked, archive);
    if (wanted === undefined) {
      this.#skipped += 1;
      return [];
    }
    const { candidate, isCorrection } = wanted;
    const trust = options.trust === true || isCorrection;
    const { passed, isDuplicate, passedOver, held } = await judge.judge(candidate, text, trust);
    if (held !== undefined) options.onHeld?.(held);
    if (isDuplicate || passedOver !== undefined) this.#skipped += 1;
    else if (passed.length === 0) newest.hold(checked);
    if (passedOver !== undefined) {
      const reason = `older than the current quote, and ${passedOver.message}`;
      options.onPassedOver?.({ line: number, reason });
    }
    for (const key of passed.flatMap(contentKeys)) closing?.meet(key);
    return passed;
  }

  #accept(candidate: Candidate): Entry {
    this.#parts.newest.accept(candidate);
    return candidate.entry;
  }

  #refuse(line: number, error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.#refused += 1;
    this.#parts.options.onBadLine?.({ line, reason: error.message });
  }
}

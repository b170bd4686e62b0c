import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import { caracasDayOf, type Instant, instantAfter } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { CurrentRecords, Entry, StoredQuote } from '../ports/records.ts';
import { type Contradiction, wantedOf } from './archive-rates.ts';
import { bodiesOf, type Line } from './bodies.ts';
import { contentKeys, HeldContents } from './content.ts';
import { withEffectiveTimes } from './effective-times.ts';
import { candidateOf, HeldCandidates, withRestOfTable } from './held-records.ts';
import type { IngestStore } from './ingest-store.ts';
import { Judge } from './judge.ts';
import { KnownBankTables } from './known-bank-tables.ts';
import { KnownPublications } from './known-publications.ts';
import { type Between, KnownQuotes } from './known-quotes.ts';
import type { Followed } from './pending.ts';
import { parseRecord, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch. */
export const MAX_CLOSED_HELD = 10_000;

/** A line that was refused or skipped: its number in the file, from 1, and the reason. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface IngestCounts {
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  readonly duplicate: number;
}

/** Returns the origin of a source's figures of a subject. */
export type Origins = (source: string, subject: string) => string;

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
   * Called for each quote that is older than the current one and outside of the band of its own time.
   * It is neither stored nor held, and counts as duplicate.
   */
  readonly onPassedOver?: (line: BadLine) => void;
}

/** What is stored when a batch begins. */
interface Begun {
  readonly now: Instant;
  readonly current: CurrentRecords;
  readonly receivedAt: Instant;
  /** The newest quote of each market. */
  readonly last: Map<string, StoredQuote>;
}

/** The judge of a batch and the records that it knows. */
interface Desk {
  readonly judge: Judge;
  readonly publications: KnownPublications;
  readonly quotes: KnownQuotes;
}

interface IngestParts {
  readonly store: IngestStore;
  readonly markets: Markets;
  readonly thresholds: Thresholds;
  readonly calendar: BankCalendar;
  readonly originOf: Origins;
  readonly clock: Clock;
}

/** The only entry for records: parses, checks, judges and stores them, for every source. */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #candidates = new HeldCandidates();

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /**
   * Stores NDJSON records as one batch: all of them, or none when a line is bad. Returns once they
   * are durable. Empty lines are skipped. Doubtful records are held (decisions §8). Earlier held
   * records that the batch confirms are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(
    lines: AsyncIterable<string> | Iterable<string>,
    options: IngestOptions,
  ): Promise<IngestCounts> {
    const { lease, dryRun = false, trust = false } = options;
    const begun = await this.#begin();
    const { now, receivedAt, last } = begun;
    const lastHeld = new Map<string, StoredQuote>();
    const around = {
      markets: this.#parts.markets,
      receivedAt,
      lastQuotes: (market: string) => newestOf(last.get(market), lastHeld.get(market)),
    };
    const followed = await this.#followed(around, lastHeld);
    const { judge } = this.#desk(options, begun, followed);
    const closing = trust ? await this.#heldByContent(around) : undefined;
    const corrections: string[] = [];
    let refused = 0;
    let skipped = 0;

    /**
     * Judges a record.
     * @returns the candidates to store.
     */
    const verdictOn = async (
      checked: Candidate,
      { number, text }: Line,
    ): Promise<readonly Candidate[]> => {
      const wanted = await wantedOf(checked, {
        ...options,
        store: this.#parts.store,
        now,
        corrections,
      });
      if (wanted === undefined) {
        skipped += 1;
        return [];
      }
      const { candidate, isCorrection } = wanted;
      const verdict = await judge.judge(candidate, text, trust || isCorrection);
      const { passed, isDuplicate, passedOver } = verdict;
      if (isDuplicate || passedOver !== undefined) skipped += 1;
      else if (passed.length === 0) keepAllNewest(lastHeld, checked);
      if (passedOver !== undefined) {
        const reason = `older than the current quote, and ${passedOver.message}`;
        options.onPassedOver?.({ line: number, reason });
      }
      for (const one of passed) {
        for (const key of contentKeys(one)) closing?.meet(key);
      }
      return passed;
    };

    const settled = (candidate: Candidate): Entry => {
      keepAllNewest(last, candidate);
      return candidate.entry;
    };

    const checkedOf = ({ number, record }: Line): Candidate | undefined => {
      try {
        if (record instanceof Refused) throw record;
        return toCandidate(record, around);
      } catch (error) {
        refuse(number, error);
        return undefined;
      }
    };

    const refuse = (line: number, error: unknown): void => {
      if (!(error instanceof Refused)) throw error;
      refused += 1;
      options.onBadLine?.({ line, reason: error.message });
    };

    async function* entries(): AsyncGenerator<Entry> {
      for await (const body of bodiesOf(lines, around)) {
        const checked = body.map((line) => ({ line, candidate: checkedOf(line) }));
        // After a bad line, the rest is read only to report other bad lines.
        if (refused > 0) continue;
        const candidates = checked.flatMap(({ candidate }) => candidate ?? []);
        await judge.lookAhead(candidates, trust);
        for (const { line, candidate } of checked) {
          if (candidate === undefined || refused > 0) continue;
          let passed: readonly Candidate[] = [];
          try {
            passed = await verdictOn(candidate, line);
          } catch (error) {
            refuse(line.number, error);
          }
          for (const one of passed) yield settled(one);
        }
      }
      if (refused > 0) return;
      for (const one of await judge.reconsider()) yield settled(one);
    }

    const { source, provenance } = options;
    const origin = { source, receivedAt, provenance, lease };
    const counts = await this.#parts.store.appendBatch(origin, entries(), () =>
      refused > 0 || dryRun ? false : { ...judge.settlement, release: closing?.met ?? [] },
    );
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) {
      for (const { id } of judge.released) await this.release(id, lease);
      for (const id of corrections) await this.release(id, lease);
    }
    return {
      accepted: counts.stored,
      held: judge.held,
      refused: 0,
      duplicate: counts.duplicate + skipped,
    };
  }

  /**
   * Releases a held record, keeping its source and provenance.
   * @returns its status before: `held` when it is released now, undefined for an unknown id.
   * @throws Refused when the record is no longer valid because its market is gone.
   */
  async release(id: string, lease?: Lease): Promise<HeldRecord['status'] | undefined> {
    const held = await this.#parts.store.findHeld(id);
    if (held?.status !== 'held') return held?.status;
    const begun = await this.#begin();
    const { current, receivedAt, last } = begun;
    const candidate = toCandidate(parseRecord(JSON.stringify(held.record)), {
      markets: this.#parts.markets,
      receivedAt,
      lastQuotes: (market) => newestOf(last.get(market), undefined),
    });
    const { source, provenance } = held;
    const origin = { source, receivedAt, provenance, lease };
    const desk = this.#desk({ source }, begun, []);
    const { entry } = withRestOfTable(await withEffectiveTimes(candidate, desk), current);
    const { publication } = entry;
    const supersede =
      publication === undefined ? [] : await desk.publications.supersededBy(publication);
    const settlement = { hold: [], release: [id], discount: [], supersede };
    await this.#parts.store.appendBatch(origin, [entry], () => settlement);
    return 'held';
  }

  async #begin(): Promise<Begun> {
    const now = this.#parts.clock.now();
    const current = await this.#parts.store.currentRecords(caracasDayOf(now));
    const last = new Map(current.quotes.map((quote) => [quote.market, quote]));
    return { now, current, receivedAt: instantAfter(current.fetchedAt, now), last };
  }

  #desk(
    options: IngestOptions,
    { current, receivedAt }: Begun,
    followed: readonly Followed[],
  ): Desk {
    const parts = {
      ...this.#parts,
      current,
      receivedAt,
      isPage: options.isPage === true,
      between: options.between,
    };
    const publications = new KnownPublications(parts);
    const quotes = new KnownQuotes({ ...parts, publications });
    const bankTables = new KnownBankTables(parts);
    const originOf = (subject: string) => this.#parts.originOf(options.source, subject);
    const known = { publications, quotes, bankTables };
    return { judge: new Judge({ ...parts, ...known, originOf, followed }), publications, quotes };
  }

  /** The parsed held records that still count. Adds their quotes to `lastHeld`. */
  async #followed(
    around: Surroundings,
    lastHeld: Map<string, StoredQuote>,
  ): Promise<readonly Followed[]> {
    const followed: Followed[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      const candidate = this.#candidates.of(held, around);
      if (candidate === undefined) continue;
      keepAllNewest(lastHeld, candidate);
      followed.push({ held, origin: this.#parts.originOf(held.source, held.subject), candidate });
    }
    return followed;
  }

  async #heldByContent(around: Surroundings): Promise<HeldContents> {
    const contents = new HeldContents();
    for (const held of await this.#parts.store.listHeld('held', MAX_CLOSED_HELD)) {
      const candidate = candidateOf(held, around);
      if (candidate !== undefined) contents.add(held.id, contentKeys(candidate));
    }
    return contents;
  }
}

/** The accepted quote, and the held one if it is newer. */
function newestOf(
  accepted: StoredQuote | undefined,
  held: StoredQuote | undefined,
): readonly StoredQuote[] {
  const isSince = held !== undefined && held.capturedAt > (accepted?.capturedAt ?? 0);
  return [accepted, isSince ? held : undefined].filter((one) => one !== undefined);
}

function keepAllNewest(last: Map<string, StoredQuote>, { entry }: Candidate): void {
  for (const capture of entry.captures) keepNewest(last, capture);
}

function keepNewest(last: Map<string, StoredQuote>, capture: StoredQuote): void {
  if (capture.capturedAt >= (last.get(capture.market)?.capturedAt ?? 0)) {
    last.set(capture.market, capture);
  }
}

import type { Thresholds } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import { caracasDayOf, instantAfter, isoInstant } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord, Suspect } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Entry, StoredQuote } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { type Followed, type InDoubt, Judge } from './judge.ts';
import { parseRecord, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Most bad lines that an answer lists; its `refused` counts all of them. */
export const MAX_LISTED_ERRORS = 1_000;

/** A line that was refused: its number in the file, from 1, and why. */
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

export interface IngestOptions {
  /** Who brings the records: a source's name, or `operator`. */
  readonly source: string;
  /**
   * The first of the sources that stand in for each other, of which a given one is part: they say
   * the same, so they do not confirm each other as two would.
   */
  readonly firstOf?: (source: string) => string;
  readonly provenance?: Provenance;
  readonly lease?: Lease;
  /** Check and count, store nothing. */
  readonly dryRun?: boolean;
  /** Accept what judgement would hold: the operator has looked. */
  readonly trust?: boolean;
  /** Pass over official rates of value dates that have one already, and count them as duplicate. */
  readonly onlyNewValueDates?: boolean;
  /** Told of each refused line, in order. */
  readonly onBadLine?: (bad: BadLine) => void;
}

/** The one way in: every record is read, checked, judged and stored here, whoever brings it. */
export class Ingest {
  readonly #store: Store;
  readonly #markets: Markets;
  readonly #thresholds: Thresholds;
  readonly #clock: Clock;

  constructor({
    store,
    markets,
    thresholds,
    clock,
  }: {
    readonly store: Store;
    readonly markets: Markets;
    readonly thresholds: Thresholds;
    readonly clock: Clock;
  }) {
    this.#store = store;
    this.#markets = markets;
    this.#thresholds = thresholds;
    this.#clock = clock;
  }

  /**
   * Stores NDJSON records as one batch: all of them, or none when a line is bad. Returns once they
   * are durable. Empty lines are passed over. Records in doubt are held (`domain/judgement.ts`),
   * and those held before that these confirm are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(
    lines: AsyncIterable<string> | Iterable<string>,
    options: IngestOptions,
  ): Promise<IngestCounts> {
    const { source, provenance, lease, dryRun = false, trust = false } = options;
    const now = this.#clock.now();
    const current = await this.#store.currentRecords(caracasDayOf(now));
    const origin = {
      source,
      receivedAt: instantAfter(current.fetchedAt, now),
      ...(provenance !== undefined && { provenance }),
      ...(lease !== undefined && { lease }),
    };
    const last = new Map(current.quotes.map((quote) => [quote.market, quote]));
    const lastHeld = new Map<string, StoredQuote>();
    const around = {
      markets: this.#markets,
      receivedAt: origin.receivedAt,
      lastQuotes: (market: string) => newestOf(last.get(market), lastHeld.get(market)),
    };
    const { firstOf = (name: string) => name } = options;
    const followed = await this.#followed(around, firstOf, lastHeld);
    const judge = new Judge({
      store: this.#store,
      source: firstOf(source),
      thresholds: this.#thresholds,
      current,
      followed,
    });
    const wanted = async (candidate: Candidate) =>
      options.onlyNewValueDates === true ? this.#withoutKnownDates(candidate) : candidate;
    let refused = 0;
    let skipped = 0;

    async function* entries(): AsyncGenerator<Entry> {
      let line = 0;
      for await (const text of lines) {
        line += 1;
        if (text.trim() === '') continue;
        let passed: readonly Candidate[];
        try {
          const checked = toCandidate(parseRecord(text), around);
          // After a bad line the rest is only read to name the others.
          if (refused > 0) continue;
          const candidate = await wanted(checked);
          if (candidate === undefined) skipped += 1;
          passed = candidate === undefined ? [] : await judge.judge(candidate, text, trust);
          if (passed.length === 0) keepAllNewest(lastHeld, checked);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          refused += 1;
          options.onBadLine?.({ line, reason: error.message });
          continue;
        }
        for (const one of passed) {
          keepAllNewest(last, one);
          yield one.entry;
        }
      }
    }

    const counts = await this.#store.appendBatch(origin, entries(), () => {
      if (refused > 0 || dryRun) return false;
      return {
        hold: judge.inDoubt.map((one) => suspectOf(one)),
        release: [],
        discount: judge.discounted,
      };
    });
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) await this.#releaseAll(judge.released, lease);
    return {
      accepted: counts.stored,
      held: judge.inDoubt.length,
      refused: 0,
      duplicate: counts.duplicate + skipped,
    };
  }

  /**
   * Publishes a held record after all, with where it came from.
   * @returns what it was: `held` when it is released now, undefined when there is none of that id.
   * @throws Refused when the record is no longer valid, for its market is gone.
   */
  async release(id: string, lease?: Lease): Promise<HeldRecord['status'] | undefined> {
    const held = await this.#store.findHeld(id);
    if (held?.status !== 'held') return held?.status;
    const now = this.#clock.now();
    const current = await this.#store.currentRecords(caracasDayOf(now));
    const receivedAt = instantAfter(current.fetchedAt, now);
    const last = new Map(current.quotes.map((quote) => [quote.market, quote]));
    const { entry } = toCandidate(parseRecord(JSON.stringify(held.record)), {
      markets: this.#markets,
      receivedAt,
      lastQuotes: (market) => newestOf(last.get(market), undefined),
    });
    const { source, provenance } = held;
    const origin = {
      source,
      receivedAt,
      ...(provenance !== undefined && { provenance }),
      ...(lease !== undefined && { lease }),
    };
    await this.#store.appendBatch(origin, [entry], () => ({
      hold: [],
      release: [id],
      discount: [],
    }));
    return 'held';
  }

  async #releaseAll(released: readonly HeldRecord[], lease: Lease | undefined): Promise<void> {
    for (const { id } of released) await this.release(id, lease);
  }

  /** The held records that still count, with what they say; `lastHeld` is told their quotes. */
  async #followed(
    around: Surroundings,
    firstOf: (source: string) => string,
    lastHeld: Map<string, StoredQuote>,
  ): Promise<readonly Followed[]> {
    const followed: Followed[] = [];
    for (const held of await this.#store.countingHeld()) {
      try {
        const candidate = toCandidate(parseRecord(JSON.stringify(held.record)), around);
        keepAllNewest(lastHeld, candidate);
        const { observation } = candidate;
        followed.push({ held, source: firstOf(held.source), observation });
      } catch (error) {
        // Its market has left the catalogue meanwhile: it waits for the operator.
        if (!(error instanceof Refused)) throw error;
      }
    }
    return followed;
  }

  /** The record without the rates of which the value date has one; undefined when that is all. */
  async #withoutKnownDates(candidate: Candidate): Promise<Candidate | undefined> {
    const captures: StoredQuote[] = [];
    for (const capture of candidate.entry.captures) {
      const { market, effectiveDate } = capture;
      const known = effectiveDate && (await this.#store.officialRateUpTo(market, effectiveDate));
      if (!known || known.effectiveDate !== effectiveDate) captures.push(capture);
    }
    if (captures.length === 0) return undefined;
    return { ...candidate, entry: { ...candidate.entry, captures } };
  }
}

/** The accepted quote, and the held one unless something was accepted after it. */
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

/** `parseRecord` has read the line before, so it is JSON of a record. */
function recordOf(text: string): SourceRecord {
  return JSON.parse(text) as SourceRecord;
}

function suspectOf({ candidate, text, doubt, counts }: InDoubt): Suspect {
  const { subject, capturedAt } = candidate;
  return {
    subject,
    record: { ...recordOf(text), captured_at: isoInstant(capturedAt) },
    capturedAt,
    reason: doubt.reason,
    message: doubt.message,
    counts,
  };
}

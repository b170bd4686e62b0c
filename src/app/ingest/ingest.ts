import type { Publication } from '../../domain/bcv.ts';
import type { CorrectionReason } from '../../domain/history/corrections.ts';
import type { CatalogueRules } from '../../domain/judgement.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord, Settlement } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { CurrentRecords, Entry } from '../ports/records.ts';
import { Batch, type IncomingRecords, type IngestOptions } from './batch.ts';
import type { IngestStore, Origins } from './batch-context.ts';
import { type HeldReading, RepeatedHeld } from './held-readings.ts';
import { Judge } from './judge.ts';
import { KnownRecords } from './known-records.ts';
import { BatchTurns } from './quotes/batch-turns.ts';
import { JudgedQuotes } from './quotes/judged-quotes.ts';
import { ReadingOrder } from './quotes/reading-order.ts';
import { RecentQuotes } from './quotes/recent-quotes.ts';
import type { HeldCandidate } from './quotes/stored-quotes.ts';
import { type IncomingRecord, orRefusal, Refused } from './record.ts';
import { because, type Candidate, type Surroundings, toCandidate } from './record-entry.ts';
import { refutationAt } from './refuted-publication.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
// limit: Bad lines, and skipped lines, that `vesfx import --json` and `/v1/admin/records` list | 1,000 | counted in `refused`; `vesfx import` writes all of them to stderr
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch. */
// limit: Held records that a trusted batch is compared with | 10,000 | older ones stay held
const MAX_CLOSED_HELD = 10_000;

/** Most parsed held records kept in memory. More come from a feed that is entirely wrong. */
// limit: Parsed held records kept | 5,000 | parsed again
const MAX_KEPT_CANDIDATES = 5_000;

export interface IngestCounts {
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  readonly duplicate: number;
}

interface ReleaseOptions {
  readonly lease?: Lease | undefined;
  /** Whether an operator has checked it; false when other records released it. */
  readonly isChecked?: boolean;
  readonly why?: CorrectionReason;
}

interface IngestParts extends CatalogueRules {
  readonly redenominations: Redenominations;
  readonly store: IngestStore;
  readonly originOf: Origins;
  readonly clock: Clock;
}

/** The only entry for records: parses, checks, judges and stores them, for every source. */
export class Ingest {
  readonly #parts: IngestParts;
  /** Parsed held records by id, because every reading needs all of them. */
  readonly #candidates = boundedCache<Candidate>(MAX_KEPT_CANDIDATES);
  readonly #recent = new RecentQuotes();
  readonly #turns = new BatchTurns();

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /**
   * Stores records as one batch: all of them, or none when one is refused. Returns once they are
   * durable. Doubtful records are held (decisions §8). Earlier held records that the batch confirms
   * are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    return this.#turns.take(() => this.#ingest(records, options));
  }

  async #ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const { source, provenance, lease, dryRun = false, trust: trusted = false } = options;
    if (options.isWitness === true) return this.#hear(records, options);
    const { store, originOf } = this.#parts;
    const known = await this.#begin(options);
    const { quotes: heldQuotes, others } = await this.#held(known);
    const judge = new Judge(known, others, (subject) => originOf(source, subject));
    const quotes = this.#quotesOf(known, source, heldQuotes);
    const repeated = trusted
      ? new RepeatedHeld(await store.listHeld('held', MAX_CLOSED_HELD), known.around)
      : undefined;
    const batch = new Batch(options, { judge, quotes, repeated });
    const origin = { source, receivedAt: known.context.receivedAt, provenance, lease, trusted };
    const counts = await store.appendBatch(origin, batch.entries(records), () => {
      if (batch.refused > 0 || dryRun) return false;
      const [one, two] = [judge.settlement, quotes.settlement];
      return {
        ...one,
        ...two,
        hold: [...one.hold, ...two.hold],
        withdraw: [...(one.withdraw ?? []), ...(two.withdraw ?? [])],
        release: repeated?.ids ?? [],
      };
    });
    const { refused, skipped, corrections } = batch;
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) {
      quotes.stored();
      for (const { id } of judge.readings.released) {
        await this.release(id, { lease, isChecked: false });
      }
      for (const { held, candidate } of quotes.released) {
        await this.#storeReleased(
          held,
          candidate.entry,
          { hold: [], release: [held.id], discount: [] },
          lease,
        );
      }
      for (const id of corrections) await this.release(id, { lease, why: 'archive' });
    }
    return {
      accepted: counts.stored,
      held: batch.held,
      refused,
      duplicate: counts.duplicate + skipped,
    };
  }

  /** Keeps what a witness shows, and publishes the held publications with which it agrees. */
  async #hear(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const { source, lease, onBadLine, dryRun = false } = options;
    const known = await this.#begin({ ...options, isPage: true });
    const judge = new Judge(known, (await this.#held(known)).others, () => source);
    const counts = { accepted: 0, held: 0, refused: 0, duplicate: 0 };
    const heard: Publication[] = [];
    let line = 0;
    for await (const record of records) {
      line += 1;
      const shown = orRefusal(() => publicationOf(record, known.around));
      if (shown instanceof Refused) {
        counts.refused += 1;
        onBadLine?.({ line, reason: shown.message });
      } else if (!dryRun) {
        await this.#parts.store.keepWitnessReading({ source, ...shown }, lease);
        await judge.hear(shown.capturedAt);
        heard.push(shown);
        counts.duplicate += 1;
      }
    }
    for (const { id } of judge.readings.released) {
      await this.release(id, { lease, isChecked: false });
    }
    // What it released has replaced an earlier publication, which then needs no withdrawal.
    for (const shown of heard) await this.#withdrawRefuted(shown, known, lease);
    return counts;
  }

  /** Withdraws the publication to come that a witness refutes, and holds it. */
  async #withdrawRefuted(
    { valueDate, capturedAt }: Publication,
    { context, publications }: KnownRecords,
    lease: Lease | undefined,
  ): Promise<void> {
    const refuted = await refutationAt(capturedAt, valueDate, context, publications.stored);
    if (refuted === undefined) return;
    const { source, suspect, withdrawn } = refuted;
    const settlement = { hold: [suspect], release: [], discount: [], supersede: [withdrawn] };
    const origin = { source, receivedAt: context.receivedAt, lease };
    await this.#parts.store.appendBatch(origin, [], () => settlement);
  }

  /**
   * Releases a held record, keeping its source and provenance.
   * @param options `why` it may correct what was published.
   * @returns its status before: `held` when it is released now, undefined for an unknown id.
   * @throws Refused when the record is no longer valid because its market is gone.
   */
  async release(
    id: string,
    { lease, isChecked = true, why }: ReleaseOptions = {},
  ): Promise<HeldRecord['status'] | undefined> {
    const { store } = this.#parts;
    const held = await store.findHeld(id);
    if (held?.status !== 'held') return held?.status;
    const known = await this.#begin({ source: held.source });
    const { current } = known.context;
    const parsed = because(why, toCandidate(held.record, known.around));
    if (parsed.observation.kind === 'quote') {
      const quotes = this.#quotesOf(known, held.source, (await this.#held(known)).quotes);
      const { entry } = await quotes.trust(parsed);
      await this.#storeReleased(
        held,
        entry,
        { ...quotes.settlement, release: [id], discount: [] },
        lease,
        isChecked,
      );
      return 'held';
    }
    const candidate = await known.withEffectiveTimes(parsed);
    const { publication } = candidate.entry;
    const supersede = publication && (await known.publications.supersededBy(publication));
    const settlement = { hold: [], release: [id], discount: [], supersede };
    await this.#storeReleased(
      held,
      withRestOfTable(candidate.entry, current),
      settlement,
      lease,
      isChecked,
    );
    return 'held';
  }

  /** Stores what a held record says, from its own source. */
  async #storeReleased(
    { source, provenance }: HeldRecord,
    entry: Entry,
    settlement: Settlement,
    lease: Lease | undefined,
    trusted = false,
  ): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const { fetchedAt } = await store.currentRecords(caracasDayOf(now));
    const origin = { source, receivedAt: instantAfter(fetchedAt, now), provenance, lease, trusted };
    await store.appendBatch(origin, [entry], () => settlement);
  }

  #quotesOf(
    { context, around, publications }: KnownRecords,
    source: string,
    held: readonly HeldCandidate[],
  ) {
    const candidateOf = (one: HeldRecord) => this.#candidateOf(one, around);
    const recent = this.#recent;
    return new JudgedQuotes({ context, publications, source, held, candidateOf, recent });
  }

  async #begin(options: IngestOptions): Promise<KnownRecords> {
    const { store, originOf, markets, thresholds, calendar, clock } = this.#parts;
    const { redenominations: reforms } = this.#parts;
    const redenominations = reforms.stored;
    const now = clock.now();
    const current = await store.currentRecords(caracasDayOf(now));
    const receivedAt = instantAfter(current.fetchedAt, now);
    const order = new ReadingOrder(now, current.quotes);
    return new KnownRecords({
      ...{ store, originOf, markets, thresholds, calendar, redenominations, reforms },
      ...{ now, current, receivedAt, order },
      isPage: options.isPage === true,
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
    });
  }

  /** The held records that still count. */
  async #held({ around, context }: KnownRecords) {
    const quotes: HeldCandidate[] = [];
    const others: HeldReading[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      // One that was read before the clock was set back is no measure of time.
      const candidate = held.capturedAt > context.now ? undefined : this.#candidateOf(held, around);
      if (candidate === undefined) continue;
      const { capturedAt, observation } = candidate;
      if (observation.kind === 'quote') {
        quotes.push({ held, candidate });
        continue;
      }
      const origin = this.#parts.originOf(held.source, held.subject);
      const { reason, reasons = [reason] } = held;
      others.push({ origin, capturedAt, observation, reason, reasons, candidate, held });
    }
    return { quotes, others };
  }

  /** A record whose market has left the catalogue is none: it waits for the operator. */
  #candidateOf(held: HeldRecord, around: Surroundings): Candidate | undefined {
    const known = this.#candidates.get(held.id);
    if (known !== undefined) return known;
    const candidate = orRefusal(() => toCandidate(held.record, around));
    if (candidate instanceof Refused) return undefined;
    this.#candidates.set(held.id, candidate);
    return candidate;
  }
}

/** @throws Refused when it is not a publication. */
function publicationOf(record: IncomingRecord, around: Surroundings): Publication {
  if (record instanceof Refused) throw record;
  const { publication } = record === undefined ? {} : toCandidate(record, around).entry;
  if (publication !== undefined) return publication;
  throw new Refused('kind must be official: a witness gives publications of the central bank');
}

/** Adds the rows of other banks to released ones, from the current table of the same date. */
function withRestOfTable(entry: Entry, { bankTable: current }: CurrentRecords): Entry {
  const { bankTable } = entry;
  if (bankTable === undefined || current?.indicatorDate !== bankTable.indicatorDate) return entry;
  const banks = new Set(bankTable.rows.map(({ bank }) => bank));
  const rows = [...current.rows.filter(({ bank }) => !banks.has(bank)), ...bankTable.rows];
  const capturedAt = Math.max(current.capturedAt, bankTable.capturedAt);
  return { ...entry, bankTable: { ...bankTable, rows, capturedAt } };
}

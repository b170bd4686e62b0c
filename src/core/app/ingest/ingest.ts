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
import type { BatchContext, IngestStore, Origins } from './batch-context.ts';
import { asStored, type HeldReading } from './publications/changes.ts';
import { JudgedPublications } from './publications/judged-publications.ts';
import { valueDatesOf } from './publications/load.ts';
import { refutedAt } from './publications/step.ts';
import { BatchTurns } from './quotes/batch-turns.ts';
import { JudgedQuotes } from './quotes/judged-quotes.ts';
import { ReadingOrder } from './quotes/reading-order.ts';
import { RecentQuotes } from './quotes/recent-quotes.ts';
import type { HeldCandidate } from './quotes/stored-quotes.ts';
import { type IncomingRecord, orRefusal, Refused } from './record.ts';
import { because, type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
// limit: Bad or skipped lines that an import lists | 1,000 | counted; `vesfx import` writes all to stderr
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch or an archive. */
// limit: Held records compared with a trusted batch or an archive | 10,000 | older ones stay held
const MAX_HELD_COMPARED = 10_000;

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
   * durable. Doubtful records are held (contract §8). Earlier held records that the batch confirms
   * are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    return this.#turns.take(() => this.#ingest(records, options));
  }

  async #ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const { source, provenance, lease, dryRun = false, trust: trusted = false } = options;
    if (options.isWitness === true) return this.#hear(records, options);
    const { store } = this.#parts;
    const context = await this.#begin(options);
    const held = await this.#held(context);
    const publications = new JudgedPublications(context, source, held.publications);
    const quotes = this.#quotesOf(context, source, held.quotes, publications);
    const isCompared = trusted || options.onlyNewValueDates === true;
    const compared = isCompared ? await store.listHeld('held', MAX_HELD_COMPARED) : [];
    const batch = new Batch(options, { context, publications, quotes, held: compared });
    const origin = { source, receivedAt: context.receivedAt, provenance, lease, trusted };
    const counts = await store.appendBatch(origin, batch.entries(records), () => {
      if (batch.refused > 0 || dryRun) return false;
      const [one, two] = [publications.settlement, quotes.settlement];
      return {
        ...one,
        ...two,
        hold: [...one.hold, ...two.hold],
        withdraw: [...(one.withdraw ?? []), ...(two.withdraw ?? [])],
        release: batch.repeated,
      };
    });
    const { refused, skipped, corrections } = batch;
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) {
      quotes.stored();
      for (const id of publications.released) {
        await this.release(id, { lease, isChecked: false });
      }
      for (const { held, candidate } of quotes.released) {
        const settlement = { hold: [], release: [held.id], discount: [] };
        await this.#storeReleased(held, candidate.entry, settlement, lease);
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
    const { store } = this.#parts;
    const context = await this.#begin({ ...options, isPage: true });
    const counts = { accepted: 0, held: 0, refused: 0, duplicate: 0 };
    const shown: (Candidate & { readonly publication: Publication })[] = [];
    let line = 0;
    for await (const record of records) {
      line += 1;
      const candidate = orRefusal(() => publicationIn(record, context));
      if (candidate instanceof Refused) {
        counts.refused += 1;
        onBadLine?.({ line, reason: candidate.message });
      } else if (!dryRun) {
        await store.keepWitnessReading({ source, ...candidate.publication }, lease);
        shown.push(candidate);
        counts.duplicate += 1;
      }
    }
    const { publications: held } = await this.#held(context);
    const publications = new JudgedPublications(context, source, held);
    await publications.load(held.map(({ candidate }) => candidate));
    for (const { capturedAt } of shown) publications.hear(capturedAt);
    for (const id of publications.released) await this.release(id, { lease, isChecked: false });
    // What it released has replaced an earlier publication, which then needs no withdrawal.
    const dates = await valueDatesOf(shown, context);
    for (const { capturedAt, publication } of shown) {
      const refuted = refutedAt(capturedAt, publication.valueDate, dates, context);
      if (refuted === undefined) continue;
      const { suspect, withdrawn } = refuted;
      const settlement = { hold: [suspect], release: [], discount: [], supersede: [withdrawn] };
      const origin = { source: suspect.source, receivedAt: context.receivedAt, lease };
      await store.appendBatch(origin, [], () => settlement);
    }
    return counts;
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
    const context = await this.#begin({ source: held.source });
    const parsed = because(why, toCandidate(held.record, context));
    if (parsed.observation.kind === 'quote') {
      const { quotes: pending } = await this.#held(context);
      const publications = new JudgedPublications(context, held.source, []);
      const quotes = this.#quotesOf(context, held.source, pending, publications);
      const { entry } = await quotes.trust(parsed);
      const settlement = { ...quotes.settlement, release: [id], discount: [] };
      await this.#storeReleased(held, entry, settlement, lease, isChecked);
      return 'held';
    }
    const dates = await valueDatesOf([parsed], context);
    const { entry, superseded: supersede } = asStored(parsed.entry, dates, context);
    const settlement = { hold: [], release: [id], discount: [], supersede };
    const whole = withRestOfTable(entry, context.current);
    await this.#storeReleased(held, whole, settlement, lease, isChecked);
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
    context: BatchContext,
    source: string,
    held: readonly HeldCandidate[],
    publications: JudgedPublications,
  ) {
    const candidateOf = (one: HeldRecord) => this.#candidateOf(one, context);
    const recent = this.#recent;
    return new JudgedQuotes({ context, publications, source, held, candidateOf, recent });
  }

  async #begin(options: IngestOptions): Promise<BatchContext> {
    const { clock, redenominations: reforms, ...parts } = this.#parts;
    const now = clock.now();
    const current = await parts.store.currentRecords(caracasDayOf(now));
    const order = new ReadingOrder(now, current.quotes);
    return {
      ...parts,
      ...{ redenominations: reforms.stored, reforms, now, current, order },
      receivedAt: instantAfter(current.fetchedAt, now),
      isSetBack: order.isSetBack,
      isPage: options.isPage === true,
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
    };
  }

  /** The held records that still count. */
  async #held(context: BatchContext) {
    const quotes: HeldCandidate[] = [];
    const publications: HeldReading[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      // One that was read before the clock was set back is no measure of time.
      const candidate =
        held.capturedAt > context.now ? undefined : this.#candidateOf(held, context);
      if (candidate === undefined) continue;
      const { capturedAt, observation } = candidate;
      if (observation.kind === 'quote') {
        quotes.push({ held, candidate });
        continue;
      }
      const origin = this.#parts.originOf(held.source, held.subject);
      const { reason, message, reasons = [reason] } = held;
      const doubts = [{ reason, message }];
      publications.push({ origin, capturedAt, observation, doubts, reasons, candidate, held });
    }
    return { quotes, publications };
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
function publicationIn(record: IncomingRecord, around: Surroundings) {
  if (record instanceof Refused) throw record;
  const candidate = record === undefined ? undefined : toCandidate(record, around);
  const { publication } = candidate?.entry ?? {};
  if (candidate !== undefined && publication !== undefined) return { ...candidate, publication };
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

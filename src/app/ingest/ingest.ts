import type { Publication } from '../../domain/bcv.ts';
import type { CorrectionReason } from '../../domain/history/corrections.ts';
import type { QuoteState } from '../../domain/judgement/quote-state.ts';
import type { CatalogueRules } from '../../domain/judgement.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { CurrentRecords, Entry, StoredQuote } from '../ports/records.ts';
import { Batch, type IncomingRecords, type IngestOptions } from './batch.ts';
import type { IngestStore, Origins } from './batch-context.ts';
import { type HeldReading, RepeatedHeld } from './held-readings.ts';
import { Judge } from './judge.ts';
import { KnownRecords } from './known-records.ts';
import { quoteStatesAfter } from './quote-states.ts';
import { type IncomingRecord, orRefusal, Refused } from './record.ts';
import { because, type Candidate, type Surroundings, toCandidate } from './record-entry.ts';
import { refutationAt } from './refuted-publication.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch. */
const MAX_CLOSED_HELD = 10_000;

/** Most parsed held records kept in memory. More come from a feed that is entirely wrong. */
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
  readonly hasInsisted?: boolean;
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
    const { source, provenance, lease, dryRun = false, trust: trusted = false } = options;
    if (options.isWitness === true) return this.#hear(records, options);
    const { store, originOf } = this.#parts;
    const known = await this.#begin(options);
    const held = await this.#heldReadings(known);
    const judge = new Judge(known, held, (subject) => originOf(source, subject));
    const repeated =
      options.trust === true
        ? new RepeatedHeld(await store.listHeld('held', MAX_CLOSED_HELD), known.around)
        : undefined;
    const batch = new Batch(options, judge, repeated);
    let states: readonly QuoteState[] = [];
    const entries = async function* (published: () => Promise<readonly QuoteState[]>) {
      yield* batch.entries(records);
      if (batch.refused === 0) states = await published();
    };
    const origin = { source, receivedAt: known.context.receivedAt, provenance, lease, trusted };
    const published = () =>
      this.#statesAfter(
        known,
        { source, isTrusted: trusted },
        { released: judge.readings.released, confirmed: judge.confirmed },
      );
    const counts = await store.appendBatch(origin, entries(published), () =>
      batch.refused > 0 || dryRun
        ? false
        : { ...judge.settlement, release: repeated?.ids ?? [], states },
    );
    const { refused, skipped, corrections } = batch;
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) {
      for (const { id } of judge.readings.released) {
        await this.release(id, { lease, isChecked: false, hasInsisted: judge.insisted.has(id) });
      }
      for (const id of corrections) await this.release(id, { lease, why: 'archive' });
    }
    return {
      accepted: counts.stored,
      held: judge.readings.inDoubt,
      refused,
      duplicate: counts.duplicate + skipped,
    };
  }

  /** Keeps what a witness shows, and publishes the held publications with which it agrees. */
  async #hear(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const { source, lease, onBadLine, dryRun = false } = options;
    const known = await this.#begin({ ...options, isPage: true });
    const judge = new Judge(known, await this.#heldReadings(known), () => source);
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
   * @param options `hasInsisted`: nothing but repeated readings confirmed it. `why` it may correct
   *   what was published.
   * @returns its status before: `held` when it is released now, undefined for an unknown id.
   * @throws Refused when the record is no longer valid because its market is gone.
   */
  async release(
    id: string,
    { lease, isChecked = true, hasInsisted = false, why }: ReleaseOptions = {},
  ): Promise<HeldRecord['status'] | undefined> {
    const { store } = this.#parts;
    const held = await store.findHeld(id);
    if (held?.status !== 'held') return held?.status;
    const { source, provenance } = held;
    const known = await this.#begin({ source });
    const { current, receivedAt } = known.context;
    const parsed = toCandidate(held.record, known.around);
    const candidate = await known.withEffectiveTimes(because(why, parsed));
    const entry = withRestOfTable(known.placed(candidate.entry), current);
    const { publication } = entry;
    const supersede = publication && (await known.publications.supersededBy(publication));
    const insisted = hasInsisted ? [id] : [];
    known.accept(candidate);
    const alone = { released: [], confirmed: new Set<string>() };
    const states = await this.#statesAfter(known, { source, isTrusted: isChecked }, alone);
    const settlement = { hold: [], release: [id], insisted, discount: [], supersede, states };
    const origin = { source, receivedAt, provenance, lease };
    await store.appendBatch(origin, [entry], () => settlement);
    return 'held';
  }

  /** @param judged What the batch publishes of earlier ones, and the markets that another source confirms. */
  #statesAfter(
    { context, quotes }: KnownRecords,
    { source, isTrusted }: { readonly source: string; readonly isTrusted: boolean },
    {
      released,
      confirmed,
    }: Pick<Judge, 'confirmed'> & { readonly released: readonly HeldRecord[] },
  ): Promise<readonly QuoteState[]> {
    const newSourceOf = (quote: StoredQuote) => {
      if (!quotes.isOfBatch(quote)) return undefined;
      const held = released.find(
        ({ subject, capturedAt }) => subject === quote.market && capturedAt === quote.capturedAt,
      );
      return held?.source ?? source;
    };
    const shownBy = (market: string) => quotes.shownBy(market);
    const isConfirmed = (market: string) => confirmed.has(market);
    const published = { quotes: quotes.published, newSourceOf, shownBy, isTrusted, isConfirmed };
    return quoteStatesAfter(published, context, this.#parts.originOf);
  }

  async #begin(options: IngestOptions): Promise<KnownRecords> {
    const { store, originOf, markets, thresholds, calendar, clock } = this.#parts;
    const { redenominations: reforms } = this.#parts;
    const redenominations = reforms.stored;
    const now = clock.now();
    const current = await store.currentRecords(caracasDayOf(now));
    const receivedAt = instantAfter(current.fetchedAt, now);
    return new KnownRecords({
      ...{ store, originOf, markets, thresholds, calendar, redenominations, reforms },
      ...{ now, current, receivedAt },
      isPage: options.isPage === true,
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
    });
  }

  /** A record whose market has left the catalogue is none: it waits for the operator. */
  async #heldReadings(known: KnownRecords): Promise<readonly HeldReading[]> {
    const readings: HeldReading[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      // One that was read before the clock was set back is no measure of time.
      if (held.capturedAt > known.context.now) continue;
      const candidate =
        this.#candidates.get(held.id) ?? orRefusal(() => toCandidate(held.record, known.around));
      if (candidate instanceof Refused) continue;
      // A record without its own time depends on others, so it is parsed each time.
      if (candidate.isDated) this.#candidates.set(held.id, candidate);
      known.quotes.hold(candidate);
      const { capturedAt, observation } = candidate;
      const origin = this.#parts.originOf(held.source, held.subject);
      const { reason, reasons = [reason] } = held;
      readings.push({ origin, capturedAt, observation, reason, reasons, candidate, held });
    }
    return readings;
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

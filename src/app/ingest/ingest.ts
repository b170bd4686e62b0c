import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import { caracasDayOf, type Instant, instantAfter } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import type { CurrentRecords } from '../ports/records.ts';
import { Batch, type IngestOptions } from './batch.ts';
import { contentKeys, HeldContents } from './content.ts';
import { withEffectiveTimes } from './effective-times.ts';
import { candidateOf, HeldCandidates, withRestOfTable } from './held-records.ts';
import type { IngestStore } from './ingest-store.ts';
import { Judge } from './judge.ts';
import { KnownBankTables } from './known-bank-tables.ts';
import { KnownPublications } from './known-publications.ts';
import { KnownQuotes } from './known-quotes.ts';
import { NewestQuotes } from './newest-quotes.ts';
import type { Followed } from './pending.ts';
import { parseRecord } from './record.ts';
import { type Surroundings, toCandidate } from './record-entry.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch. */
const MAX_CLOSED_HELD = 10_000;

export interface IngestCounts {
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  readonly duplicate: number;
}

/** Returns the origin of a source's figures of a subject. */
export type Origins = (source: string, subject: string) => string;

/** What is stored when a batch begins. */
interface Begun {
  readonly now: Instant;
  readonly current: CurrentRecords;
  readonly receivedAt: Instant;
  readonly newest: NewestQuotes;
  readonly around: Surroundings;
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
    const { source, provenance, lease, dryRun = false } = options;
    const { store } = this.#parts;
    const begun = await this.#begin();
    const { now, receivedAt, around, newest } = begun;
    const { judge } = this.#desk(options, begun, await this.#followed(begun));
    const closing = options.trust === true ? await this.#heldByContent(around) : undefined;
    const batch = new Batch({ options, store, now, around, newest, judge, closing });
    const origin = { source, receivedAt, provenance, lease };
    const counts = await store.appendBatch(origin, batch.entries(lines), () =>
      batch.refused > 0 || dryRun ? false : { ...judge.settlement, release: closing?.met ?? [] },
    );
    const { refused, skipped, corrections } = batch;
    if (refused > 0) return { accepted: 0, held: 0, refused, duplicate: 0 };
    if (!dryRun) {
      for (const { id } of judge.readings.released) await this.release(id, lease);
      for (const id of corrections) await this.release(id, lease);
    }
    return {
      accepted: counts.stored,
      held: judge.readings.inDoubt,
      refused,
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
    const { current, receivedAt, around } = begun;
    const candidate = toCandidate(parseRecord(JSON.stringify(held.record)), around);
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
    const receivedAt = instantAfter(current.fetchedAt, now);
    const newest = new NewestQuotes(current.quotes);
    const lastQuotes = (market: string) => newest.of(market);
    const around = { markets: this.#parts.markets, now, receivedAt, lastQuotes };
    return { now, current, receivedAt, newest, around };
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
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
    };
    const publications = new KnownPublications(parts);
    const quotes = new KnownQuotes({ ...parts, publications });
    const bankTables = new KnownBankTables(parts);
    const originOf = (subject: string) => this.#parts.originOf(options.source, subject);
    const known = { publications, quotes, bankTables };
    return { judge: new Judge({ ...parts, ...known, originOf, followed }), publications, quotes };
  }

  /** The parsed held records that still count. Adds their quotes to `newest`. */
  async #followed({ around, newest }: Begun): Promise<readonly Followed[]> {
    const followed: Followed[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      const candidate = this.#candidates.of(held, around);
      if (candidate === undefined) continue;
      newest.hold(candidate);
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

import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Lease } from '../ports/lease.ts';
import { Batch, type IncomingRecords, type IngestOptions } from './batch.ts';
import type { BatchContext, IngestStore } from './batch-context.ts';
import { HeldCandidates, RepeatedHeld, withRestOfTable } from './held-records.ts';
import { type Followed, Judge } from './judge.ts';
import { KnownRecords } from './known-records.ts';
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

/** A batch that has begun: its rules, and what it is judged by. */
interface Begun {
  readonly context: BatchContext;
  readonly known: KnownRecords;
  readonly around: Surroundings;
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
   * Stores records as one batch: all of them, or none when one is refused. Returns once they are
   * durable. Doubtful records are held (decisions §8). Earlier held records that the batch confirms
   * are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const { source, provenance, lease, dryRun = false } = options;
    const { store, thresholds } = this.#parts;
    const begun = await this.#begin(options);
    const { context, known, around } = begun;
    const originOf = (subject: string) => this.#parts.originOf(source, subject);
    const followed = await this.#followed(begun);
    const judge = new Judge({ originOf, thresholds, known, followed });
    const repeated =
      options.trust === true
        ? new RepeatedHeld(await store.listHeld('held', MAX_CLOSED_HELD), around)
        : undefined;
    const batch = new Batch({ options, store, around, judge, repeated });
    const origin = { source, receivedAt: context.receivedAt, provenance, lease };
    const counts = await store.appendBatch(origin, batch.entries(records), () =>
      batch.refused > 0 || dryRun ? false : { ...judge.settlement, release: repeated?.ids ?? [] },
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
    const { store } = this.#parts;
    const held = await store.findHeld(id);
    if (held?.status !== 'held') return held?.status;
    const { source, provenance } = held;
    const { context, known, around } = await this.#begin({ source });
    const candidate = await known.withEffectiveTimes(toCandidate(held.record, around));
    const { entry } = withRestOfTable(candidate, context.current);
    const { publication } = entry;
    const supersede = publication && (await known.publications.supersededBy(publication));
    const settlement = { hold: [], release: [id], discount: [], supersede };
    const origin = { source, receivedAt: context.receivedAt, provenance, lease };
    await store.appendBatch(origin, [entry], () => settlement);
    return 'held';
  }

  async #begin(options: IngestOptions): Promise<Begun> {
    const { store, markets, thresholds, calendar, clock } = this.#parts;
    const now = clock.now();
    const current = await store.currentRecords(caracasDayOf(now));
    const receivedAt = instantAfter(current.fetchedAt, now);
    const context = {
      ...{ store, markets, thresholds, calendar, current, receivedAt },
      isPage: options.isPage === true,
      isArchive: options.onlyNewValueDates === true,
      between: options.between,
    };
    const known = new KnownRecords(context);
    const lastQuotes = (market: string) => known.quotes.lastOf(market);
    return { context, known, around: { markets, now, receivedAt, lastQuotes } };
  }

  async #followed({ known, around }: Begun): Promise<readonly Followed[]> {
    const followed: Followed[] = [];
    for (const held of await this.#parts.store.countingHeld()) {
      const candidate = this.#candidates.of(held, around);
      if (candidate === undefined) continue;
      known.quotes.hold(candidate);
      followed.push({ held, origin: this.#parts.originOf(held.source, held.subject), candidate });
    }
    return followed;
  }
}

import { StoreBusy } from '../failures.ts';
import type { IngestStore } from '../ports/ingest-store.ts';
import {
  Batch,
  type IncomingRecords,
  type IngestCounts,
  type IngestOptions,
  MAX_JUDGED_QUOTES,
  type ToldOfRecord,
} from './batch.ts';
import { Judging, type JudgingParts } from './judging.ts';
import { BatchTurns } from './quotes/batch-turns.ts';
import { readAhead } from './read-ahead.ts';
import type { IncomingRecord } from './record.ts';
import { asReleased, type ReleaseOptions, releaseHeld, storeReleased } from './release.ts';
import { hearWitness } from './witness-readings.ts';

/** Most bad lines that an answer lists. `refused` counts all of them. */
// limit: Bad or skipped lines listed | 1,000 | counted; `vesfx import` writes all
export const MAX_LISTED_ERRORS = 1_000;

/** Most held records compared with a trusted batch or an archive. */
// limit: Held records compared with a trusted batch or an archive | 10,000 | older ones stay held
const MAX_HELD_COMPARED = 10_000;

const OTHERS_STORE =
  'Another process has stored records meanwhile, so nothing of this file was stored: try again, or ' +
  'import it with --trust.';

/** Another process has changed what a batch was judged by. */
class Outdated extends Error {}

/** The only entry for records: parses, checks, judges and stores them, for every source. */
export class Ingest {
  readonly #judging: Judging;
  readonly #store: IngestStore;
  readonly #turns = new BatchTurns();

  constructor(parts: JudgingParts) {
    this.#judging = new Judging(parts);
    this.#store = parts.store;
  }

  /**
   * Stores records as one batch: all of them, or none when one is refused. Returns once they are
   * durable. Doubtful records are held (contract §8). Earlier held records that the batch confirms
   * are released.
   * @throws LeaseLost when `lease` is no longer the current one.
   */
  async ingest(records: IncomingRecords, options: IngestOptions): Promise<IngestCounts> {
    const given = await readAhead(records, MAX_JUDGED_QUOTES);
    return this.#turns.take(async () => {
      if (options.isWitness === true) return hearWitness(this.#judging, given, options);
      return Symbol.iterator in given
        ? this.#judgeUntilCurrent(given, options)
        : this.#ingest(given, options, { isLarge: true });
    });
  }

  /** Nothing of the batch may be judged by what another process has changed meanwhile. */
  async #judgeUntilCurrent(records: readonly IncomingRecord[], options: IngestOptions) {
    const judge = async (store: IngestStore) => {
      // What is judged again is told once.
      const told: ToldOfRecord[] = [];
      const tell = (one: ToldOfRecord) => told.push(one);
      return { counts: await this.#ingest(records, { ...options, tell }, { store }), told };
    };
    const { counts, told } = await judge(this.#store).catch((error: unknown) => {
      if (!(error instanceof Outdated)) throw error;
      // Now the others wait.
      return this.#store.writeTogether(options.lease, judge);
    });
    for (const one of told) options.tell?.(one);
    return counts;
  }

  async #ingest(
    records: IncomingRecords,
    options: IngestOptions,
    { store = this.#store, isLarge = false } = {},
  ): Promise<IngestCounts> {
    const { source, provenance, lease, dryRun = false, trust: trusted = false } = options;
    const context = await this.#judging.begin(options, store);
    const judges = await this.#judging.judges(context, source);
    const { publications, quotes } = judges;
    const isCompared = trusted || options.onlyNewValueDates === true;
    const compared = isCompared ? await store.listHeld('held', MAX_HELD_COMPARED) : [];
    const batch = new Batch(options, context, judges, compared);
    const origin = { source, receivedAt: context.receivedAt, provenance, lease, trusted };
    const confirm = (judged: number) => {
      if (batch.refused > 0 || dryRun) return false;
      const isOutdated = judged !== context.current.judged;
      if (isOutdated && !isLarge) throw new Outdated();
      // It cannot be read again. What is checked, or past, needs nothing of what is known now.
      if (isOutdated && !trusted && !quotes.isPast) throw new StoreBusy(OTHERS_STORE);
      const [one, two] = [publications.settlement, quotes.settlement];
      return {
        ...one,
        ...two,
        hold: [...(one.hold ?? []), ...(two.hold ?? [])],
        settle: [...asReleased(batch.repeated), ...(one.settle ?? []), ...(two.settle ?? [])],
        // They are made again from the readings.
        ...(isOutdated && { memories: [], checkpoints: [] }),
      };
    };
    const { stored, duplicate } = await store.appendBatch(
      origin,
      batch.entries(records),
      confirm,
      async (within) => {
        const release = (id: string, how: Omit<ReleaseOptions, 'lease'>) =>
          releaseHeld(this.#judging, within, id, { lease, ...how });
        for (const id of publications.released) await release(id, { isChecked: false });
        await storeReleased(this.#judging, within, quotes.released, { lease });
        for (const id of batch.corrections) await release(id, { why: 'archive' });
      },
    );
    const { refused, skipped } = batch;
    return refused > 0
      ? { accepted: 0, held: 0, refused, duplicate: 0 }
      : { accepted: stored, held: batch.held, refused, duplicate: duplicate + skipped };
  }

  /** See `releaseHeld`. */
  async release(id: string, options: ReleaseOptions = {}) {
    return this.#turns.take(() =>
      this.#store.writeTogether(options.lease, (store) =>
        releaseHeld(this.#judging, store, id, options),
      ),
    );
  }
}

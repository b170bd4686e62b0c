import type { CaracasDay } from '../../domain/time.ts';
import type { HeldStore, Settlement } from './held.ts';
import type { Lease } from './lease.ts';
import type { BatchCounts, BatchOrigin, CurrentRecords, Entry, RecordStore } from './records.ts';

/** What ingestion reads. */
type Reads = Pick<
  RecordStore & HeldStore,
  | 'bankTablesBefore'
  | 'checkpointBefore'
  | 'countingHeld'
  | 'findHeld'
  | 'lastQuotesBefore'
  | 'listHeld'
  | 'listPublications'
  | 'officialRatesAround'
  | 'publicationsAround'
  | 'quotesRead'
  | 'witnessedDates'
>;

/** What of the current records ingestion is judged by. */
export type KnownRecords = Pick<
  CurrentRecords,
  'bankTable' | 'fetchedAt' | 'judged' | 'memories' | 'quotes'
>;

/** What ingestion needs of the store. Every write is durable when its promise resolves. */
export interface IngestStore extends Reads, Pick<RecordStore, 'keepWitnessReading'> {
  /** See `RecordStore`. */
  currentRecords(today: CaracasDay): Promise<KnownRecords>;
  /**
   * Stores a batch entirely or not at all. Calls `confirm` after the last entry and before the
   * commit, with the version of what judgement is made from, before this batch; false rolls back. The
   * counts are the same either way.
   * @param follow What else is stored with the batch, or not at all.
   */
  appendBatch(
    origin: BatchOrigin,
    entries: AsyncIterable<Entry> | Iterable<Entry>,
    confirm: (judged: number) => false | Settlement,
    follow?: (store: IngestStore) => Promise<void>,
  ): Promise<BatchCounts>;
  /**
   * Runs `work` as one write: no process stores records meanwhile, and all that `work` stores is
   * stored, or nothing. It may run again after a conflict.
   */
  writeTogether<T>(lease: Lease | undefined, work: (store: IngestStore) => Promise<T>): Promise<T>;
}

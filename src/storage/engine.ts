import type { Kysely } from 'kysely';
import type { StagedCaptureTable, StagedEntryTable, StageTables, Tables } from './schema.ts';

/** The queries of one transaction. */
export type Queries = Kysely<Tables>;

/** Decides right before the commit; false undoes the transaction, and its result stands. */
export type Keep<T> = (result: T) => boolean;

/**
 * What a database gives the store. Errors that mean "cannot be reached" come out as
 * `StoreUnavailable`, after the transaction was tried again for as long as a caller may wait.
 */
export interface Engine {
  /** Runs `work` on one state of the database. */
  read<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  /** Runs `work` alone among all writers; durable when the promise resolves. */
  write<T>(work: (db: Queries) => Promise<T>, keep?: Keep<T>): Promise<T>;
  openStage(): Promise<Stage>;
  /** See `Store.backup`. */
  backup(file: string): Promise<void>;
  /** See `Store.check`. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * A connection of its own where a large batch is gathered in temporary tables, so that no lock is
 * held while its source is still producing.
 */
export interface Stage {
  /** Of equal captures the first stays, or the one observed last. */
  addCaptures(rows: readonly StagedCaptureTable[]): Promise<void>;
  addEntries(rows: readonly StagedEntryTable[]): Promise<void>;
  write<T>(work: (db: Kysely<StageTables>) => Promise<T>, keep: Keep<T>): Promise<T>;
  close(): Promise<void>;
}

import type { Kysely } from 'kysely';
import type { StagedCaptureTable, StagedEntryTable, Tables } from './schema.ts';

/** The queries of one transaction. */
export type Queries = Kysely<Tables>;

/** Decides right before the commit; false undoes the transaction, and its result stands. */
export type Keep<T> = (result: T) => boolean;

/**
 * What a write locks from its first query to its commit. No other write with the same scope runs
 * meanwhile, and what an earlier one committed is visible. The locks are taken in one order, so that
 * two writes never deadlock. Data outside the scope may change between two queries. SQLite has one
 * writer at a time, so every write has all of it.
 */
export interface LockScope {
  /** The records: batches, captures, what is held, and their version. */
  readonly records?: boolean;
  /** Accounts, keys and rules, and their version. */
  readonly access?: boolean;
  /** Who collects, and what is kept of readings and sources. */
  readonly collecting?: boolean;
  /**
   * Id of the account that asked for the write. It locks nothing: where writes wait in one queue,
   * the accounts take turns.
   */
  readonly account?: string;
  /** The usage of these accounts, by id. */
  readonly usageOf?: readonly string[];
}

/**
 * What a database gives the store. Errors that mean "cannot be reached" come out as
 * `StoreUnavailable`, after the transaction was tried again for as long as a caller may wait.
 */
export interface Engine {
  /** Runs `work` on one state of the database. */
  read<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs `work` within its lock scope, and again from its beginning where the database could not tell it
   * apart from others at the same time. Durable when the promise resolves.
   */
  write<T>(scope: LockScope, work: (db: Queries) => Promise<T>, keep?: Keep<T>): Promise<T>;
  openStage(): Promise<Stage>;
  /** See `Store.backup`. */
  backup(file: string): Promise<void>;
  /** See `Store.check`. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Where a large batch is gathered in temporary tables on this machine, so that no lock is held
 * while its source is still producing.
 */
export interface Stage {
  /** Of equal captures the first stays, or the one observed last. */
  addCaptures(rows: readonly StagedCaptureTable[]): Promise<void>;
  addEntries(rows: readonly StagedEntryTable[]): Promise<void>;
  /** As `Engine.write`, with what was gathered at hand. */
  write<T>(
    scope: LockScope,
    work: (db: Queries, staged: Staged) => Promise<T>,
    keep: Keep<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** The staged captures of one market: its number in the stage and in the store. */
export interface Move {
  readonly staged: number;
  readonly stored: number;
  readonly batch: number;
}

/** What was gathered, within the transaction that stores it. */
export interface Staged {
  /** Stores a market's captures. @returns how many were new, or read again later. */
  storeCaptures(move: Move): Promise<number>;
  /** The entries after a line, in order, at most `limit`. */
  entriesAfter(line: number, limit: number): Promise<readonly StagedEntryTable[]>;
}

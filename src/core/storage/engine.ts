import { type Kysely, sql } from 'kysely';
import type { Store } from '../app/ports/store.ts';
import type { Tables } from './schema.ts';

/** The queries of one transaction. */
export type Queries = Kysely<Tables>;

/** Decides directly before the commit. False rolls back; the result is still returned. */
export type Keep<T> = (result: T) => boolean;

/**
 * What a write locks from its first query to its commit. Writes with overlapping scopes run one
 * after another, and each sees the commits of the earlier ones. Locks are taken in one order, so
 * two writes never deadlock. Data outside the scope may change between two queries. SQLite has one
 * writer at a time, so every write locks everything.
 */
export interface LockScope {
  /** The records: batches, captures, held records, and their version. */
  readonly records?: boolean;
  /** Accounts, keys and rules, and their version. */
  readonly access?: boolean;
  /** The collector's lease, kept readings and states of sources. */
  readonly collecting?: boolean;
  /** Id of the account that asks. It locks nothing: in one queue, accounts take turns. */
  readonly account?: string;
  /** The usage of these accounts, by id. */
  readonly usageOf?: readonly string[];
}

/** The transactions of a database. */
export interface Transactions {
  /**
   * Runs `work` on one consistent state of the database.
   * @param account Id of the account that asks: as with writes, accounts take turns in one queue.
   */
  read<T>(work: (db: Queries) => Promise<T>, account?: string): Promise<T>;
  /** Restarts `work` after a conflict with another write. Durable when the promise resolves. */
  write<T>(scope: LockScope, work: (db: Queries) => Promise<T>, keep?: Keep<T>): Promise<T>;
  /** The same for a write that takes seconds: further calls of `write` do not wait in its queue. */
  writeLarge<T>(scope: LockScope, work: (db: Queries) => Promise<T>, keep: Keep<T>): Promise<T>;
}

/** Connection errors become `StoreUnavailable`, after retries for the caller's wait time. */
export interface Engine extends Transactions, Pick<Store, 'backup' | 'check' | 'load' | 'close'> {}

/** Transactions within another one: each sees what the earlier ones wrote, and ends with it. */
export function transactionsWithin(db: Queries): Transactions {
  const write = async <T>(work: (db: Queries) => Promise<T>, keep?: Keep<T>) => {
    if (keep === undefined) return work(db);
    await sql`savepoint part`.execute(db);
    const result = await work(db);
    if (!keep(result)) await sql`rollback to savepoint part`.execute(db);
    await sql`release savepoint part`.execute(db);
    return result;
  };
  return {
    read: (work) => work(db),
    write: (_scope, work, keep) => write(work, keep),
    writeLarge: (_scope, work, keep) => write(work, keep),
  };
}

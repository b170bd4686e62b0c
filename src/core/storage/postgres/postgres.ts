import { setTimeout as pause } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../app/failures.ts';
import type { Engine, Keep, LockScope, Queries } from '../engine.ts';
import { rowFindings } from '../queries/row-checks.ts';
import type { PostgresConnection } from './connection.ts';
import { failureKindOf } from './errors.ts';
import { PostgresPool } from './pool.ts';
import { LOCK_TABLE, lockRows, lockRowsOf } from './row-locks.ts';
import { RowTurns } from './row-turns.ts';
import { prepareDatabase, tableNames } from './setup.ts';
import type { PostgresAddress } from './url.ts';

interface PostgresOptions {
  readonly address: PostgresAddress;
  /** Longest wait of a call that begins now, for a connection, locks and answers, in ms. */
  readonly waitMs: () => number;
  /** Longest time to make a connection, in ms. */
  readonly connectMs: number;
}

/** Extra wait of a call after the server's own timeout, in ms. */
// limit: Extra wait after PostgreSQL's time-out | 0.2 s | connection cut
const ANSWER_GRACE_MS = 200;

/** Longest time of one statement during migrations. */
// limit: Statement of a migration or `doctor` | 60 s | fails
const MIGRATION_WAIT_MS = 60_000;

/** Longest wait of a move for the server. */
// limit: `vesfx move` waits for PostgreSQL | 10 s | fails; continues when run again
const MOVE_WAIT_MS = 10_000;

// limit: Conflict: retries, pause | 5, 20 ms | 503 | MAX_CONFLICT_PAUSE_MS
const MAX_RETRIES = 5;

const MAX_CONFLICT_PAUSE_MS = 20;

/** Statement timeout once the transaction has used up its wait budget. */
const LATE_STATEMENT_MS = 500;

/** The same for a batch, which is large and has no waiting caller. */
// limit: Statement: of a batch, without wait left | 5 s, 0.5 s | connection cut, nothing stored | LATE_STATEMENT_MS
const BATCH_STATEMENT_MS = 5_000;

/** The server rolls back a transaction whose process is idle for this long. */
// limit: Idle within a transaction | 5 s | rolled back
const MAX_IDLE_TRANSACTION_MS = 5_000;

const READ = 'begin isolation level repeatable read, read only';
const WRITE = 'begin isolation level read committed, read write';

interface Terms<T> {
  readonly begin: string;
  readonly scope?: LockScope;
  /** Wait budget of the transaction. */
  readonly waitMs: number;
  /** Longest wait for a connection, if it is another one. */
  readonly connectMs?: number;
  /** Statement timeout in a transaction that has many statements and takes longer. */
  readonly eachMs: number;
  readonly keep?: Keep<T> | undefined;
}

/**
 * Opens the database and creates missing tables.
 * @throws NewerDatabase, DevelopmentDatabase, or StoreUnavailable when it cannot be reached, is not durable, or belongs
 *   to another application.
 */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const { address, waitMs, connectMs } = options;
  const pool = new PostgresPool(address, connectMs + ANSWER_GRACE_MS);
  try {
    const terms = {
      ...{ begin: WRITE, waitMs: MIGRATION_WAIT_MS, eachMs: MIGRATION_WAIT_MS },
      connectMs: waitMs(),
    };
    await prepareDatabase((work) => transaction(pool, terms, work));
    return engine(pool, waitMs);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Opens the target database of a move. Throws like `openPostgres`. */
export async function openPostgresForMove(address: PostgresAddress) {
  const pool = new PostgresPool(address, MOVE_WAIT_MS);
  const terms = { begin: WRITE, waitMs: MOVE_WAIT_MS, eachMs: MIGRATION_WAIT_MS };
  const write = <T>(work: (db: Queries) => Promise<T>) => transaction(pool, terms, work);
  try {
    await prepareDatabase(write, 'to fill');
    return { transaction: write, close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Whether the database contains a store. Creates nothing. @throws StoreUnavailable */
export async function postgresExists({ address, waitMs }: PostgresOptions): Promise<boolean> {
  const pool = new PostgresPool(address, waitMs());
  try {
    const terms = { begin: READ, waitMs: waitMs(), eachMs: LATE_STATEMENT_MS };
    return (await transaction(pool, terms, tableNames)).has(LOCK_TABLE);
  } finally {
    await pool.close();
  }
}

function engine(pool: PostgresPool, waitMs: () => number): Engine {
  const turns = new RowTurns();
  const write = <T>(scope: LockScope, work: (db: Queries) => Promise<T>, keep?: Keep<T>) => {
    const eachMs = scope.records === true ? BATCH_STATEMENT_MS : LATE_STATEMENT_MS;
    return turns.run(scope, waitMs(), (leftMs) =>
      transaction(pool, { begin: WRITE, scope, waitMs: leftMs, eachMs, keep }, work),
    );
  };
  const read = <T>(work: (db: Queries) => Promise<T>, eachMs = LATE_STATEMENT_MS) => {
    // The pool still serves the writes that wait for their turn.
    if (turns.isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'));
    return transaction(pool, { begin: READ, waitMs: waitMs(), eachMs }, work);
  };
  return {
    read: (work) => read(work),
    write,
    writeLarge: write,
    backup: async () => {
      throw new Error('A PostgreSQL database is copied with its own tools, such as pg_dump.');
    },
    // The server checks its own files.
    check: () => read(rowFindings, MIGRATION_WAIT_MS),
    load: () => ({ ...pool.load, waiting: pool.load.waiting + turns.waiting }),
    close: async () => {
      await turns.close();
      await pool.close();
    },
  };
}

/**
 * Runs a transaction, and retries it after conflicts.
 * @throws StoreUnavailable when the database cannot be reached in time. A commit in progress may or
 *   may not be stored.
 */
async function transaction<T>(
  pool: PostgresPool,
  terms: Terms<T>,
  work: (db: Queries) => Promise<T>,
): Promise<T> {
  const { waitMs, connectMs = waitMs } = terms;
  const now = performance.now();
  const [end, connectedBy] = [now + waitMs, now + connectMs + ANSWER_GRACE_MS];
  for (let retry = 0; ; retry += 1) {
    try {
      return await pool.use(
        (connection) => transactionOn(connection, terms, work, end),
        connectedBy,
      );
    } catch (error) {
      if (failureKindOf(error) !== 'conflict') throw error;
      if (retry === MAX_RETRIES || performance.now() > end) {
        throw new StoreBusy('The database cannot be reached: too many concurrent writes.', {
          cause: error,
        });
      }
      await pause(Math.random() * MAX_CONFLICT_PAUSE_MS);
    }
  }
}

async function transactionOn<T>(
  connection: PostgresConnection,
  { begin, scope = {}, eachMs, keep }: Terms<T>,
  work: (db: Queries) => Promise<T>,
  end: number,
): Promise<T> {
  const now = performance.now();
  const leftMs = Math.max(1, Math.ceil(end - now));
  const opening = [begin, limits(Math.max(leftMs, eachMs), leftMs), ...lockRows(lockRowsOf(scope))];
  // A connection that was made late is still tried: cut, it would have to be made again each time.
  const openBy = Math.max(end, now + LATE_STATEMENT_MS) + ANSWER_GRACE_MS;
  connection.setDeadline(() => openBy);
  try {
    // In one message, because the server may be far away.
    await connection.run(opening.join('; '));
    connection.setDeadline(() => Math.max(end, performance.now() + eachMs) + ANSWER_GRACE_MS);
    const result = await work(connection.db);
    await finish(connection, keep === undefined || keep(result) ? 'commit' : 'rollback');
    return result;
  } catch (error) {
    await connection.run('rollback').catch((failure: unknown) => connection.abandon(failure));
    throw error;
  }
}

/** The server enforces them. It also ends idle transactions, so that their locks are freed. */
function limits(statementMs: number, lockMs: number): string {
  return (
    `set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; ` +
    `set local idle_in_transaction_session_timeout = ${MAX_IDLE_TRANSACTION_MS}`
  );
}

async function finish(connection: PostgresConnection, how: 'commit' | 'rollback'): Promise<void> {
  const { command } = await connection.run(how);
  if (command !== how.toUpperCase()) throw new Error('The transaction was not committed.');
}

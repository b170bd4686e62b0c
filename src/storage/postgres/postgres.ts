import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Engine, Keep, LockScope, Queries } from '../engine.ts';
import { forMigrations } from '../migrate.ts';
import { type CopiedTable, type Row, selectOf } from '../move/copied-tables.ts';
import { rowFindings } from '../queries/row-checks.ts';
import type { PostgresAddress } from './address.ts';
import type { PostgresConnection } from './connection.ts';
import { failureKindOf } from './errors.ts';
import { PostgresPool } from './pool.ts';
import { LOCK_ROWS, LOCK_TABLE, lockRowsOf } from './row-locks.ts';
import { MOVE_TABLE, prepareDatabase, tableNames } from './setup.ts';
import { openStage } from './stage.ts';

export interface PostgresOptions {
  readonly address: PostgresAddress;
  /** How long a call waits for locks and answers, in ms. */
  readonly waitMs: number;
}

/** How much longer than the server itself a call waits for its answer, in ms. */
const ANSWER_GRACE_MS = 200;

/** Longest time of one statement while a database is made or brought up to date. */
const MIGRATION_WAIT_MS = 60_000;

/** How long a move waits for the server. */
const MOVE_WAIT_MS = 10_000;

/** Times that a transaction is begun again when it met another. */
const MAX_RETRIES = 5;

/** Longest pause before it is. */
const MAX_CONFLICT_PAUSE_MS = 20;

/** Longest time of a statement of a transaction that has been at work for as long as it may wait. */
const LATE_STATEMENT_MS = 500;

/** The same for a batch, which is large, and which no caller of the service waits for. */
const BATCH_STATEMENT_MS = 5_000;

/** A transaction whose process stands still for so long is undone by the server. */
const MAX_IDLE_TRANSACTION_MS = 5_000;

const READ = 'begin isolation level repeatable read, read only';
const WRITE = 'begin isolation level read committed, read write';

interface Time {
  /** For the transaction. */
  readonly waitMs: number;
  /** For each statement of one that has many and goes on for longer. */
  readonly eachMs: number;
}

interface Transaction<T> {
  readonly begin: string;
  readonly scope: LockScope;
  readonly time: Time;
  readonly work: (db: Queries) => Promise<T>;
  readonly keep: Keep<T> | undefined;
}

/**
 * Opens the database, making its tables where there are none.
 * @throws NewerDatabase when a newer version wrote it.
 * @throws StoreUnavailable when it cannot be reached, does not keep what it acknowledges, or is not
 *   ours.
 */
export async function openPostgres({ address, waitMs }: PostgresOptions): Promise<Engine> {
  const pool = new PostgresPool(address, waitMs + ANSWER_GRACE_MS);
  try {
    const time = { waitMs: MIGRATION_WAIT_MS, eachMs: MIGRATION_WAIT_MS };
    await prepareDatabase((work) =>
      transaction(pool, {
        begin: WRITE,
        scope: {},
        time,
        work: (db) => work(forMigrations(db)),
        keep: undefined,
      }),
    );
    return engine(pool, waitMs);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** A database that a move fills. */
export interface MoveTarget {
  /** Whether a move has begun before. */
  readonly isBegun: boolean;
  transaction<T>(work: (db: Queries) => Promise<T>): Promise<T>;
  /** The rows behind a key, in its order. */
  rowsAfter(table: CopiedTable, after: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Opens a database for a move into it. @throws as `openPostgres`. */
export async function openPostgresForMove(address: PostgresAddress): Promise<MoveTarget> {
  const pool = new PostgresPool(address, MOVE_WAIT_MS);
  const time = { waitMs: MOVE_WAIT_MS, eachMs: MIGRATION_WAIT_MS };
  const write = <T>(work: (db: Queries) => Promise<T>) =>
    transaction(pool, { begin: WRITE, scope: {}, time, work, keep: undefined });
  try {
    await prepareDatabase((work) => write((db) => work(forMigrations(db))), 'to fill');
    const tables = await write((db) => tableNames(forMigrations(db)));
    return {
      isBegun: tables.has(MOVE_TABLE),
      transaction: write,
      rowsAfter: (table, after) =>
        write(async (db) => {
          const text = selectOf(table, after.length, (index) => `$${index + 1}`);
          const { rows } = await db.executeQuery<Record<string, unknown>>(
            CompiledQuery.raw(text, [...after]),
          );
          return rows.map((row) => table.columns.map(([name]) => row[name]));
        }),
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Whether the database holds a store. Creates nothing. @throws StoreUnavailable. */
export async function postgresExists({ address, waitMs }: PostgresOptions): Promise<boolean> {
  const pool = new PostgresPool(address, waitMs);
  try {
    return await transaction(pool, {
      begin: READ,
      scope: {},
      time: { waitMs, eachMs: LATE_STATEMENT_MS },
      work: async (db) => (await tableNames(forMigrations(db))).has(LOCK_TABLE),
      keep: undefined,
    });
  } finally {
    await pool.close();
  }
}

function engine(pool: PostgresPool, waitMs: number): Engine {
  const write = <T>(scope: LockScope, work: (db: Queries) => Promise<T>, keep?: Keep<T>) =>
    transaction(pool, {
      begin: WRITE,
      scope,
      time: { waitMs, eachMs: scope.records === true ? BATCH_STATEMENT_MS : LATE_STATEMENT_MS },
      work,
      keep,
    });
  const read = <T>(
    work: (db: Queries) => Promise<T>,
    time: Time = { waitMs, eachMs: LATE_STATEMENT_MS },
  ) => transaction(pool, { begin: READ, scope: {}, time, work, keep: undefined });
  return {
    read: (work) => read(work),
    write,
    openStage: () => openStage(write),
    backup: async () => {
      throw new Error('A PostgreSQL database is copied with its own tools, such as pg_dump.');
    },
    // The server looks after its files.
    check: () => read(rowFindings, { waitMs, eachMs: MIGRATION_WAIT_MS }),
    close: () => pool.close(),
  };
}

/**
 * Runs a transaction, and again where it met another one.
 * @throws StoreUnavailable where the database cannot be reached in time. What was to be committed
 *   right then may be stored or not.
 */
async function transaction<T>(pool: PostgresPool, asked: Transaction<T>): Promise<T> {
  const end = performance.now() + asked.time.waitMs;
  for (let retry = 0; ; retry += 1) {
    try {
      return await pool.use((connection) => transactionOn(connection, asked, end));
    } catch (error) {
      if (failureKindOf(error) !== 'conflict') throw error;
      if (retry === MAX_RETRIES || performance.now() > end) {
        throw new StoreUnavailable('The database cannot be reached: too many write at once.', {
          cause: error,
        });
      }
      await pause(Math.random() * MAX_CONFLICT_PAUSE_MS);
    }
  }
}

async function transactionOn<T>(
  connection: PostgresConnection,
  { begin, scope, time, work, keep }: Transaction<T>,
  end: number,
): Promise<T> {
  const { eachMs } = time;
  const rows = lockRowsOf(scope);
  const leftMs = Math.max(1, Math.ceil(end - performance.now()));
  connection.allow(() => end + ANSWER_GRACE_MS);
  await connection.run(`${begin}; ${limits(Math.max(leftMs, eachMs), leftMs)}`);
  try {
    if (rows.length > 0) await connection.run(LOCK_ROWS, [rows]);
    connection.allow(() => Math.max(end, performance.now() + eachMs) + ANSWER_GRACE_MS);
    const result = await work(connection.db);
    await finish(connection, keep === undefined || keep(result) ? 'commit' : 'rollback');
    return result;
  } catch (error) {
    await connection.run('rollback').catch((failure: unknown) => connection.abandon(failure));
    throw error;
  }
}

/**
 * What the server itself holds the transaction to. It ends one whose process stands still, so that
 * nobody waits for what that one has locked.
 */
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

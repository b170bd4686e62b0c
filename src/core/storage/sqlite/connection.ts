import { accessSync, type BigIntStats, constants, statSync } from 'node:fs';
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { boundedCache } from '../../app/bounded-cache.ts';
import { StoreBusy, StoreUnavailable, type WriteFailure } from '../../app/failures.ts';
import type { StoreLoad } from '../../app/ports/store.ts';
import type { Keep, Queries } from '../engine.ts';
import { FairQueue, OWN_LANE } from '../fair-queue.ts';

// limit: Prepared statements of a connection | 200 | prepared again
const MAX_STATEMENTS = 200;

/** Pause before the first retry on a locked database, in ms. */
const MIN_RETRY_MS = 2;
// limit: Pause at a locked embedded database | 25 ms
const MAX_RETRY_MS = 25;

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;
const UNREACHABLE: readonly number[] = [BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN];

const WRITE_FAILURES = new Map<number, WriteFailure>([
  [READONLY, 'read_only'],
  [FULL, 'disk_full'],
]);

/** Codes of the file system for a file that may not be written. */
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS'];

/** SQLite's primary result code of an error; undefined for errors that are not SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function isLocked(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether the file cannot be reached now, which says nothing about its content. */
export function isUnreachable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && UNREACHABLE.includes(code);
}

/** The error to rethrow: `StoreUnavailable` when SQLite could not reach the database. */
export function translated(error: unknown): unknown {
  if (!isUnreachable(error)) return error;
  const reason = error instanceof Error ? error.message : 'unknown';
  const writeFailure = WRITE_FAILURES.get(resultCode(error) ?? 0);
  const problem = writeFailure === undefined ? 'reached' : 'written';
  const Failure = isLocked(error) ? StoreBusy : StoreUnavailable;
  return new Failure(`The database cannot be ${problem}: ${reason}.`, {
    cause: error,
    writeFailure,
  });
}

/**
 * Retries until another process releases the lock. SQLite's own waiting would block the event loop.
 * @param deadline In `performance.now()` time. At least one attempt is made.
 * @throws StoreUnavailable when the deadline passes, or the file cannot be reached.
 */
export async function whileLocked<T>(attempt: () => T | Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = deadline - performance.now();
      if (!isLocked(error) || left <= 0) throw translated(error);
      const jitter = MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS);
      await pause(Math.min(jitter, left));
    }
  }
}

/** The cast is safe: the queries bind only text, numbers, bytes and null. */
function boundValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}

/** The error of the file system when it forbids that; undefined otherwise. */
function forbidden(attempt: () => void): Error | undefined {
  try {
    attempt();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (error instanceof Error && FORBIDDEN.some((forbiddenCode) => forbiddenCode === code))
      return error;
  }
  return undefined;
}

/**
 * SQLite maps its shared memory from a file beside the database. Once the disk is read-only, writing
 * to that map ends the process with SIGBUS, which nothing can catch. So this runs before each write.
 * @throws StoreUnavailable when the file, or its folder, may not be written.
 */
export function requireWritable(path: string): void {
  const cause = forbidden(() => accessSync(path, constants.W_OK));
  if (cause === undefined) return;
  throw new StoreUnavailable(
    `The database cannot be written: it is read-only (${cause.message}).`,
    {
      cause,
      writeFailure: 'read_only',
    },
  );
}

/**
 * The first read after a write records its place in the shared memory. Run at once, it leaves later
 * reads nothing to write there, so they continue after the disk has become read-only.
 */
const READS_ONE_ROW = 'SELECT 1 FROM sqlite_schema LIMIT 1';

function kyselyStatement(statement: StatementSync): SqliteStatement {
  const readNames = () => statement.columns().map(({ name }) => name);
  let names = readNames();
  // The row objects of `node:sqlite` are dictionaries, slow to create and to read.
  statement.setReturnArrays(true);
  const named = (values: readonly SQLOutputValue[]) => {
    const row: Record<string, SQLOutputValue> = {};
    for (let column = 0; column < names.length; column += 1) {
      row[names[column] ?? ''] = values[column] ?? null;
    }
    return row;
  };
  return {
    reader: names.length > 0,
    all: (parameters) => {
      // The library's types know only rows as objects.
      const rows = statement.all(...boundValues(parameters)) as unknown as SQLOutputValue[][];
      // Another connection has added columns, and SQLite has re-prepared the statement.
      if (rows[0] !== undefined && rows[0].length !== names.length) names = readNames();
      return rows.map(named);
    },
    run: (parameters) => statement.run(...boundValues(parameters)),
    iterate: () => {
      throw new Error('The store reads whole results; none is streamed.');
    },
  };
}

/** Adapts `node:sqlite` to Kysely, and caches prepared statements by text. */
function kyselyDatabase(raw: DatabaseSync): SqliteDatabase {
  const statements = boundedCache<SqliteStatement>(MAX_STATEMENTS);
  return {
    prepare(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = kyselyStatement(raw.prepare(text));
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => raw.close(),
  };
}

interface ConnectionOptions {
  readonly file: string;
  readonly mode: 'read' | 'write';
  /** Longest wait of a transaction for another process, in ms. */
  readonly lockWaitMs: number;
}

/**
 * One connection to a database file. Transactions run one after another. `write` connections take
 * the lock first, so that no statement within finds the database locked.
 */
export class SqliteConnection {
  readonly raw: DatabaseSync;
  readonly #db: Queries;
  readonly #options: ConnectionOptions;
  readonly #queue = new FairQueue();
  readonly #opened: BigIntStats;
  #closing = false;

  constructor(options: ConnectionOptions) {
    const { file, mode } = options;
    this.#options = options;
    this.raw = new DatabaseSync(file, { timeout: 0, readOnly: mode === 'read' });
    this.#opened = statSync(file, { bigint: true });
    this.#db = new Kysely({
      dialect: new SqliteDialect({ database: kyselyDatabase(this.raw) }),
    });
  }

  /**
   * Runs `work` in a transaction and commits it unless it throws or `keep` returns false.
   * @param lane Id of the account that requested it; see `FairQueue`.
   * @throws StoreUnavailable when the database stays locked for longer than `lockWaitMs`, cannot be
   *   reached, the connection is closed, or too many transactions wait.
   */
  transaction<R>(work: (db: Queries) => Promise<R>, keep?: Keep<R>, lane = OWN_LANE): Promise<R> {
    if (this.#closing) return Promise.reject(new StoreUnavailable('The store is closed.'));
    // Counted from the call, so that time in the queue is included.
    const deadline = performance.now() + this.#options.lockWaitMs;
    return this.#queue.run(lane, () =>
      whileLocked(() => this.#transactionOnce(work, keep), deadline),
    );
  }

  /**
   * SQLite goes on with a file that has lost its name: what it writes there is lost at the end.
   * @throws StoreUnavailable when the opened file is gone or replaced.
   */
  requireItsFile(): void {
    const opened = this.#opened;
    let found: BigIntStats | undefined;
    const cause = forbidden(() => {
      found = statSync(this.#options.file, { bigint: true });
    });
    // A folder that may not be entered says nothing about the file.
    if (cause !== undefined || (found?.ino === opened.ino && found.dev === opened.dev)) return;
    throw new StoreUnavailable('The database cannot be reached: its file is gone or replaced.');
  }

  async #transactionOnce<R>(work: (db: Queries) => Promise<R>, keep?: Keep<R>): Promise<R> {
    const { file, mode } = this.#options;
    this.requireItsFile();
    if (mode === 'write') requireWritable(file);
    this.raw.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
    try {
      const result = await work(this.#db);
      this.raw.exec(keep === undefined || keep(result) ? 'COMMIT' : 'ROLLBACK');
      if (mode === 'write') this.raw.exec(READS_ONE_ROW);
      return result;
    } catch (error) {
      // After some errors SQLite has already rolled back.
      if (this.raw.isTransaction) this.raw.exec('ROLLBACK');
      throw error;
    }
  }

  /** A connection runs one transaction at a time. */
  get load(): StoreLoad {
    return { ...this.#queue.load, size: 1 };
  }

  /** Finishes queued transactions and refuses further ones. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#queue.idle();
    if (this.raw.isOpen) this.raw.close();
  }
}

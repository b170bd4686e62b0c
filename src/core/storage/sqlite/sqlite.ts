import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Engine } from '../engine.ts';
import { createMigrationTable, migrate, pendingMigrations } from '../migrate.ts';
import { rowFindings } from '../queries/row-checks.ts';
import { MIGRATIONS } from '../schema.ts';
import { requireWritable, SqliteConnection, translated, whileLocked } from './connection.ts';
import { makeDataFolder } from './data-folder.ts';
import {
  APPLICATION_ID,
  allFindings,
  DamagedDatabase,
  inUse,
  removeDatabase,
  requireSound,
  requireWhole,
  syncNameOf,
  syncToDisk,
  temporaryName,
} from './file.ts';

/** Longest wait of a restore for another process. */
// limit: `restore`, `doctor` wait for SQLite | 1 s | fails
const RESTORE_LOCK_WAIT_MS = 1_000;

/** The log is truncated to this size after a large batch, in bytes. */
// limit: Write-ahead log kept | 64 MB | truncated
const MAX_KEPT_LOG_BYTES = 64 * 1024 * 1024;

/** Page cache in KiB: enough for the inner pages and both ends of the largest table. */
// limit: Page cache of a connection | 16 MB | read again
const CACHE_KIB = 16 * 1024;

function requirePragma(db: DatabaseSync, name: string, wanted: string | number): void {
  const row = db.prepare(`PRAGMA ${name}`).get() ?? {};
  const value = Object.values(row)[0];
  if (value !== wanted) {
    throw new StoreUnavailable(`The database cannot be used: ${name} is ${String(value)}.`);
  }
}

/**
 * Settings that make committed rows survive a power cut. With `synchronous=NORMAL` every power cut
 * lost some. They are verified, because a failing pragma reports no error.
 */
function prepareForWriting(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode=WAL');
  db.exec('PRAGMA synchronous=FULL');
  db.exec('PRAGMA foreign_keys=ON');
  db.exec(`PRAGMA journal_size_limit=${MAX_KEPT_LOG_BYTES}`);
  db.exec(`PRAGMA cache_size=-${CACHE_KIB}`);
  requirePragma(db, 'journal_mode', 'wal');
  requirePragma(db, 'synchronous', 2);
  requirePragma(db, 'foreign_keys', 1);
}

/** @throws StoreUnavailable when the file stays locked, cannot be opened or cannot be written. */
async function openForWriting(file: string, lockWaitMs: number): Promise<SqliteConnection> {
  return whileLocked(() => {
    const connection = new SqliteConnection({ file, mode: 'write', lockWaitMs });
    try {
      prepareForWriting(connection.raw);
      return connection;
    } catch (error) {
      connection.raw.close();
      throw error;
    }
  }, performance.now() + lockWaitMs);
}

/** Opens the file for writing while `work` runs. */
async function withConnection<T>(
  file: string,
  lockWaitMs: number,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  const connection = await openForWriting(file, lockWaitMs);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Errors of the file system have a code such as EACCES and become `StoreUnavailable`. */
function fileSystemError(error: unknown): unknown {
  const isFileSystem = error instanceof Error && 'syscall' in error;
  if (!isFileSystem) return translated(error);
  return new StoreUnavailable(`The database cannot be reached: ${error.message}.`, {
    cause: error,
  });
}

/** False when the name `to` exists, whose file stays. The temporary name is removed anyway. */
export function nameOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    syncNameOf(to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    removeDatabase(from);
  }
}

/** Creates an empty file that only its owner may read. SQLite gives its log the same mode. */
function createPrivate(file: string): void {
  closeSync(openSync(file, 'wx', 0o600));
}

/** Builds the database under a temporary name, so that no process sees an unfinished one. */
async function createDatabase(file: string, lockWaitMs: number): Promise<void> {
  const temporary = temporaryName(file);
  try {
    createPrivate(temporary);
    await withConnection(temporary, lockWaitMs, async (connection) => {
      connection.raw.exec(`PRAGMA application_id=${APPLICATION_ID}`);
      await connection.transaction(createMigrationTable);
      await bringUpToDate(connection);
      mergeLog(connection);
    });
  } catch (error) {
    removeDatabase(temporary);
    throw error;
  }
  // If another process was first, its file is equal.
  nameOnce(temporary, file);
}

/**
 * Opens the database, creating it when there is no file of that name.
 * @param lockWaitMs Longest wait of a transaction for another process.
 * @throws DamagedDatabase when the file is not a sound database of ours; it is left as it is.
 * @throws NewerDatabase or DevelopmentDatabase when another version wrote it.
 * @throws StoreUnavailable when it cannot be reached.
 */
export async function openSqlite(file: string, lockWaitMs: number): Promise<Engine> {
  makeDataFolder(dirname(file));
  try {
    if (existsSync(file)) {
      await whileLocked(() => requireSound(file), performance.now() + lockWaitMs);
    } else {
      await createDatabase(file, lockWaitMs);
    }
    return await openExisting(file, lockWaitMs);
  } catch (error) {
    const failure = fileSystemError(error);
    // Where SQLite cannot make its log, it says only that it cannot open the file.
    if (failure instanceof StoreUnavailable) requireWritable(dirname(file));
    throw failure;
  }
}

async function openExisting(file: string, lockWaitMs: number): Promise<Engine> {
  const writer = await openForWriting(file, lockWaitMs);
  let reader: SqliteConnection | undefined;
  try {
    // The writer keeps the log open for the reader, which may not create one.
    reader = new SqliteConnection({ file, mode: 'read', lockWaitMs });
    reader.raw.exec(`PRAGMA cache_size=-${CACHE_KIB}`);
    // Query the reader, so that a start takes the lock only when a migration is pending.
    const pending = await reader.transaction((db) => pendingMigrations(db, MIGRATIONS));
    if (pending.length > 0) await bringUpToDate(writer);
    return engine(file, lockWaitMs, writer, reader);
  } catch (error) {
    await reader?.close();
    await writer.close();
    throw error;
  }
}

function bringUpToDate(writer: SqliteConnection): Promise<void> {
  return migrate((work) => writer.transaction(work), MIGRATIONS, 'sqlite');
}

function engine(
  file: string,
  lockWaitMs: number,
  writer: SqliteConnection,
  reader: SqliteConnection,
): Engine {
  const withOwnReader = <R>(work: (db: DatabaseSync) => R): Promise<R> =>
    whileLocked(() => {
      const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
      try {
        return work(db);
      } finally {
        db.close();
      }
    }, performance.now() + lockWaitMs);
  let closed = false;
  return {
    read: (work, account) => reader.transaction(work, undefined, account),
    write: ({ account }, work, keep) => writer.transaction(work, keep, account),
    writeLarge: async (_scope, work, keep) => {
      if (closed) throw new StoreUnavailable('The store is closed.');
      // Opening creates a missing file.
      writer.requireItsFile();
      return withConnection(file, lockWaitMs, (own) => own.transaction(work, keep));
    },
    backup: (to) => withOwnReader((db) => writeBackup(db, to)),
    check: async () => {
      const found = await withOwnReader(allFindings);
      return found.length > 0 ? found : reader.transaction(rowFindings);
    },
    load: () => ({
      inUse: reader.load.inUse + writer.load.inUse,
      waiting: reader.load.waiting + writer.load.waiting,
      size: reader.load.size + writer.load.size,
    }),
    close: async () => {
      closed = true;
      await reader.close();
      // Close the writer last: only a writing connection merges the log into the file on closing.
      await writer.close();
    },
  };
}

function writeBackup(db: DatabaseSync, to: string): void {
  if (existsSync(to)) throw new BackupExists(to);
  const temporary = temporaryName(to);
  try {
    createPrivate(temporary);
    db.prepare('VACUUM INTO ?').run(temporary);
    syncToDisk(temporary);
  } catch (error) {
    removeDatabase(temporary);
    if (!(error instanceof Error && 'syscall' in error)) throw translated(error);
    throw new Error(`The backup cannot be written: ${error.message}.`, { cause: error });
  }
  if (!nameOnce(temporary, to)) throw new BackupExists(to);
}

/** A backup never replaces a file. */
export class BackupExists extends Error {
  constructor(file: string) {
    super(`${file} exists already; a backup never replaces a file.`);
  }
}

/**
 * Replaces the database `to` by the backup `from` atomically. `from` is only read.
 * @throws DamagedDatabase when `from` is not a sound database of ours: `to` stays as it was.
 * @throws NewerDatabase or DevelopmentDatabase when another version wrote it.
 * @throws StoreUnavailable when `to` is open in another process, or a file cannot be reached.
 */
export async function restoreSqlite({ from, to }: { from: string; to: string }): Promise<void> {
  makeDataFolder(dirname(to));
  const temporary = temporaryName(to);
  try {
    requireSound(from);
    createPrivate(temporary);
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    // The copy of a database in use has its newest rows in the log.
    if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${temporary}-wal`);
    await finishCopy(temporary, from);
    await settle(to);
    renameSync(temporary, to);
    syncNameOf(to);
  } catch (error) {
    removeDatabase(temporary);
    if (error instanceof DamagedDatabase) {
      throw new DamagedDatabase(
        from,
        error.problem,
        'Choose another backup; nothing was replaced.',
      );
    }
    throw fileSystemError(error);
  }
}

/** Checks the whole copy, applies migrations and merges everything into one file. */
async function finishCopy(copy: string, from: string): Promise<void> {
  await withConnection(copy, RESTORE_LOCK_WAIT_MS, async (connection) => {
    requireWhole(connection.raw, from);
    await bringUpToDate(connection);
    mergeLog(connection);
  });
  syncToDisk(copy);
}

/**
 * Merges the log into the file. A connection does so on closing too, but says nothing when it cannot, as
 * on a full disk: the file without its log would be cut short.
 */
function mergeLog({ raw }: SqliteConnection): void {
  raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/**
 * Merges the log of the old database into its file before it is replaced. A remaining log would be
 * applied to the new file. A log removed too early would lose the newest rows of the old database
 * if the machine stopped at that moment.
 */
async function settle(file: string): Promise<void> {
  if (!existsSync(file)) return removeLog(file);
  let sound = true;
  try {
    requireSound(file);
    await withConnection(file, RESTORE_LOCK_WAIT_MS, async (connection) => mergeLog(connection));
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
    sound = false;
  }
  // The last connection removes the log on closing. If it remains, another process uses the file.
  if (sound && existsSync(`${file}-wal`)) throw inUse(file);
  removeLog(file);
}

function removeLog(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

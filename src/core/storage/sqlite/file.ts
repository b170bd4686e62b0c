import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from '../../app/failures.ts';
import { bankTableOf, DamagedRecord, publicationOf } from '../queries/record-rows.ts';
import type { Tables } from '../schema.ts';
import { isUnreachable } from './connection.ts';

/** SQLite application id of our files: `VESF` in ASCII. */
export const APPLICATION_ID = 0x56455346;

/** Up to this size files are checked completely at the start; in larger ones small tables. */
// limit: File checked whole at the start | 64 MB | small tables; `vesfx doctor` all
export const MAX_WHOLE_CHECK_BYTES = 64 * 1024 * 1024;

/** They grow over years or hold whole pages. Reading them at the start would take minutes. */
const LARGE_TABLES: ReadonlySet<string> = new Set([
  'capture',
  'batch',
  'kept_body',
  'kept_reading',
]);

const REMEDY =
  'Restore a backup with `vesfx restore FILE`, or move the file away to start with an empty one.';

/** The file exists but cannot be used. It has not been changed. */
export class DamagedDatabase extends Error {
  readonly file: string;
  /** The problem, as the predicate of a sentence about the file. */
  readonly problem: string;

  constructor(file: string, problem: string, remedy: string = REMEDY) {
    super(`The database ${file} ${problem}. ${remedy}`);
    this.name = 'DamagedDatabase';
    this.file = file;
    this.problem = problem;
  }
}

/** A unique name in the folder of `file`, for a database that will replace it atomically. */
export function temporaryName(file: string): string {
  return `${file}.${process.pid}-${randomBytes(6).toString('hex')}.new`;
}

/** Removes a database file that no process has open, with its journal and log. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    rmSync(`${file}${suffix}`, { force: true });
}

/** Syncs a file or a directory to disk, so that it survives a power cut. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the directory of a file, so that a new or removed name survives a power cut. */
export function syncNameOf(file: string): void {
  syncToDisk(dirname(file));
}

/** The database is open in another process. */
export function inUse(file: string): StoreUnavailable {
  return new StoreUnavailable(`${file} is in use. Stop every vesfx that uses it first.`);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The file format's header, https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

function readHeader(file: string): Buffer | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('latin1', 0, MAGIC.length) === MAGIC ? bytes : undefined;
}

/** Size of all pages by the header; 0 when the header does not contain it. */
function pageBytesOf(header: Buffer): number {
  // The page count is valid only when these two counters are equal.
  if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return 0;
  const pageSize = header.readUInt16BE(16);
  return header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
}

function headerProblem(file: string): string | undefined {
  const stat = statSync(file);
  if (!stat.isFile()) return 'is not a file';
  if (stat.size === 0) return 'is empty';
  const header = readHeader(file);
  if (header === undefined) return 'is not a SQLite database';
  if (header.readUInt32BE(68) !== APPLICATION_ID) return 'was not written by vesfx';
  // While a log exists, it may hold pages that the header counts. Check for the log before the
  // size, so that a process that closes in between cannot make the file seem short.
  if (sizeOf(`${file}-wal`) > 0) return undefined;
  const size = sizeOf(file);
  const pageBytes = pageBytesOf(header);
  return pageBytes > size ? `is cut short: it has ${size} bytes of ${pageBytes}` : undefined;
}

/** The findings of a check pragma such as `integrity_check`; empty when there are none. */
function findings(db: DatabaseSync, pragma: string): readonly string[] {
  const rows = db.prepare(`PRAGMA ${pragma}`).all();
  const texts = rows.map((row) => String(Object.values(row)[0]));
  return texts.length === 1 && texts[0] === 'ok' ? [] : texts;
}

/** All findings of SQLite's checks on an open database, at most 100 lines. */
export function allFindings(db: DatabaseSync): readonly string[] {
  try {
    const broken = findings(db, 'integrity_check');
    const orphans = db.prepare('PRAGMA foreign_key_check').all();
    const lines = orphans.map((row) => `${String(row['table'])} refers to a missing row`);
    return [...broken, ...lines, ...(broken.length > 0 ? [] : recordFindings(db))];
  } catch (error) {
    return [unreadable(error)];
  }
}

/** Newest publications and bank tables compared with their digests at the start. */
// limit: Digests compared at the start | the newest 1,000 of each | not compared
const MAX_COMPARED_RECORDS = 1_000;

/** Records that do not match their digests, which SQLite's own checks cannot find. */
function recordFindings(db: DatabaseSync): readonly string[] {
  const newest = (table: string) =>
    db
      .prepare(`SELECT * FROM ${table} ORDER BY captured_at DESC LIMIT ${MAX_COMPARED_RECORDS}`)
      .all();
  const found: string[] = [];
  const compare = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      found.push(error.message);
    }
  };
  // The casts are safe: the rows have the columns of the tables, with any content.
  for (const row of newest('publication'))
    compare(() => publicationOf(row as unknown as Tables['publication']));
  for (const row of newest('bank_table'))
    compare(() => bankTableOf(row as unknown as Tables['bank_table']));
  return [...found, ...planFindings(db)];
}

/** Every start reads these plans. A file of an older version has no table of them. */
function planFindings(db: DatabaseSync): readonly string[] {
  if (!smallTables(db).includes('kept_plan')) return [];
  const broken = db.prepare('SELECT name FROM kept_plan WHERE NOT json_valid(plan)').all();
  return broken.map((row) => `the kept plan ${String(row['name'])} is not JSON`);
}

/** The tables in the file, because a file of an older version has fewer tables. */
function smallTables(db: DatabaseSync): readonly string[] {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.map((row) => String(row['name'])).filter((name) => !LARGE_TABLES.has(name));
}

/** The quick check does not compare the order of rows, so it would miss swapped pages. */
function startFindings(db: DatabaseSync, size: number): readonly string[] {
  try {
    const broken =
      size <= MAX_WHOLE_CHECK_BYTES
        ? findings(db, 'integrity_check')
        : smallTables(db).flatMap((table) => findings(db, `integrity_check("${table}")`));
    return broken.length > 0 ? broken : recordFindings(db);
  } catch (error) {
    return [unreadable(error)];
  }
}

/** The message of an error that stopped a check, such as deep damage or a missing table. */
function unreadable(error: unknown): string {
  if (isUnreachable(error) || !(error instanceof Error)) throw error;
  return error.message;
}

function contentFindings(file: string, location: string | URL): readonly string[] {
  const db = new DatabaseSync(location, { readOnly: true, timeout: 0 });
  try {
    return startFindings(db, sizeOf(file));
  } finally {
    db.close();
  }
}

function isOpenElsewhere(file: string): boolean {
  return existsSync(`${file}-wal`) || existsSync(`${file}-shm`);
}

/**
 * Checks an existing file without changing it or creating other files.
 * @throws DamagedDatabase when it is no sound database of ours; SQLite's error when locked, the
 *   file system's when unreadable.
 */
export function requireSound(file: string): void {
  const problem = headerProblem(file);
  if (problem !== undefined) throw new DamagedDatabase(file, problem);
  // Even a read-only connection creates a missing log and its index, unless it opens the file as
  // immutable. An existing log must be read, so then the file is opened normally.
  if (!isOpenElsewhere(file)) {
    const frozen = pathToFileURL(file);
    frozen.searchParams.set('immutable', '1');
    const found = contentFindings(file, frozen);
    if (found.length === 0) return;
    // Another process may have begun to write in between, so the findings may be wrong.
    if (!isOpenElsewhere(file)) throw damagedContent(file, found);
  }
  const found = contentFindings(file, file);
  if (found.length > 0) throw damagedContent(file, found);
}

function damagedContent(file: string, found: readonly string[]): DamagedDatabase {
  const [first = ''] = found;
  return new DamagedDatabase(file, `is damaged (${first.trim().replaceAll(/\s+/g, ' ')})`);
}

/** @throws DamagedDatabase when any part of the file is damaged. */
export function requireWhole(db: DatabaseSync, file: string): void {
  const found = allFindings(db);
  if (found.length > 0) throw damagedContent(file, found);
}

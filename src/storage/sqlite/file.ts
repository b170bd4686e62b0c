import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { bankTableOf, DamagedRecord, publicationOf } from '../queries/record-rows.ts';
import type { BankTableTable, PublicationTable } from '../schema.ts';
import { isUnreachable } from './connection.ts';

/** Marks a SQLite file as ours: `VESF` in ASCII. */
export const APPLICATION_ID = 0x56455346;

/** Up to this size the whole file is read at start; of a larger one only the small tables. */
export const MAX_WHOLE_CHECK_BYTES = 64 * 1024 * 1024;

/** They grow with the years, or hold whole pages: reading them would make a start take minutes. */
const LARGE_TABLES: ReadonlySet<string> = new Set([
  'capture',
  'batch',
  'kept_body',
  'kept_reading',
]);

const REMEDY =
  'Restore a backup with `vesfx restore FILE`, or move the file away to start with an empty one.';

/** The file is there but cannot be used as it is. It has not been changed. */
export class DamagedDatabase extends Error {
  readonly file: string;
  /** What is wrong, as the predicate of a sentence about the file. */
  readonly problem: string;

  constructor(file: string, problem: string, remedy: string = REMEDY) {
    super(`The database ${file} ${problem}. ${remedy}`);
    this.name = 'DamagedDatabase';
    this.file = file;
    this.problem = problem;
  }
}

/** A name beside `file` that no other process uses: what is built there takes its place whole. */
export function temporaryName(file: string): string {
  return `${file}.${process.pid}-${randomBytes(6).toString('hex')}.new`;
}

/** Removes a database file that nobody has open, with what SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    rmSync(`${file}${suffix}`, { force: true });
}

/** Waits until the file, or a directory's list of names, would survive a power cut. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a name that was just given or taken in a directory survive a power cut. */
export function syncNameOf(file: string): void {
  syncToDisk(dirname(file));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The file format's header, https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

interface Header {
  readonly applicationId: number;
  /** Bytes that the pages take by the header; undefined when the header does not tell. */
  readonly pageBytes: number | undefined;
}

function readHeader(file: string): Header | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  } finally {
    closeSync(descriptor);
  }
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const pageSize = bytes.readUInt16BE(16);
  const pageCount = bytes.readUInt32BE(28);
  // The count holds only while these two counters agree.
  const counted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  return {
    applicationId: bytes.readUInt32BE(68),
    pageBytes: counted ? pageCount * (pageSize === 1 ? 65_536 : pageSize) : undefined,
  };
}

function headerProblem(file: string): string | undefined {
  const stat = statSync(file);
  if (!stat.isFile()) return 'is not a file';
  if (stat.size === 0) return 'is empty';
  const header = readHeader(file);
  if (header === undefined) return 'is not a SQLite database';
  if (header.applicationId !== APPLICATION_ID) return 'was not written by vesfx';
  // While there is a log, pages that the header counts may still be only there. The log is looked
  // for before the size, so that a process that finishes in between cannot make it look short.
  if (sizeOf(`${file}-wal`) > 0) return undefined;
  const size = sizeOf(file);
  if (header.pageBytes !== undefined && header.pageBytes > size) {
    return `is cut short: it has ${size} bytes of ${header.pageBytes}`;
  }
  return undefined;
}

/** The findings of `PRAGMA integrity_check`; empty when all is well. */
function findings(db: DatabaseSync, pragma: string): readonly string[] {
  const rows = db.prepare(`PRAGMA ${pragma}`).all();
  const texts = rows.map((row) => String(Object.values(row)[0]));
  return texts.length === 1 && texts[0] === 'ok' ? [] : texts;
}

/** Everything that SQLite finds wrong with an open database, at most 100 lines. */
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

/** Newest publications and bank tables that are compared with their digests at start. */
const MAX_COMPARED_RECORDS = 1_000;

/** What the file's own checks cannot see, for SQLite keeps no checksums: figures that changed. */
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
  // The casts are safe: the columns are those of the tables, whatever is in them.
  for (const row of newest('publication'))
    compare(() => publicationOf(row as unknown as PublicationTable));
  for (const row of newest('bank_table'))
    compare(() => bankTableOf(row as unknown as BankTableTable));
  return found;
}

/** By what the file holds, not this version: an older one's has fewer tables, and is migrated. */
function smallTables(db: DatabaseSync): readonly string[] {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.map((row) => String(row['name'])).filter((name) => !LARGE_TABLES.has(name));
}

/** The quick check would not see pages that changed places: it does not look at the order of rows. */
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

/** What made a check stop: damage so deep that it cannot go on, or a table that is missing. */
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
 * Reads an existing file without changing it or leaving anything beside it.
 * @throws DamagedDatabase when it is not a sound database of ours; SQLite's error when it is
 *   locked, and the file system's when it cannot be read.
 */
export function requireSound(file: string): void {
  const problem = headerProblem(file);
  if (problem !== undefined) throw new DamagedDatabase(file, problem);
  // Even a read-only connection creates a log and its index where there is none, unless it is told
  // that the file cannot change. Where they exist, the log must be read, and is.
  if (!isOpenElsewhere(file)) {
    const frozen = pathToFileURL(file);
    frozen.searchParams.set('immutable', '1');
    const found = contentFindings(file, frozen);
    if (found.length === 0) return;
    // Another process may have begun to write meanwhile, and what was read be half of its work.
    if (!isOpenElsewhere(file)) throw damagedContent(file, found);
  }
  const found = contentFindings(file, file);
  if (found.length > 0) throw damagedContent(file, found);
}

function damagedContent(file: string, found: readonly string[]): DamagedDatabase {
  const [first = ''] = found;
  return new DamagedDatabase(file, `is damaged (${first.trim().replaceAll(/\s+/g, ' ')})`);
}

/** @throws DamagedDatabase when any part of the file is damaged. Reads all of it. */
export function requireWhole(db: DatabaseSync, file: string): void {
  const found = allFindings(db);
  if (found.length > 0) throw damagedContent(file, found);
}

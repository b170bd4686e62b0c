import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Queries } from '../../core/storage/engine.ts';
import { openPostgresForMove } from '../../core/storage/postgres/postgres.ts';
import { MOVE_TABLE, tableNames } from '../../core/storage/postgres/setup.ts';
import type { PostgresAddress } from '../../core/storage/postgres/url.ts';
import { storedJson } from '../../core/storage/queries/record-rows.ts';
import { SqliteConnection } from '../../core/storage/sqlite/connection.ts';
import { inUse } from '../../core/storage/sqlite/file.ts';
import { DATABASE_FILE, openStore } from '../../core/storage/store.ts';
import { yieldToEventLoop } from '../../core/storage/yield-to-event-loop.ts';
import {
  addToSum,
  COPIED_TABLES,
  type CopiedTable,
  countRows,
  insertRows,
  primaryKeyOf,
  rowsAfter,
} from './copied-tables.ts';

/** Tables with initial rows in a new database. A move replaces them. */
const SEEDED: readonly string[] = ['version', 'collector', 'exporter'];

interface Move {
  readonly dataDir: string;
  readonly to: PostgresAddress;
  /** Called with the rows to copy plus the rows to compare. */
  readonly onStart: (rows: number) => Promise<void>;
  /** Called with the rows copied or compared, also by an earlier move. */
  readonly onProgress: (rows: number) => void;
}

export interface Moved {
  /** Whether it continued an earlier move. */
  readonly resumed: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly rows: number;
    readonly digest: string;
  }[];
}

/** The move is not possible, or its result is wrong. The message says what to do. */
export class MoveRefused extends Error {}

/** The progress of copying: the name of the table, and the key of the last copied row. */
interface Position {
  /** Undefined when every table is copied. */
  readonly table?: string;
  readonly after: readonly unknown[];
}

function positionAt(table: CopiedTable | undefined, after: readonly unknown[] = []): Position {
  return table === undefined ? { after: [] } : { table: table.table, after };
}

const START = positionAt(COPIED_TABLES[0]);

/**
 * Copies a data folder's database into an empty PostgreSQL database and compares the two. The
 * source is locked and only read. Each part is stored with its position, so a move can continue.
 * @throws MoveRefused, or StoreUnavailable when either database cannot be reached.
 */
export async function moveToPostgres(move: Move): Promise<Moved> {
  const { file, fingerprint } = await prepareSource(move.dataDir);
  const connection = new SqliteConnection({ file, mode: 'write', lockWaitMs: 0 });
  try {
    // The transaction locks the source, and writes nothing.
    return await connection.transaction((db) => moveFrom({ db, fingerprint }, move));
  } finally {
    await connection.close();
  }
}

type MoveTarget = Awaited<ReturnType<typeof openPostgresForMove>>;

interface Source {
  readonly db: Queries;
  /** Changes with every change of the source. */
  readonly fingerprint: string;
}

async function moveFrom(source: Source, { to, onStart, onProgress }: Move): Promise<Moved> {
  const target = await openPostgresForMove(to);
  try {
    const { resumed, position } = await begin(source, target);
    await onStart(2 * (await rowsBefore(source)));
    // The progress of the current table starts again.
    if (resumed) onProgress(await rowsBefore(source, position.table));
    await copy(source, target, position, onProgress);
    const tables = await compare(source, target, onProgress);
    await target.transaction((db) => sql`drop table ${sql.table(MOVE_TABLE)}`.execute(db));
    return { resumed, tables };
  } finally {
    await target.close();
  }
}

/** Brings the source up to date. Fails when another process has it open. */
async function prepareSource(dataDir: string) {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new MoveRefused(`There is no database ${file} to move: see --data.`);
  // Opening the store applies migrations and merges the log.
  const store = await openStore({ dataDir });
  const versions = await store.versions();
  await store.close();
  // The last connection removes the log. If it remains, another process uses the file.
  if (existsSync(`${file}-wal`)) throw inUse(file);
  const { size, mtimeMs } = statSync(file);
  const fingerprint = JSON.stringify([size, mtimeMs, versions.records, versions.access]);
  return { file, fingerprint };
}

/** Rows of the tables before one; of all without one. */
async function rowsBefore({ db }: Source, current?: string): Promise<number> {
  let sum = 0;
  for (const { table } of COPIED_TABLES) {
    if (table === current) break;
    sum += await countRows(db, table);
  }
  return sum;
}

/** Reads the position of an earlier move, or prepares the target for a new copy. */
async function begin(
  { fingerprint }: Source,
  target: MoveTarget,
): Promise<{ resumed: boolean; position: Position }> {
  return target.transaction(async (db) => {
    if (!(await tableNames(db)).has(MOVE_TABLE)) {
      await requireEmpty(db);
      const move = sql.table(MOVE_TABLE);
      await sql`create table ${move} (source text not null, position text not null)`.execute(db);
      await sql`insert into ${move} values (${fingerprint}, ${JSON.stringify(START)})`.execute(db);
      await empty(db);
      return { resumed: false, position: START };
    }
    const reached = await progress(db);
    if (reached?.source === fingerprint) return { resumed: true, position: reached.position };
    // The source has changed since, so the copied rows may be wrong.
    await empty(db);
    await setPosition(db, START, fingerprint);
    return { resumed: false, position: START };
  });
}

async function requireEmpty(db: Queries): Promise<void> {
  const holds: string[] = [];
  for (const { table } of COPIED_TABLES) {
    const rows = await countRows(db, table);
    if (rows > 0 && !SEEDED.includes(table)) holds.push(`${table} ${rows}`);
  }
  if (holds.length === 0) return;
  throw new MoveRefused(
    `The database holds something already (${holds.join(', ')}). Nothing was changed. ` +
      'Move into an empty database.',
  );
}

async function empty(db: Queries): Promise<void> {
  for (const { table } of COPIED_TABLES.toReversed()) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
}

/** Reads and locks the position, so that concurrent moves detect each other. */
async function progress(
  db: Queries,
): Promise<{ readonly source: string; readonly position: Position } | undefined> {
  const { rows } = await sql<{ source: string; position: string }>`
    select source, position from ${sql.table(MOVE_TABLE)} for update`.execute(db);
  const [row] = rows;
  return row && { source: row.source, position: storedJson(row.position) };
}

async function setPosition(db: Queries, position: Position, source: string): Promise<void> {
  const text = JSON.stringify(position);
  await sql`update ${sql.table(MOVE_TABLE)} set position = ${text}, source = ${source}`.execute(db);
}

async function copy(
  { db, fingerprint }: Source,
  target: MoveTarget,
  from: Position,
  advance: (rows: number) => void,
): Promise<void> {
  let position = from;
  for (;;) {
    const place = COPIED_TABLES.findIndex(({ table: name }) => name === position.table);
    const table = COPIED_TABLES[place];
    if (table === undefined) return;
    const rows = await rowsAfter(db, table, position.after);
    const last = rows.at(-1);
    const next: Position =
      last === undefined || rows.length < table.rowsAtOnce
        ? positionAt(COPIED_TABLES[place + 1])
        : positionAt(table, primaryKeyOf(table, last));
    const here = JSON.stringify(position);
    await target.transaction(async (queries) => {
      // The table of days is copied too: its triggers must not count captures again.
      await sql`select set_config('vesfx.copies_days', 'on', true)`.execute(queries);
      const reached = await progress(queries);
      if (JSON.stringify(reached?.position) !== here) {
        throw new MoveRefused('Another move into this database is running.');
      }
      if (rows.length > 0) await insertRows(queries, table, rows);
      await setPosition(queries, next, fingerprint);
    });
    position = next;
    advance(rows.length);
  }
}

/** Compares all rows of both databases. @throws MoveRefused naming the differences. */
async function compare(
  { db }: Source,
  target: MoveTarget,
  advance: (rows: number) => void,
): Promise<Moved['tables']> {
  const tables: Moved['tables'][number][] = [];
  const differences: string[] = [];
  for (const table of COPIED_TABLES) {
    const here = await sumOf(table, (after) => rowsAfter(db, table, after));
    const there = await sumOf(table, (after) =>
      target.transaction((queries) => rowsAfter(queries, table, after)),
    );
    advance(here.rows);
    tables.push({ table: table.table, ...here });
    if (here.digest === there.digest && here.rows === there.rows) continue;
    differences.push(`${table.table}: ${here.rows} rows here, ${there.rows} there`);
  }
  if (differences.length === 0) return tables;
  await target.transaction((queries) => setPosition(queries, START, ''));
  throw new MoveRefused(
    `The copy is not the same (${differences.join('; ')}). ` +
      'Run the command again: it begins from the start.',
  );
}

const SUM_LANES = 4;

async function sumOf(
  table: CopiedTable,
  read: (after: readonly unknown[]) => ReturnType<typeof rowsAfter>,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const sum = new Uint32Array(SUM_LANES);
  let count = 0;
  let after: readonly unknown[] = [];
  for (;;) {
    const rows = await read(after);
    for (const row of rows) addToSum(sum, table, row);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < table.rowsAtOnce) break;
    after = primaryKeyOf(table, last);
    await yieldToEventLoop();
  }
  const digest = Array.from(sum, (lane) => lane.toString(16).padStart(8, '0')).join('');
  return { rows: count, digest };
}

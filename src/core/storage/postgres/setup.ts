import { sql } from 'kysely';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Queries } from '../engine.ts';
import {
  createMigrationTable,
  type InTransaction,
  migrate,
  pendingMigrations,
} from '../migrate.ts';
import { MIGRATIONS } from '../schema.ts';
import { codeOf } from './errors.ts';
import { LOCK_ROW_COUNT, LOCK_TABLE, MIGRATION_LOCK } from './row-locks.ts';

/** Error codes when another process creates the same table at the same time. */
const CREATED_MEANWHILE = ['23505', '42P07', '42710'];

const UNKNOWN_SETTING = '42704';

/** Most attempts while another process creates the tables. */
// limit: Checks of a database that another creates | 10 | not opened
const MAX_ATTEMPTS = 10;

/** Exists while a move into the database is unfinished. It holds the source and the position. */
export const MOVE_TABLE = 'vesfx_move';

/** Tables of the first version. One without our lock table is another application's. */
const FIRST_TABLES = ['migration', 'batch', 'capture', 'market', 'account', 'api_key', 'usage'];

/**
 * Several processes may prepare it at once.
 * @throws NewerDatabase, DevelopmentDatabase or StoreUnavailable
 */
export async function prepareDatabase(
  inTransaction: InTransaction,
  purpose: 'to use' | 'to fill' = 'to use',
): Promise<void> {
  await requireDurable(inTransaction);
  await markAsOurs(inTransaction, purpose);
  const pending = await inTransaction((db) => pendingMigrations(db, MIGRATIONS));
  if (pending.length === 0) return;
  await migrate(
    (work) =>
      inTransaction(async (db) => {
        const lockRow = sql`select id from ${sql.table(LOCK_TABLE)} where id = ${MIGRATION_LOCK} for update`;
        await lockRow.execute(db);
        return work(db);
      }),
    MIGRATIONS,
    'postgres',
  );
}

function unusable(problem: string): StoreUnavailable {
  return new StoreUnavailable(`The database cannot be used: ${problem}`);
}

async function setting(inTransaction: InTransaction, name: string): Promise<string | undefined> {
  try {
    return await inTransaction(async (db) => {
      const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    });
  } catch (error) {
    if (codeOf(error) === UNKNOWN_SETTING) return undefined;
    throw error;
  }
}

/** Settings without which acknowledged records may be lost, and how to turn each on. */
const DURABLE_SETTINGS = {
  synchronous_commit:
    'Run `alter database NAME set synchronous_commit = on` with its name. ' +
    'If its user or its address turns it off, change that.',
  // A setting of the whole server, which no database and no user can have for itself.
  fsync:
    'As the superuser of the server run `alter system set fsync = on` and `select pg_reload_conf()`. ' +
    "If the server's command line turns it off, start the server without that.",
};

async function requireDurable(inTransaction: InTransaction): Promise<void> {
  for (const [name, advice] of Object.entries(DURABLE_SETTINGS)) {
    if ((await setting(inTransaction, name)) !== 'off') continue;
    throw unusable(
      `${name} is off, so it would lose what it has acknowledged at a power cut. ${advice}`,
    );
  }
  const encoding = await setting(inTransaction, 'server_encoding');
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return;
  throw unusable(`its encoding is ${encoding}. Create one with the encoding UTF8.`);
}

async function markAsOurs(
  inTransaction: InTransaction,
  purpose: 'to use' | 'to fill',
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await inTransaction(async (db) => {
        const tables = await tableNames(db);
        if (tables.has(MOVE_TABLE) && purpose === 'to use') {
          throw unusable('a move into it is not finished. Run "vesfx move" again.');
        }
        if (tables.has(LOCK_TABLE)) return;
        const foreign = FIRST_TABLES.filter((name) => tables.has(name));
        if (foreign.length > 0) {
          throw unusable(
            `it has tables (${foreign.join(', ')}) that vesfx did not make. Give vesfx a database of its own.`,
          );
        }
        const rows = Array.from({ length: LOCK_ROW_COUNT }, (_, id) => sql`(${id})`);
        await sql`create table ${sql.table(LOCK_TABLE)} (id integer primary key)`.execute(db);
        await sql`insert into ${sql.table(LOCK_TABLE)} values ${sql.join(rows)}`.execute(db);
        await createMigrationTable(db);
      });
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !CREATED_MEANWHILE.includes(code) || attempt === MAX_ATTEMPTS)
        throw error;
    }
  }
}

/** The tables of the connection's current schema. */
export async function tableNames(db: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

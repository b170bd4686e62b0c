import { sql } from 'kysely';
import type { Queries } from './engine.ts';
import { type Dialect, type Migration, statementsOf } from './table.ts';

/** Runs `work` in one transaction, alone among the writers. */
export type InTransaction = <T>(work: (db: Queries) => Promise<T>) => Promise<T>;

/** A newer version has migrated the database. This version must not change it. */
export class NewerDatabase extends Error {
  constructor(unknown: string) {
    super(
      `The database was written by a newer version of vesfx (it has ${unknown}). ` +
        'Start that version or a later one, or restore a backup of this version.',
    );
    this.name = 'NewerDatabase';
  }
}

/** The database is from before the first release, and its migrations are gone. */
export class DevelopmentDatabase extends Error {
  constructor(newest: string) {
    super(
      `The database was written by a version of vesfx from before its first release (it has ${newest}). ` +
        'Nothing was changed. The entry "A database of before" of CHANGELOG.md says how to bring it.',
    );
    this.name = 'DevelopmentDatabase';
  }
}

/**
 * The migrations that the database lacks, oldest first.
 * @throws NewerDatabase or DevelopmentDatabase for one that is unknown.
 */
export async function pendingMigrations(
  db: Queries,
  known: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !names.has(name)).sort();
  const newest = unknown.at(-1);
  if (newest !== undefined) {
    const [first] = known;
    const isOfRelease = first !== undefined && applied.has(first.name);
    throw isOfRelease ? new NewerDatabase(unknown.join(', ')) : new DevelopmentDatabase(newest);
  }
  return known.filter(({ name }) => !applied.has(name));
}

/** Prepares an empty database for `migrate`. */
export async function createMigrationTable(db: Queries): Promise<void> {
  await sql`create table migration (name text not null primary key)`.execute(db);
}

/** Several processes may migrate at once: each checks again inside its transaction. */
export async function migrate(
  inTransaction: InTransaction,
  known: readonly Migration[],
  dialect: Dialect,
): Promise<void> {
  for (const migration of known) {
    await inTransaction(async (db) => {
      const pending = await pendingMigrations(db, known);
      if (!pending.includes(migration)) return;
      for (const statement of statementsOf(migration, dialect))
        await sql.raw(statement).execute(db);
      await sql`insert into migration (name) values (${migration.name})`.execute(db);
    });
  }
}

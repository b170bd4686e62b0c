import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { ADDED_COLUMNS, WITNESS_READING } from './tables/002.ts';

/** Readings of witnesses, how a publication came in, and every doubt about a held record. */
export const witnesses: Migration = {
  name: '002-witnesses',
  release: '0.3.0',
  async up(db, dialect) {
    const added = Object.entries(ADDED_COLUMNS).flatMap(([table, columns]) =>
      Object.entries(columns).map(
        ([column, definition]) => `alter table ${table} add column ${column} ${definition}`,
      ),
    );
    const created = createTable('witness_reading', WITNESS_READING, dialect);
    for (const statement of [...added, created]) await sql.raw(statement).execute(db);
  },
};

import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { ADDED_RATE_COLUMNS, CORRECTION, EXPORTER } from './tables/004.ts';

/** When each official rate was first read, corrections, and the lease of the static copy. */
export const dataThatLeaves: Migration = {
  name: '004-official-days',
  release: '0.3.0',
  async up(db, dialect) {
    const statements = [
      ...Object.entries(ADDED_RATE_COLUMNS).map(
        ([column, definition]) => `alter table official_rate add column ${column} ${definition}`,
      ),
      // Of rates of before only the last reading is known.
      'update official_rate set read_at = observed_at',
      createTable('correction', CORRECTION, dialect),
      'create index correction_time on correction (corrected_at)',
      createTable('exporter', EXPORTER, dialect),
      "insert into exporter (token, holder, expires_at) values (0, '', 0)",
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { MEMORY_COLUMN, REPLACED_COLUMNS, TRUSTED_COLUMN } from './tables/008.ts';

/**
 * All that judgement remembers of a market, as one value. No released version knows the columns that
 * it replaces.
 */
export const quoteMemory: Migration = {
  name: '008-quote-memory',
  release: '0.3.0',
  async up(db) {
    const statements = [
      `alter table quote_state add column memory ${MEMORY_COLUMN.memory}`,
      ...REPLACED_COLUMNS.map((column) => `alter table quote_state drop column ${column}`),
      `alter table batch add column trusted ${TRUSTED_COLUMN.trusted}`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

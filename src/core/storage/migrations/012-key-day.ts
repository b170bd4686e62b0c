import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { KEY_DAY } from './tables/012.ts';

/** What each key of an account used. */
export const keyDays: Migration = {
  name: '012-key-day',
  release: '0.4.0',
  async up(db, dialect) {
    await sql.raw(createTable('key_day', KEY_DAY, dialect)).execute(db);
    // Old days are deleted for all accounts at once.
    await sql.raw('create index key_day_day on key_day (day)').execute(db);
  },
};

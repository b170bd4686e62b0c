import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { ADDED_KEY_COLUMNS } from './tables/003.ts';

/** When each key was last used. */
export const keyUse: Migration = {
  name: '003-key-use',
  release: '0.3.0',
  async up(db) {
    for (const [column, definition] of Object.entries(ADDED_KEY_COLUMNS)) {
      await sql.raw(`alter table api_key add column ${column} ${definition}`).execute(db);
    }
  },
};

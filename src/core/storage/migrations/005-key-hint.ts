import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { HINT_COLUMN } from './tables/005.ts';

/** How each key begins and ends, by which its owner tells it from the others. */
export const keyHints: Migration = {
  name: '005-key-hint',
  release: '0.3.0',
  async up(db) {
    await sql.raw(`alter table api_key add column hint ${HINT_COLUMN.hint}`).execute(db);
  },
};

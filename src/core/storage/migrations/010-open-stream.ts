import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { OPEN_STREAM } from './tables/010.ts';

/** The open streams of each account, which count over all processes. */
export const openStreams: Migration = {
  name: '010-open-stream',
  release: '0.4.0',
  async up(db, dialect) {
    await sql.raw(createTable('open_stream', OPEN_STREAM, dialect)).execute(db);
  },
};

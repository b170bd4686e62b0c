import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * The order in which the rules of an account were created, because after a downgrade of the plan
 * the oldest rules apply first. A process of the previous version writes 0, so its rules count as
 * the oldest.
 */
export const markupOrder: Migration = {
  name: '015-markup-order',
  async up(db, dialect) {
    await db.schema
      .alterTable('markup')
      .addColumn('created_seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // Only SQLite still knows the order of existing rules.
    if (dialect === 'sqlite') await sql`update markup set created_seq = rowid`.execute(db);
  },
};

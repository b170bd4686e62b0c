import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * The order in which the rules of an account were made: after a downgrade the oldest ones count
 * first. A process of the version before writes 0, and its rules then count as the oldest.
 */
export const markupOrder: Migration = {
  name: '015-markup-order',
  async up(db, dialect) {
    await db.schema
      .alterTable('markup')
      .addColumn('created_seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // Only the embedded database still knows the order of the rules that exist.
    if (dialect === 'sqlite') await sql`update markup set created_seq = rowid`.execute(db);
  },
};

import type { Migration } from '../migrate.ts';

/** Heartbeats of the processes that hold units. */
export const holders: Migration = {
  name: '003-holders',
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('holder')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    // All leases of a process now expire together.
    await schema.alterTable('lease').dropColumn('expires_at').execute();
  },
};

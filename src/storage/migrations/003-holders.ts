import type { Migration } from '../migrate.ts';

/** Processes that hold units are told apart from those that died with theirs. */
export const holders: Migration = {
  name: '003-holders',
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('holder')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    // A process now lives or dies with all that it holds.
    await schema.alterTable('lease').dropColumn('expires_at').execute();
  },
};

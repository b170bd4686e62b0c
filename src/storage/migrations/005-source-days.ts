import type { Migration } from '../migrate.ts';

/** Daily results of the readings of each source. */
export const sourceDays: Migration = {
  name: '005-source-days',
  async up({ schema }) {
    await schema
      .createTable('source_day')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('successes', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('changes', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_day_identity', ['source', 'day'])
      .execute();
  },
};

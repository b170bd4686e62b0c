import type { Migration } from '../migrate.ts';

/** The problems that were reported to the operator, and the time of the last message. */
export const alerts: Migration = {
  name: '013-alerts',
  async up({ schema }) {
    await schema
      .createTable('alert_told')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('told_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('alert_turn')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

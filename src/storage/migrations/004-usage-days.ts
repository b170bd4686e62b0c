import type { Migration } from '../migrate.ts';

/** Calls of each account, by UTC day and endpoint. */
export const usageDays: Migration = {
  name: '004-usage-days',
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('usage_day')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('units', 'bigint', (column) => column.notNull())
      .addColumn('client_errors', 'bigint', (column) => column.notNull())
      .addColumn('server_errors', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_day_identity', ['account_id', 'day', 'endpoint'])
      .execute();
    // Old days are deleted for all accounts at once.
    await schema.createIndex('usage_day_day').on('usage_day').columns(['day']).execute();
  },
};

import type { Migration } from '../migrate.ts';

/**
 * The plans that services ran with, and the plan that an account had before. When a catalogue lacks
 * an account's plan, the account keeps the limits that it had.
 */
export const keptPlans: Migration = {
  name: '019-kept-plans',
  async up(db) {
    await db.schema
      .createTable('kept_plan')
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('plan', 'text', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('account').addColumn('former_plan', 'text').execute();
  },
};

import type { Migration } from '../migrate.ts';

/** Units of a lease that count as spent before they are. Processes of the version before have none. */
export const leaseAllowances: Migration = {
  name: '016-lease-allowances',
  async up(db) {
    await db.schema
      .alterTable('lease')
      .addColumn('allowance', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};

import type { Migration } from '../migrate.ts';

/** Rotations of keys are counted by account and UTC day (decisions §4 "Free calls"). */
export const keyRotations: Migration = {
  name: '008-key-rotations',
  async up(db) {
    await db.schema
      .createTable('key_rotation')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('rotations', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_rotation_identity', ['account_id', 'day'])
      .execute();
  },
};

import type { Migration } from '../migrate.ts';

/**
 * Kinds, scopes and labels of keys (decisions §11). A process of the previous version inserts full
 * keys, and refuses keys of other kinds as malformed.
 */
export const keyKinds: Migration = {
  name: '014-key-kinds',
  async up({ schema }) {
    // One statement for each column: SQLite adds one column at a time.
    const key = () => schema.alterTable('api_key');
    await key()
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('full'))
      .execute();
    await key().addColumn('label', 'text').execute();
    await key().addColumn('scopes', 'text').execute();
    await key().addColumn('origins', 'text').execute();
    await key()
      .addColumn('allow_no_origin', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await key().addColumn('requests_per_minute', 'integer').execute();
    await key().addColumn('lasts_until', 'bigint').execute();
    await schema.createIndex('api_key_kind').on('api_key').column('kind').execute();
  },
};

import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Provenance of captures, held records, and states of sources. */
export const collecting: Migration = {
  name: '002-collecting',
  async up(db, dialect) {
    const { schema } = db;
    // 0 where it would repeat captured_at, to save space in millions of rows.
    for (const table of ['capture', 'official_rate']) {
      await schema
        .alterTable(table)
        .addColumn('observed_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    await schema
      .alterTable('batch')
      .addColumn('provenance', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .createIndex('batch_source')
      .on('batch')
      .columns(['source', 'received_at'])
      .execute();
    await schema
      .createIndex('publication_captured')
      .on('publication')
      .columns(['captured_at'])
      .execute();
    await schema
      .createTable('held')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('captured_at', 'bigint', (column) => column.notNull())
      .addColumn('held_at', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('provenance', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('counts', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('held_order')
      .on('held')
      .columns(['status', 'held_at', 'captured_at'])
      .execute();
    await schema
      .createTable('source_state')
      .addColumn('source', 'text', (column) => column.primaryKey().notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('kept_body')
      .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
      .addColumn('bytes', dialect === 'sqlite' ? 'blob' : 'bytea', (column) => column.notNull())
      .execute();
    await schema
      .createTable('kept_reading')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .addColumn('place', 'integer', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('kept_reading_identity', ['source', 'read_at', 'place'])
      .execute();
    await schema.createIndex('kept_reading_body').on('kept_reading').columns(['digest']).execute();
    await schema
      .createTable('collector')
      .addColumn('token', 'bigint', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into collector (token, holder, expires_at) values (0, '', 0)`.execute(db);
  },
};

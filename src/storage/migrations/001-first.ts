import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Stores rows in their primary key. SQLite needs a clause for it; PostgreSQL has no such tables.
 */
function clustered<T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  dialect: string,
): CreateTableBuilder<T, C> {
  return dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table;
}

async function createRecords(db: Kysely<unknown>, dialect: string): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('batch')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('market')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .execute();
  await clustered(
    schema
      .createTable('capture')
      .addColumn('market', 'integer', (column) => column.notNull())
      .addColumn('captured_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('mid', 'double precision', (column) => column.notNull())
      .addColumn('ask', 'double precision', (column) => column.notNull())
      .addColumn('bid', 'double precision', (column) => column.notNull())
      .addColumn('effective_date', 'text', (column) => column.notNull())
      .addColumn('batch', 'bigint', (column) => column.notNull())
      .addColumn('line', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('capture_identity', [
        'market',
        'captured_at',
        'updated_at',
        'mid',
        'ask',
        'bid',
        'effective_date',
      ]),
    dialect,
  ).execute();
  await clustered(
    schema
      .createTable('official_rate')
      .addColumn('market', 'integer', (column) => column.notNull())
      .addColumn('effective_date', 'text', (column) => column.notNull())
      .addColumn('captured_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('mid', 'double precision', (column) => column.notNull())
      .addColumn('ask', 'double precision', (column) => column.notNull())
      .addColumn('bid', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('official_rate_identity', ['market', 'effective_date']),
    dialect,
  ).execute();
  await schema
    .createTable('publication')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value_date', 'text', (column) => column.notNull())
    .addColumn('value_date_text', 'text', (column) => column.notNull())
    .addColumn('captured_at', 'bigint', (column) => column.notNull())
    .addColumn('rates', 'text', (column) => column.notNull())
    .addColumn('has_others', 'integer', (column) => column.notNull())
    .addColumn('batch', 'bigint', (column) => column.notNull())
    .addColumn('line', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('publication_order')
    .on('publication')
    .columns(['has_others', 'captured_at', 'value_date', 'batch', 'line'])
    .execute();
  await schema
    .createTable('bank_table')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('indicator_date', 'text', (column) => column.notNull())
    .addColumn('captured_at', 'bigint', (column) => column.notNull())
    .addColumn('rows', 'text', (column) => column.notNull())
    .addColumn('batch', 'bigint', (column) => column.notNull())
    .addColumn('line', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('bank_table_order')
    .on('bank_table')
    .columns(['captured_at', 'indicator_date', 'batch', 'line'])
    .execute();
  await schema
    .createTable('version')
    .addColumn('topic', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into version (topic, seq, at) values ('records', 0, 0), ('access', 0, 0)`.execute(
    db,
  );
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_seq', 'bigint', (column) => column.notNull())
    .addColumn('deleted', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('account_changed').on('account').columns(['changed_seq']).execute();
  await schema
    .createTable('api_key')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createIndex('api_key_account')
    .on('api_key')
    .columns(['account_id', 'created_at'])
    .execute();
  await schema
    .createTable('markup')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision', (column) => column.notNull())
    .addColumn('markets', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('markup_identity', ['account_id', 'tag'])
    .execute();
}

async function createUsage(db: Kysely<unknown>, dialect: string): Promise<void> {
  const { schema } = db;
  await clustered(
    schema
      .createTable('usage')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('window', 'text', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('taken', 'bigint', (column) => column.notNull())
      .addColumn('wanted', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_identity', ['account_id', 'window', 'opened_at']),
    dialect,
  ).execute();
  await clustered(
    schema
      .createTable('lease')
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('window', 'text', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('units', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('lease_identity', ['holder', 'account_id', 'window']),
    dialect,
  ).execute();
  await schema.createIndex('lease_window').on('lease').columns(['account_id', 'window']).execute();
}

export const first: Migration = {
  name: '001-first',
  async up(db, dialect) {
    await createRecords(db, dialect);
    await createAccounts(db);
    await createUsage(db, dialect);
  },
};

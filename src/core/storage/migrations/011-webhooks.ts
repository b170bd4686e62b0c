import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable, type Table } from '../table.ts';
import { WEBHOOK_TABLES } from './tables/011.ts';

/** Webhooks: endpoints, events, and the messages to each endpoint with their attempts. */
export const webhookTables: Migration = {
  name: '011-webhooks',
  release: '0.4.0',
  async up(db, dialect) {
    const statements = [
      ...Object.entries<Table>(WEBHOOK_TABLES).map(([name, table]) =>
        createTable(name, table, dialect),
      ),
      'create unique index webhook_endpoint_url on webhook_endpoint (account_id, url)',
      'create index webhook_event_subject on webhook_event (type, subject)',
      'create unique index webhook_message_event on webhook_message (endpoint_id, event_seq)',
      'create index webhook_message_age on webhook_message (created_at)',
      "create index webhook_message_due on webhook_message (endpoint_id, next_at) where status = 'pending'",
      'create index webhook_message_list on webhook_message (endpoint_id, id)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

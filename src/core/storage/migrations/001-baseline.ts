import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { triggers } from './001-triggers.ts';
import { BASELINE_TABLES } from './tables/001.ts';

/** The schema of the first release. */
export const baseline: Migration = {
  name: '001-baseline',
  release: '0.2.0',
  async up(db, dialect) {
    const tables = Object.entries(BASELINE_TABLES).map(([name, declared]) =>
      createTable(name, declared, dialect),
    );
    for (const statement of [...tables, ...INDEXES, ...FIRST_ROWS, ...triggers[dialect]]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const INDEXES = [
  'create index batch_source on batch (source, received_at)',
  `create index publication_order
    on publication (has_others, captured_at, value_date, batch, line)`,
  'create index publication_captured on publication (captured_at)',
  'create index publication_value_date on publication (value_date, captured_at)',
  'create index bank_table_order on bank_table (captured_at, indicator_date, batch, line)',
  'create index held_order on held (status, held_at, captured_at)',
  'create index kept_reading_body on kept_reading (digest)',
  'create index account_changed on account (changed_seq)',
  'create index api_key_account on api_key (account_id, created_at)',
  'create index api_key_kind on api_key (kind)',
  'create index lease_window on lease (account_id, "window")',
  // Old days are deleted for all accounts at once.
  'create index usage_day_day on usage_day (day)',
];

const FIRST_ROWS = [
  "insert into version (topic, seq, at) values ('records', 0, 0), ('access', 0, 0)",
  "insert into collector (token, holder, expires_at) values (0, '', 0)",
];

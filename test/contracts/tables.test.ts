import { describe, expect, test } from 'vitest';
import { TABLES } from '../../src/core/storage/schema.ts';
import { ENGINES, type Site, storeForEachTest } from './engines.ts';

const DECLARED = Object.entries(TABLES).flatMap(([table, { columns }]) =>
  Object.keys(columns).map((column) => `${table}.${column}`),
);

const COLUMNS: Readonly<Record<string, string>> = {
  SQLite: `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name <> 'migration'`,
  PostgreSQL: `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name not in ('migration', 'vesfx_gate')`,
};

describe.each(ENGINES.filter(({ name }) => name in COLUMNS))(
  'tables on $name',
  ({ name, create }) => {
    let site: Site;

    storeForEachTest(create, (opened) => {
      ({ site } = opened);
    });

    test('the migrations make exactly the declared tables and columns', async () => {
      const rows = await site.ask(COLUMNS[name] ?? '');
      const made = rows.map((row) => ('name' in row ? String(row.name) : ''));
      expect(made.toSorted()).toEqual(DECLARED.toSorted());
    });
  },
);

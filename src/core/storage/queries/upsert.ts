import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../engine.ts';
import { TABLES, type Tables } from '../schema.ts';
import type { Table } from '../table.ts';

/** Inserts rows. A stored row with the same key takes the new values. */
export function upsert<Name extends keyof Tables>(
  db: Queries,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  return insertOr(db, table, rows, (name) => sql`excluded.${sql.ref(name)}`);
}

/** Inserts rows of counts. The counts of a stored row with the same key grow by the new ones. */
export function addCounts<Name extends 'source_day' | 'usage_day' | 'key_day'>(
  db: Queries,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  const sum = (name: string) => sql`${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`;
  return insertOr(db, table, rows, sum);
}

async function insertOr<Name extends keyof Tables>(
  db: Queries,
  table: Name,
  rows: readonly Tables[Name][],
  newValue: (column: string) => RawBuilder<unknown>,
): Promise<void> {
  const { key, columns }: Table = TABLES[table];
  const names = Object.keys(columns) as (keyof Tables[Name] & string)[];
  const changed = names.filter((name) => !key.includes(name));
  const values = rows.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`);
  const listed = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${listed(names)}) values ${sql.join(values)}
    on conflict (${listed(key)}) do update set
      ${sql.join(changed.map((name) => sql`${sql.ref(name)} = ${newValue(name)}`))}
  `.execute(db);
}

/** Parts of a list, because the databases limit the values of a statement. */
export function* partsOf<Item>(list: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

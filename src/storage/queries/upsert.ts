import { sql } from 'kysely';
import type { Queries } from '../engine.ts';
import { TABLES, type Tables } from '../schema.ts';

/** Inserts rows. A stored row with the same key takes the new values. */
export async function upsert<Name extends keyof Tables>(
  db: Queries,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  const { key, columns } = TABLES[table];
  const names = Object.keys(columns) as (keyof Tables[Name] & string)[];
  const changed = names.filter((name) => !key.includes(name));
  const values = rows.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`);
  const listed = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${listed(names)}) values ${sql.join(values)}
    on conflict (${listed(key)}) do update set
      ${sql.join(changed.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
  `.execute(db);
}

/** Parts of a list, because the databases limit the values of a statement. */
export function* partsOf<Item>(list: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

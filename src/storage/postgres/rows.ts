import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../engine.ts';

export type ColumnType = 'integer' | 'bigint' | 'double precision' | 'text' | 'bytea';

/** A table's columns with their types, in the order in which rows hold their values. */
export type Columns = readonly (readonly [name: string, type: ColumnType])[];

/**
 * Inserts any number of rows, with one array parameter for each column.
 * @param conflict The action for existing rows.
 * @returns how many rows were inserted or changed.
 */
export async function insertRows(
  db: Queries,
  { table, columns }: { readonly table: string; readonly columns: Columns },
  rows: readonly (readonly unknown[])[],
  conflict: RawBuilder<unknown> = sql``,
): Promise<number> {
  const arrays = columns.map(([, type], column) => {
    const values = rows.map((row) => row[column]);
    return sql`cast(${sql.val(values)} as ${sql.raw(type)}[])`;
  });
  const result = await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    select * from unnest(${sql.join(arrays)})
    ${conflict}`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

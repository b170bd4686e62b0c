import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries } from '../../core/storage/engine.ts';
import { TABLES } from '../../core/storage/schema.ts';
import type { Table } from '../../core/storage/table.ts';

/** A table to copy from one database to another: whole rows, in the order of its key. */
export interface CopiedTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** The columns that identify a row, in reading order. */
  readonly key: readonly string[];
  /** Rows in one statement. */
  readonly rowsAtOnce: number;
}

const ROWS_PER_COPY = 5_000;

/** The same for raw bodies, which may have a megabyte each. */
// limit: `vesfx move`, in a transaction: bodies, rows | 20, 5,000 | another | ROWS_PER_COPY
const BODIES_PER_COPY = 20;

type Row = Readonly<Record<string, unknown>>;

/** Every table of a migrated database, but the one of its migrations. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.entries<Table>(TABLES).map(
  ([name, { key, columns }]) => ({
    table: name,
    columns: Object.keys(columns),
    // A table without a key has one row, so the order of its columns does not matter.
    key: key.length > 0 ? key : Object.keys(columns),
    rowsAtOnce: Object.values(columns).some((type) => type.startsWith('bytes'))
      ? BODIES_PER_COPY
      : ROWS_PER_COPY,
  }),
);

export async function countRows(db: Queries, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** The key of a row, after which the next read begins. */
export function primaryKeyOf({ key }: CopiedTable, row: Row): readonly unknown[] {
  return key.map((name) => row[name]);
}

/** The rows after a key, in key order. An empty key is before the first row. */
export async function rowsAfter(
  db: Queries,
  { table, columns, key, rowsAtOnce }: CopiedTable,
  after: readonly unknown[],
): Promise<readonly Row[]> {
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)));
  const behind = after.length === 0 ? sql`` : sql`where (${names(key)}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${names(columns)} from ${sql.table(table)} ${behind}
    order by ${names(key)} limit ${sql.lit(rowsAtOnce)}`.execute(db);
  return rows;
}

/** Inserts rows into PostgreSQL, which reads each value by the type of its column. */
export async function insertRows(
  db: Queries,
  { table }: CopiedTable,
  rows: readonly Row[],
): Promise<void> {
  const text = JSON.stringify(rows, (_name, value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
  );
  const into = sql.table(table);
  await sql`
    insert into ${into}
    select * from json_populate_recordset(cast(null as ${into}), cast(${text} as json))`.execute(
    db,
  );
}

/**
 * Adds a row to a checksum of all rows in any order, because the two databases sort text
 * differently: the SHA-256 of each row, summed in lanes of 32 bits.
 */
export function addToSum(sum: Uint32Array, { columns }: CopiedTable, row: Row): void {
  const values = columns.map((name) => {
    const value = row[name];
    return value instanceof Uint8Array ? hash('sha256', value) : value;
  });
  const digest = hash('sha256', JSON.stringify(values), 'buffer');
  for (const [lane, part] of sum.entries()) sum[lane] = part + digest.readUInt32BE(lane * 4);
}

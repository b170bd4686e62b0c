import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Columns, ColumnType } from '../postgres/rows.ts';

/** A table to copy from one database to another: whole rows, in the order of its key. */
export interface CopiedTable {
  readonly table: string;
  readonly columns: Columns;
  /** The columns that identify a row, in reading order. */
  readonly key: readonly string[];
  /** Rows in one statement. */
  readonly rowsAtOnce: number;
}

/** Most rows copied in one transaction. */
const ROWS_PER_COPY = 5_000;

/** The same for raw bodies, which may have a megabyte each. */
const BODIES_PER_COPY = 20;

/** Not copied, because the target has its own. */
const MIGRATIONS_TABLE = 'migration';

/** PostgreSQL's type for each type of SQLite; only `blob` has another name. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  integer: 'integer',
  bigint: 'bigint',
  'double precision': 'double precision',
  text: 'text',
  blob: 'bytea',
};

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  /** Place in the primary key, from 1; 0 for others. */
  readonly pk: number;
}

/** Every table of a migrated database. A table follows those that it references. */
export function readTables(db: DatabaseSync): readonly CopiedTable[] {
  const tables = db
    .prepare(
      `select name from sqlite_schema
      where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> ?
      order by rowid`,
    )
    .all(MIGRATIONS_TABLE);
  return tables.map(({ name }) => readTable(db, String(name)));
}

function readTable(db: DatabaseSync, table: string): CopiedTable {
  const info = db.prepare('select name, type, "notnull", pk from pragma_table_info(?)');
  // The cast is safe: the rows have the columns that the query names.
  const columns = info.all(table) as unknown as readonly ColumnRow[];
  const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  // A table without a primary key has one row, so the order of its columns does not matter.
  const key = primary.length > 0 ? primary : columns.filter(({ notnull }) => notnull === 1);
  if (key.length === 0) throw new Error(`The table ${table} has no key.`);
  return {
    table,
    key: key.map(({ name }) => name),
    columns: columns.map(({ name, type }) => [name, typeOf(table, type)]),
    rowsAtOnce: table === 'kept_body' ? BODIES_PER_COPY : ROWS_PER_COPY,
  };
}

function typeOf(table: string, type: string): ColumnType {
  const known = TYPES[type.toLowerCase()];
  if (known === undefined) throw new Error(`The table ${table} has a column of the type ${type}.`);
  return known;
}

/** The values of a row, in the order of the table's columns. */
export type Row = readonly unknown[];

/** The key of a row, after which the next read begins. */
export function keyOf({ columns, key }: CopiedTable, row: Row): readonly unknown[] {
  return key.map((name) => row[columns.findIndex(([column]) => column === name)]);
}

/** The rows after a key of `after` values, which is 0 for the first rows. */
export function selectOf(
  { table, columns, key, rowsAtOnce }: CopiedTable,
  after: number,
  place: (index: number) => string,
): string {
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(', ');
  const marks = Array.from({ length: after }, (_, index) => place(index)).join(', ');
  const behind = after === 0 ? '' : `where (${names(key)}) > (${marks})`;
  return `select ${names(columns.map(([name]) => name))} from "${table}" ${behind}
    order by ${names(key)} limit ${rowsAtOnce}`;
}

const LANES = 4;

/**
 * A checksum of all rows in any order, because the two databases sort text differently: the SHA-256
 * of each row, summed in four lanes of 32 bits.
 */
export class TableSum {
  #rows = 0;
  readonly #lanes = new Uint32Array(LANES);

  add(row: Row): void {
    const text = JSON.stringify(
      row.map((value) => (value instanceof Uint8Array ? hash('sha256', value) : value)),
    );
    const digest = hash('sha256', text, 'buffer');
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + digest.readUInt32BE(lane * 4);
    }
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  get digest(): string {
    return [...this.#lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('');
  }
}

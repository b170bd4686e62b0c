import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

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
const BODIES_PER_COPY = 20;

/** Not copied, because the target has its own. */
const MIGRATIONS_TABLE = 'migration';

type Row = Readonly<Record<string, unknown>>;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  /** Place in the primary key, from 1; 0 for others. */
  readonly pk: number;
}

/** Every table of a migrated SQLite database. A table follows those that it references. */
export async function readTables(db: Kysely<unknown>): Promise<readonly CopiedTable[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema
    where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> ${MIGRATIONS_TABLE}
    order by rowid`.execute(db);
  const tables: CopiedTable[] = [];
  for (const { name } of rows) tables.push(await readTable(db, name));
  return tables;
}

async function readTable(db: Kysely<unknown>, table: string): Promise<CopiedTable> {
  const { rows: columns } = await sql<ColumnRow>`
    select name, type, "notnull", pk from pragma_table_info(${table})`.execute(db);
  const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  // A table without a primary key has one row, so the order of its columns does not matter.
  const key = primary.length > 0 ? primary : columns.filter(({ notnull }) => notnull === 1);
  if (key.length === 0) throw new Error(`The table ${table} has no key.`);
  const hasBodies = columns.some(({ type }) => type.toLowerCase() === 'blob');
  return {
    table,
    key: key.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    rowsAtOnce: hasBodies ? BODIES_PER_COPY : ROWS_PER_COPY,
  };
}

export async function countRows(db: Kysely<unknown>, table: string): Promise<number> {
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
  db: Kysely<unknown>,
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
  db: Kysely<unknown>,
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

const LANES = 4;

/**
 * A checksum of all rows in any order, because the two databases sort text differently: the SHA-256
 * of each row, summed in four lanes of 32 bits.
 */
export class TableSum {
  #rows = 0;
  readonly #columns: readonly string[];
  readonly #lanes = new Uint32Array(LANES);

  constructor({ columns }: CopiedTable) {
    this.#columns = columns;
  }

  add(row: Row): void {
    const values = this.#columns.map((name) => {
      const value = row[name];
      return value instanceof Uint8Array ? hash('sha256', value) : value;
    });
    const digest = hash('sha256', JSON.stringify(values), 'buffer');
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

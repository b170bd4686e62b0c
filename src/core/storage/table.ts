export type Dialect = 'sqlite' | 'postgres';

/** A table as a migration creates it. */
export interface Table<Columns = Readonly<Record<string, string>>, Name = string> {
  /** The primary key; empty for a table with one row. */
  readonly key: readonly Name[];
  /** The SQL of each column after its name. `bytes` is the type of both databases for bytes. */
  readonly columns: Columns;
  /** Whether SQLite stores the rows in their key. PostgreSQL has no such tables. */
  readonly isClustered: boolean;
}

export function plainTable<const Columns extends Record<string, string>>(
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<Columns, keyof Columns & string> {
  return { key, columns, isClustered: false };
}

/** A table whose rows SQLite stores in their key. */
export function clusteredTable<const Columns extends Record<string, string>>(
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<Columns, keyof Columns & string> {
  return { key, columns, isClustered: true };
}

/** A change of the schema. Columns are made first, then tables, then what statements do. */
export interface Migration {
  readonly name: string;
  /** The version of vesfx that brings it; `package.json` must have reached it. */
  readonly release: string;
  /** Those that older tables gain, by table. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A table follows those that it refers to: `vesfx move` copies them in this order. */
  readonly tables?: Readonly<Record<string, Table>>;
  readonly statements?: (dialect: Dialect) => readonly string[];
}

/** All statements of a migration. */
export function statementsOf(
  { columns = {}, tables = {}, statements = () => [] }: Migration,
  dialect: Dialect,
): readonly string[] {
  const added = Object.entries(columns).flatMap(([table, ofTable]) =>
    Object.entries(ofTable).map(
      ([column, definition]) => `alter table ${table} add column ${column} ${definition}`,
    ),
  );
  const created = Object.entries(tables).map(([name, table]) => createTable(name, table, dialect));
  return [...added, ...created, ...statements(dialect)];
}

type ValueOf<Definition> = Definition extends `text${string}`
  ? string
  : Definition extends `bytes${string}`
    ? Uint8Array
    : number;

/** The values of a row, from the SQL of its columns. */
export type RowOf<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends `${string}not null${string}`
    ? ValueOf<Columns[Name]>
    : ValueOf<Columns[Name]> | null;
};

/** The statement that creates a table. */
function createTable(name: string, { key, columns, isClustered }: Table, dialect: Dialect): string {
  const bytes = dialect === 'sqlite' ? 'blob' : 'bytea';
  const parts = Object.entries(columns).map(
    ([column, definition]) => `"${column}" ${definition.replace(/^bytes/, bytes)}`,
  );
  if (key.length > 0) parts.push(`primary key (${key.map((column) => `"${column}"`).join(', ')})`);
  const clustering = isClustered && dialect === 'sqlite' ? 'without rowid' : '';
  return `create table ${name} (${parts.join(', ')}) ${clustering}`;
}

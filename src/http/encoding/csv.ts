import { z } from 'zod';
import { SPANISH_HEADERS } from './csv-headers-es.ts';
import { slicesOf } from './slices.ts';

/**
 * CSV as RFC 4180 has it: CRLF after every line, the last one too. Written here and not by
 * csv-stringify, which leaves cells with a lone CR or LF unquoted and is several times slower.
 */

type Schema = z.core.$ZodType;

/** The value of a row in one column; a list is one cell. */
type Cell = string | number | boolean | null | undefined | readonly Cell[];

/** A column: its name in the header, and the path of keys from the row to its cell. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
}

/** How cells are parted, and how headers, numbers and truth values are written. */
export interface CsvDialect {
  readonly separator: ',' | ';';
  readonly decimalMark: '.' | ',';
  readonly yes: string;
  readonly no: string;
  /** Headers by the names of the columns; a column without one keeps its name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What stands before the header. */
  readonly start: string;
}

/** RFC 4180, and JSON's numbers. */
export const PLAIN_CSV: CsvDialect = {
  separator: ',',
  decimalMark: '.',
  yes: 'true',
  no: 'false',
  headers: {},
  start: '',
};

/** What spreadsheets open by a double click where Spanish is the language. */
export const SPANISH_CSV: CsvDialect = {
  separator: ';',
  decimalMark: ',',
  yes: 'VERDADERO',
  no: 'FALSO',
  headers: SPANISH_HEADERS,
  // The byte order mark, by which Excel knows UTF-8.
  start: '\uFEFF',
};

const EOL = '\r\n';
/** Between the values of a list that is one cell. */
const LIST_SEPARATOR = ';';
/**
 * Characters by which a spreadsheet may take a text for a formula: `= + - @` and all that
 * Unicode normalises (NFKC) to them: small, full-width, raised and lowered forms, and the minus sign.
 */
const STARTS_A_FORMULA =
  '=+\\-@\\u207A-\\u207C\\u208A-\\u208C\\u2212\\u2A75\\u2A76\\uFB29\\uFE62\\uFE63\\uFE66\\uFE6B＋－＝＠';
/** What it passes over before one of them. */
const PASSED_OVER = '\\s\\p{C}\\p{Default_Ignorable_Code_Point}';
const RUNS_IN_A_SPREADSHEET = new RegExp(`^[${STARTS_A_FORMULA}${PASSED_OVER}]`, 'u');
/** Where Spanish is the language a semicolon ends a cell, whatever quotes stand around it. */
const CELL_IN_SPANISH = new RegExp(`;(?=[${PASSED_OVER}]*[${STARTS_A_FORMULA}])`, 'gu');
/** Where a file in Spanish is opened in English, a comma does. */
const CELL_IN_ENGLISH = new RegExp(`,(?=[${PASSED_OVER}]*[${STARTS_A_FORMULA}])`, 'gu');
const NEEDS_QUOTES = /[",;\r\n]/;

/** The schema itself, without what wraps it to say that it may be absent, null or frozen. */
function unwrapped(schema: Schema): Schema {
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodReadonly
  ) {
    return unwrapped(schema._zod.def.innerType);
  }
  return schema;
}

/** Whether a value could be of that object schema, judged by the names of its fields alone. */
function hasShapeOf(option: Schema, value: object): boolean {
  if (!(option instanceof z.core.$ZodObject)) return false;
  const { shape } = option._zod.def;
  const missesNone = Object.keys(shape).every(
    (name) => name in value || shape[name]?._zod.optin === 'optional',
  );
  return missesNone && Object.keys(value).every((name) => Object.hasOwn(shape, name));
}

/**
 * The schema that describes `value`: of a union the first option with its fields.
 * @throws Error when the endpoint answers what it does not declare.
 */
export function schemaOf(schema: Schema, value: object): Schema {
  const own = unwrapped(schema);
  if (!(own instanceof z.core.$ZodUnion)) return own;
  const fitting = own._zod.def.options.find((option) => hasShapeOf(unwrapped(option), value));
  if (fitting === undefined) throw new Error('an answer fits no option of its schema');
  return unwrapped(fitting);
}

/** The schema of a list's items, where the object schema has such a list. */
export function itemSchema(schema: Schema, list: string): Schema {
  const field = schema instanceof z.core.$ZodObject ? schema._zod.def.shape[list] : undefined;
  const own = field && unwrapped(field);
  if (own instanceof z.core.$ZodArray) return unwrapped(own._zod.def.element);
  throw new Error(`there is no list ${list} in the schema`);
}

function fieldsOf(schema: Schema): readonly (readonly [string, Schema])[] | undefined {
  return schema instanceof z.core.$ZodObject ? Object.entries(schema._zod.def.shape) : undefined;
}

/**
 * The columns of a row, in the order of its schema and whichever optional fields it has. A nested
 * object's fields are columns of their own, named with the object's name before them.
 * @throws Error for a list of objects: it has no place in a row.
 */
export function columnsOf(schema: Schema, path: readonly string[] = []): readonly Column[] {
  const own = unwrapped(schema);
  const fields = fieldsOf(own);
  if (fields !== undefined) {
    return fields.flatMap(([name, field]) => columnsOf(field, [...path, name]));
  }
  const name = path.join('_');
  if (own instanceof z.core.$ZodArray && fieldsOf(unwrapped(own._zod.def.element))) {
    throw new Error(`the list ${name} has no place in a row`);
  }
  return [{ name, path }];
}

/** The columns for the envelope of a list: its plain fields, those that no row has of its own. */
export function envelopeColumns(schema: Schema, rows: readonly Column[]): readonly Column[] {
  const taken = new Set(rows.map(({ name }) => name));
  return (fieldsOf(schema) ?? []).flatMap(([name, field]) => {
    const own = unwrapped(field);
    const isPlain = !(own instanceof z.core.$ZodObject || own instanceof z.core.$ZodArray);
    return isPlain && !taken.has(name) ? [{ name, path: [name] }] : [];
  });
}

/** Fields are read by the names that the schema gave, so the cast only says "may be absent". */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** What a schema does not describe as an object is a plain value or a list of them. */
function cellAt(row: object, { path }: Column): Cell {
  return path.reduce<unknown>(fieldOf, row) as Cell;
}

/** Makes a text safe to open in a spreadsheet, which would run it as a formula (decisions §5). */
function guarded(given: string, separator: CsvDialect['separator']): string {
  const text = separator === ';' ? given.replaceAll(CELL_IN_ENGLISH, ",'") : given;
  if (text.includes(';')) return `'${text.replaceAll(CELL_IN_SPANISH, ";'")}`;
  return RUNS_IN_A_SPREADSHEET.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(cell: Cell, { separator, decimalMark, yes, no }: CsvDialect): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'string') return quoted(guarded(cell, separator));
  if (typeof cell === 'number') return String(cell).replace('.', decimalMark);
  if (typeof cell === 'boolean') return cell ? yes : no;
  return quoted(cell.map((one) => guarded(String(one ?? ''), separator)).join(LIST_SEPARATOR));
}

/**
 * Writes a header and a line a row, in pieces of some rows each; `trailing` columns are read from
 * `envelope` in every row.
 */
export function* csvPieces(
  rows: readonly object[],
  columns: readonly Column[],
  trailing: readonly Column[] = [],
  envelope: object = {},
  dialect: CsvDialect = PLAIN_CSV,
): Generator<string> {
  const { separator, headers, start } = dialect;
  const header = [...columns, ...trailing]
    .map(({ name }) => quoted(headers[name] ?? name))
    .join(separator);
  const ending = trailing
    .map((column) => separator + cellText(cellAt(envelope, column), dialect))
    .join('');
  yield start + header + EOL;
  for (const slice of slicesOf(rows)) {
    let text = '';
    for (const row of slice) {
      const cells = columns.map((column) => cellText(cellAt(row, column), dialect));
      text += cells.join(separator) + ending + EOL;
    }
    yield text;
  }
}

import { z } from 'zod';
import { slicesOf } from './slices.ts';

/**
 * CSV of RFC 4180, with CRLF after every line including the last. Our own code, because
 * csv-stringify leaves cells with a lone CR or LF unquoted and is several times slower.
 */

type Schema = z.core.$ZodType;

/** The value of a row in a column. A list goes into one cell. */
type Cell = string | number | boolean | null | undefined | readonly Cell[];

/** A column: its name, its header in Spanish, and the path of keys from the row to the value. */
export interface CsvColumn {
  readonly name: string;
  readonly header?: string | undefined;
  readonly path: readonly string[];
}

/** One of an answer, whose schema a workbook needs. */
export interface AnswerColumn extends CsvColumn {
  readonly schema: Schema;
}

/** How a dialect separates cells and writes headers, numbers and booleans. */
export interface CsvDialect {
  readonly separator: ',' | ';';
  readonly decimalMark: '.' | ',';
  readonly yes: string;
  readonly no: string;
  readonly headerOf: (column: CsvColumn) => string;
  /** Text before the header line. */
  readonly start: string;
}

/** RFC 4180, with numbers as in JSON. */
export const PLAIN_CSV: CsvDialect = {
  separator: ',',
  decimalMark: '.',
  yes: 'true',
  no: 'false',
  headerOf: ({ name }) => name,
  start: '',
};

/** What spreadsheets in Spanish open with a double click. */
export const SPANISH_CSV: CsvDialect = {
  separator: ';',
  decimalMark: ',',
  yes: 'VERDADERO',
  no: 'FALSO',
  headerOf: ({ name, header = name }) => header,
  // Excel recognises UTF-8 by the byte order mark.
  start: '\uFEFF',
};

const EOL = '\r\n';
/** Separates the values of a list in one cell. */
const LIST_SEPARATOR = ';';
/**
 * Characters that start a formula in a spreadsheet: `= + - @`, the minus sign, and every character
 * that Unicode NFKC normalises to one of them (small, full-width, raised and lowered forms).
 */
const STARTS_A_FORMULA =
  '=+\\-@\\u207A-\\u207C\\u208A-\\u208C\\u2212\\u2A75\\u2A76\\uFB29\\uFE62\\uFE63\\uFE66\\uFE6B＋－＝＠';
/** Characters that a spreadsheet skips before one of them. */
const PASSED_OVER = '\\s\\p{C}\\p{Default_Ignorable_Code_Point}';
const RUNS_IN_A_SPREADSHEET = new RegExp(`^[${STARTS_A_FORMULA}${PASSED_OVER}]`, 'u');
/** In Spanish a semicolon separates cells, even inside quotes when a file is split naively. */
const CELL_IN_SPANISH = new RegExp(`;(?=[${PASSED_OVER}]*[${STARTS_A_FORMULA}])`, 'gu');
/** A Spanish file opened in English is split at commas. */
const CELL_IN_ENGLISH = new RegExp(`,(?=[${PASSED_OVER}]*[${STARTS_A_FORMULA}])`, 'gu');
const NEEDS_QUOTES = /[",;\r\n]/;

/** What is inside a wrapper for optional, nullable or readonly. */
function innerOf(schema: Schema): Schema | undefined {
  const isWrapper =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodReadonly;
  return isWrapper ? schema._zod.def.innerType : undefined;
}

/** The schema inside all its wrappers. */
function unwrapped(schema: Schema): Schema {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrapped(inner);
}

/** The Spanish header that a declaration gives (`said`), or the one of what it wraps. */
function ownHeader(schema: Schema): string | undefined {
  const header = z.globalRegistry.get(schema)?.['header'];
  if (typeof header === 'string') return header;
  const inner = innerOf(schema);
  return inner && ownHeader(inner);
}

/** `Vigente: tasa (Bs.)` is the rate of what is in force. A header may begin with its group's. */
function headerWithin(group: string | undefined, header: string): string {
  if (group === undefined || header.startsWith(`${group} `)) return header;
  return `${group}: ${header.slice(0, 1).toLowerCase()}${header.slice(1)}`;
}

/** Whether the value's field names fit the object schema. */
function hasShapeOf(option: Schema, value: object): boolean {
  if (!(option instanceof z.core.$ZodObject)) return false;
  const { shape } = option._zod.def;
  const missesNone = Object.keys(shape).every(
    (name) => name in value || shape[name]?._zod.optin === 'optional',
  );
  return missesNone && Object.keys(value).every((name) => Object.hasOwn(shape, name));
}

/**
 * The schema of `value`: of a union, the first option with its fields.
 * @throws Error when the endpoint's answer does not match its declaration.
 */
export function schemaOf(schema: Schema, value: object): Schema {
  const own = unwrapped(schema);
  if (!(own instanceof z.core.$ZodUnion)) return own;
  const fitting = own._zod.def.options.find((option) => hasShapeOf(unwrapped(option), value));
  if (fitting === undefined) throw new Error('an answer fits no option of its schema');
  return unwrapped(fitting);
}

/** The schema of the items of that list, if the object schema has it. */
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
 * The columns of a row, in the order of its schema, whichever optional fields a row has. Fields of
 * a nested object become columns prefixed with the object's name.
 * @param without Names of fields that become no column.
 * @throws Error for a list of objects, which does not fit into a row.
 */
export function columnsOf(
  schema: Schema,
  without: readonly string[] = [],
): readonly AnswerColumn[] {
  return columnsWithin(schema, without, { path: [] });
}

function columnsWithin(
  schema: Schema,
  without: readonly string[],
  { path, header: group }: Omit<CsvColumn, 'name'>,
): readonly AnswerColumn[] {
  const own = unwrapped(schema);
  const said = ownHeader(schema);
  const header = said && headerWithin(group, said);
  const fields = fieldsOf(own);
  if (fields !== undefined) {
    return fields
      .filter(([name]) => !without.includes(name))
      .flatMap(([name, field]) =>
        columnsWithin(field, without, { path: [...path, name], header: header ?? group }),
      );
  }
  const name = path.join('_');
  if (own instanceof z.core.$ZodArray && fieldsOf(unwrapped(own._zod.def.element))) {
    throw new Error(`the list ${name} has no place in a row`);
  }
  return [{ name, header, path, schema: own }];
}

/** The columns of the envelope of a list: its plain fields that the rows do not have. */
export function envelopeColumns(
  schema: Schema,
  rows: readonly AnswerColumn[],
): readonly AnswerColumn[] {
  const taken = new Set(rows.map(({ name }) => name));
  return (fieldsOf(schema) ?? []).flatMap(([name, field]) => {
    const own = unwrapped(field);
    const isPlain = !(own instanceof z.core.$ZodObject || own instanceof z.core.$ZodArray);
    return isPlain && !taken.has(name)
      ? [{ name, header: ownHeader(field), path: [name], schema: own }]
      : [];
  });
}

/** The columns of those fields of the envelope, plain values or lists of them. */
export function fieldColumns(schema: Schema, names: readonly string[]): readonly AnswerColumn[] {
  const fields = new Map(fieldsOf(schema));
  return names.map((name) => {
    const field = fields.get(name);
    if (field === undefined) throw new Error(`there is no field ${name} in the schema`);
    return { name, header: ownHeader(field), path: [name], schema: unwrapped(field) };
  });
}

/**
 * The casts are safe: the names come from the schema, and what is not described as an object is a
 * plain value or a list of plain values.
 */
export function cellAt(row: object, { path }: CsvColumn): Cell {
  return path.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | undefined | null)?.[name],
    row,
  ) as Cell;
}

/** Escapes a text that a spreadsheet would run as a formula (contract §5). */
function guarded(value: string, separator: CsvDialect['separator']): string {
  const text = separator === ';' ? value.replaceAll(CELL_IN_ENGLISH, ",'") : value;
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
  return quoted(cell.map((item) => guarded(String(item ?? ''), separator)).join(LIST_SEPARATOR));
}

/** Writes header and rows, several at once. `trailing` columns are those of `envelope`. */
export function* csvPieces(
  rows: readonly object[],
  columns: readonly CsvColumn[],
  trailing: readonly CsvColumn[] = [],
  envelope: object = {},
  dialect: CsvDialect = PLAIN_CSV,
): Generator<string> {
  const { separator, headerOf, start } = dialect;
  const header = [...columns, ...trailing]
    .map((column) => quoted(headerOf(column)))
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

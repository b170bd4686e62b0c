import { orRefusal, Refused } from '../../core/app/ingest/record.ts';
import type { FileRecords, FileSurroundings } from '../../core/capability.ts';
import { CsvFault, type CsvRow, csvRecords, type Separator } from '../../core/cli/csv-rows.ts';
import { UsageError } from '../../core/cli/output.ts';
import { didYouMean } from '../../core/domain/near-names.ts';
import { DayEvidence, dayCell } from './days.ts';
import { type DecimalMark, FigureEvidence } from './figures.ts';
import { type As, type Columns, isHeader, tableColumns } from './header.ts';
import { subjectName } from './names.ts';
import { type BadRow, tableRecords } from './records.ts';
import { type RowFigure, rowFigures, textAt } from './rows.ts';

/** Largest table. Days and decimals can be judged only when all of it is known. */
// limit: File, unpacked | 32 MB | refused, nothing stored
export const MAX_TABLE_BYTES = 32 * 2 ** 20;

/** Rows among which the header is: titles may stand above it. */
// limit: Rows up to the header | 20 | refused
const MAX_ROWS_TO_HEADER = 20;

const SEPARATORS: Readonly<Record<Separator, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
};

/** Excel says so in a first line of its own which separator a file has. */
const SEPARATOR_LINE = /^sep=([,;\t])$/i;

// limit: Columns | 100 | no header
const MAX_COLUMNS = 100;
/** Longer texts of a cell are cut where a message has them. */
const MAX_REASON_LENGTH = 300;
// limit: Shown: name of a column, reason of a bad line | 40, 300 characters | cut | MAX_REASON_LENGTH
const MAX_NAME_LENGTH = 40;

/** A row that is longer or shorter than the header, which a decimal comma without quotes makes. */
const UNEVEN = 'a cell that has the separator in it must stand in quotes';

interface Table {
  readonly separator: Separator;
  readonly header: CsvRow;
  rows(): Generator<CsvRow>;
}

/** Reads a table of rates as records. @throws Error when it is too large or no text. */
export async function readTable(
  file: AsyncIterable<Buffer>,
  around: FileSurroundings,
): Promise<FileRecords> {
  const as = asOf(around);
  const { text, encoding } = textOf(await wholeOf(file));
  const table = tableIn(text, around);
  if (table === undefined) {
    const reason =
      `this is a CSV whose first ${MAX_ROWS_TO_HEADER} rows have no header: it needs a column fecha (date), and tasa ` +
      '(rate) or a column for each currency or market, such as usd';
    return refusedAt([{ line: 1, reason }]);
  }
  const columns = tableColumns(table.header.cells, as, around.markets);
  if (typeof columns === 'string') {
    return refusedAt([{ line: table.header.line, reason: `the header ${columns}` }]);
  }
  const { days, figures: written } = evidenceIn(table, columns);
  const problems = [days.problem(around.now), written.problem(columns.isOurs)];
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) return refusedAt(found);
  const { mark } = written;
  const rows = () => figuresIn(table, { ...around, columns, mark: mark ?? '.' });
  const { separator } = table;
  return {
    ...tableRecords(rows, around),
    readAs: described({ separator, encoding, columns, mark, days }),
  };
}

/** Whose figures `--as` says they are. @throws UsageError for no market. */
function asOf({ as, markets }: FileSurroundings): As {
  if (as === undefined || as === 'official') return as;
  const market = markets.find(as);
  if (market !== undefined) return market;
  throw new UsageError(`--as must be official or a market.${didYouMean(markets, as)}`);
}

async function wholeOf(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of file) {
    bytes += part.length;
    if (bytes > MAX_TABLE_BYTES) {
      throw new Error(
        `The table has more than ${MAX_TABLE_BYTES / 2 ** 20} MB: split it, or load NDJSON, which has no limit.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Programs on Windows write the code page of the country, in which every byte is a character. */
function textOf(bytes: Buffer): { readonly text: string; readonly encoding: string } {
  if (bytes.includes(0)) throw new Error('This is no text: it has zero bytes.');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

/** The table with the separator with which a row is a header. */
function tableIn(text: string, { markets }: FileSurroundings): Table | undefined {
  for (const separator of [';', '\t', ','] as const) {
    const header = headerIn(csvRecords(text, separator), (cells) => isHeader(cells, markets));
    if (header === undefined) continue;
    const rows = function* () {
      for (const row of csvRecords(text, separator)) if (row.line > header.line) yield row;
    };
    return { separator, header, rows };
  }
  return undefined;
}

function headerIn(
  rows: Iterable<CsvRow>,
  isOne: (cells: readonly string[]) => boolean,
): CsvRow | undefined {
  let count = 0;
  try {
    for (const row of rows) {
      count += 1;
      if (count > MAX_ROWS_TO_HEADER) return undefined;
      if (SEPARATOR_LINE.test(row.cells.join(','))) continue;
      if (row.cells.length <= MAX_COLUMNS && isOne(row.cells)) return row;
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
  }
  return undefined;
}

/** What the cells of the whole file show about its days and its decimals. */
function evidenceIn(table: Table, columns: Columns) {
  const days = new DayEvidence();
  const figures = new FigureEvidence();
  const { at } = columns;
  const ofDays = [at.day, at.value_date];
  const ofFigures = [at.rate, at.ask, at.bid, ...columns.figures.map(({ column }) => column)];
  try {
    for (const { line, cells } of table.rows()) {
      const whose = `${textAt(cells, at.market)} ${textAt(cells, at.currency)}`;
      for (const column of ofDays) {
        const text = textAt(cells, column);
        const cell = dayCell(text);
        if (cell !== undefined) days.add(cell, { line, text, series: `${column} ${whose}` });
      }
      for (const column of ofFigures) {
        const text = textAt(cells, column);
        if (text !== '') figures.add(text, line);
      }
    }
  } catch (error) {
    // It is told when the rows are read.
    if (!(error instanceof CsvFault)) throw error;
  }
  return { days, figures };
}

/** The figures of all rows, and what is bad. */
function* figuresIn(
  table: Table,
  around: Parameters<typeof rowFigures>[1],
): Generator<RowFigure | BadRow> {
  const width = table.header.cells.length;
  try {
    for (const row of table.rows()) {
      if (row.cells.every((cell) => cell.trim() === '')) continue;
      const figures = orRefusal(() => {
        requireWidth(row, width);
        return rowFigures(row, around);
      });
      if (figures instanceof Refused)
        yield { line: row.line, refusal: refusalFor(figures.message) };
      else yield* figures;
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    yield { line: error.line, refusal: new Refused(error.message) };
  }
}

/** @throws Refused when the row has other cells than the header. Empty ones at its end do not count. */
function requireWidth({ cells }: CsvRow, width: number): void {
  const isLonger = cells.slice(width).some((cell) => cell.trim() !== '');
  if (!isLonger && cells.length >= width) return;
  throw new Refused(`has ${cells.length} cells, and the header ${width}: ${UNEVEN}`);
}

function refusalFor(reason: string): Refused {
  return new Refused(reason.slice(0, MAX_REASON_LENGTH));
}

function refusedAt(
  problems: readonly { readonly line: number; readonly reason: string }[],
): FileRecords {
  const records = problems.map(({ line, reason }) => ({ line, record: refusalFor(reason) }));
  return { records, notes: [] };
}

interface ReadAs {
  readonly separator: Separator;
  readonly encoding: string;
  readonly columns: Columns;
  readonly mark: DecimalMark | undefined;
  readonly days: DayEvidence;
}

/** How the file was understood, for who has to check it. */
function described({ separator, encoding, columns, mark, days }: ReadAs) {
  const { at, figures, ofAll, ofMarket } = columns;
  const names = columns.names.map((name) => name.trim().slice(0, MAX_NAME_LENGTH));
  const known = new Map<number, string>();
  for (const [role, column] of Object.entries(at)) known.set(column, role);
  for (const { column, subject } of figures) known.set(column, subjectName(subject));
  const used = names.flatMap((name, column) => {
    const meaning = known.get(column);
    return meaning === undefined ? [] : [[name, meaning] as const];
  });
  const leftOut = names.filter((name, column) => !known.has(column) && name !== '');
  const whose = ofAll ?? (ofMarket && { market: ofMarket });
  const json = {
    separator: SEPARATORS[separator],
    encoding,
    decimal_mark: mark,
    days: days.isSlashed ? 'dd/mm/yyyy' : 'YYYY-MM-DD',
    columns: Object.fromEntries(used),
    left_out: leftOut,
    market: whose && subjectName(whose),
  };
  const parts = [
    ...[json.separator, encoding, `days ${json.days}`],
    ...(mark === undefined ? [] : [mark === '.' ? 'decimal point' : 'decimal comma']),
    ...used.map(([name, meaning]) => `${name} = ${meaning}`),
    ...(json.market === undefined ? [] : [`figures of ${json.market}`]),
    ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(', ')}`]),
  ];
  return { json, text: `Read as: ${parts.join('; ')}.` };
}

import { DAY_MS } from '../../../domain/time.ts';
import { bytesInSlices } from './slices.ts';
import { escaped } from './xml.ts';
import { zipOf } from './zip.ts';

/**
 * Workbooks for spreadsheets (ECMA-376): XML files in a ZIP. Our own code, because the library
 * that reads workbooks writes one in a single turn of the event loop, which takes a tenth of a second
 * and many megabytes.
 */

/** Spreadsheets know no time zones: here instants are in UTC. */
export type Cell = string | number | boolean | Date | undefined;

interface Column {
  readonly header: string;
  /** Whether its instants are days. */
  readonly isDay?: boolean;
  /** Whether its numbers are rates, which are shown with four decimals. */
  readonly isRate?: boolean;
}

export interface WrittenSheet {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly Cell[]>;
  /** Whether it has a line for each column: the header, and the cell of its one row. */
  readonly isTurned?: boolean;
}

/** In characters: wide enough for a time, the longest of our cells. */
const COLUMN_WIDTH = 20;
/** Day 0 of the dates of spreadsheets. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** The styles of cells, by their place in `STYLES`. */
const PLAIN_STYLE = 0;
const TIME_STYLE = 1;
const DAY_STYLE = 2;
const RATE_STYLE = 3;
const HEADER_STYLE = 4;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relationship = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
const relationships = (...list: string[]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="#,##0.0000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The header stays in sight while the rows scroll. */
const FROZEN_HEADER =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

const fileOf = (at: number) => `worksheets/sheet${at + 1}.xml`;

/** The files around the sheets. */
const partsAround = (names: readonly string[]) => ({
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${names.map((_, at) => `<Override PartName="/xl/${fileOf(at)}" ContentType="${TYPE}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': relationships(relationship(1, 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><bookViews><workbookView/></bookViews><sheets>${names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships(
    ...names.map((_, at) => relationship(at + 1, 'worksheet', fileOf(at))),
    relationship(names.length + 1, 'styles', 'styles.xml'),
  ),
  'xl/styles.xml': STYLES,
});

/** Text is inline text, so no spreadsheet reads a cell as a formula. */
function cellXml(place: string, cell: Cell, style: number): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return `<c r="${place}" s="${style}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  }
  if (typeof cell === 'boolean') {
    return `<c r="${place}" s="${style}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  }
  return `<c r="${place}" s="${style}"><v>${(cell.getTime() - EPOCH_MS) / DAY_MS}</v></c>`;
}

function styleOf(cell: Cell, { isDay, isRate }: Column): number {
  if (cell instanceof Date) return isDay ? DAY_STYLE : TIME_STYLE;
  // Four decimals of a rate below 1 could be zeros.
  return isRate && typeof cell === 'number' && cell >= 1 ? RATE_STYLE : PLAIN_STYLE;
}

const rowXml = (number: number, cells: readonly string[]) =>
  `<row r="${number}">${cells.join('')}</row>`;

const sheetStart = (columns: number, views = '') =>
  `${XML}<worksheet xmlns="${MAIN}">${views}<cols><col min="1" max="${columns}" width="${COLUMN_WIDTH}" customWidth="1"/></cols><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

function* turnedPieces({ columns, rows }: WrittenSheet): Generator<string> {
  yield sheetStart(2);
  const [row = []] = rows;
  yield columns
    .map((column, at) =>
      rowXml(at + 1, [
        cellXml(`A${at + 1}`, column.header, HEADER_STYLE),
        cellXml(`B${at + 1}`, row[at], styleOf(row[at], column)),
      ]),
    )
    .join('');
  yield SHEET_END;
}

function* sheetPieces({ columns, rows }: WrittenSheet): Generator<string> {
  // A sheet of ours has fewer columns than the alphabet letters.
  const letters = columns.map((_, at) => String.fromCharCode('A'.charCodeAt(0) + at));
  yield sheetStart(columns.length, FROZEN_HEADER);
  let number = 1;
  yield rowXml(
    number,
    columns.map(({ header }, at) => cellXml(`${letters[at]}${number}`, header, HEADER_STYLE)),
  );
  for (const row of rows) {
    number += 1;
    const cells = columns.map((column, at) =>
      cellXml(`${letters[at]}${number}`, row[at], styleOf(row[at], column)),
    );
    yield rowXml(number, cells);
  }
  yield SHEET_END;
}

/** A workbook with these sheets; other work runs while it is written. */
export function xlsxOf(sheets: readonly WrittenSheet[], isGone: () => boolean): Promise<Buffer> {
  const files: (readonly [name: string, pieces: Iterable<string>])[] = [
    ...Object.entries(partsAround(sheets.map(({ name }) => name))).map(
      ([name, text]) => [name, [text]] as const,
    ),
    ...sheets.map(
      (sheet, at) =>
        [`xl/${fileOf(at)}`, sheet.isTurned ? turnedPieces(sheet) : sheetPieces(sheet)] as const,
    ),
  ];
  return zipOf(files.map(([name, pieces]) => [name, bytesInSlices(pieces, isGone)]));
}

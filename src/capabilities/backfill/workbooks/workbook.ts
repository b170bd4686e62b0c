import { type CellObject, read, type WorkBook } from '@e965/xlsx';
import { contentFailure, excerpt } from '../../../core/sources/body/excerpt.ts';
import { MAX_WORKBOOK_BYTES } from '../limits.ts';
import { checkZip } from './zip.ts';

/** The cell values of a spreadsheet, without formulas, styles, macros and links. */
export interface Sheet {
  readonly name: string;
  /** Rows with content, from the top. */
  readonly rows: readonly Row[];
}

export interface Row {
  /** The row number in the spreadsheet, from 1. */
  readonly number: number;
  /** Cells with content, by column from 0. Texts are trimmed and have single spaces. */
  readonly cells: ReadonlyMap<number, string | number>;
}

/** Most bytes of an unpacked `.xlsx`. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
/** Most sheets of a workbook. A quarter has at most 66 business days. */
// limit: Workbook: sheets, cells of one, unpacked | 120, 20,000, 16 MB | refused | MAX_SHEET_CELLS, MAX_UNPACKED_BYTES
export const MAX_SHEETS = 120;
/** Most cells with content in a sheet. A day has about 170, a year about 800. */
export const MAX_SHEET_CELLS = 20_000;

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP_ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/**
 * The sheets in order. Numbers are the doubles in the file; a formula has its saved value.
 * @throws SourceFailure `content` when the bytes are no workbook, or exceed a limit.
 */
export function sheetsOf(bytes: Uint8Array): readonly Sheet[] {
  const workbook = open(bytes);
  const names = workbook.SheetNames;
  if (names.length > MAX_SHEETS) {
    throw contentFailure(`at most ${MAX_SHEETS} sheets, there were ${names.length}`);
  }
  return names.map((name) => ({
    name: name.trim(),
    rows: rowsOf(name, workbook.Sheets[name]?.['!data'] ?? []),
  }));
}

function open(bytes: Uint8Array): WorkBook {
  if (bytes.length > MAX_WORKBOOK_BYTES) {
    throw contentFailure(`at most ${MAX_WORKBOOK_BYTES} bytes, there were ${bytes.length}`);
  }
  const isZip = startsWith(bytes, ZIP_ARCHIVE);
  // The library reads any text as a table, even an HTML error page.
  if (!isZip && !startsWith(bytes, COMPOUND_FILE)) {
    throw contentFailure('an .xls or .xlsx workbook, there was another sort of file');
  }
  try {
    if (isZip) checkZip(bytes, MAX_UNPACKED_BYTES);
    return read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
    });
  } catch (error) {
    // Every error of the library means that the file is damaged.
    throw contentFailure('a whole workbook, there was one that is damaged or cut short', {
      cause: error,
    });
  }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, position) => bytes[position] === byte);
}

function rowsOf(sheet: string, data: readonly (readonly CellObject[])[]): readonly Row[] {
  const rows: Row[] = [];
  let count = 0;
  // Both levels may have holes, which forEach skips.
  data.forEach((line, index) => {
    const cells = new Map<number, string | number>();
    line.forEach((cell, column) => {
      const value = contentOf(cell);
      if (value !== undefined) cells.set(column, value);
    });
    count += cells.size;
    if (count > MAX_SHEET_CELLS) {
      throw contentFailure(
        `at most ${MAX_SHEET_CELLS} cells a sheet, there were more in ${excerpt(sheet)}`,
      );
    }
    if (cells.size > 0) rows.push({ number: index + 1, cells });
  });
  return rows;
}

function contentOf({ t, v }: CellObject): string | number | undefined {
  if (t === 'n' && typeof v === 'number' && Number.isFinite(v)) return v;
  if (t !== 's' || typeof v !== 'string') return undefined;
  const text = v.replace(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

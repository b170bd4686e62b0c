import type { ArchivedPublication } from '../../../core/app/ports/sources.ts';
import { compare, multiply } from '../../../core/domain/decimal.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { excerpt } from '../../../core/sources/body/excerpt.ts';
import { archivePublication, dayOf, figureIn, SheetFault, unitOn } from './bcv-archive-sheet.ts';
import type { Row, Sheet } from './workbook.ts';

const SHEET_NAME = /^\d{4}$/;
const DATE_TEXT = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** 00:00 in Caracas of the day 0 of spreadsheets, and the last accepted day. */
const SPREADSHEET_DAY_0 = Date.parse('1899-12-30T04:00:00Z');
const LAST_SPREADSHEET_DAY = 100_000;

/** The bank buys dollars at 0.25% less. A bid below this share of the ask is invalid. */
const LEAST_BID_OF_ASK = '0.95';

/** Whether the sheet is for one year. `2_1_1_tdc.xlsx` has one for each year since 2016. */
export function isDollarYear({ name }: Sheet): boolean {
  return SHEET_NAME.test(name);
}

/**
 * The rows of a year below FECHA, COMPRA and VENTA, without notes and days without figures.
 * @throws SheetFault when there are no such headers.
 */
export function dollarTableOf(sheet: Sheet) {
  for (const { number: headerRow, cells } of sheet.rows) {
    const [date, bid, ask] = ['FECHA', 'COMPRA', 'VENTA'].map((header) =>
      [...cells.keys()].find((column) => String(cells.get(column)).toUpperCase() === header),
    );
    if (date === undefined || bid === undefined || ask === undefined) continue;
    const rows = sheet.rows.filter(
      (row) => row.number > headerRow && (row.cells.has(bid) || row.cells.has(ask)),
    );
    return { year: sheet.name, columns: { date, bid, ask }, rows };
  }
  throw new SheetFault('it has no row with the headers FECHA, COMPRA and VENTA');
}

/** The dollar in one row, as published at the start of its value date. @throws SheetFault */
export function dollarOn(
  { cells }: Row,
  { year, columns }: Omit<ReturnType<typeof dollarTableOf>, 'rows'>,
): ArchivedPublication {
  const valueDate = dateIn(cells.get(columns.date));
  if (!valueDate.startsWith(year)) throw new SheetFault(`${valueDate} is not in ${year}`);
  const bid = figureIn(cells.get(columns.bid), 'COMPRA');
  const ask = figureIn(cells.get(columns.ask), 'VENTA');
  if (bid > ask || compare(bid, multiply(ask, LEAST_BID_OF_ASK)) < 0) {
    throw new SheetFault(`COMPRA ${bid} and VENTA ${ask} contradict each other`);
  }
  return archivePublication({
    valueDate,
    figures: new Map([['USD', ask]]),
    unit: unitOn(valueDate, ask),
    capturedAt: startOfCaracasDay(valueDate),
  });
}

function dateIn(cell: string | number | undefined): CaracasDay {
  if (cell === undefined) throw new SheetFault('it has no date');
  const day = typeof cell === 'number' ? dayOfSpreadsheet(cell) : dayOfText(cell);
  if (day === undefined) throw new SheetFault(`"${excerpt(String(cell))}" is not a day`);
  return day;
}

function dayOfSpreadsheet(count: number): CaracasDay | undefined {
  if (!Number.isInteger(count) || count < 1 || count > LAST_SPREADSHEET_DAY) return undefined;
  return caracasDayOf(SPREADSHEET_DAY_0 + count * DAY_MS);
}

function dayOfText(text: string): CaracasDay | undefined {
  const [, dd = '', mm = '', yyyy = ''] = DATE_TEXT.exec(text) ?? [];
  return dayOf(dd, mm, yyyy);
}

import { utils, write } from '@e965/xlsx';
import { divide, multiply, round, toNumber } from '../../src/core/domain/decimal.ts';

/** Workbooks with the structure of the central bank's, made of what matters to a test. */

/** Rows of cells. */
export type Cells = (string | number | undefined)[][];

/** One day of operations; dates as the sheets have them, DD/MM/YYYY. */
export interface Day {
  readonly operations: string;
  readonly value: string;
  /** Bolívares for one unit of each currency, selling; the buying side is 0.25% less. */
  readonly asks: Readonly<Record<string, number>>;
  /** In the first row; half past three of the day of operations if not given. */
  readonly stamp?: string;
  /** Above the columns in bolívares. */
  readonly header?: string;
  /** Columns that are empty in front, as one is in old workbooks. */
  readonly indent?: number;
  /** The name of the sheet; the day of operations if not given. */
  readonly name?: string;
  /** Alters the finished cells, before the indent. */
  readonly change?: (cells: Cells) => void;
}

/** Where things stand on a sheet without indent: rows and columns from 0. */
export const AT = {
  dates: 4,
  groups: 7,
  sides: 8,
  firstRates: 10,
  quotedBid: 2,
  quotedAsk: 3,
  bid: 4,
  ask: 5,
} as const;

function cellsOf(day: Day): Cells {
  const { operations, value, asks, stamp = `${operations} 03:30 PM`, header = 'Bs./M.E.' } = day;
  const none = undefined;
  const cells: Cells = [
    ['The bank', none, none, none, none, stamp],
    [],
    [none, none, none, 'Reference rates'],
    [],
    [`Fecha Operacion: ${operations}`, none, `Fecha Valor: ${value}`],
    [],
    ['', '', '', '', '', ''],
    [none, none, '(a) M.E./US$', none, header],
    [none, 'Moneda/País', 'Compra (BID)', 'Venta (ASK)', 'Compra (BID)', 'Venta (ASK)'],
    [],
    ...Object.entries(asks).map(([code, ask]) => ratesOf(code, ask, asks['USD'] ?? ask)),
    [],
    ['(a) A note about quotations.'],
  ];
  day.change?.(cells);
  return cells.map((row) => [...Array(day.indent ?? 0).fill(none), ...row]);
}

/** Against the dollar the euro is quoted in dollars, the others are what dollars are quoted in. */
function ratesOf(code: string, ask: number, dollar: number): Cells[number] {
  const quotation =
    code === 'EUR' ? toNumber(divide(ask, dollar, 5)) : toNumber(divide(dollar, ask, 5));
  const bid = toNumber(round(multiply(ask, '0.9975'), 8));
  return [code, 'Somewhere', quotation, quotation, bid, ask];
}

/** A quarter, as `.xls`, with whatever other sheets it should have. */
export function quarterWorkbook(
  days: readonly Day[],
  others: Readonly<Record<string, Cells>> = {},
): Uint8Array {
  const named = days.map((day): [string, Cells] => [
    day.name ?? day.operations.replaceAll('/', ''),
    cellsOf(day),
  ]);
  return workbook([...named, ...Object.entries(others)], 'biff8');
}

/** The dollar by year, as `.xlsx`: the rows of each sheet by its name. */
export function dollarWorkbook(sheets: Readonly<Record<string, Cells>>): Uint8Array {
  return workbook(Object.entries(sheets), 'xlsx');
}

function workbook(sheets: readonly [string, Cells][], bookType: 'biff8' | 'xlsx'): Uint8Array {
  const book = utils.book_new();
  for (const [name, cells] of sheets) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(cells), name);
  }
  const options = { type: 'array', bookSST: true, compression: true } as const;
  return new Uint8Array(write(book, { ...options, bookType }));
}

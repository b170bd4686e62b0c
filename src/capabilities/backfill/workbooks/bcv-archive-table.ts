import { isPublishedDaily, PUBLISHED_CURRENCIES } from '../../../core/domain/bcv.ts';
import { add, compare, type Decimal, multiply, subtract } from '../../../core/domain/decimal.ts';
import { excerpt } from '../../../core/sources/body/excerpt.ts';
import { figureIn, SheetFault } from './bcv-archive-sheet.ts';
import type { Row, Sheet } from './workbook.ts';

/** Header of the columns in bolívares, without spaces and the last dot, in upper case. */
const BOLIVARES_HEADER = 'BS./M.E';
const SOBERANOS_HEADER = 'BS.S/M.E';
const CURRENCY_CODE = /^[A-Z]{3}$/;
const SIDES = 'COMPRA(BID),VENTA(ASK),COMPRA(BID),VENTA(ASK)';

/**
 * Finds columns by their headers, because old sheets begin with an empty one.
 * @throws SheetFault when a header or the dollar is missing, or figures contradict each other.
 */
export function rateTableOf(sheet: Sheet) {
  const columns = columnsOf(sheet);
  const rows = new Map<string, Row>();
  for (const row of sheet.rows.filter(({ number }) => number > columns.headerRow)) {
    if (!row.cells.has(columns.bid) && !row.cells.has(columns.ask)) continue;
    const code = codeOf(row);
    if (rows.has(code)) throw new SheetFault(`it has ${code} twice`);
    rows.set(code, row);
  }
  const figuresOf = (currency: string) => {
    const row = rows.get(currency);
    return row === undefined ? [] : [{ currency, figures: figuresIn(row, columns, currency) }];
  };
  const published = PUBLISHED_CURRENCIES.flatMap(figuresOf);
  const dollar = published.find(({ currency }) => currency === 'USD')?.figures;
  if (dollar === undefined) throw new SheetFault('it has no USD');
  for (const { currency, figures } of published) requireAgreement(currency, figures, dollar);
  // A fault of a currency that only workbooks have leaves that currency out, not the whole sheet.
  const others = [...rows.keys()].filter((currency) => !isPublishedDaily(currency));
  for (const currency of others) {
    try {
      const [found] = figuresOf(currency);
      if (found === undefined) continue;
      requireAgreement(currency, found.figures, dollar);
      published.push(found);
    } catch (error) {
      if (!(error instanceof SheetFault)) throw error;
    }
  }
  return {
    /** Bolívares for one unit of each currency: the selling side, which is the reference rate. */
    figures: new Map(published.map(({ currency, figures }) => [currency, figures.ask])),
    dollar: dollar.ask,
    /** Whether the sheet says that it is in bolívares soberanos. Old sheets do not always say it. */
    namesSoberanos: columns.namesSoberanos,
  };
}

/** Finds two groups of two columns: M.E./US$, then Bs./M.E. or an older form of it. */
function columnsOf({ rows }: Sheet) {
  const groups = rows.flatMap(({ number, cells }) =>
    [...cells.keys()]
      .map((column) => ({ number, column, header: compact(cells.get(column)) }))
      .filter(({ header }) => header === BOLIVARES_HEADER || header === SOBERANOS_HEADER),
  );
  const [group] = groups;
  if (group === undefined || groups.length > 1) {
    throw new SheetFault(`it has ${groups.length} headers Bs./M.E. instead of one`);
  }
  const header = rows.find(({ number }) => number > group.number);
  const columns = {
    quotedBid: group.column - 2,
    quotedAsk: group.column - 1,
    bid: group.column,
    ask: group.column + 1,
  };
  const under = Object.values(columns).map((column) => compact(header?.cells.get(column)));
  if (header === undefined || under.join() !== SIDES) {
    throw new SheetFault('it has no Compra (BID) and Venta (ASK) in M.E./US$ and Bs./M.E.');
  }
  const namesSoberanos = group.header === SOBERANOS_HEADER;
  return { headerRow: header.number, ...columns, namesSoberanos };
}

function compact(cell: string | number | undefined): string {
  return String(cell).replaceAll(' ', '').replace(/\.$/, '').toUpperCase();
}

/** The currency code is in the first column with content. */
function codeOf({ number, cells }: Row): string {
  const code = String(cells.get(Math.min(...cells.keys())));
  if (CURRENCY_CODE.test(code)) return code;
  throw new SheetFault(`its row ${number} has figures, but "${excerpt(code)}" is no currency`);
}

type Figures = ReturnType<typeof figuresIn>;

function figuresIn({ cells }: Row, columns: ReturnType<typeof columnsOf>, currency: string) {
  const figure = (column: number, name: string) =>
    figureIn(cells.get(column), `the ${name} of ${currency}`);
  return {
    /** Against the dollar, as is usual for the currency: dollars for one unit, or the inverse. */
    quotedBid: figure(columns.quotedBid, 'quoted bid'),
    quotedAsk: figure(columns.quotedAsk, 'quoted ask'),
    /** Bolívares for one unit. */
    bid: figure(columns.bid, 'bid'),
    ask: figure(columns.ask, 'ask'),
  };
}

/** Both figures are rounded at the eighth decimal, so they may differ by one unit of it. */
const ROUNDING = '0.00000001';

/** Far more than rounding, far less than the difference between two currencies. */
const QUOTATION_TOLERANCE = '0.01';

/**
 * Checks a sheet against itself in two ways. The bank buys every currency at the same discount
 * (0.25% since the archive begins), so the bid-ask ratio is the same for every currency. And every
 * rate follows from that of the dollar and its quotation against the dollar.
 */
function requireAgreement(
  currency: string,
  { quotedBid, quotedAsk, bid, ask }: Figures,
  dollar: Figures,
): void {
  if (bid > ask) throw new SheetFault(`the bid of ${currency} is above its ask`);
  const difference = subtract(multiply(bid, dollar.ask), multiply(ask, dollar.bid)).abs();
  if (compare(difference, multiply(add(ask, dollar.ask), ROUNDING)) > 0) {
    throw new SheetFault(`bid and ask of ${currency} and of USD contradict each other`);
  }
  // A currency quoted in dollars uses the ask. A currency in which dollars are quoted uses the bid.
  const isQuoted =
    isNear(multiply(dollar.ask, quotedAsk), ask) || isNear(multiply(ask, quotedBid), dollar.ask);
  if (!isQuoted) {
    throw new SheetFault(`${currency} at ${ask} is not what it is quoted at against USD`);
  }
}

function isNear(value: Decimal, expected: number): boolean {
  return compare(subtract(value, expected).abs(), multiply(expected, QUOTATION_TOLERANCE)) <= 0;
}

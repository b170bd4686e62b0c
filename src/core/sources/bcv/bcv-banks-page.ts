import type { CheerioAPI } from 'cheerio/slim';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import { type BankRow, FIRST_DIGITAL_DAY } from '../../domain/bcv.ts';
import { type Amount, amountOf, haveSameDecimals } from '../body/amount.ts';
import { excerpt, unexpected } from '../body/excerpt.ts';
import { pageOf, titleOf } from '../body/page.ts';
import { dateShown } from './spanish-date.ts';

/** Most elements of a page or an export. An export of six years has 45,000. */
// limit: Elements of a page of banks | 100,000 | `content`
const MAX_TABLE_ELEMENTS = 100_000;

/** @throws SourceFailure `content` when the bodies are not pages of the table. */
export function parseBcvBanks(bodies: readonly UpstreamBody[]): readonly SourceRecord[] {
  const rows = newestOfEachBank(bodies.flatMap((body) => rowsOn(pageOf(body, MAX_TABLE_ELEMENTS))));
  const [newest] = rows;
  if (newest === undefined) throw unexpected(`rows since ${FIRST_DIGITAL_DAY}`, 'none');
  return [{ kind: 'bank_table', indicator_date: newest.date, rows }];
}

/** @throws SourceFailure `content` when the body is not a page. */
export function hasNextPage(body: UpstreamBody): boolean {
  return pageOf(body, MAX_TABLE_ELEMENTS)('ul.pagination li.next, .pager-next').length > 0;
}

/**
 * The newest row of each bank, newest first. Two different rows of a bank on its newest day are a
 * failure, because the right one is unknown. In six years of the table there were none.
 */
function newestOfEachBank(rows: readonly BankRow[]): readonly BankRow[] {
  const newest = new Map<string, BankRow>();
  for (const row of rows.toSorted((a, b) => b.date.localeCompare(a.date))) {
    const known = newest.get(row.bank);
    if (known === undefined) newest.set(row.bank, row);
    else if (known.date === row.date && (known.buy !== row.buy || known.sell !== row.sell)) {
      throw unexpected(`one row of ${excerpt(row.bank)} on ${row.date}`, 'two that differ');
    }
  }
  return [...newest.values()];
}

type Cells = ReturnType<CheerioAPI>;

/** The rows of a page in today's bolívares, without rows that have neither side. */
function rowsOn($: CheerioAPI): readonly BankRow[] {
  const lines = $('table')
    .toArray()
    .flatMap((table) => linesOf($, $(table)));
  if (lines.length === 0) {
    throw unexpected('a table of Fecha, Banco, Compra and Venta with rows', titleOf($));
  }
  const sides = lines.flatMap(({ buy, sell }) => [buy, sell]).filter((side) => side !== undefined);
  if (!haveSameDecimals(sides))
    throw unexpected('figures with the same number of decimals', 'others');
  // Earlier rows are in bolívares soberanos. A million of them are one of today's bolívares.
  return lines
    .filter(({ date, buy, sell }) => date >= FIRST_DIGITAL_DAY && (buy ?? sell) !== undefined)
    .map(({ bank, buy, sell, date }) => ({ bank, buy: buy?.value, sell: sell?.value, date }));
}

/** Columns are found by headings. A table that lacks one, such as the sidebar's, gives no rows. */
function linesOf($: CheerioAPI, table: Cells) {
  const headings = table.extract({ headings: ['th'] }).headings.map((text) => text.trim());
  const place = (heading: RegExp) => headings.findIndex((text) => heading.test(text));
  const columns = {
    date: place(/^fecha\b/i),
    bank: place(/^banco$/i),
    buy: place(/^compra$/i),
    sell: place(/^venta$/i),
  };
  if (Object.values(columns).includes(-1)) return [];
  return table
    .find('tr')
    .toArray()
    .map((row) => $(row).children('td'))
    .filter((cells) => cells.length > 0)
    .map((cells) => {
      if (cells.length !== headings.length) {
        const there = `${cells.length}: "${excerpt(cells.text().trim())}"`;
        throw unexpected(`${headings.length} cells in a row`, there);
      }
      const date = cells.eq(columns.date);
      return {
        date: dateShown(date.text().trim(), date.find('[content]').attr('content')),
        bank: nameIn(cells.eq(columns.bank)),
        buy: sideIn(cells.eq(columns.buy)),
        sell: sideIn(cells.eq(columns.sell)),
      };
    });
}

/** Only letters of Spanish. Text of a wrong charset has others, as in `CrÃ©dito`. */
const NAME = /^[A-Za-zÁÉÍÓÚÜÑáéíóúüñ0-9][A-Za-zÁÉÍÓÚÜÑáéíóúüñ0-9 .,&%'()/-]*$/;

function nameIn(cell: Cells): string {
  const name = cell.text().replaceAll(/\s+/g, ' ').trim();
  if (NAME.test(name)) return name;
  throw unexpected('the name of a bank', `"${excerpt(name)}"`);
}

function sideIn(cell: Cells): Amount | undefined {
  const text = cell.text().trim();
  if (text === '') return undefined;
  const amount = amountOf(text);
  if (amount === undefined) throw unexpected('a figure as 889,5754', `"${excerpt(text)}"`);
  return amount.value === 0 ? undefined : amount;
}

import type { Capability, FileReader } from '../../core/capability.ts';

/** Bytes that show whether a text is a table, and lines of them: a title may stand above its header. */
const BEGINNING_BYTES = 4096;
const BEGINNING_LINES = 20;

const ABOUT = 'a CSV or TSV of rates';

const HELP = `
A table of rates has a header, in Spanish or English; accents and case do not matter:

  fecha;usd;eur                  official rates, one column for each currency (dólar, euro or a code)
  date,currency,rate             official rates, one row for each (moneda, tasa)
  fecha,bcv,binance              a column for each market, by its id or alias
  mercado,fecha,tasa             a row for each (market, date, rate; also compra, venta)
  fecha;tasa                     with --as official, the dollar, or --as MARKET

Cells stand between commas, semicolons or tabs; the decimal mark is . or ,; days are YYYY-MM-DD or
dd/mm/yyyy. When days or decimals can be read in two ways, the file is refused with the line and both
readings. The day of an official rate is its value date. A figure of before 1 October 2021 is in the bolívar
of its own day. What "vesfx export" writes as CSV comes back with --trust. --dry-run tells how a file is read.

  vesfx import tasas.csv --dry-run
  vesfx import paralelo.csv --as parallel`;

/** Lines of records, lists and pages begin so. */
const OTHER_TEXT = /^\s*[{[<]/;

function isTable(beginning: Uint8Array): boolean {
  const text = new TextDecoder().decode(beginning.subarray(0, BEGINNING_BYTES));
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, BEGINNING_LINES);
  return lines.some((line) => /[,;\t]/.test(line)) && !lines.some((line) => OTHER_TEXT.test(line));
}

const reader: FileReader = {
  about: ABOUT,
  help: HELP,
  recognizes: isTable,
  read: async (file, around) => (await import('./table.ts')).readTable(file, around),
};

/** Rates of a CSV or TSV as people have it, for `vesfx import` (contract §26). */
export const importCsv: Capability = { name: 'import-csv', readers: [reader] };

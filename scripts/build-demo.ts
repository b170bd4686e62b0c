import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PUBLISHED_CURRENCIES } from '../src/domain/bcv.ts';
import { isoInstant, parseCaracasDay, startOfCaracasDay } from '../src/domain/time.ts';

/*
 * Writes demo/figures.ndjson from a folder of normalised captures: node scripts/build-demo.ts DIR.
 * What is taken, and why, is told in demo/PROVENANCE.md.
 */

/** 365 days before the demonstration's week, and some to spare. */
const FIRST_VALUE_DATE = '2025-03-03';
/** Published at half past four in the afternoon in Caracas. */
const PUBLISHED_AFTER_MIDNIGHT_MS = 16.5 * 3_600_000;

/** The real day of observations, in UTC. */
const DAY = '2026-04-10';
const P2P_COLLECTOR = 'andresBD07';
const PARALLEL_COLLECTOR = 'dolarapi_paralelo';

const OUTPUT = fileURLToPath(new URL('../demo/figures.ndjson', import.meta.url));

type Row = Readonly<Record<string, string>>;

/** Cells of a line; a quoted cell may have commas in it. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

function readCsv(folder: string, name: string): readonly Row[] {
  const [header = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split(/\r?\n/);
  const columns = cellsOf(header);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

function publishedOn(day: string): string {
  const caracasDay = parseCaracasDay(day);
  if (caracasDay === undefined) throw new Error(`${day} is not a date`);
  return isoInstant(startOfCaracasDay(caracasDay) + PUBLISHED_AFTER_MIDNIGHT_MS);
}

/** One publication for each value date, with the currencies that are known of it. */
function publications(folder: string): readonly object[] {
  const rows = readCsv(folder, 'official_daily.csv').filter(
    (row) => row['unit_published'] === 'VES(digital)',
  );
  const byDate = Map.groupBy(rows, (row) => row['date_value'] ?? '');
  const dates = [...byDate.keys()].sort();
  return dates.flatMap((date, index) => {
    if (date < FIRST_VALUE_DATE) return [];
    const known = byDate.get(date) ?? [];
    const rates = PUBLISHED_CURRENCIES.flatMap((currency) => {
      const row = known.find((one) => one['currency'] === currency);
      return row === undefined ? [] : [[currency, Number(row['rate_as_published'])] as const];
    });
    // A rate is published on the bank day before its value date.
    const operation = known.find((row) => row['date_operation'] !== '')?.['date_operation'];
    const published = operation ?? dates[index - 1] ?? date;
    return [
      {
        kind: 'official',
        value_date: date,
        rates: Object.fromEntries(rates),
        captured_at: publishedOn(published),
      },
    ];
  });
}

/** The newest table of which all rows have a date. */
function bankTable(folder: string): object {
  const rows = readCsv(folder, 'bank_table.csv').filter((row) => row['indicator_date'] !== '');
  const newest = rows.map((row) => row['indicator_date'] ?? '').reduce((a, b) => (a > b ? a : b));
  const side = (text: string | undefined) => (text ? { value: Number(text) } : undefined);
  return {
    kind: 'bank_table',
    indicator_date: newest,
    rows: rows
      .filter((row) => row['indicator_date'] === newest)
      .map((row) => ({
        bank: row['bank'],
        buy: side(row['buy_ves'])?.value,
        sell: side(row['sell_ves'])?.value,
        date: row['row_date'],
      })),
    captured_at: publishedOn(newest),
  };
}

function p2pDay(folder: string): readonly object[] {
  return readCsv(folder, 'p2p_intraday.csv')
    .filter((row) => row['source'] === P2P_COLLECTOR && row['captured_at']?.startsWith(DAY))
    .filter((row) => row['mid'] !== '' && row['bid'] !== '' && row['ask'] !== '')
    .map((row) => ({
      kind: 'quote',
      market: 'binance',
      mid: Number(row['mid']),
      ask: Number(row['ask']),
      bid: Number(row['bid']),
      captured_at: row['captured_at'],
    }));
}

function parallelDay(folder: string): readonly object[] {
  return readCsv(folder, 'parallel_intraday.csv')
    .filter((row) => row['source'] === PARALLEL_COLLECTOR && row['base'] === 'USD')
    .filter((row) => row['captured_at']?.startsWith(DAY))
    .map((row) => ({
      kind: 'quote',
      market: 'parallel',
      mid: Number(row['rate']),
      updated_at: row['updated_at_as_published'],
      captured_at: row['captured_at'],
    }));
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node scripts/build-demo.ts FOLDER_OF_NORMALISED_CSV');
  process.exit(2);
}
const records = [
  ...publications(folder),
  bankTable(folder),
  ...p2pDay(folder),
  ...parallelDay(folder),
];
writeFileSync(OUTPUT, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
console.log(`${records.length} records`);

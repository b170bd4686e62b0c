import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PUBLISHED_CURRENCIES } from '../src/core/domain/bcv.ts';
import { decimal, divide, multiply, round, toNumber } from '../src/core/domain/decimal.ts';
import { isoInstant, parseCaracasDay, startOfCaracasDay } from '../src/core/domain/time.ts';
import { type RealRecord, simulatedRecords } from './demo-simulation.ts';

/*
 * Writes demo/figures.ndjson.gz from a folder of normalised captures, and demo/simulated.ndjson.gz
 * from that: node scripts/build-demo.ts DIR. Without a folder it writes the second only.
 * demo/PROVENANCE.md explains the selection and the simulation.
 */

/** More than 365 days before the week that the demonstration moves to today. */
const FIRST_VALUE_DATE = '2025-03-03';
/** The central bank publishes at about half past four in the afternoon in Caracas. */
const PUBLISHED_AFTER_MIDNIGHT_MS = 16.5 * 3_600_000;
/**
 * From this day on one capture an hour is kept, before it one a day: 30 days before the anchor's
 * week.
 */
const HOURLY_FROM = '2026-07-11';
/** More than 365 days before the anchor's week, like the publications. P2P captures begin later. */
const FIRST_CAPTURE = '2025-08-04';

const P2P_COLLECTOR = 'andresBD07';
const PARALLEL_COLLECTOR = 'dolarapi_paralelo';
/** The bank corrected this figure on the same evening; the series has the first version. */
const CORRECTED: Readonly<Record<string, number>> = { '2026-05-06 EUR': 577.5219 };

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../demo/${name}.ndjson.gz`, import.meta.url));

type Row = Readonly<Record<string, string>>;

/** The cells of a line. A quoted cell may contain commas. */
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

/**
 * One publication for each value date. When the yuan, lira or rouble of a date is unknown, it keeps
 * its last known price in dollars.
 */
function publications(folder: string): readonly object[] {
  const rows = readCsv(folder, 'official_daily.csv').filter(
    (row) => row['unit_published'] === 'VES(digital)',
  );
  const byDate = Map.groupBy(rows, (row) => row['date_value'] ?? '');
  const dates = [...byDate.keys()].filter((date) => date >= FIRST_VALUE_DATE).sort();
  const inDollars = new Map<string, string>();
  return dates.map((date, index) => {
    const known = new Map(byDate.get(date)?.map((row) => [row['currency'] ?? '', row]));
    const usd = known.get('USD')?.['rate_as_published'] ?? '';
    const rates = PUBLISHED_CURRENCIES.map((currency) => {
      const published = known.get(currency)?.['rate_as_published'];
      if (published === undefined) {
        const last = inDollars.get(currency);
        if (last === undefined) throw new Error(`no ${currency} before ${date}`);
        return [currency, toNumber(round(multiply(last, usd), 8))] as const;
      }
      inDollars.set(currency, decimal(divide(published, usd, 12)).toString());
      return [currency, CORRECTED[`${date} ${currency}`] ?? Number(published)] as const;
    });
    // A rate is published on the business day before its value date.
    const operation = known.get('USD')?.['date_operation'] || undefined;
    return {
      kind: 'official',
      value_date: date,
      rates: Object.fromEntries(rates),
      captured_at: publishedOn(operation ?? dates[index - 1] ?? date),
    };
  });
}

/** The newest table in which every row has a date. */
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

/** The last capture of each day, and from `HOURLY_FROM` on of each hour. */
function thinned(rows: readonly Row[]): readonly Row[] {
  const kept = new Map<string, Row>();
  for (const row of rows) {
    const at = row['captured_at'] ?? '';
    if (at >= FIRST_CAPTURE) kept.set(at.slice(0, at < HOURLY_FROM ? 10 : 13), row);
  }
  return [...kept.values()];
}

function p2pQuotes(folder: string): readonly object[] {
  const rows = readCsv(folder, 'p2p_intraday.csv').filter(
    (row) => row['source'] === P2P_COLLECTOR && row['mid'] && row['bid'] && row['ask'],
  );
  return thinned(rows).map((row) => ({
    kind: 'quote',
    market: 'binance',
    mid: Number(row['mid']),
    ask: Number(row['ask']),
    bid: Number(row['bid']),
    captured_at: row['captured_at'],
  }));
}

function parallelQuotes(folder: string): readonly object[] {
  const rows = readCsv(folder, 'parallel_intraday.csv').filter(
    (row) => row['source'] === PARALLEL_COLLECTOR && row['base'] === 'USD',
  );
  return thinned(rows).map((row) => ({
    kind: 'quote',
    market: 'parallel',
    mid: Number(row['rate']),
    captured_at: row['captured_at'],
  }));
}

function write(name: string, records: readonly object[]): void {
  const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
  const packed = gzipSync(text, { level: 9 });
  writeFileSync(fileOf(name), packed);
  console.log(`${name}: ${records.length} records, ${packed.length} bytes`);
}

const folder = process.argv[2];
if (folder !== undefined) {
  write('figures', [
    ...publications(folder),
    bankTable(folder),
    ...p2pQuotes(folder),
    ...parallelQuotes(folder),
  ]);
}
const lines = gunzipSync(readFileSync(fileOf('figures')))
  .toString('utf8')
  .trimEnd()
  .split('\n');
write('simulated', simulatedRecords(lines.map((line): RealRecord => JSON.parse(line))));

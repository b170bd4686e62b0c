import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../core/app/failures.ts';
import { BANK_NOTICE, STORED_UNIT_NOTICE } from '../../core/domain/bcv.ts';
import { isoInstant, utcDayOf } from '../../core/domain/time.ts';
import { translated } from '../../core/storage/sqlite/connection.ts';
import { type OpenFormat, RATE_COLUMNS, unitSinceOf } from './format.ts';

const TABLES = `
  create table about (name text primary key, value text not null) without rowid;
  create table rate (
    market text not null, date text not null, rate real not null, ask real, bid real,
    updated_at text not null, captured_at text not null, value_date text,
    unit_since text
  );
  create table bank_rate (
    indicator_date text not null, bank text not null, buy real, sell real, date text not null,
    captured_at text not null, unit_since text
  );`;

const BANK_COLUMNS = ['indicator_date', 'bank', 'buy', 'sell', 'date', 'captured_at', 'unit_since'];

/** A database for other programs. It is no vesfx database. */
export const openSqliteTables: OpenFormat = (file, unitSince) => {
  const db = new DatabaseSync(file.path);
  onDisk(() => {
    // The file has another name until it is whole, so a power cut can do no harm.
    db.exec(`PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; BEGIN; ${TABLES}`);
    db.prepare('insert into about values (?, ?)').run(
      'notice',
      `${BANK_NOTICE.en} ${STORED_UNIT_NOTICE}`,
    );
  });
  const inserter = (table: string, columns: readonly string[]) =>
    db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
  const addRate = inserter('rate', RATE_COLUMNS);
  const addBank = inserter('bank_rate', BANK_COLUMNS);
  return {
    quotes: async (market, quotes) =>
      onDisk(() => {
        for (const quote of quotes) {
          const { mid, ask, bid, updatedAt, capturedAt, valueDate = null } = quote;
          const day = valueDate ?? utcDayOf(capturedAt);
          const times = [isoInstant(updatedAt), isoInstant(capturedAt)] as const;
          const unit = unitSinceOf(quote, unitSince) ?? null;
          addRate.run(market, day, mid, ask || null, bid || null, ...times, valueDate, unit);
        }
      }),
    bankTables: async (tables) =>
      onDisk(() => {
        let written = 0;
        for (const { indicatorDate, rows, capturedAt } of tables) {
          const readAt = isoInstant(capturedAt);
          for (const { bank, buy = null, sell = null, date } of rows) {
            addBank.run(indicatorDate, bank, buy, sell, date, readAt, unitSince(date) ?? null);
          }
          written += rows.length;
        }
        return written;
      }),
    finish: async () => onDisk(() => db.exec('COMMIT')),
    close: () => db.close(),
  };
};

/** @throws Error that says so, when the disk of the file is full. */
function onDisk<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const failure = translated(error);
    const isFull = failure instanceof StoreUnavailable && failure.writeFailure === 'disk_full';
    throw isFull ? new Error('The disk is full.', { cause: error }) : error;
  }
}

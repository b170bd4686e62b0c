import type { NewFile } from '../../core/cli/new-file.ts';
import type { BankTable } from '../../core/domain/bcv.ts';
import { type CaracasDay, caracasDayOf } from '../../core/domain/time.ts';
import type { ExportedQuote } from './export-types.ts';
import type { OfficialRecord } from './official.ts';

/** Writes what is exported in one format. */
export interface FormatWriter {
  /** Adds quotes or official rates of a market, or of a currency without one. */
  quotes(market: string, quotes: readonly ExportedQuote[]): Promise<void>;
  /** Only a format with a place for them. @returns the rows that it wrote. */
  bankTables?(tables: readonly BankTable[]): Promise<number>;
  /** Only a format of records: the official rates come as such, not as quotes. */
  official?(records: readonly OfficialRecord[]): Promise<void>;
  finish(): Promise<void>;
  /** Closes what it holds open, after a failure too. */
  close?(): void;
}

/** Since when the unit is in force in which figures of a day are stored; undefined for the first one. */
export type UnitSince = (day: CaracasDay) => CaracasDay | undefined;

export type OpenFormat = (file: NewFile, unitSince: UnitSince) => FormatWriter;

/** The same of a quote: of its value date, or of the day on which it was read. */
export function unitSinceOf(quote: ExportedQuote, unitSince: UnitSince): CaracasDay | undefined {
  return unitSince(quote.valueDate ?? caracasDayOf(quote.capturedAt));
}

/** The columns of a table of rates, in order. */
export const RATE_COLUMNS = [
  'market',
  'date',
  'rate',
  'ask',
  'bid',
  'updated_at',
  'captured_at',
  'value_date',
  'unit_since',
] as const;

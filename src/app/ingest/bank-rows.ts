import type { BankRow } from '../../domain/bcv.ts';
import { bankRowDoubt } from '../../domain/judgement/bank-judgement.ts';
import type {
  BankTableObservation,
  Doubt,
  Observation,
  Thresholds,
} from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import type { KnownBankTables, ReadBankRow } from './known-bank-tables.ts';
import type { KnownPublications } from './known-publications.ts';
import type { Candidate } from './record-entry.ts';

/** Splits the rows of a table into accepted ones and doubtful ones with their doubts. */
export async function partedRows(
  { rows }: BankTableObservation,
  around: {
    /** Rows that were held in tables of other dates. A good row of the bank ends those before it. */
    readonly held: readonly ReadBankRow[];
    readonly capturedAt: Instant;
    readonly known: {
      readonly publications: KnownPublications;
      readonly bankTables: KnownBankTables;
      readonly thresholds: Thresholds;
    };
  },
): Promise<{
  readonly good: readonly BankRow[];
  readonly bad: readonly { readonly row: BankRow; readonly doubt: Doubt }[];
}> {
  const { held, capturedAt } = around;
  const { publications, bankTables, thresholds } = around.known;
  const lastRows = await bankTables.lastRows(capturedAt);
  const good: BankRow[] = [];
  const bad: { readonly row: BankRow; readonly doubt: Doubt }[] = [];
  for (const row of rows) {
    const last = lastRows.get(row.bank);
    const context = {
      official: await publications.rateAround(OFFICIAL_USD, row.date),
      last: last?.row,
      held: held
        .filter((one) => one.row.bank === row.bank && one.readAt > (last?.readAt ?? 0))
        .map((one) => one.row),
    };
    const doubt = bankRowDoubt(row, context, thresholds);
    if (doubt === undefined) good.push(row);
    else bad.push({ row, doubt });
  }
  return { good, bad };
}

export function withRows(candidate: Candidate, rows: BankTableObservation['rows']): Candidate {
  const { bankTable } = candidate.entry;
  if (bankTable === undefined) return candidate;
  const table = { ...bankTable, rows };
  const observation: Observation = { kind: 'bank_table', indicatorDate: table.indicatorDate, rows };
  return { ...candidate, entry: { ...candidate.entry, bankTable: table }, observation };
}

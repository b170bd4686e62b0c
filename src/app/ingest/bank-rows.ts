import type { BankRow } from '../../domain/bcv.ts';
import { bankRowDoubt } from '../../domain/judgement/bank-judgement.ts';
import type { BankTableObservation, Doubt, Reading, Thresholds } from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { ReadBankRow } from './known-bank-tables.ts';
import type { KnownRecords } from './known-records.ts';
import type { Candidate } from './record-entry.ts';

export type TableCandidate = Candidate & { readonly observation: BankTableObservation };

/**
 * Splits a table into the rows to accept and the doubtful ones, each undefined without rows.
 * @param held The held readings of tables. A good row of a bank ends those before it.
 */
export async function splitTable(
  candidate: TableCandidate,
  held: readonly Reading[],
  {
    known: { publications, bankTables },
    thresholds,
  }: { readonly known: KnownRecords; readonly thresholds: Thresholds },
): Promise<{
  readonly good: Candidate | undefined;
  readonly apart: { readonly candidate: Candidate; readonly doubt: Doubt } | undefined;
}> {
  const { observation, capturedAt } = candidate;
  const heldRows = rowsOfOtherDates(held, observation);
  const lastRows = await bankTables.lastRows(capturedAt);
  const good: BankRow[] = [];
  const bad: BankRow[] = [];
  let doubt: Doubt | undefined;
  for (const row of observation.rows) {
    const last = lastRows.get(row.bank);
    const context = {
      official: await publications.rateAround(OFFICIAL_USD, row.date),
      last: last?.row,
      held: heldRows
        .filter((held) => held.row.bank === row.bank && held.readAt > (last?.readAt ?? 0))
        .map((held) => held.row),
    };
    const rowDoubt = bankRowDoubt(row, context, thresholds);
    doubt ??= rowDoubt;
    (rowDoubt === undefined ? good : bad).push(row);
  }
  if (doubt === undefined) return { good: candidate, apart: undefined };
  const rest = bad.length === 1 ? '' : `, and of ${bad.length - 1} more banks`;
  return {
    good: good.length === 0 ? undefined : withRows(candidate, good),
    apart: {
      candidate: withRows(candidate, bad),
      doubt: { ...doubt, message: doubt.message + rest },
    },
  };
}

function rowsOfOtherDates(
  held: readonly Reading[],
  { indicatorDate }: BankTableObservation,
): readonly ReadBankRow[] {
  return held.flatMap(({ observation, capturedAt: readAt }) => {
    const isOther =
      observation.kind === 'bank_table' && observation.indicatorDate !== indicatorDate;
    return isOther ? observation.rows.map((row) => ({ row, readAt })) : [];
  });
}

function withRows(candidate: Candidate, rows: readonly BankRow[]): Candidate {
  const { bankTable } = candidate.entry;
  if (bankTable === undefined) return candidate;
  const { indicatorDate } = bankTable;
  return {
    ...candidate,
    record: { kind: 'bank_table', indicator_date: indicatorDate, rows },
    entry: { ...candidate.entry, bankTable: { ...bankTable, rows } },
    observation: { kind: 'bank_table', indicatorDate, rows },
  };
}

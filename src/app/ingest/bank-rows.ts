import type { BankRow } from '../../domain/bcv.ts';
import { bankRowDoubt } from '../../domain/judgement/bank-judgement.ts';
import type {
  BankTableObservation,
  Doubt,
  Observation,
  Reading,
  Thresholds,
} from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { KnownBankTables, ReadBankRow } from './known-bank-tables.ts';
import type { KnownPublications } from './known-publications.ts';
import type { Candidate } from './record-entry.ts';

export type TableCandidate = Candidate & { readonly observation: BankTableObservation };

interface KnownOfTables {
  readonly publications: KnownPublications;
  readonly bankTables: KnownBankTables;
  readonly thresholds: Thresholds;
}

/**
 * Splits a table into the rows to accept and the doubtful ones, each undefined without rows.
 * @param held The held readings of tables. A good row of a bank ends those before it.
 */
export async function splitTable(
  candidate: TableCandidate,
  held: readonly Reading[],
  { publications, bankTables, thresholds }: KnownOfTables,
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
        .filter((one) => one.row.bank === row.bank && one.readAt > (last?.readAt ?? 0))
        .map((one) => one.row),
    };
    const found = bankRowDoubt(row, context, thresholds);
    doubt ??= found;
    (found === undefined ? good : bad).push(row);
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
  const table = { ...bankTable, rows };
  const observation: Observation = { kind: 'bank_table', indicatorDate: table.indicatorDate, rows };
  return { ...candidate, entry: { ...candidate.entry, bankTable: table }, observation };
}

import type { BankRow, BankTable } from '../../domain/bcv.ts';
import { bankRowDoubt, bankTableDoubts } from '../../domain/judgement/bank-judgement.ts';
import type { BankTableObservation, Doubt, Reading } from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { BatchContext } from './batch-context.ts';
import type { KnownPublications } from './known-publications.ts';
import type { Candidate } from './record-entry.ts';

/** Most tables searched for a bank's last row. A bank absent for longer has none. */
// limit: Bank tables searched for the last row of a bank | 10 | the bank counts as new
const MAX_BANK_TABLES_COMPARED = 10;

export type TableCandidate = Candidate & { readonly observation: BankTableObservation };

/** A row with when its table was read. */
interface ReadBankRow {
  readonly row: BankRow;
  readonly readAt: Instant;
}

/** The bank tables that a new one is compared with: stored ones and those of this batch. */
export class KnownBankTables {
  readonly #context: BatchContext;
  readonly #publications: KnownPublications;
  readonly #accepted: BankTable[] = [];

  constructor(context: BatchContext, publications: KnownPublications) {
    this.#context = context;
    this.#publications = publications;
  }

  accept(table: BankTable): void {
    this.#accepted.push(table);
  }

  async doubtsAbout(
    observation: BankTableObservation,
    capturedAt: Instant,
  ): Promise<readonly Doubt[]> {
    const [previous] = await this.#upTo(capturedAt);
    const table = previous ?? this.#accepted.at(-1);
    // Only a table that was read earlier can show that a date went back.
    const isEarlier = table !== undefined && table.capturedAt < capturedAt;
    const last = table && {
      indicatorDate: isEarlier ? table.indicatorDate : observation.indicatorDate,
      rows: table.rows.length,
    };
    return bankTableDoubts(observation, { last, capturedAt }, this.#context.thresholds);
  }

  /**
   * Splits a table into the rows to accept and the doubtful ones, each undefined without rows.
   * @param held The held readings of tables. A good row of a bank ends those before it.
   */
  async split(
    candidate: TableCandidate,
    held: readonly Reading[],
  ): Promise<{
    readonly good: Candidate | undefined;
    readonly apart: { readonly candidate: Candidate; readonly doubt: Doubt } | undefined;
  }> {
    const { observation, capturedAt } = candidate;
    const heldRows = rowsOfOtherDates(held, observation);
    const lastRows = await this.#lastRows(capturedAt);
    const good: BankRow[] = [];
    const bad: BankRow[] = [];
    let doubt: Doubt | undefined;
    for (const row of observation.rows) {
      const last = lastRows.get(row.bank);
      const context = {
        official: await this.#publications.rateAround(OFFICIAL_USD, row.date),
        last: last && this.#inUnitOf(row.date, last.row),
        held: heldRows
          .filter((held) => held.row.bank === row.bank && held.readAt > (last?.readAt ?? 0))
          .map((held) => this.#inUnitOf(row.date, held.row)),
      };
      const rowDoubt = bankRowDoubt(row, context, this.#context.thresholds);
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

  #inUnitOf(to: CaracasDay, row: BankRow): BankRow {
    const side = (value: number | undefined) =>
      value && this.#context.redenominations.rebased(value, { from: row.date, to });
    return { ...row, buy: side(row.buy), sell: side(row.sell) };
  }

  async #lastRows(capturedAt: Instant): Promise<ReadonlyMap<string, ReadBankRow>> {
    const rows = new Map<string, ReadBankRow>();
    for (const table of await this.#upTo(capturedAt)) {
      const readAt = table.capturedAt;
      for (const row of table.rows) if (!rows.has(row.bank)) rows.set(row.bank, { row, readAt });
    }
    return rows;
  }

  /** The accepted tables up to an instant, newest first. */
  async #upTo(instant: Instant): Promise<readonly BankTable[]> {
    const limit = MAX_BANK_TABLES_COMPARED;
    const here = this.#accepted.filter(({ capturedAt }) => capturedAt <= instant).reverse();
    const stored = await this.#context.store.bankTablesBefore(instant + 1, limit);
    return [...here, ...stored].sort((a, b) => b.capturedAt - a.capturedAt).slice(0, limit);
  }
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

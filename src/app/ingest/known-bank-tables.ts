import type { BankRow, BankTable } from '../../domain/bcv.ts';
import { bankTableDoubts } from '../../domain/judgement/bank-judgement.ts';
import type { BankTableObservation, Doubt } from '../../domain/judgement.ts';
import type { Instant } from '../../domain/time.ts';
import type { BatchContext } from './batch-context.ts';

/** Most tables searched for a bank's last row. A bank absent for longer has none. */
const MAX_BANK_TABLES_COMPARED = 10;

/** A row with when its table was read. */
export interface ReadBankRow {
  readonly row: BankRow;
  readonly readAt: Instant;
}

/** The bank tables that a new one is compared with: stored ones and those of this batch. */
export class KnownBankTables {
  readonly #context: BatchContext;
  /** Tables accepted in this batch, in order. */
  readonly #accepted: BankTable[] = [];

  constructor(context: BatchContext) {
    this.#context = context;
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

  async lastRows(capturedAt: Instant): Promise<ReadonlyMap<string, ReadBankRow>> {
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

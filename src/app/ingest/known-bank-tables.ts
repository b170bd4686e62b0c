import type { BankTable } from '../../domain/bcv.ts';
import { bankTableDoubts } from '../../domain/judgement/bank-judgement.ts';
import type {
  BankTableObservation,
  Doubt,
  ObservedBankRow,
  Thresholds,
} from '../../domain/judgement.ts';
import type { Instant } from '../../domain/time.ts';
import type { IngestStore } from './ingest-store.ts';

/** Tables in which a bank's last row is looked for; a bank that was away longer starts anew. */
export const MAX_BANK_TABLES_COMPARED = 10;

interface KnownBankTablesParts {
  readonly store: IngestStore;
  readonly thresholds: Thresholds;
}

/** The bank tables that a new one is compared with, stored or of this batch. */
export class KnownBankTables {
  readonly #parts: KnownBankTablesParts;
  /** Accepted in this batch, in their order. */
  readonly #accepted: BankTable[] = [];

  constructor(parts: KnownBankTablesParts) {
    this.#parts = parts;
  }

  accept(table: BankTable): void {
    this.#accepted.push(table);
  }

  /** What is doubtful about the table as a whole. */
  async doubtsAbout(
    observation: BankTableObservation,
    capturedAt: Instant,
  ): Promise<readonly Doubt[]> {
    const [before] = await this.#upTo(capturedAt);
    const known = before ?? this.#accepted.at(-1);
    // Only what was read before can make a date go back.
    const isBefore = known !== undefined && known.capturedAt < capturedAt;
    const last = known && {
      indicatorDate: isBefore ? known.indicatorDate : observation.indicatorDate,
      rows: known.rows.length,
    };
    return bankTableDoubts(observation, { last, capturedAt }, this.#parts.thresholds);
  }

  /** The last accepted row of each bank. */
  async lastRows(capturedAt: Instant): Promise<ReadonlyMap<string, ObservedBankRow>> {
    const rows = new Map<string, ObservedBankRow>();
    for (const table of await this.#upTo(capturedAt)) {
      for (const row of table.rows) if (!rows.has(row.bank)) rows.set(row.bank, row);
    }
    return rows;
  }

  /** Newest first. */
  async #upTo(instant: Instant): Promise<readonly BankTable[]> {
    const limit = MAX_BANK_TABLES_COMPARED;
    const here = this.#accepted.filter(({ capturedAt }) => capturedAt <= instant).reverse();
    const stored = await this.#parts.store.bankTablesBefore(instant + 1, limit);
    return [...here, ...stored].sort((a, b) => b.capturedAt - a.capturedAt).slice(0, limit);
  }
}

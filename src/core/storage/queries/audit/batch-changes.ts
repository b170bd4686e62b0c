import type { Author, Change } from '../../../app/ports/audit.ts';
import type { BatchOrigin } from '../../../app/ports/records.ts';
import { isoInstant } from '../../../domain/time.ts';
import type { Queries } from '../../engine.ts';
import type { CaptureTable, Tables } from '../../schema.ts';
import { storedJson } from '../record-rows.ts';
import { storeChanges } from './audited.ts';

/** Most figures of a batch that the audit log lists, before and after. The counts are of all. */
// limit: Audited of a batch: figures, held records settled | 20, 100 | counted | MAX_AUDITED_HELD
export const MAX_AUDITED_FIGURES = 20;

/** Most held records of a batch that have a row of their own in the audit log. */
export const MAX_AUDITED_HELD = 100;

type HeldRow = Pick<Tables['held'], 'id' | 'source' | 'subject' | 'reason' | 'record' | 'status'>;

/** What a batch of an operator changes, gathered for the audit log. */
export class BatchChanges {
  readonly #origin: BatchOrigin;
  readonly #author: Author | undefined;
  readonly #noted: Change[] = [];
  readonly #figures: object[] = [];
  readonly #corrections: Tables['correction'][] = [];
  #corrected = 0;
  #held = 0;
  #settled = 0;

  /** @param author Undefined for what the collector stores by itself, which the log leaves out. */
  constructor(origin: BatchOrigin, author: Author | undefined) {
    this.#origin = origin;
    this.#author = author;
  }

  /** Takes a new capture of the market with that id. */
  stored(
    market: string,
    { mid, ask, bid, effective_date, updated_at }: Omit<CaptureTable, 'batch' | 'line'>,
  ): void {
    if (this.#figures.length === MAX_AUDITED_FIGURES) return;
    this.#figures.push({
      market,
      ...(effective_date === ''
        ? { updated_at: isoInstant(updated_at) }
        : { value_date: effective_date }),
      mid,
      ...(ask > 0 && { ask }),
      ...(bid > 0 && { bid }),
    });
  }

  /** Takes published figures that become others. */
  corrected(rows: readonly Tables['correction'][]): void {
    this.#corrected += rows.length;
    this.#corrections.push(...rows.slice(0, MAX_AUDITED_FIGURES - this.#corrections.length));
  }

  held(records: number): void {
    this.#held += records;
  }

  /** Takes held records that have another status now. */
  settled(rows: readonly HeldRow[]): void {
    for (const row of rows) {
      this.#settled += 1;
      if (this.#settled <= MAX_AUDITED_HELD) this.#noted.push(settledChange(row));
    }
  }

  /** Adds the batch to the log, unless it changes nothing. `stored`: entries with something new. */
  async store(db: Queries, stored: number): Promise<void> {
    if (this.#author === undefined) return;
    if (stored + this.#held + this.#settled === 0) return;
    const figuresOf = (column: 'was' | 'is_now') =>
      this.#corrections.map(({ market, value_date, [column]: mid }) => ({
        market,
        ...(value_date !== '' && { value_date }),
        mid,
      }));
    const corrected = this.#corrected > 0;
    const { source, trusted = false } = this.#origin;
    this.#noted.push({
      what: 'records',
      id: source,
      before: corrected ? { figures: figuresOf('was') } : null,
      after: {
        stored,
        held: this.#held,
        settled: this.#settled,
        corrected: this.#corrected,
        trusted,
        ...(corrected && { corrections: figuresOf('is_now') }),
        figures: this.#figures,
      },
    });
    await storeChanges(db, this.#author, this.#noted);
  }
}

/** The change of a held record, with the record itself. */
export function settledChange(row: HeldRow): Change {
  const { id, source, subject, reason, record, status } = row;
  return {
    what: 'held',
    id,
    before: { status: 'held', source, subject, reason, record: storedJson(record) },
    after: { status },
  };
}

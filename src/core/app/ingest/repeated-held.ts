import { isOfficial } from '../../domain/markets.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { BatchContext } from './batch-context.ts';
import type { Candidate } from './record-entry.ts';

/** Finds the held records that a batch repeats in full, whatever their reading time (contract §7). */
export class RepeatedHeld {
  readonly #held: readonly { readonly id: string; readonly keys: readonly string[] }[];
  /** The content of the held records, and whether the batch has it. */
  readonly #seen: Map<string, boolean>;

  constructor(records: readonly HeldRecord[], { candidateOf }: Pick<BatchContext, 'candidateOf'>) {
    this.#held = records.flatMap((held) => {
      const candidate = candidateOf(held);
      return candidate === undefined ? [] : [{ id: held.id, keys: contentKeys(candidate) }];
    });
    this.#seen = new Map(this.#held.flatMap(({ keys }) => keys.map((key) => [key, false])));
  }

  /** Registers an accepted record of the batch. */
  add(candidate: Candidate): void {
    if (this.#seen.size === 0) return;
    for (const key of contentKeys(candidate)) if (this.#seen.has(key)) this.#seen.set(key, true);
  }

  get ids(): readonly string[] {
    return this.#held.flatMap(({ id, keys }) =>
      keys.length > 0 && keys.every((key) => this.#seen.get(key)) ? [id] : [],
    );
  }
}

/**
 * The content of a record without its reading time: one text, or one for each row of a bank table.
 * Records with a common text have the same content.
 */
function contentKeys({ entry, market, subject }: Candidate): readonly string[] {
  const { publication, bankTable, captures } = entry;
  if (publication !== undefined) {
    const rates = Object.entries(publication.rates).sort(([a], [b]) => (a < b ? -1 : 1));
    return [JSON.stringify([subject, publication.valueDate, rates])];
  }
  if (bankTable !== undefined) {
    return bankTable.rows.map(({ bank, buy, sell, date }) =>
      JSON.stringify([subject, bankTable.indicatorDate, bank, buy, sell, date]),
    );
  }
  const [capture] = captures;
  if (capture === undefined || market === undefined) return [];
  const { mid, ask, bid, effectiveDate } = capture;
  return [JSON.stringify([market.id, mid, ask, bid, isOfficial(market) ? effectiveDate : ''])];
}

import { isOfficial } from '../../domain/markets.ts';
import type { HeldRecord } from '../ports/held.ts';
import { orRefusal, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Finds the held records that a batch repeats in full, whatever their reading time (contract §7). */
export class RepeatedHeld {
  readonly #idsOf = new Map<string, string[]>();
  /** Number of texts of each record that the batch has not contained yet. */
  readonly #missing = new Map<string, number>();
  /** Ids of the records whose texts the batch contains. */
  readonly ids: string[] = [];

  constructor(records: readonly HeldRecord[], around: Surroundings) {
    for (const held of records) {
      const candidate = orRefusal(() => toCandidate(held.record, around));
      if (candidate instanceof Refused) continue;
      const keys = contentKeys(candidate);
      this.#missing.set(held.id, keys.length);
      for (const key of keys) this.#idsOf.set(key, [...(this.#idsOf.get(key) ?? []), held.id]);
    }
  }

  /** Registers an accepted record of the batch. */
  add(candidate: Candidate): void {
    for (const key of contentKeys(candidate)) {
      const ids = this.#idsOf.get(key) ?? [];
      this.#idsOf.delete(key);
      for (const id of ids) {
        const missing = (this.#missing.get(id) ?? 0) - 1;
        this.#missing.set(id, missing);
        if (missing === 0) this.ids.push(id);
      }
    }
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

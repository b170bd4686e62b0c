import { isOfficial } from '../../domain/markets.ts';
import type { Candidate } from './record-entry.ts';

/**
 * The content of a record without its reading time: one text, or one for each row of a bank table.
 * Records with a common text have the same content (decisions §7).
 */
export function contentKeys({ entry, market, subject }: Candidate): readonly string[] {
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

/** Held records by content. A batch closes a held record when it contains all of its texts. */
export class HeldContents {
  readonly #idsOf = new Map<string, string[]>();
  /** Number of texts of each record that the batch has not contained yet. */
  readonly #missing = new Map<string, number>();
  readonly #met: string[] = [];

  add(id: string, keys: readonly string[]): void {
    this.#missing.set(id, keys.length);
    for (const key of keys) this.#idsOf.set(key, [...(this.#idsOf.get(key) ?? []), id]);
  }

  meet(key: string): void {
    const ids = this.#idsOf.get(key);
    if (ids === undefined) return;
    this.#idsOf.delete(key);
    for (const id of ids) {
      const missing = (this.#missing.get(id) ?? 0) - 1;
      this.#missing.set(id, missing);
      if (missing === 0) this.#met.push(id);
    }
  }

  /** Ids of the records whose texts were all met. */
  get met(): readonly string[] {
    return this.#met;
  }
}

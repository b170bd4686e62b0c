import { sql } from 'kysely';
import type { Settlement } from '../../../app/ports/held.ts';
import type { BatchCounts, BatchOrigin, Entry, StoredQuote } from '../../../app/ports/records.ts';
import type { Queries } from '../../engine.ts';
import type { CaptureTable, RecordPosition } from '../../schema.ts';
import { requireLease } from '../collecting.ts';
import { settle } from '../held.ts';
import { bankTableRow, captureColumns, provenanceText, publicationRow } from '../record-rows.ts';
import { raiseVersion } from '../versions.ts';

/** The steps of storing a batch, small or large. */

/** An entry with the line of its first part in the batch. Its captures have the following lines. */
export interface Placed {
  readonly entry: Entry;
  readonly line: number;
}

/** Numbers the parts of the entries in order. */
export class Numbering {
  #next = 1;
  #entries = 0;

  get entries(): number {
    return this.#entries;
  }

  place(entry: Entry): Placed {
    const line = this.#next;
    this.#next += Math.max(1, entry.captures.length);
    this.#entries += 1;
    return { entry, line };
  }
}

export interface Making {
  readonly origin: BatchOrigin;
  readonly numbering: Numbering;
  readonly confirm: () => boolean | Settlement;
}

export interface Made {
  readonly counts: BatchCounts;
  /** Whether the batch contains anything new. Other batches are not stored. */
  readonly keep: boolean;
  /** What is left to settle of a batch that is not stored: it must not create a version. */
  readonly rest?: Settlement;
}

/** Stores a batch. `work` gets its id, stores the entries and returns how many were new. */
export async function inBatch(
  db: Queries,
  { origin, numbering, confirm }: Making,
  work: (batch: number) => Promise<number>,
): Promise<Made> {
  await requireLease(db, origin.lease);
  const batch = await beginBatch(db, origin);
  const stored = await work(batch);
  const counts = { stored, duplicate: numbering.entries - stored };
  const confirmed = confirm();
  if (typeof confirmed === 'boolean') return { counts, keep: confirmed && stored > 0 };
  if (stored === 0) return { counts, keep: false, rest: confirmed };
  await settle(db, origin, confirmed);
  return { counts, keep: true };
}

/** @returns the batch's id, which is also the new version of the records. */
async function beginBatch(db: Queries, origin: BatchOrigin): Promise<number> {
  const id = await raiseVersion(db, 'records', origin.receivedAt);
  const row = {
    id,
    source: origin.source,
    received_at: origin.receivedAt,
    provenance: provenanceText(origin.provenance),
  };
  await db.insertInto('batch').values(row).execute();
  return id;
}

/** The numbers of the markets. A market gets one with its first capture. */
export async function marketNumbers(
  db: Queries,
  ids: Iterable<string>,
): Promise<(market: string) => number> {
  const known = new Map<string, number>();
  const rows = await db.selectFrom('market').select(['id', 'number']).execute();
  for (const { id, number } of rows) known.set(id, number);
  for (const id of ids) {
    if (known.has(id)) continue;
    // The batch has locked the records, so no other batch assigns numbers.
    const number = known.size + 1;
    await db.insertInto('market').values({ id, number }).execute();
    known.set(id, number);
  }
  return (market) => {
    const number = known.get(market);
    if (number === undefined) throw new Error(`${market} has no number.`);
    return number;
  };
}

export function captureRow(
  quote: StoredQuote,
  numberOf: (market: string) => number,
  position: RecordPosition,
): CaptureTable {
  return { ...captureColumns(quote, numberOf(quote.market)), ...position };
}

/** Stores publication and bank table of an entry, and returns whether either was new. */
export async function insertDocuments(
  db: Queries,
  entry: Entry,
  position: RecordPosition,
): Promise<boolean> {
  const { publication, bankTable } = entry;
  const inserts = [
    publication && db.insertInto('publication').values(publicationRow(publication, position)),
    bankTable && db.insertInto('bank_table').values(bankTableRow(bankTable, position)),
  ];
  let added = 0n;
  for (const insert of inserts) {
    const result = await insert?.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    added += result?.numInsertedOrUpdatedRows ?? 0n;
  }
  return added > 0n;
}

/**
 * Replaces the official rate of a value date by a newer observation. Of two at the same instant the
 * later in order wins, and the current batch comes after all stored ones.
 */
export const SUPERSEDES = sql`
  on conflict (market, effective_date) do update set
    captured_at = excluded.captured_at, updated_at = excluded.updated_at,
    mid = excluded.mid, ask = excluded.ask, bid = excluded.bid, observed_at = excluded.observed_at
  where (excluded.captured_at, excluded.updated_at, excluded.observed_at)
    >= (official_rate.captured_at, official_rate.updated_at, official_rate.observed_at)`;

/** An official rate that is read again before its effect gets the later reading. */
export const OBSERVED_AGAIN = sql`
  on conflict (market, captured_at, updated_at, mid, ask, bid, effective_date) do update set
    observed_at = excluded.observed_at, batch = excluded.batch, line = excluded.line
  where excluded.observed_at > capture.observed_at`;

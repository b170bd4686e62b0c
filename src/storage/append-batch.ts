import { sql } from 'kysely';
import type { BatchCounts, BatchOrigin, Entry } from '../app/ports.ts';
import {
  beginBatch,
  captureRow,
  countsOf,
  insertDocuments,
  marketNumbers,
  Numbering,
  type Placed,
  SUPERSEDES,
} from './batch-parts.ts';
import type { Engine, Queries } from './engine.ts';
import type { CaptureTable } from './schema.ts';
import { Staging } from './staging.ts';

/** A batch of up to so many entries is stored from memory; a larger one goes by the stage. */
export const MAX_HELD_ENTRIES = 1_000;

/** Captures in one `INSERT`: 9 parameters each, well below what the databases take. */
const ROWS_PER_INSERT = 100;

/** See `Store.appendBatch`. */
export async function appendBatch(
  engine: Engine,
  origin: BatchOrigin,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  confirm: () => boolean,
): Promise<BatchCounts> {
  // Asked in any case; a batch without news leaves no trace.
  const keep = (counts: BatchCounts) => confirm() && counts.stored > 0;
  const numbering = new Numbering();
  const staging = new Staging(engine);
  let held: Placed[] = [];
  try {
    for await (const entry of entries) {
      if (held.length === MAX_HELD_ENTRIES) {
        await staging.add(held);
        held = [];
      }
      held.push(numbering.place(entry));
    }
    if (!staging.begun) {
      const store = async (db: Queries) => countsOf(numbering, await storeHeld(db, origin, held));
      return await engine.write(store, keep);
    }
    await staging.add(held);
    return await staging.store(origin, numbering, keep);
  } finally {
    await staging.close();
  }
}

/** Stores the entries of a small batch. @returns how many of them were new. */
async function storeHeld(
  db: Queries,
  origin: BatchOrigin,
  held: readonly Placed[],
): Promise<number> {
  const batch = await beginBatch(db, origin);
  const quotes = held.flatMap(({ entry }) => entry.captures);
  const numberOf = await marketNumbers(db, new Set(quotes.map(({ market }) => market)));
  const captures = held.flatMap(({ entry, line }) =>
    entry.captures.map((quote, index) =>
      captureRow(quote, numberOf, { batch, line: line + index }),
    ),
  );
  const inserted = await insertCaptures(db, captures);
  for (const row of captures) {
    if (row.effective_date !== '' && inserted.has(row.line)) await observeOfficialRate(db, row);
  }
  let stored = 0;
  for (const { entry, line } of held) {
    const documents = await insertDocuments(db, entry, { batch, line });
    const isNew = documents || entry.captures.some((_, index) => inserted.has(line + index));
    if (isNew) stored += 1;
  }
  return stored;
}

/** @returns the lines that were not stored before. */
async function insertCaptures(
  db: Queries,
  rows: readonly CaptureTable[],
): Promise<ReadonlySet<number>> {
  const inserted = new Set<number>();
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const added = await db
      .insertInto('capture')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.doNothing())
      .returning('line')
      .execute();
    for (const { line } of added) inserted.add(line);
  }
  return inserted;
}

async function observeOfficialRate(db: Queries, row: CaptureTable): Promise<void> {
  await sql`
    insert into official_rate
      (market, effective_date, captured_at, updated_at, mid, ask, bid)
    values (${row.market}, ${row.effective_date}, ${row.captured_at}, ${row.updated_at},
      ${row.mid}, ${row.ask}, ${row.bid})
    ${SUPERSEDES}`.execute(db);
}

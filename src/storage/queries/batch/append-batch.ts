import type { Settlement } from '../../../app/ports/held.ts';
import type { BatchCounts, BatchOrigin, Entry } from '../../../app/ports/records.ts';
import type { Engine, Queries } from '../../engine.ts';
import type { CaptureTable } from '../../schema.ts';
import { requireLease } from '../collecting.ts';
import { settle } from '../held.ts';
import {
  captureRow,
  inBatch,
  insertDocuments,
  type Made,
  marketNumbers,
  Numbering,
  OBSERVED_AGAIN,
  type Placed,
  SUPERSEDES,
} from './batch-parts.ts';
import { placeLateRates } from './late-rates.ts';
import { Staging } from './staging.ts';

/** Most entries of a batch that is stored from memory. A larger one uses the stage. */
export const MAX_GATHERED_ENTRIES = 1_000;

/** Captures in one `INSERT`: 9 parameters each, far below the limits of both databases. */
const ROWS_PER_INSERT = 100;

/** See `Store.appendBatch`. */
export async function appendBatch(
  engine: Engine,
  origin: BatchOrigin,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  confirm: () => boolean | Settlement,
): Promise<BatchCounts> {
  const numbering = new Numbering();
  const staging = new Staging(engine);
  let gathered: Placed[] = [];
  try {
    for await (const entry of entries) {
      if (gathered.length === MAX_GATHERED_ENTRIES) {
        await staging.add(gathered);
        gathered = [];
      }
      gathered.push(numbering.place(entry));
    }
    const making = { origin, numbering, confirm };
    const scope = { records: true, collecting: origin.lease !== undefined };
    let made: Made;
    if (staging.begun) {
      await staging.add(gathered);
      made = await staging.store(scope, making);
    } else {
      made = await engine.write(
        scope,
        (db) => inBatch(db, making, (batch) => storeInMemory(db, batch, gathered)),
        ({ keep }) => keep,
      );
    }
    const { counts, rest } = made;
    if (rest !== undefined) {
      await engine.write(scope, async (db) => {
        await requireLease(db, origin.lease);
        await settle(db, origin, rest);
      });
    }
    return counts;
  } finally {
    await staging.close();
  }
}

/** Stores the entries of a small batch, and returns how many were new. */
async function storeInMemory(
  db: Queries,
  batch: number,
  gathered: readonly Placed[],
): Promise<number> {
  const quotes = gathered.flatMap(({ entry }) => entry.captures);
  const numberOf = await marketNumbers(db, new Set(quotes.map(({ market }) => market)));
  const captures = gathered.flatMap(({ entry, line }) =>
    entry.captures.map((quote, index) =>
      captureRow(quote, numberOf, { batch, line: line + index }),
    ),
  );
  const inserted = await insertCaptures(
    db,
    captures.filter(({ effective_date: day }) => day === ''),
  );
  for (const row of captures) {
    if (row.effective_date !== '' && (await observeOfficialRate(db, row))) inserted.add(row.line);
  }
  const official = captures.filter((row) => row.effective_date !== '' && inserted.has(row.line));
  const markets = Map.groupBy(official, ({ market }) => market);
  for (const [market, rows] of markets) {
    await placeLateRates(db, market, Math.min(...rows.map((row) => row.captured_at)));
  }
  let stored = 0;
  for (const { entry, line } of gathered) {
    const documents = await insertDocuments(db, entry, { batch, line });
    const isNew = documents || entry.captures.some((_, index) => inserted.has(line + index));
    if (isNew) stored += 1;
  }
  return stored;
}

/** @returns the lines that were new. */
async function insertCaptures(db: Queries, rows: readonly CaptureTable[]): Promise<Set<number>> {
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

/** Stores an official rate, and returns whether it was new or read again later. */
async function observeOfficialRate(db: Queries, row: CaptureTable): Promise<boolean> {
  const result = await db
    .insertInto('capture')
    .values(row)
    .modifyEnd(OBSERVED_AGAIN)
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  const { batch: _batch, line: _line, ...rate } = row;
  await db.insertInto('official_rate').values(rate).modifyEnd(SUPERSEDES).execute();
  return true;
}

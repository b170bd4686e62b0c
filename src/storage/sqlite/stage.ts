import { type Kysely, sql } from 'kysely';
import type { Move, Queries, Stage } from '../engine.ts';
import { OBSERVED_AGAIN } from '../queries/batch/batch-parts.ts';
import { entriesAfter, gatherOn } from '../queries/batch/stage-tables.ts';
import { startOfNextPart } from '../queries/captures.ts';
import type { StageTables } from '../schema.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { SqliteConnection } from './connection.ts';

/** Captures moved by one statement, which takes tens of milliseconds. */
const ROWS_PER_MERGE = 20_000;

/** Opens the stage of one large batch on a separate connection, which `close` closes. */
export async function openStage(
  connect: () => Promise<SqliteConnection<StageTables>>,
): Promise<Stage> {
  const { connection, ...gathered } = await gatherOn(await connect());
  return {
    ...gathered,
    write: (_scope, work, keep) =>
      connection.transaction(
        (db) =>
          // The cast is safe: the stage's connection has all tables of the store.
          work(db as unknown as Queries, {
            storeCaptures: (move) => mergeCaptures(db, move),
            entriesAfter: (line, limit) => entriesAfter(db, line, limit),
          }),
        keep,
      ),
  };
}

/** Stores one market's staged captures in key order, in parts by time. */
async function mergeCaptures(db: Kysely<StageTables>, move: Move): Promise<number> {
  let inserted = 0n;
  let from: number | undefined = Number.MIN_SAFE_INTEGER;
  while (from !== undefined) {
    const part = { market: move.staged, from, before: Number.MAX_SAFE_INTEGER };
    const next = await startOfNextPart(db, 'staged_capture', part, ROWS_PER_MERGE);
    const result = await sql`
      insert into capture
        (market, captured_at, updated_at, mid, ask, bid, effective_date, observed_at, batch, line)
      select ${move.stored}, captured_at, updated_at, mid, ask, bid, effective_date, observed_at,
        ${move.batch}, line
      from staged_capture
      where market = ${move.staged} and captured_at >= ${from}
        and captured_at < ${next ?? Number.MAX_SAFE_INTEGER}
      order by captured_at, updated_at, mid, ask, bid, effective_date
      ${OBSERVED_AGAIN}`.execute(db);
    inserted += result.numAffectedRows ?? 0n;
    from = next;
    await yieldToEventLoop();
  }
  return Number(inserted);
}

import type { Engine, Move, Queries, Stage } from '../engine.ts';
import { OBSERVED_AGAIN } from '../queries/batch/batch-parts.ts';
import { entriesAfter, gatherOn } from '../queries/batch/stage-tables.ts';
import type { StagedCaptureTable, StageTables } from '../schema.ts';
import { IN_MEMORY, SqliteConnection } from '../sqlite/connection.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { type Columns, insertRows } from './rows.ts';

/** Staged captures in one statement. */
const ROWS_PER_SENDING = 5_000;

const COLUMNS: Columns = [
  ['market', 'integer'],
  ['captured_at', 'bigint'],
  ['updated_at', 'bigint'],
  ['mid', 'double precision'],
  ['ask', 'double precision'],
  ['bid', 'double precision'],
  ['effective_date', 'text'],
  ['observed_at', 'bigint'],
  ['batch', 'bigint'],
  ['line', 'bigint'],
];

/** Its tables are on this machine: on the server they would have to outlive transactions. */
export async function openStage(write: Engine['write']): Promise<Stage> {
  const local = new SqliteConnection<StageTables>({
    file: IN_MEMORY,
    mode: 'write',
    lockWaitMs: 0,
  });
  const { connection, ...gathered } = await gatherOn(local);
  return {
    ...gathered,
    write: (scope, work, keep) =>
      write(
        scope,
        (db) =>
          work(db, {
            storeCaptures: (move) => sendCaptures(db, connection, move),
            entriesAfter: (line, limit) =>
              connection.transaction((staged) => entriesAfter(staged, line, limit)),
          }),
        keep,
      ),
  };
}

/** Sends staged captures in key order, and returns how many were new or read again. */
async function sendCaptures(
  db: Queries,
  { raw }: SqliteConnection<StageTables>,
  { staged, stored, batch }: Move,
): Promise<number> {
  const next = raw.prepare(`
    select market, captured_at, updated_at, mid, ask, bid, effective_date, observed_at, line
    from staged_capture
    where market = ? and (captured_at, updated_at, mid, ask, bid, effective_date)
      > (?, ?, ?, ?, ?, ?)
    order by captured_at, updated_at, mid, ask, bid, effective_date
    limit ${ROWS_PER_SENDING}`);
  let sent = 0;
  let last: readonly (number | string)[] = [Number.MIN_SAFE_INTEGER, 0, 0, 0, 0, ''];
  for (;;) {
    // The cast is safe: the statement selects the columns of staged captures.
    const rows = next.all(staged, ...last) as unknown as readonly StagedCaptureTable[];
    const newest = rows.at(-1);
    if (newest === undefined) return sent;
    const { captured_at, updated_at, mid, ask, bid, effective_date } = newest;
    last = [captured_at, updated_at, mid, ask, bid, effective_date];
    sent += await insertRows(
      db,
      { table: 'capture', columns: COLUMNS },
      rows.map((row) => [
        ...[stored, row.captured_at, row.updated_at, row.mid, row.ask, row.bid],
        ...[row.effective_date, row.observed_at, batch, row.line],
      ]),
      OBSERVED_AGAIN,
    );
    await yieldToEventLoop();
  }
}

import type { Kysely } from 'kysely';
import type { Stage } from '../../engine.ts';
import type { StagedEntryTable, StageTables } from '../../schema.ts';
import { type SqliteConnection, translated } from '../../sqlite/connection.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';

/** Memory for the pages of the temporary tables, in KiB. Further pages are written to a file. */
const STAGE_CACHE_KIB = 64 * 1024;

/** Staged captures have the order of the target table, so that the merge is sequential. */
const STAGE_TABLES = `
  CREATE TEMP TABLE staged_capture (
    market INTEGER NOT NULL,
    captured_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    mid DOUBLE PRECISION NOT NULL,
    ask DOUBLE PRECISION NOT NULL,
    bid DOUBLE PRECISION NOT NULL,
    effective_date TEXT NOT NULL,
    observed_at BIGINT NOT NULL,
    line BIGINT NOT NULL,
    PRIMARY KEY (market, captured_at, updated_at, mid, ask, bid, effective_date)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE staged_entry (line INTEGER NOT NULL PRIMARY KEY, entry TEXT NOT NULL);
`;

/** The temporary tables of a batch on one connection, which `close` closes. */
interface Gathered extends Omit<Stage, 'write'> {
  readonly connection: SqliteConnection<StageTables>;
}

/** The staged entries after a line; see `Staged.entriesAfter`. */
export function entriesAfter(
  db: Kysely<StageTables>,
  line: number,
  limit: number,
): Promise<StagedEntryTable[]> {
  return db
    .selectFrom('staged_entry')
    .selectAll()
    .where('line', '>', line)
    .orderBy('line')
    .limit(limit)
    .execute();
}

/** @throws StoreUnavailable when there is no space for the tables. */
export async function gatherOn(connection: SqliteConnection<StageTables>): Promise<Gathered> {
  const { raw } = connection;
  try {
    raw.exec('PRAGMA temp_store=FILE');
    raw.exec(STAGE_TABLES);
    raw.exec(`PRAGMA temp.cache_size=-${STAGE_CACHE_KIB}`);
  } catch (error) {
    await connection.close();
    throw translated(error);
  }
  const addCapture = raw.prepare(
    `INSERT INTO temp.staged_capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET observed_at = excluded.observed_at, line = excluded.line
    WHERE excluded.observed_at > observed_at`,
  );
  const addEntry = raw.prepare('INSERT INTO temp.staged_entry VALUES (?, ?)');

  /** One transaction for many rows. It writes temporary tables only, so it blocks nobody. */
  async function together(fill: () => void): Promise<void> {
    try {
      raw.exec('BEGIN');
      fill();
      raw.exec('COMMIT');
    } catch (error) {
      // No rollback is needed: closing the stage ends its transaction.
      throw translated(error);
    }
    await yieldToEventLoop();
  }

  return {
    connection,
    addCaptures: (rows) =>
      together(() => {
        for (const row of rows) {
          addCapture.run(
            row.market,
            row.captured_at,
            row.updated_at,
            row.mid,
            row.ask,
            row.bid,
            row.effective_date,
            row.observed_at,
            row.line,
          );
        }
      }),
    addEntries: (rows) =>
      together(() => {
        for (const { line, entry } of rows) addEntry.run(line, entry);
      }),
    close: () => connection.close(),
  };
}

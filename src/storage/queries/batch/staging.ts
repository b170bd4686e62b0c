import { sql } from 'kysely';
import type { Entry, StoredQuote } from '../../../app/ports/records.ts';
import type { Engine, LockScope, Move, Queries, Stage, Staged } from '../../engine.ts';
import type { CaptureTable, StagedCaptureTable, StagedEntryTable } from '../../schema.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import { captureColumns, storedJson } from '../record-rows.ts';
import {
  captureRow,
  inBatch,
  insertDocuments,
  type Made,
  type Making,
  marketNumbers,
  type Placed,
  SUPERSEDES,
} from './batch-parts.ts';
import { placeLateRates } from './late-rates.ts';

/** Staged entries in one read. */
const ENTRIES_PER_READ = 500;

/** Captures searched by one statement. */
const ROWS_PER_LOOKUP = 500;

/** A batch too large for memory: collected in temporary tables, stored in one transaction. */
export class Staging {
  readonly #engine: Engine;
  #stage: Stage | undefined;
  /** The stage's own market numbers. The store assigns its numbers only under its lock. */
  readonly #markets = new Map<string, number>();
  /** Stage numbers of the markets with a value date in any capture. */
  readonly #official = new Set<number>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get begun(): boolean {
    return this.#stage !== undefined;
  }

  async add(placed: readonly Placed[]): Promise<void> {
    this.#stage ??= await this.#engine.openStage();
    const captures: StagedCaptureTable[] = [];
    const entries: StagedEntryTable[] = [];
    for (const { entry, line } of placed) {
      let place = line;
      for (const quote of entry.captures) {
        captures.push({ ...captureColumns(quote, this.#numberOf(quote)), line: place });
        place += 1;
      }
      if (!isOneCapture(entry)) entries.push({ line, entry: JSON.stringify(entry) });
    }
    await this.#stage.addCaptures(captures);
    if (entries.length > 0) await this.#stage.addEntries(entries);
  }

  async store(scope: LockScope, making: Making): Promise<Made> {
    if (this.#stage === undefined) throw new Error('Nothing was staged.');
    return this.#stage.write(
      scope,
      (db, staged) => inBatch(db, making, (batch) => this.#merge(db, staged, batch)),
      ({ keep }) => keep,
    );
  }

  async close(): Promise<void> {
    await this.#stage?.close();
  }

  #numberOf({ market, effectiveDate }: StoredQuote): number {
    let number = this.#markets.get(market);
    if (number === undefined) {
      number = this.#markets.size + 1;
      this.#markets.set(market, number);
    }
    if (effectiveDate !== undefined) this.#official.add(number);
    return number;
  }

  async #merge(db: Queries, staged: Staged, batch: number): Promise<number> {
    const numberOf = await marketNumbers(db, this.#markets.keys());
    let inserted = 0;
    for (const [market, number] of this.#markets) {
      const move = { staged: number, stored: numberOf(market), batch };
      inserted += await staged.storeCaptures(move);
      if (!this.#official.has(number)) continue;
      await observeOfficialRates(db, move);
      await placeLateRates(db, move.stored);
    }
    const { stored, captures } = await mergeEntries(db, staged, numberOf, batch);
    return inserted - captures + stored;
  }
}

/** Entries with one capture are counted by its row. The others are staged as JSON. */
function isOneCapture({ captures, publication, bankTable }: Entry): boolean {
  return captures.length === 1 && publication === undefined && bankTable === undefined;
}

/** Makes the newest capture of each value date in this batch the market's rate for that date. */
async function observeOfficialRates(db: Queries, { stored, batch }: Move): Promise<void> {
  await sql`
    insert into official_rate
      (market, effective_date, captured_at, updated_at, mid, ask, bid, observed_at)
    select market, effective_date, captured_at, updated_at, mid, ask, bid, observed_at
    from (
      select c.*, row_number() over (
        partition by c.effective_date
        order by c.captured_at desc, c.updated_at desc, c.observed_at desc, c.line desc
      ) as place
      from capture c
      where c.market = ${stored} and c.batch = ${batch} and c.effective_date <> ''
    ) as added
    where place = 1
    ${SUPERSEDES}`.execute(db);
}

/**
 * Stores the publications and bank tables of the staged entries.
 * @returns how many entries had anything new, and how many new captures of this batch they have.
 */
async function mergeEntries(
  db: Queries,
  staged: Staged,
  numberOf: (market: string) => number,
  batch: number,
): Promise<{ stored: number; captures: number }> {
  let stored = 0;
  let captures = 0;
  let last = 0;
  for (;;) {
    const rows = await staged.entriesAfter(last, ENTRIES_PER_READ);
    const read = rows.map(({ line, entry }) => ({ line, entry: storedJson<Entry>(entry) }));
    const lines = await linesStored(
      db,
      read.flatMap(({ line, entry }) =>
        entry.captures.map((quote, index) =>
          captureRow(quote, numberOf, { batch, line: line + index }),
        ),
      ),
    );
    captures += lines.size;
    for (const { line, entry } of read) {
      const documents = await insertDocuments(db, entry, { batch, line });
      if (documents || entry.captures.some((_, index) => lines.has(line + index))) stored += 1;
      last = line;
    }
    if (rows.length < ENTRIES_PER_READ) return { stored, captures };
    await yieldToEventLoop();
  }
}

/** The lines of those rows that this batch has stored. */
async function linesStored(
  db: Queries,
  rows: readonly CaptureTable[],
): Promise<ReadonlySet<number>> {
  const lines = new Set<number>();
  for (let start = 0; start < rows.length; start += ROWS_PER_LOOKUP) {
    const values = rows.slice(start, start + ROWS_PER_LOOKUP).map(
      (row) => sql`(cast(${row.market} as integer), cast(${row.captured_at} as bigint),
        cast(${row.updated_at} as bigint), cast(${row.mid} as double precision),
        cast(${row.ask} as double precision), cast(${row.bid} as double precision),
        cast(${row.effective_date} as text), cast(${row.line} as bigint))`,
    );
    // Both databases name the columns of `values` like this.
    const found = await sql<{ line: number }>`
      select c.line
      from (values ${sql.join(values)}) as wanted
      cross join capture c
      where c.market = wanted.column1 and c.captured_at = wanted.column2
        and c.updated_at = wanted.column3 and c.mid = wanted.column4 and c.ask = wanted.column5
        and c.bid = wanted.column6 and c.effective_date = wanted.column7
        and c.line = wanted.column8 and c.batch = ${rows[0]?.batch}`.execute(db);
    for (const { line } of found.rows) lines.add(line);
  }
  return lines;
}

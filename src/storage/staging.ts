import { type Kysely, sql } from 'kysely';
import type { Entry, StoredQuote } from '../app/ports.ts';
import {
  captureRow,
  inBatch,
  insertDocuments,
  type Made,
  type Making,
  marketNumbers,
  OBSERVED_AGAIN,
  type Placed,
  SUPERSEDES,
} from './batch-parts.ts';
import type { Engine, Queries, Stage } from './engine.ts';
import { captureColumns, entryText, storedEntry } from './record-rows.ts';
import type { CaptureTable, StagedCaptureTable, StagedEntryTable, StageTables } from './schema.ts';

/** Staged captures moved by one statement: tens of milliseconds, then others get a turn. */
const ROWS_PER_MERGE = 20_000;

/** Staged entries read back at once. */
const ENTRIES_PER_READ = 500;

/** A batch too large for memory, gathered in temporary tables and then stored in one go. */
export class Staging {
  readonly #engine: Engine;
  #stage: Stage | undefined;
  /** The stage's own numbers: those of the store are given only under its lock. */
  readonly #markets = new Map<string, number>();
  /** Stage numbers of the markets of which some capture has a value date. */
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
      if (!isOneCapture(entry)) entries.push({ line, entry: entryText(entry) });
    }
    await this.#stage.addCaptures(captures);
    if (entries.length > 0) await this.#stage.addEntries(entries);
  }

  async store(making: Making): Promise<Made> {
    if (this.#stage === undefined) throw new Error('Nothing was staged.');
    return this.#stage.write(
      (db) => inBatch(withoutStage(db), making, (batch) => this.#merge(db, batch)),
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

  async #merge(db: Kysely<StageTables>, batch: number): Promise<number> {
    const numberOf = await marketNumbers(withoutStage(db), this.#markets.keys());
    let inserted = 0;
    for (const [market, staged] of this.#markets) {
      const move = { staged, stored: numberOf(market), batch };
      inserted += await mergeCaptures(db, move);
      if (this.#official.has(staged)) await observeOfficialRates(db, move);
    }
    const { stored, captures } = await mergeEntries(withoutStage(db), db, numberOf, batch);
    return inserted - captures + stored;
  }
}

/** Entries of one capture are counted by their row; the others are remembered as they came. */
function isOneCapture({ captures, publication, bankTable }: Entry): boolean {
  return captures.length === 1 && publication === undefined && bankTable === undefined;
}

/** The stage's connection has all the tables of the store, and these queries ask for no others. */
function withoutStage(db: Kysely<StageTables>): Queries {
  return db as unknown as Queries;
}

interface Move {
  readonly staged: number;
  readonly stored: number;
  readonly batch: number;
}

/** Lets timers and requests of the process run between two stretches of work. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Stores one market's staged captures in key order, a stretch of time after another. */
async function mergeCaptures(db: Kysely<StageTables>, move: Move): Promise<number> {
  let inserted = 0n;
  let from: number | undefined = Number.MIN_SAFE_INTEGER;
  while (from !== undefined) {
    const next = await startOfNextStretch(db, move.staged, from);
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
    await breathe();
  }
  return Number(inserted);
}

/** Where the stretch that begins at `from` ends; undefined when it reaches to the last capture. */
async function startOfNextStretch(
  db: Kysely<StageTables>,
  market: number,
  from: number,
): Promise<number | undefined> {
  const after = await db
    .selectFrom('staged_capture')
    .select('captured_at')
    .where('market', '=', market)
    .where('captured_at', '>=', from)
    .orderBy('captured_at')
    .limit(1)
    .offset(ROWS_PER_MERGE)
    .executeTakeFirst();
  if (after === undefined) return undefined;
  // A stretch of one instant cannot be divided, and ends before the next instant.
  return Math.max(after.captured_at, from + 1);
}

/** The newest of what this batch added for each value date of the market. */
async function observeOfficialRates(db: Kysely<StageTables>, move: Move): Promise<void> {
  await sql`
    insert into official_rate
      (market, effective_date, captured_at, updated_at, mid, ask, bid, observed_at)
    select ${move.stored}, effective_date, captured_at, updated_at, mid, ask, bid, observed_at
    from (
      select s.*, row_number() over (
        partition by s.effective_date
        order by s.captured_at desc, s.updated_at desc, s.observed_at desc, s.line desc
      ) as place
      from staged_capture s
      cross join capture c
      where s.market = ${move.staged} and s.effective_date <> ''
        and c.market = ${move.stored} and c.batch = ${move.batch}
        and c.captured_at = s.captured_at and c.updated_at = s.updated_at and c.mid = s.mid
        and c.ask = s.ask and c.bid = s.bid and c.effective_date = s.effective_date
    ) as added
    where place = 1
    ${SUPERSEDES}`.execute(db);
}

/**
 * Stores the publications and bank tables of the staged entries, and counts the entries of which
 * any part was new.
 * @returns the entries, and how many of this batch's new captures belong to them or not.
 */
async function mergeEntries(
  db: Queries,
  staged: Kysely<StageTables>,
  numberOf: (market: string) => number,
  batch: number,
): Promise<{ stored: number; captures: number }> {
  let stored = 0;
  let captures = 0;
  let last = 0;
  for (;;) {
    const rows = await staged
      .selectFrom('staged_entry')
      .selectAll()
      .where('line', '>', last)
      .orderBy('line')
      .limit(ENTRIES_PER_READ)
      .execute();
    for (const { line, entry: text } of rows) {
      const entry = storedEntry(text);
      let added = 0;
      for (const [index, quote] of entry.captures.entries()) {
        const row = captureRow(quote, numberOf, { batch, line: line + index });
        if (await isStored(db, row)) added += 1;
      }
      const documents = await insertDocuments(db, entry, { batch, line });
      if (documents || added > 0) stored += 1;
      captures += added;
      last = line;
    }
    if (rows.length < ENTRIES_PER_READ) return { stored, captures };
    await breathe();
  }
}

/** Whether this very row is stored, from this place in this batch. */
async function isStored(db: Queries, row: CaptureTable): Promise<boolean> {
  const found = await db
    .selectFrom('capture')
    .select('line')
    .where('market', '=', row.market)
    .where('captured_at', '=', row.captured_at)
    .where('updated_at', '=', row.updated_at)
    .where('mid', '=', row.mid)
    .where('ask', '=', row.ask)
    .where('bid', '=', row.bid)
    .where('effective_date', '=', row.effective_date)
    .where('batch', '=', row.batch)
    .where('line', '=', row.line)
    .executeTakeFirst();
  return found !== undefined;
}

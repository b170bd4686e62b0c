import { type Kysely, sql } from 'kysely';
import type { BatchCounts, BatchOrigin, Entry, StoredQuote } from '../app/ports.ts';
import type { Engine, Queries, Stage } from './engine.ts';
import {
  bankTableRow,
  captureColumns,
  entryText,
  type Place,
  publicationRow,
  storedEntry,
} from './record-rows.ts';
import type { CaptureTable, StagedCaptureTable, StagedEntryTable, StageTables } from './schema.ts';
import { raiseVersion } from './versions.ts';

/** A batch of up to so many entries is stored from memory; a larger one goes by the stage. */
export const MAX_HELD_ENTRIES = 1_000;

/** Captures in one `INSERT`: 9 parameters each, well below what the databases take. */
const ROWS_PER_INSERT = 100;

/** Staged captures moved by one statement: tens of milliseconds, then others get a turn. */
const ROWS_PER_MERGE = 20_000;

/** Staged entries read back at once. */
const ENTRIES_PER_READ = 500;

/** An entry with the place of its first part in the batch; its captures take the places from it. */
interface Placed {
  readonly entry: Entry;
  readonly line: number;
}

/** Numbers the parts of the entries as they come. */
class Numbering {
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

function countsOf({ entries }: Numbering, stored: number): BatchCounts {
  return { stored, duplicate: entries - stored };
}

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

/** @returns the batch's id, which is the version of the records that it makes. */
async function beginBatch(db: Queries, origin: BatchOrigin): Promise<number> {
  const id = await raiseVersion(db, 'records', origin.receivedAt);
  const row = { id, source: origin.source, received_at: origin.receivedAt };
  await db.insertInto('batch').values(row).execute();
  return id;
}

/** The numbers of the markets, given on their first capture. */
async function marketNumbers(
  db: Queries,
  ids: Iterable<string>,
): Promise<(market: string) => number> {
  const known = new Map<string, number>();
  for (const { id, number } of await db.selectFrom('market').selectAll().execute()) {
    known.set(id, number);
  }
  for (const id of ids) {
    if (known.has(id)) continue;
    // The batch has raised the version of the records, so no other gives out numbers meanwhile.
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

function captureRow(
  quote: StoredQuote,
  numberOf: (market: string) => number,
  place: Place,
): CaptureTable {
  return { ...captureColumns(quote, numberOf(quote.market)), ...place };
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

/** Stores the publication and the bank table of an entry. @returns whether either was new. */
async function insertDocuments(db: Queries, entry: Entry, place: Place): Promise<boolean> {
  let added = 0n;
  if (entry.publication !== undefined) {
    const result = await db
      .insertInto('publication')
      .values(publicationRow(entry.publication, place))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += result.numInsertedOrUpdatedRows ?? 0n;
  }
  if (entry.bankTable !== undefined) {
    const result = await db
      .insertInto('bank_table')
      .values(bankTableRow(entry.bankTable, place))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += result.numInsertedOrUpdatedRows ?? 0n;
  }
  return added > 0n;
}

/**
 * What a newer observation does to the official rate of a value date. Of two of one instant the
 * later in order wins, and the batch at hand comes after all that is stored.
 */
const SUPERSEDES = sql`
  on conflict (market, effective_date) do update set
    captured_at = excluded.captured_at, updated_at = excluded.updated_at,
    mid = excluded.mid, ask = excluded.ask, bid = excluded.bid
  where (excluded.captured_at, excluded.updated_at)
    >= (official_rate.captured_at, official_rate.updated_at)`;

async function observeOfficialRate(db: Queries, row: CaptureTable): Promise<void> {
  await sql`
    insert into official_rate
      (market, effective_date, captured_at, updated_at, mid, ask, bid)
    values (${row.market}, ${row.effective_date}, ${row.captured_at}, ${row.updated_at},
      ${row.mid}, ${row.ask}, ${row.bid})
    ${SUPERSEDES}`.execute(db);
}

/** A batch too large for memory, gathered in temporary tables and then stored in one go. */
class Staging {
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

  async store(
    origin: BatchOrigin,
    numbering: Numbering,
    keep: (counts: BatchCounts) => boolean,
  ): Promise<BatchCounts> {
    if (this.#stage === undefined) throw new Error('Nothing was staged.');
    return this.#stage.write(
      async (db) => countsOf(numbering, await this.#merge(db, origin)),
      keep,
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

  async #merge(db: Kysely<StageTables>, origin: BatchOrigin): Promise<number> {
    const batch = await beginBatch(withoutStage(db), origin);
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
        (market, captured_at, updated_at, mid, ask, bid, effective_date, batch, line)
      select ${move.stored}, captured_at, updated_at, mid, ask, bid, effective_date,
        ${move.batch}, line
      from staged_capture
      where market = ${move.staged} and captured_at >= ${from}
        and captured_at < ${next ?? Number.MAX_SAFE_INTEGER}
      order by captured_at, updated_at, mid, ask, bid, effective_date
      on conflict do nothing`.execute(db);
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
      (market, effective_date, captured_at, updated_at, mid, ask, bid)
    select ${move.stored}, effective_date, captured_at, updated_at, mid, ask, bid
    from (
      select s.*, row_number() over (
        partition by s.effective_date order by s.captured_at desc, s.updated_at desc, s.line desc
      ) as place
      from staged_capture s
      join capture c on c.market = ${move.stored}
        and c.captured_at = s.captured_at and c.updated_at = s.updated_at and c.mid = s.mid
        and c.ask = s.ask and c.bid = s.bid and c.effective_date = s.effective_date
      where s.market = ${move.staged} and s.effective_date <> '' and c.batch = ${move.batch}
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

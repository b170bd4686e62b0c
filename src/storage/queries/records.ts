import { type RawBuilder, sql } from 'kysely';
import type { CurrentRecords, StandingQuote, StoredQuote } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import type { BankTable } from '../../domain/bcv.ts';
import type { Capture } from '../../domain/history/history.ts';
import { type CaracasDay, DAY_MS, startOfUtcDay, utcDayOf } from '../../domain/time.ts';
import type { Engine, Queries } from '../engine.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { lastPublication } from './publications.ts';
import { bankTableOf, type QuoteColumns, quoteOf, storedDay } from './record-rows.ts';

/** Captures read in one go: about a millisecond. */
const ROWS_PER_READ = 1_000;

type History = Pick<
  Store,
  | 'bankTablesBefore'
  | 'currentRecords'
  | 'lastCaptureBefore'
  | 'lastQuotesBefore'
  | 'officialRateUpTo'
  | 'valueDatesSince'
  | 'lastBatchOf'
  | 'standingQuotes'
  | 'lastCaptureOfEachDay'
  | 'latestCaptures'
>;

/** The store's records as they are read. */
export function records(engine: Engine): History {
  return {
    currentRecords: (today) => engine.read((db) => currentRecords(db, today)),
    lastCaptureBefore: (market, before) =>
      engine.read(async (db) => {
        const start = Number.MIN_SAFE_INTEGER;
        return (await latestCaptures(db, { market, start, end: before, limit: 1 }))[0];
      }),
    lastQuotesBefore: (markets, before) =>
      engine.read((db) => newestQuotes(db, { of: sql`m.name in (${sql.join(markets)})`, before })),
    officialRateUpTo: (market, date) => engine.read((db) => officialRateUpTo(db, market, date)),
    valueDatesSince: (market, since) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('official_rate')
          .innerJoin('market', 'market.number', 'official_rate.market')
          .select('effective_date')
          .where('market.name', '=', market)
          .where('effective_date', '>=', since)
          .orderBy('effective_date')
          .execute();
        return rows.map(({ effective_date: date }) => storedDay(date));
      }),
    bankTablesBefore: (before, limit) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('bank_table')
          .selectAll()
          .where('captured_at', '<', before)
          .orderBy('captured_at', 'desc')
          .orderBy('indicator_date', 'desc')
          .orderBy('batch', 'desc')
          .orderBy('line', 'desc')
          .limit(limit)
          .execute();
        return rows.map(bankTableOf);
      }),
    lastBatchOf: (source) =>
      engine.read(async (db) => {
        const row = await db
          .selectFrom('batch')
          .select('received_at')
          .where('source', '=', source)
          .orderBy('received_at', 'desc')
          .limit(1)
          .executeTakeFirst();
        return row?.received_at;
      }),
    standingQuotes: (source) => engine.read((db) => standingQuotes(db, source)),
    lastCaptureOfEachDay: (market, start, end) =>
      engine.read((db) => lastCaptureOfEachDay(db, { market, start, end })),
    latestCaptures: (market, { start, end }, limit) =>
      engine.read((db) => latestCaptures(db, { market, start, end, limit })),
  };
}

// The joins below are written as `cross join … where`. To PostgreSQL that is any inner join; SQLite
// keeps its order, and would otherwise start from the captures, all of them, where their number
// makes that look cheap.

/** The number of a market, by its name. */
export const numberOf = (market: string) =>
  sql<number>`(select number from market where name = ${market})`;

interface Span {
  readonly market: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The newest `limit` captures, oldest first. Those of one time that differ in their figures are few,
 * and to sort for them takes as long as to read, so only where there are any it is done.
 */
async function latestCaptures(
  db: Queries,
  span: Span & { readonly limit: number },
): Promise<readonly Capture[]> {
  // One more tells whether the last one is the only one of its time.
  const found = await walkBack(db, { ...span, limit: span.limit + 1 }, BY_TIME);
  const isTied = found.some(
    ({ capturedAt, updatedAt }, index) =>
      capturedAt === found[index + 1]?.capturedAt && updatedAt === found[index + 1]?.updatedAt,
  );
  const newest = isTied ? await walkBack(db, span, BY_TIME_AND_ARRIVAL) : found;
  return newest.slice(0, span.limit).reverse();
}

const BY_TIME = ['captured_at', 'updated_at'] as const;
const BY_TIME_AND_ARRIVAL = [...BY_TIME, 'observed_at', 'batch', 'line'] as const;

/**
 * Walks the market's captures back from the end, so the cost is that of the rows returned. A long
 * walk is made in stretches, so that in one process others get their turn.
 */
async function walkBack(
  db: Queries,
  { market, start, end, limit }: Span & { readonly limit: number },
  order: typeof BY_TIME | typeof BY_TIME_AND_ARRIVAL,
): Promise<readonly Capture[]> {
  const found: Capture[] = [];
  for (;;) {
    const last = found.at(-1)?.capturedAt ?? end - 1;
    // The order is always the same, so the next stretch begins behind those of the last instant.
    const known = found.length - 1 - found.findLastIndex(({ capturedAt }) => capturedAt !== last);
    const rows = await db
      .selectFrom('capture')
      // Named as captures are, so that thousands of rows need not be made into others.
      .select(['mid', 'updated_at as updatedAt', 'captured_at as capturedAt'])
      .where('market', '=', numberOf(market))
      .where('captured_at', '>=', start)
      .where('captured_at', '<=', last)
      .$call((query) => order.reduce((sorted, column) => sorted.orderBy(column, 'desc'), query))
      .limit(Math.min(ROWS_PER_READ, limit - found.length))
      .offset(found.length === 0 ? 0 : known)
      .execute();
    for (const row of rows) found.push(row);
    if (rows.length < ROWS_PER_READ || found.length === limit) return found;
    await yieldToEventLoop();
  }
}

/** The days are kept whole, so of the one in which the range ends the last may lie behind it. */
async function lastCaptureOfEachDay(
  db: Queries,
  { market, start, end }: Span,
): Promise<readonly Capture[]> {
  const days = await db
    .selectFrom('capture_day')
    .select(['mid', 'updated_at as updatedAt', 'captured_at as capturedAt'])
    .where('market', '=', numberOf(market))
    .where('day_start', '>', start - DAY_MS)
    .where('day_start', '<', end)
    .where('captured_at', '>=', start)
    .orderBy('day_start')
    .execute();
  const last = days.at(-1);
  if (last === undefined || last.capturedAt < end) return days;
  const from = Math.max(start, startOfUtcDay(utcDayOf(last.capturedAt)));
  return [
    ...days.slice(0, -1),
    ...(await latestCaptures(db, { market, start: from, end, limit: 1 })),
  ];
}

async function currentRecords(db: Queries, today: CaracasDay): Promise<CurrentRecords> {
  const version = await db
    .selectFrom('version')
    .select(['seq', 'at'])
    .where('topic', '=', 'records')
    .executeTakeFirstOrThrow();
  return {
    version: version.seq,
    fetchedAt: version.seq === 0 ? undefined : version.at,
    quotes: [...(await officialQuotes(db, today)), ...(await lastQuotes(db))],
    publication: await lastPublication(db),
    bankTable: await lastBankTable(db),
  };
}

/** Of each market with value dates, the one in force on `today`, the one before and later ones. */
async function officialQuotes(db: Queries, today: CaracasDay): Promise<readonly StoredQuote[]> {
  const { rows } = await sql<QuoteColumns>`
    select m.name as id, o.effective_date, o.captured_at, o.updated_at, o.mid, o.ask, o.bid,
      o.observed_at
    from market m
    cross join official_rate o
    where o.market = m.number
      and o.effective_date >= coalesce(
        (select i.effective_date from official_rate i
          where i.market = m.number and i.effective_date <= ${today}
          order by i.effective_date desc limit 1 offset 1), '')
    order by m.number, o.effective_date`.execute(db);
  return rows.map(quoteOf);
}

async function officialRateUpTo(
  db: Queries,
  market: string,
  date: CaracasDay,
): Promise<StoredQuote | undefined> {
  const row = await db
    .selectFrom('official_rate')
    .innerJoin('market', 'market.number', 'official_rate.market')
    .selectAll('official_rate')
    .select('market.name as id')
    .where('market.name', '=', market)
    .where('effective_date', '<=', date)
    .orderBy('effective_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : quoteOf(row);
}

/** The last capture of each market without value dates. */
function lastQuotes(db: Queries): Promise<readonly StoredQuote[]> {
  const of = sql`not exists (select 1 from official_rate o where o.market = m.number)`;
  return newestQuotes(db, { of, before: Number.MAX_SAFE_INTEGER });
}

/** The last capture before an instant of each chosen market, found by its key from the right. */
async function newestQuotes(
  db: Queries,
  { of, before }: { readonly of: RawBuilder<unknown>; readonly before: number },
): Promise<readonly StoredQuote[]> {
  const { rows } = await sql<QuoteColumns & { readonly source: string }>`
    with
      newest(number, id, at) as (
        select m.number, m.name, (
          select l.captured_at from capture l
          where l.market = m.number and l.captured_at < ${before}
          order by l.captured_at desc limit 1
        )
        from market m
        where ${of}
      ),
      latest(number, id, at, updated_at) as (
        select number, id, at, (
          select l.updated_at from capture l
          where l.market = number and l.captured_at = at
          order by l.updated_at desc limit 1
        )
        from newest
      )
    select latest.id, c.effective_date, c.captured_at, c.updated_at, c.mid, c.ask, c.bid,
      c.observed_at, (select source from batch where batch.id = c.batch) as source
    from latest
    cross join capture c
    where c.market = latest.number
      and c.captured_at = latest.at and c.updated_at = latest.updated_at
    order by latest.number, c.observed_at, c.batch, c.line`.execute(db);
  return rows
    .filter((row, index) => row.id !== rows[index + 1]?.id)
    .map((row) => ({ ...quoteOf(row), source: row.source }));
}

/** Walks each market back to its last change, so the cost is that of the captures since then. */
async function standingQuotes(db: Queries, source: string): Promise<readonly StandingQuote[]> {
  const quotes: StandingQuote[] = [];
  for (const { market, mid, ask = 0, bid = 0, updatedAt, capturedAt } of await lastQuotes(db)) {
    const captures = db.selectFrom('capture').where('market', '=', numberOf(market));
    const newest = await captures
      .select('batch')
      .where('captured_at', '=', capturedAt)
      .where('updated_at', '=', updatedAt)
      .orderBy('batch', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const batch = await db
      .selectFrom('batch')
      .select('source')
      .where('id', '=', newest.batch)
      .executeTakeFirst();
    if (batch?.source !== source) continue;
    const other = await captures
      .select('captured_at')
      .where((the) => the.or([the('mid', '<>', mid), the('ask', '<>', ask), the('bid', '<>', bid)]))
      .orderBy('captured_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const first = await captures
      .select('captured_at')
      .where('captured_at', '>', other?.captured_at ?? Number.MIN_SAFE_INTEGER)
      .orderBy('captured_at')
      .limit(1)
      .executeTakeFirst();
    quotes.push({ market, updatedAt, unchangedSince: first?.captured_at ?? capturedAt });
  }
  return quotes;
}

async function lastBankTable(db: Queries): Promise<BankTable | undefined> {
  const row = await db
    .selectFrom('bank_table')
    .selectAll()
    .orderBy('captured_at', 'desc')
    .orderBy('indicator_date', 'desc')
    .orderBy('batch', 'desc')
    .orderBy('line', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : bankTableOf(row);
}

import { type RawBuilder, sql } from 'kysely';
import type { StoredQuote } from '../../app/ports/quotes.ts';
import type { StandingQuote } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import type { BankTable } from '../../domain/bcv.ts';
import { type DayFigures, DRIFT_DAYS } from '../../domain/judgement/in-doubt.ts';
import { type CaracasDay, DAY_MS, type Instant, startOfCaracasDay } from '../../domain/time.ts';
import type { Queries, Transactions } from '../engine.ts';
import { numberOf } from './captures.ts';
import { doubtfulPublications } from './held.ts';
import { lastPublication, witnessedDates } from './publications.ts';
import { storedMemories } from './quote-memories.ts';
import {
  bankTableOf,
  QUOTE_COLUMNS,
  type QuoteColumns,
  quoteOf,
  storedDay,
} from './record-rows.ts';
import { judgedSoFar } from './versions.ts';

export function records(engine: Transactions) {
  return {
    currentRecords: (today) =>
      engine.read(async (db) => {
        const version = await db
          .selectFrom('version')
          .select(['seq', 'at'])
          .where('topic', '=', 'records')
          .executeTakeFirstOrThrow();
        const judged = await judgedSoFar(db);
        const doubtful = await doubtfulPublications(db);
        const official = await officialQuotes(db, today);
        const witnesses = await witnessedDates(db, inForceOn(today, official));
        const witnessed = witnesses.flatMap(({ valueDate, words, unchecked }) =>
          unchecked === undefined
            ? []
            : [{ valueDate, rates: unchecked.rates, capturedAt: unchecked.capturedAt, words }],
        );
        return {
          ...(doubtful.length > 0 && { doubtful }),
          ...(witnessed.length > 0 && { witnessed }),
          version: version.seq,
          judged,
          fetchedAt: version.seq === 0 ? undefined : version.at,
          quotes: [...official, ...(await lastQuotes(db))],
          publication: await lastPublication(db),
          bankTable: (await bankTablesBefore(db, Number.MAX_SAFE_INTEGER, 1))[0],
          memories: await storedMemories(db),
          days: await lastDays(db, today),
        };
      }),
    lastQuotesBefore: async (markets, before) =>
      markets.length === 0
        ? []
        : engine.read((db) =>
            newestQuotes(db, { of: sql`m.id in (${sql.join(markets)})`, before }),
          ),
    officialRateUpTo: (market, date) =>
      engine.read(async (db) => {
        const rates = officialRatesOf(db, market).where('effective_date', '<=', date);
        const row = await rates.orderBy('effective_date', 'desc').limit(1).executeTakeFirst();
        return row && quoteOf(row);
      }),
    officialRates: (market, { from, to }) =>
      engine.read(async (db) => {
        const since = officialRatesOf(db, market).where('effective_date', '>=', from);
        const within = to === undefined ? since : since.where('effective_date', '<=', to);
        return (await within.orderBy('effective_date').execute()).map(quoteOf);
      }),
    officialRatesAround: (markets, { from, to }) =>
      engine.read(async (db) => {
        const { rows } = await sql<QuoteColumns>`
          select ${QUOTE_COLUMNS}
          from market m
          cross join official_rate c
          where m.id in (${sql.join(markets)}) and c.market = m.number
            and c.effective_date >= coalesce(
              (select max(effective_date) from official_rate
                where market = m.number and effective_date < ${from}), ${from})
            and c.effective_date <= coalesce(
              (select min(effective_date) from official_rate
                where market = m.number and effective_date > ${to}), ${to})
          order by m.number, c.effective_date`.execute(db);
        return rows.map(quoteOf);
      }),
    officialSeries: (name, { from, to }) =>
      engine.read(async (db) => {
        const rates = officialRatesOf(db, name);
        const first = await rates.orderBy('effective_date').limit(1).execute();
        const last = await rates
          .where('effective_date', '<', from)
          .orderBy('effective_date', 'desc')
          .limit(1)
          .execute();
        const inside = await rates
          .where('effective_date', '>=', from)
          .where('effective_date', '<=', to)
          .orderBy('effective_date')
          .execute();
        const rows = [...first, ...last, ...inside];
        return rows
          .filter(({ effective_date: day }, place) => rows[place - 1]?.effective_date !== day)
          .map((row) => ({
            valueDate: storedDay(row.effective_date),
            rate: row.mid,
            readAt: row.read_at || row.observed_at,
          }));
      }),
    bankTablesBefore: (before, limit) => engine.read((db) => bankTablesBefore(db, before, limit)),
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
    // Reads each market back to its last change, so the cost depends on the captures since then.
    standingQuotes: (source) =>
      engine.read(async (db) => {
        const quotes: StandingQuote[] = [];
        for (const quote of await lastQuotes(db)) {
          if (quote.source !== source) continue;
          // 0 is how the table stores a missing side.
          const { market, mid, ask = 0, bid = 0, updatedAt, capturedAt } = quote;
          const of = sql`from capture where market = ${numberOf(market)}`;
          const { rows } = await sql<{ readonly since: number }>`
            select captured_at as since ${of} and captured_at > coalesce((
              select captured_at ${of} and (mid <> ${mid} or ask <> ${ask} or bid <> ${bid})
              order by captured_at desc limit 1), ${Number.MIN_SAFE_INTEGER})
            order by captured_at limit 1`.execute(db);
          quotes.push({ market, updatedAt, unchangedSince: rows[0]?.since ?? capturedAt });
        }
        return quotes;
      }),
  } satisfies Partial<Store>;
}

// The joins below are written as `cross join … where`. For PostgreSQL that is an ordinary inner
// join. SQLite keeps the given order; otherwise it may choose to scan all captures first.

/** For each market with value dates: the rate in force on `today`, the previous, later ones. */
async function officialQuotes(db: Queries, today: CaracasDay): Promise<readonly StoredQuote[]> {
  const { rows } = await sql<QuoteColumns>`
    select ${QUOTE_COLUMNS}
    from market m
    cross join official_rate c
    where c.market = m.number
      and c.effective_date >= coalesce(
        (select i.effective_date from official_rate i
          where i.market = m.number and i.effective_date <= ${today}
          order by i.effective_date desc limit 1 offset 1), '')
    order by m.number, c.effective_date`.execute(db);
  return rows.map(quoteOf);
}

/** The newest value date in force on a day; the day itself without one. */
function inForceOn(today: CaracasDay, official: readonly StoredQuote[]): CaracasDay {
  const dates = official.flatMap(({ effectiveDate: date }) =>
    date !== undefined && date <= today ? [date] : [],
  );
  return dates.sort().at(-1) ?? today;
}

function officialRatesOf(db: Queries, market: string) {
  return db
    .selectFrom('official_rate')
    .innerJoin('market', 'market.number', 'official_rate.market')
    .selectAll('official_rate')
    .select('market.id')
    .where('market.id', '=', market);
}

/** The last capture of each market without value dates. */
function lastQuotes(db: Queries): Promise<readonly StoredQuote[]> {
  const of = sql`not exists (select 1 from official_rate o where o.market = m.number)`;
  return newestQuotes(db, { of, before: Number.MAX_SAFE_INTEGER });
}

/** The last days of each market without value dates. */
async function lastDays(db: Queries, today: CaracasDay): Promise<readonly DayFigures[]> {
  const since = startOfCaracasDay(today) - (DRIFT_DAYS + 1) * DAY_MS;
  const { rows } = await sql<DayFigures>`
    select m.id as market, d.day_start as start, d.low, d.high, d.mid as close
    from market m
    cross join capture_day d
    where not exists (select 1 from official_rate o where o.market = m.number)
      and d.market = m.number and d.day_start >= ${since}
    order by m.number, d.day_start`.execute(db);
  return rows;
}

/** The last capture of each chosen market before an instant, by the key in reverse. */
async function newestQuotes(
  db: Queries,
  { of, before }: { readonly of: RawBuilder<unknown>; readonly before: number },
): Promise<readonly StoredQuote[]> {
  const { rows } = await sql<QuoteColumns & { readonly source: string }>`
    with
      newest(number, id, at) as (
        select m.number, m.id, (
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
    select ${QUOTE_COLUMNS}, (select source from batch where batch.id = c.batch) as source
    from latest m
    cross join capture c
    where c.market = m.number and c.captured_at = m.at and c.updated_at = m.updated_at
    order by m.number, c.observed_at, c.batch, c.line`.execute(db);
  // Rows of one market are tied in time; the last to arrive wins.
  return rows
    .filter((row, index) => row.id !== rows[index + 1]?.id)
    .map((row) => ({ ...quoteOf(row), source: row.source }));
}

/** Newest first. */
async function bankTablesBefore(
  db: Queries,
  before: Instant,
  limit: number,
): Promise<readonly BankTable[]> {
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
}

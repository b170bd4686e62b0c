import { sql } from 'kysely';
import { DAY_MS, type Instant } from '../../core/domain/time.ts';
import type { Engine, Queries } from '../../core/storage/engine.ts';
import { numberOf } from '../../core/storage/queries/captures.ts';
import {
  bankTableOf,
  storedDay,
  storedPublicationOf,
} from '../../core/storage/queries/record-rows.ts';
import type {
  Arrival,
  ExportedPart,
  ExportedQuote,
  ExportedSpan,
  ExportStore,
  OfficialRecords,
} from './export-types.ts';

/** Captures in one read, which takes some milliseconds. */
// limit: In one read: captures, days, bank tables | 1,000 (or one instant's), 500, 100 | the next | DAYS_PER_READ, TABLES_PER_READ
const CAPTURES_PER_READ = 1_000;
/** Days in one read, each with a look at its last capture. */
const DAYS_PER_READ = 500;
/** Bank tables in one read. Each has a row for every bank. */
const TABLES_PER_READ = 100;

/** Column names equal the fields, so rows need not be copied. */
const QUOTE = [
  'mid',
  'ask',
  'bid',
  'updated_at as updatedAt',
  'captured_at as capturedAt',
] as const;
const ARRIVAL = ['captured_at', 'updated_at', 'observed_at', 'batch', 'line'] as const;

/** The store's methods that read what an export writes. */
export function exportStore(engine: Engine): ExportStore {
  return {
    officialRecords: (range) => engine.read((db) => officialRecords(db, range)),
    capturesAfter: (span, place) =>
      engine.read(async (db) => {
        for (let limit = CAPTURES_PER_READ; ; limit *= 2) {
          // The key begins with the instant, from which a part is found at once.
          const from = { ...span, start: place?.[0] ?? span.start };
          let query = ofSpan(db, from).select(QUOTE).limit(limit);
          if (place !== undefined) {
            query = query.where(sql<boolean>`(captured_at, updated_at) > (${sql.join(place)})`);
          }
          const inKeyOrder = await query.orderBy('captured_at').orderBy('updated_at').execute();
          // Sorting by arrival takes as long as reading, and only tied captures need it.
          const read = inKeyOrder.some((row, index) => isTied(row, inKeyOrder[index + 1]))
            ? await ARRIVAL.reduce((sorted, column) => sorted.orderBy(column), query).execute()
            : inKeyOrder;
          if (read.length < limit) return { quotes: read, next: undefined };
          // The last ones may be tied with captures of the next part.
          const last = read.at(-1);
          const end = read.findLastIndex((row) => !isTied(row, last)) + 1;
          if (end > 0) return partOf(read.slice(0, end));
        }
      }),
    closesAfter: (span, place) =>
      engine.read(async (db) => {
        const days = await daysAfter(db, span, place?.[0] ?? span.start - 1);
        const quotes: ExportedQuote[] = [];
        for (const { dayStart, batch, ask, bid, ...close } of days) {
          const isLater = batch > span.version;
          if (ask !== null && bid !== null && !isLater) quotes.push({ ...close, ask, bid });
          else quotes.push(...(await lastOf(db, span, dayStart)));
        }
        const last = days.at(-1);
        const isEnd = days.length < DAYS_PER_READ || last === undefined;
        return { quotes, next: isEnd ? undefined : [last.dayStart, 0] };
      }),
    lastCaptureIn: (span) =>
      engine.read(async (db) => {
        const query = ofSpan(db, span).select('captured_at').orderBy('captured_at', 'desc');
        return (await query.limit(1).executeTakeFirst())?.captured_at;
      }),
    bankTablesAfter: ({ from, to, version }, skip) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('bank_table')
          .selectAll()
          .where('indicator_date', '>=', from)
          .where('indicator_date', '<=', to)
          .where('batch', '<=', version)
          .orderBy('captured_at')
          .orderBy('indicator_date')
          .orderBy('batch')
          .orderBy('line')
          .offset(skip)
          .limit(TABLES_PER_READ)
          .execute();
        return rows.map(bankTableOf);
      }),
  };
}

function isTied(one: ExportedQuote, other: ExportedQuote | undefined): boolean {
  return one.capturedAt === other?.capturedAt && one.updatedAt === other.updatedAt;
}

function partOf(quotes: readonly ExportedQuote[]): ExportedPart {
  const last = quotes.at(-1);
  return { quotes, next: last && [last.capturedAt, last.updatedAt] };
}

function ofSpan(db: Queries, { market, start, end, version }: ExportedSpan) {
  return db
    .selectFrom('capture')
    .where('market', '=', numberOf(market))
    .where('captured_at', '>=', start)
    .where('captured_at', '<', end)
    .where('batch', '<=', version);
}

/** The stored days after an instant. The sides stand only in the captures. */
function daysAfter(db: Queries, { market, end }: ExportedSpan, after: Instant) {
  return db
    .selectFrom('capture_day as d')
    .leftJoin('capture as c', (join) =>
      join
        .onRef('c.market', '=', 'd.market')
        .onRef('c.captured_at', '=', 'd.captured_at')
        .onRef('c.updated_at', '=', 'd.updated_at')
        .onRef('c.mid', '=', 'd.mid')
        .onRef('c.batch', '=', 'd.batch')
        .onRef('c.line', '=', 'd.line'),
    )
    .select(['d.mid', 'd.updated_at as updatedAt', 'd.captured_at as capturedAt', 'd.batch'])
    .select(['d.day_start as dayStart', 'c.ask', 'c.bid'])
    .where('d.market', '=', numberOf(market))
    .where('d.day_start', '>', after)
    .where('d.day_start', '<', end)
    .orderBy('d.day_start')
    .limit(DAYS_PER_READ)
    .execute();
}

/** The last capture of a day of which a later batch has brought the last one. */
function lastOf(db: Queries, span: ExportedSpan, dayStart: Instant) {
  const day = ofSpan(db, { ...span, start: dayStart, end: dayStart + DAY_MS }).select(QUOTE);
  return ARRIVAL.reduce((query, column) => query.orderBy(column, 'desc'), day)
    .limit(1)
    .execute();
}

async function officialRecords(
  db: Queries,
  { from, to }: Parameters<ExportStore['officialRecords']>[0],
): Promise<OfficialRecords> {
  const version = await db
    .selectFrom('version')
    .select('seq')
    .where('topic', '=', 'records')
    .executeTakeFirstOrThrow();
  const publications = await db
    .selectFrom('publication')
    .selectAll()
    .where('value_date', '>=', from)
    .where('value_date', '<=', to)
    .execute();
  const rates = await db
    .selectFrom('official_rate as o')
    .innerJoin('market as m', 'm.number', 'o.market')
    .select(['m.id as market', 'o.effective_date as day', 'o.mid', 'o.ask', 'o.bid'])
    .select(['o.updated_at as updatedAt', 'o.observed_at as capturedAt', 'o.read_at'])
    .where('o.effective_date', '>=', from)
    .where('o.effective_date', '<=', to)
    .orderBy('m.number')
    .orderBy('o.effective_date')
    .execute();
  // Written as a cross join, so that SQLite reads no other market's captures.
  const captures = await sql<
    ExportedQuote & Arrival & { readonly market: string; readonly day: string }
  >`
    select m.id as market, c.effective_date as day, c.mid, c.ask, c.bid,
      c.updated_at as "updatedAt", c.observed_at as "capturedAt", c.batch, c.line
    from market m
    cross join capture c
    where exists (select 1 from official_rate o where o.market = m.number)
      and c.market = m.number and c.effective_date between ${from} and ${to}
    order by m.number, c.captured_at, c.updated_at, c.observed_at, c.batch, c.line`.execute(db);
  return {
    version: version.seq,
    publications: publications.map((row) => ({
      ...storedPublicationOf(row),
      ...{ batch: row.batch, line: row.line },
    })),
    rates: rates.map(({ day, read_at: readAt, ...rate }) => ({
      ...rate,
      valueDate: storedDay(day),
      firstReadAt: readAt || rate.capturedAt,
    })),
    captures: captures.rows.map(({ day, ...rate }) => ({ ...rate, valueDate: storedDay(day) })),
  };
}

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { ownTurn } from '../../app/lower-priority.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Capture } from '../../domain/history/history.ts';
import { DAY_MS, startOfUtcDay, utcDayOf } from '../../domain/time.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';

/** Captures in one read, which takes about half a millisecond. */
const ROWS_PER_READ = 500;

/** The number of a market, by its id. */
export const numberOf = (market: string) =>
  sql<number>`(select number from market where id = ${market})`;

interface Span {
  readonly market: string;
  readonly start: number;
  readonly end: number;
}

/** The store's methods that read captures, and the days that triggers make of them. */
export function captures(engine: Engine) {
  return {
    lastCaptureBefore: (market, before) =>
      engine.read(async (db) => {
        const start = Number.MIN_SAFE_INTEGER;
        return (await latestCaptures(db, { market, start, end: before, limit: 1 }))[0];
      }),
    latestCaptures: (market, { start, end }, limit) =>
      engine.read((db) => latestCaptures(db, { market, start, end, limit })),
    // A stored day is a whole UTC day, so the last capture of the final day may lie after the range.
    // Then the last one inside the range is looked up, and the day's candle computed.
    lastCaptureOfEachDay: (market, start, end) =>
      engine.read(async (db) => {
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
        const within = await latestCaptures(db, { market, start: from, end, limit: 1 });
        return [...days.slice(0, -1), ...within];
      }),
    firstCaptureAt: (market) =>
      engine.read(async (db) => {
        const first = await db
          .selectFrom('capture')
          .select('captured_at')
          .where('market', '=', numberOf(market))
          .orderBy('captured_at')
          .limit(1)
          .executeTakeFirst();
        return first?.captured_at;
      }),
    daysWithCaptures: (market, since) =>
      engine.read(async (db) => {
        const start = startOfUtcDay(since);
        const ofMarket = sql`from capture_day where market = ${numberOf(market)}`;
        // The days of a run are as far apart as their places in the order of all.
        const { rows } = await sql<{ run_start: number; run_end: number }>`
          select min(day_start) as run_start, max(day_start) as run_end
          from (
            select day_start,
              day_start - ${sql.lit(DAY_MS)} * row_number() over (order by day_start) as run
            ${ofMarket} and day_start >= coalesce(
              (select max(day_start) ${ofMarket} and day_start < ${start}), ${start})
          ) days
          group by run order by run_start`.execute(db);
        return rows.map((row) => ({ from: utcDayOf(row.run_start), to: utcDayOf(row.run_end) }));
      }),
    dayCandles: (market, start, end) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('capture_day')
          .select([
            'day_start',
            'open',
            'high',
            'low',
            'mid as close',
            'captures',
            'open_at as openedAt',
            'captured_at as closedAt',
          ])
          .where('market', '=', numberOf(market))
          .where('day_start', '>=', start)
          .where('day_start', '<', end)
          .orderBy('day_start')
          .execute();
        const days = rows.map(({ day_start: day, ...figures }) => ({
          day: utcDayOf(day),
          ...figures,
        }));
        const last = rows.at(-1);
        if (last === undefined || last.closedAt < end) return days;
        const cut = await readCutDay(db, { market, start: last.day_start, end });
        return [...days.slice(0, -1), ...(cut === undefined ? [] : [cut])];
      }),
  } satisfies Partial<Store>;
}

/**
 * The newest `limit` captures, oldest first. Captures at the same time with different figures are
 * rare, and sorting by arrival takes as long as reading. So the order of arrival is used only when
 * there are any.
 */
async function latestCaptures(
  db: Queries,
  span: Span & { readonly limit: number },
): Promise<readonly Capture[]> {
  // Read one more, to see whether the last one is the only one at its time.
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

/** Sorts captures, those of one instant by arrival. */
function sorted<Row>(
  captures: SelectQueryBuilder<Tables, 'capture', Row>,
  direction: 'asc' | 'desc',
  order: typeof BY_TIME | typeof BY_TIME_AND_ARRIVAL = BY_TIME_AND_ARRIVAL,
) {
  return order.reduce((query, column) => query.orderBy(column, direction), captures);
}

/** Start of a market's next part of `size` captures; undefined when it reaches `before`. */
export async function startOfNextPart(
  db: Queries,
  { market, from, before }: { market: RawBuilder<number>; from: number; before: number },
  size: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ captured_at: number }>`
    select captured_at from capture
    where market = ${market} and captured_at >= ${from} and captured_at < ${before}
    order by captured_at limit 1 offset ${size}`.execute(db);
  if (rows[0] === undefined) return undefined;
  // A part with only one instant cannot be divided, and ends before the next instant.
  const next = Math.max(rows[0].captured_at, from + 1);
  return next < before ? next : undefined;
}

/** Backwards, so that the cost depends on the rows returned; in parts, so that others run. */
async function walkBack(
  db: Queries,
  { market, start, end, limit }: Span & { readonly limit: number },
  order: typeof BY_TIME | typeof BY_TIME_AND_ARRIVAL,
): Promise<readonly Capture[]> {
  const found: Capture[] = [];
  for (;;) {
    if (limit > ROWS_PER_READ) await ownTurn();
    const last = found.at(-1)?.capturedAt ?? end - 1;
    // The order is stable, so the next part begins after the rows of the last instant.
    const atLastInstant =
      found.length - 1 - found.findLastIndex(({ capturedAt }) => capturedAt !== last);
    const rows = await db
      .selectFrom('capture')
      // Column names equal the fields of a capture, so rows need not be copied.
      .select(['mid', 'updated_at as updatedAt', 'captured_at as capturedAt'])
      .where('market', '=', numberOf(market))
      .where('captured_at', '>=', start)
      .where('captured_at', '<=', last)
      .$call((query) => sorted(query, 'desc', order))
      .limit(Math.min(ROWS_PER_READ, limit - found.length))
      .offset(found.length === 0 ? 0 : atLastInstant)
      .execute();
    for (const row of rows) found.push(row);
    if (rows.length < ROWS_PER_READ || found.length === limit) return found;
  }
}

/** The candle of one day up to `end`, computed from the captures. */
async function readCutDay(db: Queries, { market, start, end }: Span) {
  const captures = db
    .selectFrom('capture')
    .where('market', '=', numberOf(market))
    .where('captured_at', '>=', start)
    .where('captured_at', '<', end);
  const edge = (direction: 'asc' | 'desc') =>
    captures
      .select(['mid', 'captured_at'])
      .$call((query) => sorted(query, direction))
      .limit(1)
      .executeTakeFirst();
  const first = await edge('asc');
  const last = await edge('desc');
  const figures = await captures
    .select((the) => [
      the.fn.max('mid').as('high'),
      the.fn.min('mid').as('low'),
      the.fn.countAll<number>().as('captures'),
    ])
    .executeTakeFirstOrThrow();
  if (first === undefined || last === undefined) return undefined;
  return {
    day: utcDayOf(start),
    open: first.mid,
    high: figures.high,
    low: figures.low,
    close: last.mid,
    captures: Number(figures.captures),
    openedAt: first.captured_at,
    closedAt: last.captured_at,
  };
}

import type { Store } from '../../app/ports/store.ts';
import type { DayCandle } from '../../domain/history/candles.ts';
import { utcDayOf } from '../../domain/time.ts';
import type { Engine, Queries } from '../engine.ts';
import { numberOf, type Span, sorted } from './captures.ts';

/** The candles of days, which triggers maintain. */
export function dayCandles(engine: Engine) {
  return {
    dayCandles: (market, start, end) =>
      engine.read((db) => readCandles(db, { market, start, end })),
  } satisfies Partial<Store>;
}

/** Stored days are whole UTC days. Captures of the last day may lie after the range. */
async function readCandles(
  db: Queries,
  { market, start, end }: Span,
): Promise<readonly DayCandle[]> {
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
  const days = rows.map(({ day_start: day, ...figures }) => ({ day: utcDayOf(day), ...figures }));
  const last = rows.at(-1);
  if (last === undefined || last.closedAt < end) return days;
  const cut = await readCutDay(db, { market, start: last.day_start, end });
  return [...days.slice(0, -1), ...(cut === undefined ? [] : [cut])];
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

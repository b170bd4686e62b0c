import { DAY_MS } from '../../domain/time.ts';
import type { Queries } from '../engine.ts';
import type { CaptureTable } from '../schema.ts';

/** What orders the captures of a market. */
const ORDER = ['captured_at', 'updated_at', 'observed_at', 'batch', 'line'] as const;

/**
 * Takes a removed capture out of the stored day, to which the triggers only add. What thinned captures
 * left there stays, and a day of thousands of captures costs no more than one of a few.
 */
export async function leaveDay(db: Queries, removed: CaptureTable): Promise<void> {
  const { market, captured_at: at, mid } = removed;
  const start = Math.floor(at / DAY_MS) * DAY_MS;
  const place = { market, day_start: start };
  const captures = db
    .selectFrom('capture')
    .where('market', '=', market)
    .where('captured_at', '>=', start)
    .where('captured_at', '<', start + DAY_MS);
  const endOf = (direction: 'asc' | 'desc') =>
    ORDER.reduce(
      (query, column) => query.orderBy(column, direction),
      captures.select([...ORDER, 'mid']),
    )
      .limit(1)
      .executeTakeFirst();
  const first = await endOf('asc');
  const last = await endOf('desc');
  if (first === undefined || last === undefined) {
    await db
      .deleteFrom('capture_day')
      .where((the) => the.and(place))
      .execute();
    return;
  }
  const day = await db
    .updateTable('capture_day')
    .set((the) => ({ captures: the('captures', '-', 1) }))
    .where((the) => the.and(place))
    .returningAll()
    .executeTakeFirst();
  if (day === undefined) return;
  const wasOpen =
    day.open_at === at && day.open_batch === removed.batch && day.open_line === removed.line;
  const wasLast =
    day.captured_at === at && day.batch === removed.batch && day.line === removed.line;
  const wasExtreme = mid >= day.high || mid <= day.low;
  const extremes = wasExtreme
    ? await captures
        .select((the) => [the.fn.max('mid').as('high'), the.fn.min('mid').as('low')])
        .executeTakeFirst()
    : undefined;
  const changed = {
    ...(wasLast && last),
    ...(wasOpen && {
      open_at: first.captured_at,
      open_updated_at: first.updated_at,
      open_observed_at: first.observed_at,
      open_batch: first.batch,
      open_line: first.line,
      open: first.mid,
    }),
    ...(extremes !== undefined && mid >= day.high && { high: extremes.high }),
    ...(extremes !== undefined && mid <= day.low && { low: extremes.low }),
  };
  if (Object.keys(changed).length === 0) return;
  await db
    .updateTable('capture_day')
    .set(changed)
    .where((the) => the.and(place))
    .execute();
}

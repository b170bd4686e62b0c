import { VesfxError } from './errors.ts';
import type { CapturedRate, GetHistoryQuery, HistoryCollection } from './types.ts';

const DAY_MS = 86_400_000;

/** Points aimed at in a window: a little below the service's maximum, because days differ. */
const POINTS_AIMED_AT = 4_800;
/** Most growth of a window, because a market may be busy again after a pause. */
const MOST_GROWTH = 8;

export type HistoryRange = Pick<
  GetHistoryQuery,
  'from' | 'to' | 'granularity' | 'group' | 'adjusted'
>;

/**
 * Every point of a range, oldest first, each once. The service cuts a raw series to its newest
 * points, so a longer one is read in windows of whole UTC days, which cannot overlap.
 *
 * @throws VesfxError `history_incomplete` when a single day has more points than the service gives.
 */
export async function* everyPoint(
  read: (range: HistoryRange) => Promise<HistoryCollection>,
  range: HistoryRange,
): AsyncGenerator<CapturedRate, void, undefined> {
  const newest = await read(range);
  if (newest.truncated !== true) {
    yield* newest.points;
    return;
  }
  const last = newest.to;
  // A daily series is never cut, so it shows where the points begin.
  const daily = await read({ ...range, to: last, granularity: 'daily' });
  let start = daily.points[0]?.date ?? last;
  // A cut series is dense from its first day on: windows end before that day and begin again small.
  const cut = [newest];
  let days = wholeDaysOf(newest);
  while (start <= last) {
    for (let dense = cut.at(-1); dense !== undefined && dense.from <= start; dense = cut.at(-1)) {
      days = Math.min(days, wholeDaysOf(dense));
      cut.pop();
    }
    const bound = cut.at(-1);
    const end = earlier(addDays(start, days - 1), bound ? addDays(bound.from, -1) : last);
    const window = await read({ ...range, from: start, to: end });
    if (window.truncated !== true) {
      yield* window.points;
      const span = 1 + daysBetween(start, end);
      const fitting = Math.floor((span * POINTS_AIMED_AT) / Math.max(1, window.count));
      days = Math.min(Math.max(1, fitting), span * MOST_GROWTH);
      start = addDays(end, 1);
    } else if (start === end) {
      throw new VesfxError('history_incomplete', {
        message: `${start} has more points than the service gives of one day.`,
        details: { date: start, max: window.count },
      });
    } else {
      days = wholeDaysOf(window);
      cut.push(window);
    }
  }
}

/** Number of days after the first one of a cut series, whose points are complete; at least 1. */
function wholeDaysOf({ from, to }: HistoryCollection): number {
  return Math.max(1, daysBetween(from, to));
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);
}

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS;
}

/** Days in ISO format sort as text. */
function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

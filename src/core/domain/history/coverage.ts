import {
  addCaracasDays,
  addUtcDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  type UtcDay,
  utcDayOf,
} from '../time.ts';
import type { OfficialDay } from './official-days.ts';

/** Which days of a market are stored, and which are missing (contract §21). */

/** Days without a gap, both ends included. */
export interface DayRun<Day extends string = UtcDay> {
  readonly from: Day;
  readonly to: Day;
}

export interface Coverage {
  /** Undefined, like the last one, without a day. */
  readonly firstDate: string | undefined;
  readonly lastDate: string | undefined;
  readonly days: number;
  /** Oldest first. */
  readonly missing: readonly DayRun<string>[];
}

/**
 * The coverage of a market without value dates.
 * @param runs The days with captures, oldest first: those since `from`, and the last one before it.
 *   Without that one the market begins later, and nothing before its first day is missing.
 */
export function coverageOfDays(runs: readonly DayRun[], from: UtcDay, now: Instant): Coverage {
  const yesterday = addUtcDays(utcDayOf(now), -1);
  const within = runs.map((run) => (run.from < from ? { from, to: run.to } : run)).filter(isRun);
  const gaps = runs.map(({ to }, place) => {
    const [start, next] = [addUtcDays(to, 1), runs[place + 1]];
    const end = next === undefined ? yesterday : addUtcDays(next.from, -1);
    return { from: start < from ? from : start, to: end };
  });
  return {
    firstDate: within.at(0)?.from,
    lastDate: within.at(-1)?.to,
    days: within.reduce((sum, run) => sum + lengthOf(run), 0),
    missing: gaps.filter(isRun),
  };
}

function isRun({ from, to }: DayRun): boolean {
  return from <= to;
}

function lengthOf({ from, to }: DayRun): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/**
 * The coverage of an official market. A run of missing days has business days only, so that it ends
 * before a weekend.
 * @param days The value dates with a rate, oldest first, and the business days without one.
 */
export function coverageOfValueDates(
  days: { readonly rows: readonly OfficialDay[]; readonly missing: readonly CaracasDay[] },
  now: Instant,
): Coverage {
  const today = caracasDayOf(now);
  const missing: DayRun<CaracasDay>[] = [];
  for (const day of days.missing) {
    const last = missing.at(-1);
    if (day >= today) continue;
    const isNext = last !== undefined && addCaracasDays(last.to, 1) === day;
    if (isNext) missing.splice(-1, 1, { from: last.from, to: day });
    else missing.push({ from: day, to: day });
  }
  return {
    firstDate: days.rows.at(0)?.date,
    lastDate: days.rows.at(-1)?.date,
    days: days.rows.length,
    missing,
  };
}

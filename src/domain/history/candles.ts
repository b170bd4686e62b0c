import { ApiError } from '../errors.ts';
import {
  addUtcDays,
  DAY_MS,
  endOfUtcDay,
  type Instant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
  utcMonthOf,
} from '../time.ts';
import { firstDayInRetention, type UtcRange } from './history.ts';

/** Most candles in one answer (decisions §10). */
export const MAX_CANDLES = 1_000;

/** Periods of candles: UTC days, ISO weeks from Monday, calendar months. */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** By what a daily series can be grouped. */
export const GROUPS = ['week', 'month'] as const satisfies readonly Interval[];

/** What was captured of a market in a stretch of time; rates are VES per unit. */
export interface CandleFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** How many captures were stored. They are readings, not trades. */
  readonly captures: number;
  /** When the first of them was captured. */
  readonly openedAt: Instant;
  /** When the last of them was captured. */
  readonly closedAt: Instant;
}

export interface DayCandle extends CandleFigures {
  readonly day: UtcDay;
}

export interface Candle extends CandleFigures {
  /** First day of the period. */
  readonly date: UtcDay;
  /** Whether the period is over and every day of it was read. */
  readonly complete: boolean;
}

const DAYS_OF_WEEK = 7;
/** 1970-01-01 was a Thursday: days from the Monday before it. */
const THURSDAY = 3;

/** The first day of the period that a day is in. */
export function periodStart(day: UtcDay, interval: Interval): UtcDay {
  switch (interval) {
    case 'day':
      return day;
    case 'week': {
      const sinceMonday = startOfUtcDay(day) / DAY_MS + THURSDAY;
      // The remainder is taken twice, for days before 1970 have a negative one.
      return addUtcDays(day, -(((sinceMonday % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK));
    }
    case 'month':
      return utcDayOf(utcMonthOf(startOfUtcDay(day)).start);
    default:
      return interval satisfies never;
  }
}

/** The last day of the period that a day is in. */
export function periodEnd(day: UtcDay, interval: Interval): UtcDay {
  switch (interval) {
    case 'day':
      return day;
    case 'week':
      return addUtcDays(periodStart(day, interval), DAYS_OF_WEEK - 1);
    case 'month':
      return utcDayOf(utcMonthOf(startOfUtcDay(day)).end - 1);
    default:
      return interval satisfies never;
  }
}

/** How many periods a range touches, counted up to one more than `MAX_CANDLES`. */
function periodsIn({ from, to }: UtcRange, interval: Interval): number {
  let periods = 0;
  for (let day = from; day <= to && periods <= MAX_CANDLES; periods += 1) {
    day = addUtcDays(periodEnd(day, interval), 1);
  }
  return periods;
}

/**
 * Narrows the range that a request without `from` means: where the plan reaches back farther than
 * an answer, the newest candles.
 */
export function newestCandles({ from, to }: UtcRange, interval: Interval): UtcRange {
  let start = periodStart(to, interval);
  for (let periods = 1; periods < MAX_CANDLES && start > from; periods += 1) {
    start = periodStart(addUtcDays(start, -1), interval);
  }
  return { from: start > from ? start : from, to };
}

/** @throws ApiError `invalid_format` for a range of more candles than an answer has. */
export function requireCandleCount(range: UtcRange, interval: Interval): void {
  if (periodsIn(range, interval) <= MAX_CANDLES) return;
  throw new ApiError('invalid_format', {
    field: 'from',
    details: { max: MAX_CANDLES },
    message: `At most ${MAX_CANDLES} candles can be asked for at once.`,
  });
}

/**
 * The days that the candles of a range are made of: from the start of its first period, as far as
 * the plan reaches back, so that a candle is the same whatever range it is asked in.
 */
export function daysToRead(
  { from, to }: UtcRange,
  { interval, now, depth }: { interval: Interval; now: Instant; depth: number | null },
): UtcRange {
  const start = periodStart(from, interval);
  const first = firstDayInRetention(utcDayOf(now), depth);
  return { from: start < first ? first : start, to };
}

/**
 * Folds days, oldest first, into the candles of their periods. A period that is not over at `now`,
 * or has days outside of `read`, is not complete.
 */
export function foldCandles(
  days: readonly DayCandle[],
  { interval, read, now }: { interval: Interval; read: UtcRange; now: Instant },
): readonly Candle[] {
  const periods = Map.groupBy(days, ({ day }) => periodStart(day, interval));
  return [...periods].map(([date, within]) => {
    const end = periodEnd(date, interval);
    const isWhole = read.from <= date && end <= read.to;
    return { date, ...folded(within), complete: isWhole && endOfUtcDay(end) <= now };
  });
}

/** @param days Of one period, oldest first; at least one. */
function folded(days: readonly DayCandle[]): CandleFigures {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a candle has at least a day');
  return {
    open: first.open,
    high: Math.max(...days.map(({ high }) => high)),
    low: Math.min(...days.map(({ low }) => low)),
    close: last.close,
    captures: days.reduce((sum, { captures }) => sum + captures, 0),
    openedAt: first.openedAt,
    closedAt: last.closedAt,
  };
}

/** The last of each period, of items in the order of their days. */
export function lastOfPeriods<Item>(
  items: readonly Item[],
  interval: Interval,
  dayOf: (item: Item) => UtcDay,
): readonly Item[] {
  const last = new Map<UtcDay, Item>();
  for (const item of items) last.set(periodStart(dayOf(item), interval), item);
  return [...last.values()];
}

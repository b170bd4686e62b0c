import { sentence } from '../errors/sentence.ts';
import { invalidFormat } from '../errors.ts';
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

/** Most candles in one answer (contract §10). */
// limit: Candles | 1,000 | 400
export const MAX_CANDLES = 1_000;

/** Periods of candles: UTC days, ISO weeks from Monday, calendar months. */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Periods by which a daily series can be grouped. */
export const GROUPS = ['week', 'month'] as const satisfies readonly Interval[];

/** The captures of a market over a period, summarised. Rates are VES per unit. */
interface CandleFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Number of stored captures. They are readings, not trades. */
  readonly captures: number;
  readonly openedAt: Instant;
  readonly closedAt: Instant;
}

export interface DayCandle extends CandleFigures {
  readonly day: UtcDay;
}

export interface Candle extends CandleFigures {
  readonly date: UtcDay;
  /** Whether the period has ended and every day of it was read from the store. */
  readonly complete: boolean;
}

const DAYS_OF_WEEK = 7;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const THURSDAY = 3;

/** The first day of the period that contains `day`. */
export function periodStart(day: UtcDay, interval: Interval): UtcDay {
  switch (interval) {
    case 'day':
      return day;
    case 'week': {
      const sinceMonday = startOfUtcDay(day) / DAY_MS + THURSDAY;
      // The remainder is taken twice because it is negative for days before 1970.
      return addUtcDays(day, -(((sinceMonday % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK));
    }
    case 'month':
      return utcDayOf(utcMonthOf(startOfUtcDay(day)).start);
    default:
      return interval satisfies never;
  }
}

/** The last day of the period that contains `day`. */
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

/** Number of periods that a range touches, counted up to `MAX_CANDLES + 1`. */
function periodsIn({ from, to }: UtcRange, interval: Interval): number {
  let periods = 0;
  for (let day = from; day <= to && periods <= MAX_CANDLES; periods += 1) {
    day = addUtcDays(periodEnd(day, interval), 1);
  }
  return periods;
}

/** Narrows the range of a request without `from` to its newest `MAX_CANDLES` candles. */
export function newestCandles({ from, to }: UtcRange, interval: Interval): UtcRange {
  let start = periodStart(to, interval);
  for (let periods = 1; periods < MAX_CANDLES && start > from; periods += 1) {
    start = periodStart(addUtcDays(start, -1), interval);
  }
  return { from: start > from ? start : from, to };
}

/** @throws ApiError `invalid_format` for a range of more than `MAX_CANDLES` candles. */
export function requireCandleCount(range: UtcRange, interval: Interval): void {
  if (periodsIn(range, interval) <= MAX_CANDLES) return;
  throw invalidFormat(
    'from',
    'too_many',
    sentence(
      `At most ${MAX_CANDLES} candles can be requested at once.`,
      `Se pueden pedir como máximo ${MAX_CANDLES} velas a la vez.`,
    ),
    { max: MAX_CANDLES },
  );
}

/**
 * The days to read for the candles of a range. They begin with the first period, so that a candle
 * does not depend on the requested range, but not before the history that the plan includes.
 */
export function daysToRead(
  { from, to }: UtcRange,
  { interval, now, depth }: { interval: Interval; now: Instant; depth: number | null },
): UtcRange {
  const start = periodStart(from, interval);
  const first = firstDayInRetention(utcDayOf(now), depth);
  return { from: start < first ? first : start, to };
}

/** Folds days, oldest first, into candles: complete if the period has ended and was all read. */
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

/** @param days The days of one period, oldest first; at least one. */
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

/**
 * The last item of each period.
 * @param items Ordered by day.
 */
export function lastOfPeriods<Item>(
  items: readonly Item[],
  interval: Interval,
  dayOf: (item: Item) => UtcDay,
): readonly Item[] {
  const last = new Map<UtcDay, Item>();
  for (const item of items) last.set(periodStart(dayOf(item), interval), item);
  return [...last.values()];
}

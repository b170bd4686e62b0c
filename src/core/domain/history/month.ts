import type { CaracasRange } from '../calendar.ts';
import { divide, RATE_DECIMALS, sum, toNumber } from '../decimal.ts';
import { sentence } from '../errors/sentence.ts';
import { type Redenominations, unitOfDay } from '../redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
  parseCaracasDay,
} from '../time.ts';
import { dayToCome } from './history.ts';
import { lastKnownDay } from './past-dates.ts';

/** A month of the official rate: its days, its close and its average (contract §27). */

/** `YYYY-MM`. */
export type CaracasMonth = string & { readonly calendar: 'month in Caracas' };

/** The cast is safe: the text is the month of a day that exists. */
export function parseMonth(text: string): CaracasMonth | undefined {
  const isMonth = /^\d{4}-\d{2}$/.test(text) && parseCaracasDay(`${text}-01`) !== undefined;
  return isMonth ? (text as CaracasMonth) : undefined;
}

/** The cast is safe: a day begins with its month. */
export const monthOf = (day: CaracasDay) => day.slice(0, 7) as CaracasMonth;

/** The cast is safe: every month has a first day. */
const firstDayOf = (month: CaracasMonth) => `${month}-01` as CaracasDay;

/** The month after, or before with `-1`. */
export function monthBeside(month: CaracasMonth, step: 1 | -1): CaracasMonth {
  return monthOf(addCaracasDays(firstDayOf(month), step === 1 ? 31 : -1));
}

/**
 * The days of a month that are known: the running one ends today or, when it is later, at the newest
 * value date.
 * @param lastValueDate The newest stored value date of the currency, null without any.
 * @throws ApiError `invalid_format` with `month` for a month of which no day is known yet.
 */
export function monthRange(
  month: CaracasMonth,
  { now, lastValueDate }: { readonly now: Instant; readonly lastValueDate: CaracasDay | null },
): CaracasRange {
  const from = firstDayOf(month);
  const known = lastKnownDay(now, lastValueDate ?? undefined);
  if (from > known) {
    throw dayToCome(
      'month',
      { now, lastValueDate },
      sentence(
        'month must not be in the future.',
        'El valor de `month` no puede ser un mes futuro.',
      ),
    );
  }
  const end = addCaracasDays(firstDayOf(monthBeside(month, 1)), -1);
  return { from, to: end < known ? end : known };
}

/** The month of a request without one: that of today. */
export const runningMonth = (now: Instant) => monthOf(caracasDayOf(now));

/** The rate in force on a day, as answers show it. */
interface DayRate {
  readonly date: CaracasDay;
  readonly rate: number;
  readonly value_date: CaracasDay;
}

/**
 * Close and average of the days of a table.
 * @param table All its days, as `days=all` has them.
 * @param unitOf All its rates are in the unit of this day; absent when each is in that of its own.
 * @returns `close`, the rate in force on the last day, null when it is not known; `average`, the mean
 *   of the stored value dates, null without any. Both in the unit of the last day.
 */
export function figuresOf(
  { rows, to }: { readonly rows: readonly DayRate[]; readonly to: CaracasDay },
  { rebased }: Pick<Redenominations, 'rebased'>,
  unitOf?: CaracasDay,
) {
  const published = rows.filter((row) => row.date === row.value_date);
  const rates = published.map(({ rate, date }) =>
    unitOf === undefined ? rebased(rate, { from: unitOfDay(date), to: unitOfDay(to) }) : rate,
  );
  const last = rows.at(-1);
  const closing = last?.date === to ? last : undefined;
  return {
    close: closing?.rate ?? null,
    close_value_date: closing?.value_date ?? null,
    average: rates.length === 0 ? null : toNumber(divide(sum(rates), rates.length, RATE_DECIMALS)),
    value_dates: rates.length,
  };
}

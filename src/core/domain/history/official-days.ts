import type { BankCalendar, CaracasRange } from '../calendar.ts';
import { reversedRange, tooManyDays } from '../errors.ts';
import { type Redenominations, storedUnitOf, unitOfDay } from '../redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  type Instant,
} from '../time.ts';
import { lastKnownDay, requireKnownDay } from './past-dates.ts';

/** The official rates of one currency by day (contract §21). */

/** `value`: a row for each value date. `all`: a row for each day, with the rate in force on it. */
export const DAY_CHOICES = ['value', 'all'] as const;
export type DayChoice = (typeof DAY_CHOICES)[number];

/** Most days of one answer, both ends included: ten years. */
// limit: Days of an official history | 3,700 | 400
export const MAX_OFFICIAL_DAYS = 3_700;
/** Days before `to` when `from` is missing. */
const DEFAULT_DAYS_BEFORE = 30;

/** The rate of one value date. */
export interface ValueDateRate {
  readonly valueDate: CaracasDay;
  /** VES for one unit of the currency, in the unit in which rates of the value date are stored. */
  readonly rate: number;
  /** When a publication with this figure was first read. */
  readonly readAt: Instant;
}

/** The rate in force on a day. */
export interface OfficialDay {
  readonly date: CaracasDay;
  /** In the unit of the day. */
  readonly rate: number;
  readonly valueDate: CaracasDay;
  readonly isBusinessDay: boolean;
  /** Days from the value date to the day. */
  readonly carriedDays: number;
  readonly readAt: Instant;
  /**
   * The rate by the rule `next_banking_day`, in the unit of the day. On a business day that of the
   * row; undefined while it is not stored.
   */
  readonly nextBanking: Pick<ValueDateRate, 'valueDate' | 'rate'> | undefined;
}

/**
 * The range of a request, both ends included. `to` defaults to today, and is capped at the newest
 * stored value date when that is later; `from` defaults to thirty days before it.
 * @param lastValueDate The newest stored value date of the currency, null without any.
 * @throws ApiError `invalid_format` for a `from` that is not known yet, a `from` after `to`, or more
 *   than `MAX_OFFICIAL_DAYS` days.
 */
export function officialDaysRange(
  asked: { readonly from?: CaracasDay | undefined; readonly to?: CaracasDay | undefined },
  { now, lastValueDate }: { readonly now: Instant; readonly lastValueDate: CaracasDay | null },
): CaracasRange {
  const today = caracasDayOf(now);
  const last = lastKnownDay(now, lastValueDate ?? undefined);
  if (asked.from !== undefined) {
    if (asked.to !== undefined && asked.from > asked.to) {
      throw reversedRange();
    }
    requireKnownDay({ field: 'from', day: asked.from }, { now, lastValueDate });
  }
  const isToCome = asked.from !== undefined && asked.from > today;
  const wanted = asked.to ?? (isToCome ? last : today);
  const to = wanted > last ? last : wanted;
  const from = asked.from ?? addCaracasDays(to, -DEFAULT_DAYS_BEFORE);
  if (from > to) throw reversedRange();
  if (daysBetween({ from, to }) >= MAX_OFFICIAL_DAYS) {
    throw tooManyDays('from', MAX_OFFICIAL_DAYS);
  }
  return { from, to };
}

/** The value dates to read for the days of a range: for days without banks at its end, with the next one. */
export function valueDatesFor(
  { from, to }: CaracasRange,
  { isBusinessDay, nextValueDate }: Pick<BankCalendar, 'isBusinessDay' | 'nextValueDate'>,
): CaracasRange {
  return { from, to: isBusinessDay(to) ? to : nextValueDate(to) };
}

/** The parts that the rows of a day need. */
interface Rules {
  readonly calendar: Pick<BankCalendar, 'isBusinessDay' | 'nextValueDate'>;
  readonly redenominations: Pick<Redenominations, 'rebased'>;
  /** Shows all rates in the unit of this day, instead of each in that of its own. */
  readonly unitOf?: CaracasDay | undefined;
}

/**
 * The days of a range and the business days without a rate.
 * @param rates The first stored value date of all, the last one before the range, and those of
 *   `valueDatesFor` the range; in the order of their dates, none twice.
 * @returns `rows`, oldest first, and `missing`: the business days of the range after the first stored
 *   value date for which none is stored. On such a day and until the next value date no rate is known
 *   to be in force, so `all` has no row.
 */
export function officialDays(
  rates: readonly ValueDateRate[],
  { from, to }: CaracasRange,
  choice: DayChoice,
  { calendar, redenominations, unitOf }: Rules,
): { readonly rows: readonly OfficialDay[]; readonly missing: readonly CaracasDay[] } {
  const rows: OfficialDay[] = [];
  const missing: CaracasDay[] = [];
  let next = 0;
  /** The rate in force; undefined before the first, and after a missing one. */
  let inForce: ValueDateRate | undefined;
  const [first] = rates;
  if (first === undefined) return { rows, missing };
  const begin = lastBefore(rates, from)?.valueDate ?? first.valueDate;
  const byValueDate = new Map(rates.map((one) => [one.valueDate, one]));
  /** The rate of the next banking day prices an amount of the day of the row, in its unit. */
  const shownRate = ({ valueDate, rate }: ValueDateRate, { on }: { readonly on: CaracasDay }) =>
    redenominations.rebased(rate, { from: storedUnitOf(valueDate), to: unitOfDay(unitOf ?? on) });
  let carried = 0;
  for (let date = begin; date <= to; date = addCaracasDays(date, 1)) {
    while ((rates[next]?.valueDate ?? date) < date) next += 1;
    const published = rates[next]?.valueDate === date ? rates[next] : undefined;
    const isBusinessDay = calendar.isBusinessDay(date);
    carried = published === undefined ? carried + 1 : 0;
    if (published !== undefined) inForce = published;
    else if (isBusinessDay) inForce = undefined;
    if (date < from) continue;
    if (published === undefined && isBusinessDay) missing.push(date);
    if (inForce === undefined || (choice === 'value' && published === undefined)) continue;
    const { valueDate, readAt } = inForce;
    const banking = isBusinessDay ? inForce : byValueDate.get(calendar.nextValueDate(date));
    rows.push({
      ...{ date, valueDate, isBusinessDay, carriedDays: carried, readAt },
      rate: shownRate(inForce, { on: date }),
      nextBanking: banking && { ...banking, rate: shownRate(banking, { on: date }) },
    });
  }
  return { rows, missing };
}

function lastBefore(rates: readonly ValueDateRate[], day: CaracasDay): ValueDateRate | undefined {
  return rates.findLast(({ valueDate }) => valueDate < day);
}

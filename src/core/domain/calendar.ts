import { bankHolidaysOf } from './bank-holidays.ts';
import { sentence } from './errors/sentence.ts';
import { invalidFormat, reversedRange, tooManyDays } from './errors.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  HOUR_MS,
  type Instant,
  isWeekend,
  MINUTE_MS,
  startOfCaracasDay,
} from './time.ts';

/** Weekdays on which banks are closed. */
export interface Holidays {
  /** The regulator's list is known up to this day, inclusive. */
  readonly announcedUntil: CaracasDay;
  readonly names: ReadonlyMap<CaracasDay, string>;
  readonly publicationHours?: PublicationHours | undefined;
}

/** Between which times of a business day in Caracas a publication is expected, after 00:00. */
export interface PublicationHours {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Of a catalogue that does not give them. */
const USUAL_HOURS: PublicationHours = {
  fromMs: 14 * HOUR_MS + 30 * MINUTE_MS,
  untilMs: 19 * HOUR_MS + 30 * MINUTE_MS,
};

/** Most years of computed holidays kept in memory. */
// limit: Years of computed holidays kept | 50 | computed again
const MAX_YEARS_KEPT = 50;

/** Missed publications are counted up to this many, about two years. */
// limit: Missed publications counted | 500 | no more
export const MAX_COUNTED_MISSED = 500;

/** The business days of the banks, and the value dates that follow from them. */
export type BankCalendar = ReturnType<typeof bankCalendar>;

/** After `announcedUntil`, holidays are computed from their rules (`bankHolidaysOf`). */
export function bankCalendar({ announcedUntil, names, publicationHours: hours }: Holidays) {
  const { fromMs, untilMs } = hours ?? USUAL_HOURS;
  const computed = computedHolidays();
  const isComputed = (day: CaracasDay) => day > announcedUntil && !names.has(day);
  const holidayOn = (day: CaracasDay) =>
    names.get(day) ?? (isComputed(day) ? computed(day) : undefined);
  const days = valueDates((day) => !isWeekend(day) && holidayOn(day) === undefined, untilMs);
  /** Value dates as if banks worked on every computed holiday. */
  const fewerClosed = valueDates((day) => !isWeekend(day) && !names.has(day), untilMs);

  return Object.freeze({
    announcedUntil,
    holidayOn,
    /** Whether the day is after the announced list, so the regulator may still decide otherwise. */
    isComputed,
    isBusinessDay: days.isBusinessDay,
    /**
     * `computed` when only the rules close the day, `known` when the announced list or the weekend
     * does; undefined when banks are open.
     */
    closingOn(day: CaracasDay): 'known' | 'computed' | undefined {
      if (days.isBusinessDay(day)) return undefined;
      return fewerClosed.isBusinessDay(day) ? 'computed' : 'known';
    },
    /** The value date of a publication made on `day`: the first business day after it. */
    nextValueDate: days.nextValueDate,
    previousBusinessDay: days.previousBusinessDay,
    /** The newest value date that must be published at that instant. */
    expectedValueDate: days.expectedValueDate,
    /** When the publication with that value date is expected: on the business day before. */
    expected(valueDate: CaracasDay): { readonly from: Instant; readonly until: Instant } {
      const start = startOfCaracasDay(days.previousBusinessDay(valueDate));
      return { from: start + fromMs, until: start + untilMs };
    },
    /**
     * Whether the central bank may publish on the day a value date newer than `newestValueDate`. A
     * computed holiday does not rule it out.
     */
    mayPublishOn: (day: CaracasDay, newestValueDate: CaracasDay | undefined): boolean =>
      [days, fewerClosed].some(
        ({ isBusinessDay, nextValueDate }) =>
          isBusinessDay(day) &&
          (newestValueDate === undefined || nextValueDate(day) > newestValueDate),
      ),
    /**
     * How many publications newer than `newestValueDate` are due at `now`, 0 to
     * `MAX_COUNTED_MISSED`. Computed holidays are counted both as closed and as open, and the
     * smaller count is returned, so a day that may be a holiday is never reported as missed.
     */
    missedPublications: (known: { newestValueDate: CaracasDay; now: Instant }): number =>
      Math.min(
        ...[days, fewerClosed].map(({ missed }) => missed(known.newestValueDate, known.now)),
      ),
  });
}

function valueDates(isBusinessDay: (day: CaracasDay) => boolean, untilMs: number) {
  /** The first business day in that direction, excluding `day`. */
  function businessDayFrom(day: CaracasDay, step: 1 | -1): CaracasDay {
    let found = addCaracasDays(day, step);
    while (!isBusinessDay(found)) found = addCaracasDays(found, step);
    return found;
  }
  const nextValueDate = (day: CaracasDay) => businessDayFrom(day, 1);
  const previousBusinessDay = (day: CaracasDay) => businessDayFrom(day, -1);
  function expectedValueDate(now: Instant): CaracasDay {
    const today = caracasDayOf(now);
    const isPublished = isBusinessDay(today) && now >= startOfCaracasDay(today) + untilMs;
    return nextValueDate(isPublished ? today : previousBusinessDay(today));
  }
  return {
    isBusinessDay,
    nextValueDate,
    previousBusinessDay,
    expectedValueDate,
    missed(newestValueDate: CaracasDay, now: Instant): number {
      let missed = 0;
      let valueDate = expectedValueDate(now);
      while (valueDate > newestValueDate && missed < MAX_COUNTED_MISSED) {
        missed += 1;
        valueDate = previousBusinessDay(valueDate);
      }
      return missed;
    },
  };
}

/** Returns the name of a computed holiday. Each year is computed once. */
function computedHolidays(): (day: CaracasDay) => string | undefined {
  const years = new Map<number, ReadonlyMap<CaracasDay, string>>();
  return (day) => {
    const year = Number(day.slice(0, 4));
    const known = years.get(year) ?? bankHolidaysOf(year);
    // Requests stay within a few years of today. The limit keeps distant years from filling the
    // memory.
    if (years.size < MAX_YEARS_KEPT) years.set(year, known);
    return known.get(day);
  };
}

/** An inclusive range of days in Caracas. */
export interface CaracasRange {
  readonly from: CaracasDay;
  readonly to: CaracasDay;
}

/** The first day with known holidays. */
export const FIRST_CALENDAR_DAY = '2019-01-01';
/** Most days ahead of today: two years. */
export const MAX_CALENDAR_DAYS_AHEAD = 730;
/** Most days in one answer. */
// limit: Calendar: days of an answer, ahead | 366, 730 | 400 | MAX_CALENDAR_DAYS_AHEAD
export const MAX_CALENDAR_DAYS = 366;
/** Days after `from` when `to` is missing. */
const DEFAULT_DAYS_AFTER = 30;

/**
 * The range of a request. `from` defaults to today, `to` to thirty days later.
 * @throws ApiError `invalid_format` for days outside the calendar, a `from` after `to`, or more
 *   than `MAX_CALENDAR_DAYS` days.
 */
export function calendarRange(
  asked: { readonly from?: CaracasDay | undefined; readonly to?: CaracasDay | undefined },
  now: Instant,
): CaracasRange {
  const today = caracasDayOf(now);
  const last = addCaracasDays(today, MAX_CALENDAR_DAYS_AHEAD);
  for (const field of ['from', 'to'] as const) {
    const day = asked[field];
    if (day !== undefined && (day < FIRST_CALENDAR_DAY || day > last)) {
      throw invalidFormat(
        field,
        'out_of_range',
        sentence(
          `${field} must be from ${FIRST_CALENDAR_DAY} to ${last}.`,
          `El valor de \`${field}\` debe estar entre ${FIRST_CALENDAR_DAY} y ${last}.`,
        ),
        { today },
      );
    }
  }
  const from = asked.from ?? today;
  const after = addCaracasDays(from, DEFAULT_DAYS_AFTER);
  const to = asked.to ?? (after > last ? last : after);
  if (from > to) {
    throw asked.from === undefined
      ? invalidFormat(
          'to',
          'reversed_range',
          sentence(
            'to must not be before today when there is no from.',
            'El valor de `to` no puede ser anterior a hoy cuando falta `from`.',
          ),
        )
      : reversedRange();
  }
  if (daysBetween({ from, to }) >= MAX_CALENDAR_DAYS) {
    throw tooManyDays('to', MAX_CALENDAR_DAYS);
  }
  return { from, to };
}

/** Every day of the range, oldest first. */
export function daysOf({ from, to }: CaracasRange): readonly CaracasDay[] {
  const length = daysBetween({ from, to }) + 1;
  return Array.from({ length }, (_, index) => addCaracasDays(from, index));
}

/** The days of a calendar year in Caracas. */
export function daysOfYear(year: number): CaracasRange {
  return {
    from: caracasDayOf(Date.UTC(year, 0, 1, 12)),
    to: caracasDayOf(Date.UTC(year, 11, 31, 12)),
  };
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bankCalendar,
  calendarRange,
  daysOf,
  FIRST_CALENDAR_DAY,
  MAX_CALENDAR_DAYS,
  MAX_CALENDAR_DAYS_AHEAD,
  MAX_COUNTED_MISSED,
} from './calendar.ts';
import { ApiError } from './errors.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  daysBetween,
  HOUR_MS,
  type Instant,
  parseCaracasDay,
  startOfCaracasDay,
} from './time.ts';

function caracasDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day.`);
  return day;
}

function calendarWith(...holidays: string[]) {
  const names = new Map(holidays.map((text) => [caracasDay(text), `Day of ${text}`]));
  return bankCalendar({ announcedUntil: caracasDay('2026-12-31'), names });
}

/** That time of day in Caracas. */
function at(text: string, clock: string): Instant {
  return Date.parse(`${text}T${clock}-04:00`);
}

/** Some two years of days, and holidays among them: long stretches too. */
const FIRST = startOfCaracasDay(caracasDay('2025-12-01'));
const anyDay = fc.nat(700).map((days) => caracasDayOf(FIRST + days * DAY_MS));
const anyCalendar = fc.array(anyDay, { maxLength: 300 }).map((days) => calendarWith(...days));

describe('business days', () => {
  test('are all days except Saturdays, Sundays and holidays', () => {
    const calendar = calendarWith('2026-11-23');
    const week = ['20', '21', '22', '23', '24'].map((day) => caracasDay(`2026-11-${day}`));
    expect(week.map((day) => [day, calendar.isBusinessDay(day), calendar.holidayOn(day)])).toEqual([
      ['2026-11-20', true, undefined],
      ['2026-11-21', false, undefined],
      ['2026-11-22', false, undefined],
      ['2026-11-23', false, 'Day of 2026-11-23'],
      ['2026-11-24', true, undefined],
    ]);
  });

  test('a holiday on a Saturday has its name and moves no value date', () => {
    const calendar = calendarWith('2026-11-21');
    expect(calendar.holidayOn(caracasDay('2026-11-21'))).toBe('Day of 2026-11-21');
    expect(calendar.nextValueDate(caracasDay('2026-11-20'))).toBe('2026-11-23');
  });

  test('the next value date is the first business day after the day', () => {
    fc.assert(
      fc.property(anyCalendar, anyDay, (calendar, day) => {
        const next = calendar.nextValueDate(day);
        expect(next > day).toBe(true);
        const after = daysOf({ from: day, to: next }).slice(1);
        expect(after.map(calendar.isBusinessDay)).toEqual([
          ...after.slice(1).map(() => false),
          true,
        ]);
        expect([0, 6]).not.toContain(new Date(`${next}T00:00:00Z`).getUTCDay());
      }),
    );
  });

  test('the previous business day is the last one before the day', () => {
    fc.assert(
      fc.property(anyCalendar, anyDay, (calendar, day) => {
        const previous = calendar.previousBusinessDay(day);
        expect(previous < day && calendar.isBusinessDay(previous)).toBe(true);
        const isNext = calendar.nextValueDate(previous) === day;
        expect(isNext).toBe(calendar.isBusinessDay(day));
      }),
    );
  });
});

describe('the expected value date', () => {
  test('changes at 19:30 in Caracas of a business day', () => {
    const calendar = calendarWith('2026-11-23');
    // Friday 20, a weekend, a bank holiday on Monday 23.
    expect(calendar.expectedValueDate(at('2026-11-20', '19:29:59.999'))).toBe('2026-11-20');
    expect(calendar.expectedValueDate(at('2026-11-20', '19:30:00'))).toBe('2026-11-24');
    expect(calendar.expectedValueDate(at('2026-11-24', '19:29:59.999'))).toBe('2026-11-24');
    expect(calendar.expectedValueDate(at('2026-11-24', '19:30:00'))).toBe('2026-11-25');
  });

  test('stays the same through weekends and holidays, and through midnight', () => {
    const calendar = calendarWith('2026-11-23');
    const until = at('2026-11-24', '19:30:00');
    for (let now = at('2026-11-20', '19:30:00'); now < until; now += HOUR_MS) {
      expect(calendar.expectedValueDate(now)).toBe('2026-11-24');
    }
  });

  test('is a business day and never goes back as time passes', () => {
    fc.assert(
      fc.property(anyCalendar, fc.nat(600 * 24), fc.nat(72), (calendar, start, hours) => {
        const now = FIRST + start * HOUR_MS;
        const expected = calendar.expectedValueDate(now);
        expect(calendar.isBusinessDay(expected)).toBe(true);
        expect(calendar.expectedValueDate(now + hours * HOUR_MS) >= expected).toBe(true);
      }),
    );
  });
});

describe('missed publications', () => {
  const calendar = calendarWith('2026-11-23');
  const missed = (newest: string, now: Instant) =>
    calendar.missedPublications({ newestValueDate: caracasDay(newest), now });

  test('are the business days between the newest value date and the expected one', () => {
    const evening = at('2026-11-25', '20:00:00');
    expect(calendar.expectedValueDate(evening)).toBe('2026-11-26');
    expect(missed('2026-11-26', evening)).toBe(0);
    expect(missed('2026-11-25', evening)).toBe(1);
    expect(missed('2026-11-24', evening)).toBe(2);
    expect(missed('2026-11-23', evening)).toBe(3);
    expect(missed('2026-11-20', evening)).toBe(3);
    expect(missed('2026-11-19', evening)).toBe(4);
  });

  test('are none with a value date beyond the expected one', () => {
    expect(missed('2026-11-24', at('2026-11-20', '15:00:00'))).toBe(0);
    expect(missed('2026-12-01', at('2026-11-20', '15:00:00'))).toBe(0);
  });

  test("include yesterday's on the evening of the next business day", () => {
    expect(missed('2026-11-24', at('2026-11-24', '19:29:59.999'))).toBe(0);
    expect(missed('2026-11-24', at('2026-11-24', '19:30:00'))).toBe(1);
  });

  test('are counted up to a maximum', () => {
    const now = at('2026-11-20', '12:00:00');
    let newest = calendar.expectedValueDate(now);
    for (let days = 1; days < MAX_COUNTED_MISSED; days += 1) {
      newest = calendar.previousBusinessDay(newest);
    }
    const before = calendar.previousBusinessDay(newest);
    expect(missed(newest, now)).toBe(MAX_COUNTED_MISSED - 1);
    expect(missed(before, now)).toBe(MAX_COUNTED_MISSED);
    expect(missed(calendar.previousBusinessDay(before), now)).toBe(MAX_COUNTED_MISSED);
    expect(missed('1000-01-01', now)).toBe(MAX_COUNTED_MISSED);
  });
});

describe('the requested range', () => {
  /** Friday; in UTC it is Saturday already. */
  const NOW = at('2026-11-20', '23:00:00');
  const LAST = caracasDayOf(NOW + MAX_CALENDAR_DAYS_AHEAD * DAY_MS);

  function range(from?: string, to?: string) {
    const asked = {
      ...(from !== undefined && { from: caracasDay(from) }),
      ...(to !== undefined && { to: caracasDay(to) }),
    };
    try {
      const found = calendarRange(asked, NOW);
      return [found.from, found.to];
    } catch (error) {
      if (error instanceof ApiError) return [error.code, error.options.field];
      throw error;
    }
  }

  test('is by default today in Caracas and the thirty days after', () => {
    expect(range()).toEqual(['2026-11-20', '2026-12-20']);
    expect(range('2024-01-31')).toEqual(['2024-01-31', '2024-03-01']);
    expect(range(undefined, '2026-11-20')).toEqual(['2026-11-20', '2026-11-20']);
    expect(range(undefined, '2026-11-22')).toEqual(['2026-11-20', '2026-11-22']);
  });

  test('ends by default no later than the calendar', () => {
    const near = caracasDayOf(startOfCaracasDay(LAST) - 29 * DAY_MS);
    expect(range(near)).toEqual([near, LAST]);
    expect(range(LAST)).toEqual([LAST, LAST]);
  });

  test('days before 2019 or more than two years ahead are refused', () => {
    const beyond = caracasDayOf(startOfCaracasDay(LAST) + DAY_MS);
    expect(range(FIRST_CALENDAR_DAY, FIRST_CALENDAR_DAY)).toEqual(['2019-01-01', '2019-01-01']);
    expect(range('2018-12-31', '2019-01-01')).toEqual(['invalid_format', 'from']);
    expect(range('2019-01-01', '2018-12-31')).toEqual(['invalid_format', 'to']);
    expect(range(LAST, LAST)).toEqual([LAST, LAST]);
    expect(range(beyond)).toEqual(['invalid_format', 'from']);
    expect(range(LAST, beyond)).toEqual(['invalid_format', 'to']);
  });

  test('a from after to is refused naming the given field', () => {
    expect(range('2026-11-21', '2026-11-20')).toEqual(['invalid_format', 'from']);
    expect(range(undefined, '2026-11-19')).toEqual(['invalid_format', 'to']);
  });

  test('has at most 366 days, including both ends', () => {
    const from = caracasDay('2024-01-01');
    expect(daysBetween({ from, to: caracasDay('2024-12-31') }) + 1).toBe(MAX_CALENDAR_DAYS);
    expect(range('2024-01-01', '2024-12-31')).toEqual(['2024-01-01', '2024-12-31']);
    expect(range('2024-01-01', '2025-01-01')).toEqual(['invalid_format', 'to']);
  });

  test('has each of its days once, in order', () => {
    const days = daysOf({ from: caracasDay('2024-02-28'), to: caracasDay('2024-03-01') });
    expect(days).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  });
});

describe('after the announced list the calendar is computed', () => {
  const calendar = calendarWith('2027-03-01');
  const missed = (newest: string, now: Instant) =>
    calendar.missedPublications({ newestValueDate: caracasDay(newest), now });

  test('marks each day that is not on the list', () => {
    const computed = ['2026-12-31', '2027-01-01', '2027-01-04', '2027-03-01'].map((text) =>
      calendar.isComputed(caracasDay(text)),
    );
    expect(computed).toEqual([false, true, true, false]);
    expect(calendar.holidayOn(caracasDay('2027-01-11'))).toBe('Reyes');
    expect(calendar.holidayOn(caracasDay('2026-01-12'))).toBeUndefined();
    expect(calendar.nextValueDate(caracasDay('2027-01-08'))).toBe('2027-01-12');
  });

  // 11 January 2027 is a computed holiday: the regulator may close the banks that day or not.
  test.each([
    ['closes the banks', '2027-01-12'],
    ['leaves them open', '2027-01-11'],
  ])('no publication is missed when a computed holiday %s', (_, valueDate) => {
    const friday = [at('2027-01-08', '19:30:00'), at('2027-01-10', '12:00:00')];
    const monday = [at('2027-01-11', '00:00:00'), at('2027-01-11', '19:29:59')];
    for (const now of [...friday, ...monday])
      expect([now, missed(valueDate, now)]).toEqual([now, 0]);
  });

  test('a publication is missed once it is late with and without the computed holiday', () => {
    expect(missed('2027-01-08', at('2027-01-08', '19:29:59'))).toBe(0);
    expect(missed('2027-01-08', at('2027-01-08', '19:30:00'))).toBe(1);
    expect(missed('2027-01-08', at('2027-01-11', '19:30:00'))).toBe(1);
    expect(missed('2027-01-08', at('2027-01-12', '19:30:00'))).toBe(2);
  });

  test.each([
    ['2027-03-01', 'known'],
    ['2027-01-02', 'known'],
    ['2027-01-01', 'computed'],
    ['2027-01-11', 'computed'],
    ['2027-01-12', undefined],
  ])('the closing on %s is %s', (text, expected) => {
    expect(calendar.closingOn(caracasDay(text))).toBe(expected);
  });

  test('a publication may come on a computed holiday', () => {
    const monday = caracasDay('2027-01-11');
    expect(calendar.isBusinessDay(monday)).toBe(false);
    expect(calendar.mayPublishOn(monday, caracasDay('2027-01-11'))).toBe(true);
    expect(calendar.mayPublishOn(monday, caracasDay('2027-01-12'))).toBe(false);
    expect(calendar.mayPublishOn(caracasDay('2027-01-10'), undefined)).toBe(false);
    expect(calendar.mayPublishOn(caracasDay('2027-03-01'), undefined)).toBe(false);
  });
});

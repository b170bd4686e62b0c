import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addCaracasDays,
  addUtcDays,
  ageSec,
  type CaracasDay,
  caracasDayOf,
  caracasTimeOf,
  DAY_MS,
  daysBetween,
  endOfUtcDay,
  HOUR_MS,
  instantAfter,
  isoInstant,
  MAX_CLOCK_STEP_MS,
  parseCaracasDay,
  parseInstant,
  parseUtcDay,
  startOfCaracasDay,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
  utcMonthOf,
} from './time.ts';

function utcDay(text: string): UtcDay {
  const day = parseUtcDay(text);
  if (day === undefined) throw new Error(`${text} is no day.`);
  return day;
}

function caracasDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day.`);
  return day;
}

const anyInstant = fc
  .date({
    min: new Date('1000-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.getTime());

describe('timestamps', () => {
  test('contract §1: each timestamp equals the text of Date', () => {
    // Days far apart and instants of one day in turn, at both ends of seconds, hours and days.
    const near = fc
      .tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 0, max: 2 }))
      .map(([days, millis]) => days * DAY_MS + HOUR_MS - 1 + millis);
    const instants = fc.array(fc.oneof(anyInstant, near, fc.integer({ min: -2, max: 2 })));
    fc.assert(
      fc.property(instants, (all) => {
        expect(all.map(isoInstant)).toEqual(all.map((one) => new Date(one).toISOString()));
        expect(all.map(utcDayOf)).toEqual(all.map((one) => isoInstant(one).slice(0, 10)));
      }),
    );
  });

  test('a timestamp has three digits of a second, whatever went into the instant', () => {
    const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(anyInstant, fraction, (instant, more) => {
        expect(isoInstant(instant + more)).toBe(new Date(Math.floor(instant + more)).toISOString());
      }),
    );
    expect(isoInstant(Date.parse('2026-11-20T12:00:15.619Z') + 0.886962890625)).toBe(
      '2026-11-20T12:00:15.619Z',
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is refused as an instant', (value) => {
    expect(() => isoInstant(value)).toThrow(RangeError);
  });
});

describe('days', () => {
  test('§4.3 every day of the calendar is parsed and contains its own instants', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const text = new Date(instant).toISOString().slice(0, 10);
        expect(parseUtcDay(text)).toBe(text);
        expect(parseCaracasDay(text)).toBe(text);
        const day = utcDayOf(instant);
        expect(day).toBe(text);
        expect(instant).toBeGreaterThanOrEqual(startOfUtcDay(day));
        expect(instant).toBeLessThan(endOfUtcDay(day));
      }),
    );
  });

  test('§4.3 exactly the dates that exist are accepted', () => {
    const [year, month, day] = [fc.integer({ min: 1000, max: 9999 }), fc.nat(14), fc.nat(33)];
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(year, month, day, (y, m, d) => {
        const text = `${y}-${two(m)}-${two(d)}`;
        const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
        const last = m === 2 && leap ? 29 : (lengths[m - 1] ?? 0);
        expect(parseUtcDay(text)).toBe(d >= 1 && d <= last ? text : undefined);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2000-02-29', true],
    ['2100-02-29', false],
    ['2026-02-28', true],
    ['2026-04-30', true],
    ['2026-04-31', false],
    ['2026-12-31', true],
    ['2026-12-32', false],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-01-00', false],
    ['2026-1-1', false],
    ['2026-01-1', false],
    ['26-01-01', false],
    ['02026-01-01', false],
    ['2026/01/01', false],
    ['20260101', false],
    ['2026-01-01T00:00:00Z', false],
    ['2026-01-01 ', false],
    ['2026-01-01\n', false],
    [' 2026-01-01', false],
    ['-2026-01-01', false],
    ['+002026-01-01', false],
    ['0000-01-01', false],
    ['２０２６-01-01', false],
    ['', false],
  ])('§4.3 the date %j is accepted: %s', (text, accepted) => {
    expect(parseUtcDay(text)).toBe(accepted ? text : undefined);
    expect(parseCaracasDay(text)).toBe(accepted ? text : undefined);
  });

  test('§4.3 a UTC day ends where the next begins', () => {
    const day = utcDay('2024-02-29');
    expect(utcDayOf(endOfUtcDay(day) - 1)).toBe('2024-02-29');
    expect(utcDayOf(endOfUtcDay(day))).toBe('2024-03-01');
    expect(utcDayOf(startOfUtcDay(day))).toBe('2024-02-29');
    expect(utcDayOf(startOfUtcDay(day) - 1)).toBe('2024-02-28');
  });

  test('contract §1: a day in Caracas begins at 04:00 UTC', () => {
    expect(caracasDayOf(Date.UTC(2026, 10, 21, 3, 59, 59, 999))).toBe('2026-11-20');
    expect(caracasDayOf(Date.UTC(2026, 10, 21, 4))).toBe('2026-11-21');
    expect(caracasTimeOf(Date.UTC(2026, 10, 21, 3, 59, 59, 999))).toBe('23:59');
    expect(caracasTimeOf(Date.UTC(2026, 10, 21, 4))).toBe('00:00');
    expect(isoInstant(startOfCaracasDay(caracasDay('2026-11-21')))).toBe(
      '2026-11-21T04:00:00.000Z',
    );
  });

  test('contract §1: Caracas is four hours behind in every season and at every month end', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const day = caracasDayOf(instant);
        const start = startOfCaracasDay(day);
        expect(start).toBeLessThanOrEqual(instant);
        expect(instant).toBeLessThan(start + DAY_MS);
        expect(caracasDayOf(start)).toBe(day);
        expect(day).toBe(utcDayOf(instant - 4 * HOUR_MS));
      }),
    );
    expect(caracasDayOf(Date.UTC(2027, 0, 1, 3))).toBe('2026-12-31');
    expect(caracasDayOf(Date.UTC(2024, 2, 1, 3))).toBe('2024-02-29');
  });

  test.each([
    ['2026-03-01', -1, '2026-02-28'],
    ['2024-03-01', -1, '2024-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2024-02-29', 365, '2025-02-28'],
    ['2026-11-21', 0, '2026-11-21'],
    ['2026-11-21', -365, '2025-11-21'],
  ])('§4.3 %s and %i days is %s', (day, days, expected) => {
    expect(addUtcDays(utcDay(day), days)).toBe(expected);
  });

  test('§4.3 adding and subtracting days are inverse, and texts sort like days', () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -400, max: 400 }), (instant, days) => {
        const day = utcDayOf(Math.min(Math.max(instant, Date.UTC(1100, 0)), Date.UTC(9900, 0)));
        const moved = addUtcDays(day, days);
        expect(addUtcDays(moved, -days)).toBe(day);
        expect(Math.sign(days)).toBe(moved > day ? 1 : moved < day ? -1 : 0);
      }),
    );
  });

  test('contract §21 days in Caracas, one or many later or earlier, are those of the calendar', () => {
    const first = Date.UTC(2015, 11, 1);
    const days = Array.from({ length: 3_800 }, (_, index) => {
      return caracasDay(new Date(first + index * DAY_MS).toISOString().slice(0, 10));
    });
    for (const step of [1, -1, 2, -3, 7, 27, -28, 31, -31, 366]) {
      const found = days.map((day) => addCaracasDays(day, step));
      const later = days.slice(Math.max(step, 0), step < 0 ? step : undefined);
      expect(step > 0 ? found.slice(0, -step) : found.slice(-step)).toEqual(later);
    }
  });

  test.each([
    ['2026-11-20', '2026-11-20', 0],
    ['2026-11-19', '2026-11-20', 1],
    ['2026-11-20', '2026-11-19', -1],
    ['2024-02-28', '2024-03-01', 2],
    ['2026-02-28', '2026-03-01', 1],
    ['2025-12-31', '2026-12-31', 365],
  ])('§2.8 from %s to %s are %i days', (from, to, days) => {
    expect(daysBetween({ from: caracasDay(from), to: caracasDay(to) })).toBe(days);
  });
});

describe('instants', () => {
  test('contract §1: a formatted timestamp is parsed back to the millisecond', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        expect(isoInstant(instant)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(parseInstant(isoInstant(instant))).toBe(instant);
      }),
    );
  });

  test('contract §7: a zone moves the instant by its offset', () => {
    const hours = fc.nat(23);
    const minutes = fc.nat(59);
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('+', '-'), hours, minutes, (instant, sign, h, m) => {
        const zone = `${sign}${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`;
        const text = isoInstant(instant).replace('Z', zone);
        expect(parseInstant(text)).toBe(Date.parse(text));
      }),
    );
  });

  test.each([
    ['2026-11-21T02:58:00Z', Date.UTC(2026, 10, 21, 2, 58)],
    ['2026-11-20T22:58:00-04:00', Date.UTC(2026, 10, 21, 2, 58)],
    ['2026-11-21T02:58:00.1Z', Date.UTC(2026, 10, 21, 2, 58, 0, 100)],
    ['2026-11-21T02:58:00.123999999Z', Date.UTC(2026, 10, 21, 2, 58, 0, 123)],
    ['2026-11-21T23:59:59.999Z', Date.UTC(2026, 10, 21, 23, 59, 59, 999)],
    ['2024-02-29T00:00:00+00:00', Date.UTC(2024, 1, 29)],
  ])('contract §7: the time %s is read', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    '2026-11-21T02:58:00',
    '2026-11-21 02:58:00Z',
    '2026-11-21T02:58Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-21T02:58:00z',
    '2026-11-21t02:58:00Z',
    '2026-11-21T02:58:00+0400',
    '2026-11-21T02:58:00+24:00',
    '2026-11-21T02:58:00+04:60',
    '2026-11-21T02:58:00.Z',
    '2026-11-21T02:58:00.1234567890Z',
    '2026-11-21T02:58:00Z ',
    '2026-11-21',
    '1795229880000',
    '',
  ])('contract §7: the time %j is refused', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('ages and months', () => {
  test.each([
    [0, 0],
    [999, 0],
    [1000, 1],
    [1999, 1],
    [-1, 0],
    [-60_000, 0],
  ])('§2.4 an age of %i ms shows as %i seconds', (age, expected) => {
    const shown = ageSec({ since: 1_795_229_880_000, now: 1_795_229_880_000 + age });
    expect(shown).toBe(expected);
  });

  test.each([
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01'],
    ['2024-02-29T23:59:59.999Z', '2024-02'],
    ['2024-03-01T00:00:00.000Z', '2024-03'],
  ])('contract §3: %s belongs to the UTC month %s', (text, name) => {
    expect(utcMonthOf(Date.parse(text)).name).toBe(name);
  });

  test('contract §3: months follow one another without gap or overlap', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const { name, start, end } = utcMonthOf(instant);
        expect(start <= instant && instant < end).toBe(true);
        expect(utcMonthOf(start).name).toBe(name);
        expect(utcMonthOf(end - 1).name).toBe(name);
        expect(utcMonthOf(end).start).toBe(end);
        expect([28, 29, 30, 31]).toContain((end - start) / DAY_MS);
      }),
    );
  });
});

describe('a clock that is set back', () => {
  test('later events have later times, up to a step back of five minutes', () => {
    expect(instantAfter(undefined, 1_000)).toBe(1_000);
    expect(instantAfter(1_000, 1_001)).toBe(1_001);
    expect(instantAfter(1_000, 1_000)).toBe(1_000);
    expect(instantAfter(1_000, 999)).toBe(1_001);
    const last = MAX_CLOCK_STEP_MS + 1_000;
    expect(instantAfter(last, 1_000)).toBe(last + 1);
    expect(instantAfter(last, 999)).toBe(999);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CaracasDay, parseCaracasDay } from '../time.ts';
import { type CaracasMonth, figuresOf, monthBeside, monthRange, parseMonth } from './month.ts';

const month = (text: string) => parseMonth(text) as CaracasMonth;
const day = (text: string) => parseCaracasDay(text) as CaracasDay;
const NOON = (date: string) => Date.parse(`${date}T16:00:00Z`);
const asStored = { rebased: (rate: number) => rate };

const row = (date: string, rate: number, value_date = date) => ({
  ...{ date: day(date), rate, value_date: day(value_date), business_day: date === value_date },
  ...{ carried_days: 0, captured_at: `${value_date}T20:00:00.000Z` },
});

describe('contract §27 the official rate of a month', () => {
  test.each(['2026-13', '2026-00', '2026-1', '202611', '2026-11-01', '', ' 2026-11', '２026-11'])(
    '%j is no month',
    (text) => {
      expect(parseMonth(text)).toBeUndefined();
    },
  );

  test('every month ends the day before the next one begins', () => {
    const months = fc.record({ year: fc.integer({ min: 1990, max: 2090 }), at: fc.nat(11) });
    fc.assert(
      fc.property(months, ({ year, at }) => {
        const text = `${year}-${String(at + 1).padStart(2, '0')}`;
        const end = new Date(Date.UTC(year, at + 1, 0)).toISOString().slice(0, 10);
        const whole = { now: NOON('2100-01-01'), lastValueDate: null };
        expect(monthRange(month(text), whole)).toEqual({ from: `${text}-01`, to: end });
        expect(monthBeside(monthBeside(month(text), 1), -1)).toBe(text);
      }),
    );
  });

  test('the running month ends today, or at a newest value date after it, never beyond the month', () => {
    const end = (lastValueDate: string | null, now = '2026-11-27') =>
      monthRange(month('2026-11'), {
        now: NOON(now),
        lastValueDate: lastValueDate === null ? null : day(lastValueDate),
      }).to;
    expect(end(null)).toBe('2026-11-27');
    expect(end('2026-11-26')).toBe('2026-11-27');
    expect(end('2026-11-30')).toBe('2026-11-30');
    expect(end('2026-12-01')).toBe('2026-11-30');
    expect(end(null, '2026-12-05')).toBe('2026-11-30');
  });

  test('a month begins with the first value date that is stored for it, and before that it is refused', () => {
    const december = (lastValueDate: string) =>
      monthRange(month('2026-12'), { now: NOON('2026-11-28'), lastValueDate: day(lastValueDate) });
    expect(december('2026-12-01')).toEqual({ from: '2026-12-01', to: '2026-12-01' });
    expect(() => december('2026-11-30')).toThrow('month must not be in the future');
  });

  test('the close is the rate of the last day, null when that day has none', () => {
    const rows = [
      row('2026-11-05', 737),
      row('2026-11-06', 738),
      row('2026-11-07', 738, '2026-11-06'),
    ];
    expect(figuresOf({ rows, to: day('2026-11-07') }, asStored)).toMatchObject({
      close: 738,
      close_value_date: '2026-11-06',
    });
    expect(figuresOf({ rows, to: day('2026-11-08') }, asStored)).toMatchObject({
      close: null,
      close_value_date: null,
    });
  });

  test('the average is the mean of the value dates alone, rounded once to 8 decimals', () => {
    const rows = [
      row('2026-11-01', 700, '2026-10-30'),
      row('2026-11-03', 1),
      row('2026-11-04', 1),
      row('2026-11-05', 2),
      row('2026-11-07', 2, '2026-11-05'),
    ];
    expect(figuresOf({ rows, to: day('2026-11-07') }, asStored)).toMatchObject({
      average: 1.33333333,
      value_dates: 3,
    });
    expect(figuresOf({ rows: [], to: day('2026-11-07') }, asStored)).toEqual({
      close: null,
      close_value_date: null,
      average: null,
      value_dates: 0,
    });
  });
});

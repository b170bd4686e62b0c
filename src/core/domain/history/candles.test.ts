import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addUtcDays, endOfUtcDay, parseUtcDay, startOfUtcDay, type UtcDay } from '../time.ts';
import {
  type DayCandle,
  daysToRead,
  foldCandles,
  INTERVALS,
  lastOfPeriods,
  MAX_CANDLES,
  newestCandles,
  periodEnd,
  periodStart,
  requireCandleCount,
} from './candles.ts';

function day(text: string): UtcDay {
  const parsed = parseUtcDay(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

const anyDay = fc
  .integer({ min: -2_000, max: 30_000 })
  .map((days) => addUtcDays(day('1970-01-01'), days));

function candle(on: string, figures: Partial<DayCandle> = {}): DayCandle {
  const start = startOfUtcDay(day(on));
  return {
    day: day(on),
    open: 10,
    high: 12,
    low: 9,
    close: 11,
    captures: 2,
    openedAt: start,
    closedAt: start + 5,
    ...figures,
  };
}

describe('contract §10: periods', () => {
  test.each([
    ['2026-11-22', 'week', '2026-11-16', '2026-11-22'],
    ['2026-11-23', 'week', '2026-11-23', '2026-11-29'],
    ['2027-01-01', 'week', '2026-12-28', '2027-01-03'],
    ['1970-01-01', 'week', '1969-12-29', '1970-01-04'],
    ['2024-02-29', 'month', '2024-02-01', '2024-02-29'],
    ['2026-12-31', 'month', '2026-12-01', '2026-12-31'],
    ['2026-11-22', 'day', '2026-11-22', '2026-11-22'],
  ] as const)('the %s of %s is %s to %s', (of, interval, start, end) => {
    expect([periodStart(day(of), interval), periodEnd(day(of), interval)]).toEqual([start, end]);
  });

  test('each day is in exactly one period, without gaps', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...INTERVALS), (of, interval) => {
        const [start, end] = [periodStart(of, interval), periodEnd(of, interval)];
        expect(start <= of && of <= end).toBe(true);
        expect(periodStart(end, interval)).toBe(start);
        expect(periodStart(addUtcDays(end, 1), interval)).toBe(addUtcDays(end, 1));
        if (interval === 'week') {
          expect(new Date(startOfUtcDay(start)).getUTCDay()).toBe(1);
          expect(addUtcDays(start, 6)).toBe(end);
        }
      }),
    );
  });
});

describe('contract §10: the number of candles', () => {
  const last = day('2026-11-22');

  test.each([
    ['day', -(MAX_CANDLES - 1)],
    ['week', -7 * (MAX_CANDLES - 1) - 6],
  ] as const)(
    'a range with the maximum of %ss is accepted, and one more is refused',
    (interval, days) => {
      const from = addUtcDays(last, days);
      const more = addUtcDays(from, -1);
      expect(() => requireCandleCount({ from, to: last }, interval)).not.toThrow();
      expect(() => requireCandleCount({ from: more, to: last }, interval)).toThrow('At most 1000');
    },
  );

  test('without from the range is the newest MAX_CANDLES candles', () => {
    const all = { from: addUtcDays(last, -36_525), to: last };
    expect(newestCandles(all, 'day').from).toBe(addUtcDays(last, -999));
    expect(newestCandles(all, 'month').from).toBe('1943-08-01');
    const few = { from: addUtcDays(last, -30), to: last };
    for (const interval of INTERVALS) expect(newestCandles(few, interval)).toEqual(few);
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...INTERVALS), (to, interval) => {
        const range = newestCandles({ from: addUtcDays(to, -40_000), to }, interval);
        expect(() => requireCandleCount(range, interval)).not.toThrow();
      }),
      { numRuns: 20 },
    );
  });
});

describe('contract §10: folding days', () => {
  const now = startOfUtcDay(day('2026-11-22')) + 1;

  test("a candle begins with its period, within the plan's history", () => {
    const range = { from: day('2026-11-18'), to: day('2026-11-20') };
    const read = (depth: number | null) => daysToRead(range, { interval: 'week', now, depth });
    expect(read(30)).toEqual({ from: '2026-11-16', to: '2026-11-20' });
    expect(read(null)).toEqual({ from: '2026-11-16', to: '2026-11-20' });
    expect(read(5)).toEqual({ from: '2026-11-17', to: '2026-11-20' });
  });

  test('open is of the first day, close of the last, and the extremes of all days', () => {
    const days = [
      candle('2026-11-09', { open: 5, low: 4 }),
      candle('2026-11-11', { high: 30, captures: 5 }),
      candle('2026-11-15', { close: 7, low: 6 }),
    ];
    const read = { from: day('2026-11-02'), to: day('2026-11-15') };
    expect(foldCandles(days, { interval: 'week', read, now })).toEqual([
      {
        date: '2026-11-09',
        open: 5,
        high: 30,
        low: 4,
        close: 7,
        captures: 9,
        openedAt: days[0]?.openedAt,
        closedAt: days[2]?.closedAt,
        complete: true,
      },
    ]);
  });

  test('a period is complete after its end, and only when all its days were read', () => {
    const days = [candle('2026-11-16')];
    const whole = { from: day('2026-11-16'), to: day('2026-11-22') };
    const complete = (read: typeof whole, at: number) =>
      foldCandles(days, { interval: 'week', read, now: at })[0]?.complete;
    const end = endOfUtcDay(day('2026-11-22'));
    expect([complete(whole, end - 1), complete(whole, end)]).toEqual([false, true]);
    expect(complete({ ...whole, from: day('2026-11-17') }, end)).toBe(false);
    expect(complete({ ...whole, to: day('2026-11-21') }, end)).toBe(false);
  });

  test('weeks and months close with their last day and count every capture', () => {
    const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 60 });
    fc.assert(
      fc.property(numbers, fc.constantFrom(...INTERVALS), (offsets, interval) => {
        const days = offsets
          .toSorted((a, b) => a - b)
          .map((offset) => {
            const on = addUtcDays(day('2026-01-01'), offset);
            return candle(on, { close: offset, high: 500 + offset, captures: 1 + offset });
          });
        const read = { from: day('2026-01-01'), to: day('2026-11-22') };
        const folded = foldCandles(days, { interval, read, now });
        const last = lastOfPeriods(days, interval, ({ day: on }) => on);
        expect(folded.map(({ close }) => close)).toEqual(last.map(({ close }) => close));
        const total = (list: readonly { captures: number }[]) =>
          list.reduce((sum, { captures }) => sum + captures, 0);
        expect(total(folded)).toBe(total(days));
        for (const { open, high, low, close } of folded) {
          expect(Math.max(open, close, low)).toBeLessThanOrEqual(high);
        }
      }),
    );
  });
});

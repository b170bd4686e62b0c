import { describe, expect, test } from 'vitest';
import { type CaracasDay, parseCaracasDay, parseUtcDay, type UtcDay } from '../time.ts';
import { coverageOfDays, coverageOfValueDates, type DayRun } from './coverage.ts';
import type { OfficialDay } from './official-days.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');

function utc(date: number): UtcDay {
  const day = parseUtcDay(`2026-11-${String(date).padStart(2, '0')}`);
  if (day === undefined) throw new Error(`November has no day ${date}.`);
  return day;
}

function caracas(date: number): CaracasDay {
  const day = parseCaracasDay(utc(date));
  if (day === undefined) throw new Error(`November has no day ${date}.`);
  return day;
}

const runs = (...given: readonly (readonly [number, number])[]): readonly DayRun[] =>
  given.map(([from, to]) => ({ from: utc(from), to: utc(to) }));

describe('contract §21 the coverage of a market without value dates', () => {
  const coverage = (given: readonly DayRun[], from = 1) => coverageOfDays(given, utc(from), NOW);

  test('has the first and the last day, their number, and the gaps up to yesterday', () => {
    expect(coverage(runs([10, 12], [15, 15], [20, 22]))).toEqual({
      firstDate: utc(10),
      lastDate: utc(22),
      days: 7,
      missing: runs([13, 14], [16, 19], [23, 24]),
    });
  });

  test.each([
    ['yesterday', 24],
    ['today', 25],
  ])('has no gap at its end when its last day is %s', (_, last) => {
    expect(coverage(runs([20, last])).missing).toEqual([]);
  });

  test('has the running day alone', () => {
    expect(coverage(runs([25, 25]))).toMatchObject({ days: 1, missing: [] });
  });

  test('counts a run from the first day of the depth, and clips a gap to it', () => {
    expect(coverage(runs([10, 12], [15, 15]), 11)).toMatchObject({
      ...{ firstDate: utc(11), days: 3 },
      missing: runs([13, 14], [16, 24]),
    });
    expect(coverage(runs([10, 10], [20, 24]), 18)).toMatchObject({
      ...{ firstDate: utc(20), days: 5 },
      missing: runs([18, 19]),
    });
    expect(coverage(runs([17, 17], [18, 24]), 18)).toMatchObject({ days: 7, missing: [] });
  });

  test('without a day within the depth lacks all of it, and without any day nothing', () => {
    const none = { firstDate: undefined, lastDate: undefined, days: 0 };
    expect(coverage(runs([10, 10]), 18)).toEqual({ ...none, missing: runs([18, 24]) });
    expect(coverage([], 18)).toEqual({ ...none, missing: [] });
  });
});

describe('contract §21 the coverage of an official market', () => {
  const row = (date: number): OfficialDay => ({
    ...{ date: caracas(date), valueDate: caracas(date), rate: 800 },
    ...{ isBusinessDay: true, carriedDays: 0, readAt: 0, nextBanking: undefined },
  });

  test('has runs of missing business days, none of which reaches over another day or has today', () => {
    const missing = [13, 16, 17, 18, 20, 24, 25].map(caracas);
    expect(coverageOfValueDates({ rows: [row(12), row(19)], missing }, NOW)).toEqual({
      firstDate: caracas(12),
      lastDate: caracas(19),
      days: 2,
      missing: runs([13, 13], [16, 18], [20, 20], [24, 24]),
    });
  });

  test('without a value date has neither days nor gaps', () => {
    expect(coverageOfValueDates({ rows: [], missing: [] }, NOW)).toEqual({
      ...{ firstDate: undefined, lastDate: undefined },
      ...{ days: 0, missing: [] },
    });
  });
});

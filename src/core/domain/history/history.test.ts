import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { addUtcDays, parseUtcDay, type UtcDay, utcDayOf } from '../time.ts';
import {
  effectiveRange,
  firstDayInRetention,
  MAX_RAW_POINTS,
  requireBegun,
  requireInRetention,
  requireRangeInRetention,
} from './history.ts';

const NOW = Date.UTC(2026, 10, 21, 2);

function day(text: string): UtcDay {
  const parsed = parseUtcDay(text);
  if (parsed === undefined) throw new Error(`${text} is no day.`);
  return parsed;
}

const TODAY = day('2026-11-21');

function problemOf(act: () => unknown): ApiError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const OF_PLANS = [7, 30, 90, 180, 365].map((days) => ({ plan: `plan of ${days}`, days }));
const depthOf = (days: number | null) => ({ days, ofPlans: OF_PLANS });
const requireDate = (date: UtcDay, now: number, days: number | null) =>
  requireInRetention({ field: 'date', day: date }, now, depthOf(days));

describe.each([7, 30, 90, 180, 365])('a retention of %i days', (days) => {
  const first = addUtcDays(TODAY, -days);
  const before = addUtcDays(TODAY, -days - 1);

  test('§4.3.6 reaches to today minus its days, and no further', () => {
    expect(firstDayInRetention(TODAY, days)).toBe(first);
    expect(problemOf(() => requireDate(first, NOW, days))).toBeUndefined();
    const problem = problemOf(() => requireDate(before, NOW, days));
    expect(problem?.code).toBe('history_out_of_retention');
    expect(problem?.status).toBe(403);
    expect(problem?.options.field).toBe('date');
    expect(problem?.options.details).toEqual({
      max_days: days,
      earliest: first,
      required_plan: OF_PLANS.find((one) => one.days > days)?.plan ?? null,
    });
  });

  test('§4.3.6 lets a range begin on its first day, not earlier', () => {
    const check = (from: UtcDay) => () =>
      requireRangeInRetention(effectiveRange({ from }, NOW, days), NOW, depthOf(days));
    expect(problemOf(check(first))).toBeUndefined();
    expect(problemOf(check(before))?.code).toBe('history_out_of_retention');
    expect(problemOf(check(before))?.options.field).toBe('from');
  });

  test('§4.3.6 refuses a range without from that ends before its first day', () => {
    const check = (to: UtcDay) => () =>
      requireRangeInRetention(effectiveRange({ to }, NOW, days), NOW, depthOf(days));
    expect(problemOf(check(first))).toBeUndefined();
    expect(problemOf(check(before))?.code).toBe('history_out_of_retention');
    expect(problemOf(check(before))?.options.field).toBe('to');
  });
});

describe('retention', () => {
  test('§4.3.6 days are counted back in UTC, over a leap day and to midnight', () => {
    expect(firstDayInRetention(day('2024-03-01'), 7)).toBe('2024-02-23');
    expect(firstDayInRetention(day('2026-03-01'), 7)).toBe('2026-02-22');
    const midnight = Date.UTC(2026, 10, 21);
    const edge = day('2026-11-13');
    expect(problemOf(() => requireDate(edge, midnight - 1, 7))).toBeUndefined();
    expect(problemOf(() => requireDate(edge, midnight, 7))?.status).toBe(403);
  });

  test('contract §4: a refused day names the cheapest plan that reaches it, or none', () => {
    const planFor = (text: string) =>
      problemOf(() => requireDate(day(text), NOW, 7))?.options.details?.['required_plan'];
    expect(planFor('2026-10-22')).toBe('plan of 30');
    expect(planFor('2026-10-21')).toBe('plan of 90');
    expect(planFor('2025-11-20')).toBeNull();
  });

  test('contract §3: a retention of null refuses no day, however old', () => {
    for (const text of ['2026-11-21', '1999-01-01', '1926-11-20', '1900-01-01', '1000-01-01']) {
      expect([text, problemOf(() => requireDate(day(text), NOW, null))]).toEqual([text, undefined]);
    }
  });

  test('§8 a raw series has at most 5000 points', () => {
    expect(MAX_RAW_POINTS).toBe(5000);
  });
});

describe('dates', () => {
  test('§4.3 today is accepted as a date, tomorrow is not', () => {
    expect(
      problemOf(() => requireBegun('date', TODAY, utcDayOf(NOW), { now: NOW })),
    ).toBeUndefined();
    const problem = problemOf(() =>
      requireBegun('date', day('2026-11-22'), utcDayOf(NOW), { now: NOW }),
    );
    expect([problem?.code, problem?.options.field]).toEqual(['invalid_format', 'date']);
  });

  test('§4.3 today is the UTC day: at 02:00 UTC it is not yet that of Caracas', () => {
    const midnight = Date.UTC(2026, 10, 21);
    expect(
      problemOf(() => requireBegun('date', TODAY, utcDayOf(midnight - 1), { now: midnight - 1 }))
        ?.code,
    ).toBe('invalid_format');
    expect(
      problemOf(() => requireBegun('date', TODAY, utcDayOf(midnight), { now: midnight })),
    ).toBeUndefined();
  });
});

describe('ranges', () => {
  test('§4.3 without from and to the range is the window of the plan', () => {
    expect(effectiveRange({}, NOW, 7)).toEqual({ from: '2026-11-14', to: '2026-11-21' });
  });

  test('§4.3 a future to is capped at today', () => {
    const range = effectiveRange({ from: day('2026-11-20'), to: day('2027-01-01') }, NOW, 7);
    expect(range).toEqual({ from: '2026-11-20', to: '2026-11-21' });
    expect(effectiveRange({ to: day('2026-11-22') }, NOW, 7).to).toBe('2026-11-21');
  });

  test('contract §2: a future from is refused, also with a later to', () => {
    for (const to of [undefined, day('2026-11-30')]) {
      const problem = problemOf(() => effectiveRange({ from: day('2026-11-22'), to }, NOW, 7));
      expect([problem?.code, problem?.options.field]).toEqual(['invalid_format', 'from']);
    }
  });

  test('contract §2: from may equal to but not follow it', () => {
    const same = day('2026-11-19');
    expect(effectiveRange({ from: same, to: same }, NOW, 7)).toEqual({ from: same, to: same });
    const problem = problemOf(() => effectiveRange({ from: day('2026-11-20'), to: same }, NOW, 7));
    expect([problem?.code, problem?.options.field]).toEqual(['invalid_format', 'from']);
  });

  test('§4.3 an accepted range lies within the plan and is in order', () => {
    const offset = fc.option(fc.integer({ min: -400, max: 40 }), { nil: undefined });
    fc.assert(
      fc.property(offset, offset, fc.constantFrom(7, 30, 90, 180, 365), (from, to, days) => {
        const asked = {
          from: from === undefined ? undefined : addUtcDays(TODAY, from),
          to: to === undefined ? undefined : addUtcDays(TODAY, to),
        };
        const problem = problemOf(() => {
          const range = effectiveRange(asked, NOW, days);
          requireRangeInRetention(range, NOW, depthOf(days));
          expect(range.from >= firstDayInRetention(TODAY, days)).toBe(true);
          expect(range.from <= range.to && range.to <= TODAY).toBe(true);
        });
        const wrong = from !== undefined && (from > 0 || (to !== undefined && from > to));
        const tooOld = (from ?? -days) < -days || (to ?? 0) < -days;
        expect(problem?.status).toBe(wrong ? 400 : tooOld ? 403 : undefined);
      }),
      { numRuns: 500 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { bankCalendar } from '../calendar.ts';
import { addCaracasDays, startOfCaracasDay } from '../time.ts';
import {
  carriedDays,
  DATE_RULES,
  lastKnownDay,
  reachesDay,
  requireDayInDepth,
  requireKnownDay,
  wantedRate,
} from './past-dates.ts';

/** Monday the 23rd is a holiday. */
const calendar = bankCalendar({
  announcedUntil: day('2026-12-31'),
  names: new Map([[day('2026-11-23'), 'Virgen de Chiquinquirá']]),
});

const anyDay = fc
  .integer({ min: 0, max: 700 })
  .map((days) => addCaracasDays(day('2025-01-01'), days));

describe('past dates', () => {
  test.each([
    ['2026-11-20', 'value_date', '2026-11-20', '2026-11-20'],
    ['2026-11-20', 'next_banking_day', '2026-11-20', '2026-11-20'],
    ['2026-11-21', 'value_date', '2026-11-20', '2026-11-21'],
    ['2026-11-23', 'value_date', '2026-11-20', '2026-11-23'],
    ['2026-11-21', 'next_banking_day', '2026-11-24', '2026-11-24'],
    ['2026-11-23', 'next_banking_day', '2026-11-24', '2026-11-24'],
  ] as const)('contract §9: %s by %s is answered by %s', (date, rule, expected, upTo) => {
    expect(wantedRate({ date: day(date), rule }, calendar)).toEqual({ expected, upTo });
  });

  test('contract §9: the rules agree on a business day, else take the business day before or after', () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        const [inForce, next] = DATE_RULES.map((rule) => wantedRate({ date, rule }, calendar));
        if (inForce === undefined || next === undefined) throw new Error('there are two rules');
        expect(calendar.isBusinessDay(inForce.expected)).toBe(true);
        expect(calendar.isBusinessDay(next.expected)).toBe(true);
        if (calendar.isBusinessDay(date)) expect(inForce).toEqual(next);
        else expect([inForce.expected < date, date < next.expected]).toEqual([true, true]);
        // No business day lies between.
        expect(calendar.nextValueDate(inForce.expected) >= next.expected).toBe(true);
      }),
    );
  });

  test('contract §9: a rate is carried forward from its value date, never back', () => {
    expect(carriedDays(day('2026-11-20'), day('2026-11-23'))).toBe(3);
    expect(carriedDays(day('2026-11-20'), day('2026-11-20'))).toBe(0);
    expect(carriedDays(day('2026-11-24'), day('2026-11-21'))).toBe(0);
  });

  test('contract §9: a day begins at midnight in Caracas', () => {
    const date = day('2026-11-21');
    const start = startOfCaracasDay(date);
    const asked = { field: 'date', day: date };
    expect(() => requireKnownDay(asked, { now: start })).not.toThrow();
    expect(() => requireKnownDay(asked, { now: start - 1 })).toThrow(
      'date must not be in the future.',
    );
  });

  test('contract §9: an official day is known up to the newest value date, or today', () => {
    const now = startOfCaracasDay(day('2026-11-20'));
    const known = { now, lastValueDate: day('2026-11-24') };
    const ask = (text: string) => () => requireKnownDay({ field: 'to', day: day(text) }, known);
    expect(ask('2026-11-24')).not.toThrow();
    expect(ask('2026-11-25')).toThrow(
      expect.objectContaining({
        message: 'to must not be after 2026-11-24, the newest value date.',
        options: expect.objectContaining({
          field: 'to',
          details: { rule: 'future_day', today: '2026-11-20', last_value_date: '2026-11-24' },
        }),
      }),
    );
    expect(lastKnownDay(now, day('2026-11-19'))).toBe('2026-11-20');
    expect(lastKnownDay(now, undefined)).toBe('2026-11-20');
  });

  test('contract §9: with 7 days, today minus 7 is reached and today minus 8 is not', () => {
    const now = startOfCaracasDay(day('2026-11-21'));
    expect(reachesDay(7, day('2026-11-14'), now)).toBe(true);
    expect(reachesDay(7, day('2026-11-13'), now)).toBe(false);
    expect(reachesDay(null, day('1999-01-01'), now)).toBe(true);
    expect(() => requireDayInDepth({ days: 7, ofPlans: [] }, day('2026-11-13'), now)).toThrow(
      '7 days',
    );
    expect(() => requireDayInDepth({ days: 0, ofPlans: [] }, day('2026-11-21'), now)).not.toThrow();
  });
});

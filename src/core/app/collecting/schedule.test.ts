import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { bankCalendar } from '../../domain/calendar.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import type { ScheduleRule } from '../ports/sources.ts';
import { nextTurn } from './schedule.ts';

const at = (text: string): Instant => Date.parse(text);

/** Monday 23 November 2026 is a bank holiday here. */
const calendar = bankCalendar({
  announcedUntil: day('2026-12-31'),
  names: new Map([[day('2026-11-23'), 'a holiday']]),
});

/** The next turn, as the time in UTC; Caracas is four hours behind. */
function next(rules: readonly ScheduleRule[], after: string, newest?: string): string | undefined {
  const newestValueDate = newest === undefined ? undefined : day(newest);
  const time = nextTurn(rules, at(after), { calendar, newestValueDate });
  return time === undefined ? undefined : isoInstant(time);
}

const always = (cron: string): ScheduleRule => ({ cron, whileExpected: false });
const expected = (cron: string): ScheduleRule => ({ cron, whileExpected: true });

describe('the next turn of a source', () => {
  test('is in Caracas time, strictly after the instant', () => {
    const rules = [always('30 14 * * *')];
    expect(next(rules, '2026-11-20T18:29:59.999Z')).toBe('2026-11-20T18:30:00.000Z');
    expect(next(rules, '2026-11-20T18:30:00.000Z')).toBe('2026-11-21T18:30:00.000Z');
  });

  test('is the earliest of its rules, and there is none without rules', () => {
    const rules = [always('0 20 * * *'), always('15 * * * *')];
    expect(next(rules, '2026-11-20T18:30:00Z')).toBe('2026-11-20T19:15:00.000Z');
    expect(next([], '2026-11-20T18:30:00Z')).toBeUndefined();
  });

  test('a rule for an expected publication skips weekends and bank holidays', () => {
    const rules = [expected('30 14 * * *')];
    // Friday's is stored: the next business day is Tuesday.
    expect(next(rules, '2026-11-20T18:30:00Z', '2026-11-24')).toBe('2026-11-24T18:30:00.000Z');
  });

  test("a rule for an expected publication has turns until the next business day's rate is stored", () => {
    const rules = [expected('*/10 14-15 * * *')];
    const time = '2026-11-20T18:30:00Z';
    expect(next(rules, time)).toBe('2026-11-20T18:40:00.000Z');
    expect(next(rules, time, '2026-11-20')).toBe('2026-11-20T18:40:00.000Z');
    expect(next(rules, time, '2026-11-24')).toBe('2026-11-24T18:00:00.000Z');
  });

  test('other rules continue after the publication is stored', () => {
    const rules = [expected('*/10 14-18 * * *'), always('30 14-23 * * *')];
    const time = '2026-11-20T18:30:00Z';
    expect(next(rules, time, '2026-11-20')).toBe('2026-11-20T18:40:00.000Z');
    expect(next(rules, time, '2026-11-24')).toBe('2026-11-20T19:30:00.000Z');
  });

  test('a wrong value date far ahead postpones turns by at most 60 days', () => {
    const rules = [expected('0 15 * * *')];
    expect(next(rules, '2026-11-20T12:00:00Z', '2099-01-01')).toBe('2027-01-19T19:00:00.000Z');
  });
});

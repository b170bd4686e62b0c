import { expect, test } from 'vitest';
import { demoUsage } from './usage.ts';

const HOLDER = { accountId: 'acc_1', keyIds: ['key_1', 'key_2'] };
const NOW = Date.parse('2026-11-28T15:00:00Z');

test.each([[1_000], [300_000], [null]])(
  'a demonstration shows 30 days of calls that add up, and leaves most units of a plan of %s',
  (unitsPerMonth) => {
    const { days, unitsOfMonth } = demoUsage({ ...HOLDER, unitsPerMonth }, NOW);
    const dates = [...new Set(days.map(({ day }) => day))];
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([30, '2026-10-29', '2026-11-27']);
    for (const { calls, units, clientErrors, serverErrors } of days) {
      expect(calls - clientErrors - serverErrors).toBe(units);
    }
    expect(days.some(({ clientErrors }) => clientErrors > 0)).toBe(true);
    expect(new Set(days.map(({ keyId }) => keyId))).toEqual(new Set(HOLDER.keyIds));
    const ofMonth = days.filter(({ day }) => day >= '2026-11-01');
    expect(ofMonth.reduce((sum, { units }) => sum + units, 0)).toBe(unitsOfMonth);
    if (unitsPerMonth !== null) expect(unitsOfMonth).toBeLessThan(unitsPerMonth / 4);
  },
);

test('on the first of a month a demonstration has spent no unit of it', () => {
  const first = Date.parse('2026-12-01T00:00:00Z');
  expect(demoUsage({ ...HOLDER, unitsPerMonth: 1_000 }, first).unitsOfMonth).toBe(0);
});

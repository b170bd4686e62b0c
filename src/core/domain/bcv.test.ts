import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../testkit/day.ts';
import {
  type BankRow,
  type BankTable,
  judgeBankRows,
  OTHER_CURRENCIES,
  PUBLISHED_CURRENCIES,
} from './bcv.ts';

function table(indicatorDate: string, rows: readonly [string, string][]): BankTable {
  return {
    indicatorDate: day(indicatorDate),
    rows: rows.map(([bank, date]) => ({ bank, buy: 888.1, sell: 889.9, date: day(date) })),
    capturedAt: Date.UTC(2026, 10, 20, 21, 10),
  };
}

describe('the bank table', () => {
  test("§2.8 a row of the table's date is fresh, one of another date is stale", () => {
    const rows = judgeBankRows(
      table('2026-11-20', [
        ['A', '2026-11-20'],
        ['B', '2026-11-19'],
        ['C', '2026-11-21'],
      ]),
    );
    expect(rows.map(({ bank, stale, daysBehind }) => ({ bank, stale, daysBehind }))).toEqual([
      { bank: 'A', stale: false, daysBehind: 0 },
      { bank: 'C', stale: true, daysBehind: 0 },
      { bank: 'B', stale: true, daysBehind: 1 },
    ]);
  });

  test.each([
    ['2026-03-01', '2026-02-28', 1],
    ['2024-03-01', '2024-02-28', 2],
    ['2027-01-01', '2026-12-31', 1],
    ['2026-11-20', '2025-11-20', 365],
  ])('§2.8 at %s a row of %s is %i days behind', (indicator, date, behind) => {
    expect(judgeBankRows(table(indicator, [['A', date]]))[0]?.daysBehind).toBe(behind);
  });

  test('§2.8 the rows of the main publication come first, in the order of the source', () => {
    const date = fc.integer({ min: 14, max: 22 }).map((of) => `2026-11-${of}`);
    fc.assert(
      fc.property(fc.array(date, { maxLength: 20 }), (dates) => {
        const given = table(
          '2026-11-20',
          dates.map((of, position): [string, string] => [String(position), of]),
        );
        const judged = judgeBankRows(given);
        const names = (rows: readonly BankRow[]) => rows.map(({ bank }) => bank);
        expect(names(judged).toSorted()).toEqual(names(given.rows).toSorted());
        const fresh = given.rows.filter(({ date: of }) => of === given.indicatorDate);
        expect(names(judged.slice(0, fresh.length))).toEqual(names(fresh));
        expect(judged.every(({ daysBehind }) => daysBehind >= 0)).toBe(true);
        expect(given.rows.map(({ date: of }) => of)).toEqual(dates);
      }),
    );
  });

  test('§2.8 a side that the bank did not publish stays absent', () => {
    const [row] = judgeBankRows({
      indicatorDate: day('2026-11-20'),
      rows: [{ bank: 'A', buy: 888.1, date: day('2026-11-20') }],
      capturedAt: 0,
    });
    expect(row).toEqual({
      bank: 'A',
      buy: 888.1,
      date: '2026-11-20',
      stale: false,
      daysBehind: 0,
    });
  });
});

test('§2.9 the other currencies are the published ones without the dollar', () => {
  expect(OTHER_CURRENCIES).toEqual(PUBLISHED_CURRENCIES.filter((code) => code !== 'USD'));
  expect(OTHER_CURRENCIES).toEqual(['EUR', 'CNY', 'TRY', 'RUB']);
});

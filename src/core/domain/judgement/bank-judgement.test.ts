import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { BankRow } from '../bcv.ts';
import { type BankRowContext, bankRowDoubt, tableDoubts } from './bank-judgement.ts';

const { thresholds } = loadJudgement('catalog');

const row = (buy: number, sell = buy): BankRow => ({
  bank: 'Uno',
  buy,
  sell,
  date: day('2026-11-20'),
});
const reason = (one: BankRow, context: Partial<BankRowContext>) =>
  bankRowDoubt(one, { official: undefined, last: undefined, held: [], ...context }, thresholds)
    ?.reason;

describe('rows of a bank table (contract §8)', () => {
  test.each([
    [560, undefined],
    [559.99, 'row_apart'],
    [1_200, undefined],
    [1_200.01, 'row_apart'],
  ])('the band is 0.7 to 1.5 times the official rate: %d of 800 gives %s', (value, expected) => {
    expect(reason(row(value), { official: 800 })).toBe(expected);
    expect(reason(row(800, value), { official: 800 })).toBe(expected);
  });

  test.each([
    [1_200, undefined],
    [1_200.01, 'row_apart'],
    [533.34, undefined],
    [533.33, 'row_apart'],
  ])("the largest ratio to the bank's last row is 1.5: %d to 800 gives %s", (value, expected) => {
    expect(reason(row(value), { last: row(800) })).toBe(expected);
  });

  test('both sides of a row repeated in a second table pass', () => {
    const official = 800;
    expect(reason(row(8_000), { official, held: [row(8_100)] })).toBeUndefined();
    expect(reason(row(8_000), { official, held: [row(9_000)] })).toBe('row_apart');
    const { sell: _, ...oneSided } = row(8_000);
    expect(reason(oneSided, { official, held: [row(8_000)] })).toBe('row_apart');
  });

  test('a row without another to compare passes', () => {
    expect(reason(row(1e-6), {})).toBeUndefined();
  });
});

describe('a bank table as a whole', () => {
  const capturedAt = Date.parse('2026-11-20T20:00:00Z');
  const table = (date: string, rows: number) => ({
    kind: 'bank_table' as const,
    indicatorDate: day(date),
    rows: Array.from({ length: rows }, () => row(800)),
  });
  const last = { ...table('2026-11-19', 8), capturedAt: capturedAt - 1 };
  const known = { rates: new Map(), publications: [], witnessed: new Map(), bankTables: [last] };
  const reasons = (date: string, rows: number) =>
    tableDoubts(table(date, rows), capturedAt, known, { thresholds }).map(({ reason: one }) => one);

  test.each([
    ['2026-11-20', 4, []],
    ['2026-11-20', 3, ['rows_lost']],
    ['2026-11-18', 8, ['date_back']],
    ['2026-11-30', 8, []],
    ['2026-12-01', 8, ['date_ahead']],
  ])('dated %s with %d of 8 rows: %j', (date, rows, expected) => {
    expect(reasons(date, rows)).toEqual(expected);
  });
});

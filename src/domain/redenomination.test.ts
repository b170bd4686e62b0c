import { describe, expect, test } from 'vitest';
import { redenominations } from './redenomination.ts';
import { type CaracasDay, parseCaracasDay } from './time.ts';

function day(text: string): CaracasDay {
  const parsed = parseCaracasDay(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

const reform = (on: string, factor: number) => ({ on: day(on), factor, name: 'nuevo' });
const between = (from: string, to: string) => ({ from: day(from), to: day(to) });

const PAST = [reform('2018-08-20', 100_000), reform('2021-10-01', 1_000_000)];
const thousand = redenominations([...PAST, reform('2027-01-04', 1_000)]);
const EVE = between('2027-01-03', '2027-01-04');

describe('a figure in the unit of another day (decisions §1)', () => {
  test('is divided by the factor from the day of the reform on, and not on the eve', () => {
    expect(thousand.rebased(940.25, between('2027-01-02', '2027-01-03'))).toBe(940.25);
    expect(thousand.rebased(940.25, EVE)).toBe(0.94025);
    expect(thousand.rebased(0.94025, between('2027-01-04', '2027-01-05'))).toBe(0.94025);
  });

  test('is multiplied on the way back, exactly', () => {
    expect(thousand.rebased(0.94025, between('2027-01-04', '2027-01-03'))).toBe(940.25);
  });

  test('the reforms that stored figures are converted by already change nothing', () => {
    const days = between('2018-08-19', '2021-10-01');
    expect(redenominations(PAST).rebased(5, days)).toBe(5);
    expect(thousand.after(between('2000-01-01', '2026-12-31'))).toEqual([]);
    // A later one is not hidden by them.
    expect(thousand.rebased(5, between('2018-08-19', '2027-01-04'))).toBe(0.005);
  });

  test('several reforms multiply', () => {
    const two = redenominations([reform('2027-01-04', 1_000), reform('2028-01-01', 100)]);
    expect(two.rebased(940.25, between('2027-01-03', '2028-01-01'))).toBe(0.0094025);
    expect(two.rebased(0.0094025, between('2028-01-01', '2027-01-03'))).toBe(940.25);
  });

  test('keeps all of its digits, and has at most 15 where the division does not end', () => {
    expect(thousand.rebased(612.345678901234, EVE)).toBe(0.612345678901234);
    const third = redenominations([reform('2027-01-04', 3)]);
    expect(third.rebased(1, EVE)).toBe(0.333333333333333);
    expect(third.rebased(200, EVE)).toBe(66.6666666666667);
    expect(third.rebased(3, EVE)).toBe(1);
  });

  test('a price keeps the sides that it has', () => {
    expect(thousand.rebasedSides({ mid: 1_000, ask: 2_000 }, EVE)).toEqual({ mid: 1, ask: 2 });
    const price = { mid: 1_000 };
    expect(thousand.rebasedSides(price, between('2027-01-04', '2027-01-09'))).toBe(price);
  });
});

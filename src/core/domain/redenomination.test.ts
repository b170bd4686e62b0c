import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../testkit/day.ts';
import { multiply, toNumber } from './decimal.ts';
import { redenominations, shownUnits, storedUnitOf, unitOfDay } from './redenomination.ts';

const reform = (on: string, factor: number) => ({ on: day(on), factor, name: 'nuevo' });
const between = (from: string, to: string) => ({
  from: unitOfDay(day(from)),
  to: unitOfDay(day(to)),
});

const PAST = [reform('2018-08-20', 100_000), reform('2021-10-01', 1_000_000)];
const thousand = redenominations([...PAST, reform('2027-01-04', 1_000)]);
const EVE = between('2027-01-03', '2027-01-04');

describe('a figure in the unit of another day (contract §1)', () => {
  test('is divided by the factor from the day of the reform on, and not on the eve', () => {
    expect(thousand.rebased(940.25, between('2027-01-02', '2027-01-03'))).toBe(940.25);
    expect(thousand.rebased(940.25, EVE)).toBe(0.94025);
    expect(thousand.rebased(0.94025, between('2027-01-04', '2027-01-05'))).toBe(0.94025);
  });

  test('is multiplied on the way back, exactly', () => {
    expect(thousand.rebased(0.94025, between('2027-01-04', '2027-01-03'))).toBe(940.25);
  });

  test('figures of before 1 October 2021 are stored in the unit of that day, and shown in their own', () => {
    const shown = (figure: number, on: string) =>
      thousand.rebased(figure, shownUnits(day(on), { on: day(on) }));
    expect(shown(0.0778934605, '2020-03-30')).toBe(77_893.4605);
    expect(shown(4.181781835, '2021-09-30')).toBe(4_181_781.835);
    expect(shown(4.181781835, '2021-10-01')).toBe(4.181781835);
    expect(shown(6e-11, '2018-08-19')).toBe(6);
    expect(shown(6e-5, '2018-08-20')).toBe(60);
    expect(shown(940.25, '2027-01-04')).toBe(940.25);
  });

  test('the units in which figures are stored differ only by reforms after 1 October 2021', () => {
    const stored = (from: string, to: string) => ({
      from: storedUnitOf(day(from)),
      to: storedUnitOf(day(to)),
    });
    expect(thousand.after(stored('2016-01-01', '2027-01-03'))).toEqual([]);
    expect(thousand.rebased(5, stored('2018-08-19', '2021-10-01'))).toBe(5);
    // A later one is not hidden by them.
    expect(thousand.rebased(5, stored('2018-08-19', '2027-01-04'))).toBe(0.005);
  });

  test('there and back gives the same figure, and the product of the factors is the way', () => {
    const days = [
      '2016-08-24',
      '2018-08-19',
      '2018-08-20',
      '2021-09-30',
      '2021-10-01',
      '2027-01-04',
    ];
    const figures = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 8 }))
      .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
    fc.assert(
      fc.property(figures, fc.constantFrom(...days), fc.constantFrom(...days), (figure, a, b) => {
        const units = a < b ? between(a, b) : between(b, a);
        const there = thousand.rebased(figure, units);
        expect(thousand.rebased(there, { from: units.to, to: units.from })).toBe(figure);
        const factor = thousand.after(units).reduce((all, one) => all * one.factor, 1);
        expect(toNumber(multiply(there, factor))).toBe(figure);
      }),
    );
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

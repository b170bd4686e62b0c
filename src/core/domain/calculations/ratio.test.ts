import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factorOf, isAway, isOutside, isRatioOver, medianOf } from './ratio.ts';

const rate = fc.double({ min: 1e-6, max: 1e9, noNaN: true });

describe('ratios (contract §8)', () => {
  test('the larger over the smaller is the same in both directions', () => {
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 1.01, max: 3, noNaN: true }), (a, b, limit) => {
        expect(isRatioOver(a, b, limit)).toBe(isRatioOver(b, a, limit));
      }),
    );
  });

  test.each([
    [1_300, 1_000, 1.3, false],
    [1_300.00000001, 1_000, 1.3, true],
    [1_000, 1_300, 1.3, false],
    [1_000, 1_300.00000001, 1.3, true],
    [1.1, 1, 1.1, false],
    [0.11, 0.1, 1.1, false],
  ])('%d to %d is over a limit of %d: %s; the limit itself is not', (a, b, limit, expected) => {
    expect(isRatioOver(a, b, limit)).toBe(expected);
  });

  test.each([
    [560, false],
    [559.99999999, true],
    [4_000, false],
    [4_000.00000001, true],
    [800, false],
  ])('%d is outside of 0.7 to 5 times 800: %s', (value, expected) => {
    expect(isOutside(value, 800, { low: 0.7, high: 5 })).toBe(expected);
  });

  test.each([
    [120, false],
    [120.00000001, true],
    [80, false],
    [79.99999999, true],
  ])('%d is over 20 percent away from 100: %s', (value, expected) => {
    expect(isAway(value, 100, 20)).toBe(expected);
  });

  test('the median is the middle value, or the mean of the middle two', () => {
    expect([medianOf([]), medianOf([3]), medianOf([9, 1]), medianOf([5, 1, 2])]).toEqual([
      undefined,
      3,
      5,
      2,
    ]);
    expect([factorOf(10), factorOf(0.1)]).toEqual([1.1, 1.001]);
  });
});

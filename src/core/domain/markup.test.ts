import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyMarkup,
  MARKUP_TAG,
  MAX_FIXED,
  MAX_PERCENT,
  type MarkupRule,
  MIN_PERCENT,
} from './markup.ts';

function rule(given: Partial<MarkupRule>): MarkupRule {
  return { tag: 'shop', kind: 'percent', value: 0, markets: [], active: true, ...given };
}

const percent = (value: number, mid: number) =>
  applyMarkup(rule({ kind: 'percent', value }), { market: 'parallel', mid });
const fixed = (value: number, mid: number) =>
  applyMarkup(rule({ kind: 'fixed', value }), { market: 'parallel', mid });

describe('markups', () => {
  test.each([
    [0, 889.5754, 889.5754],
    [2.5, 889.5754, 911.8148],
    [-99, 889.5754, 8.8958],
    [1000, 889.5754, 9785.3294],
    [10, 0.00005, 0.0001],
    [0, 0.00005, 0.0001],
    [-50, 100.0001, 50.0001],
    [0.1, 3, 3.003],
  ])('contract §6: %d percent on %d is %d, at 4 decimals', (value, mid, expected) => {
    expect(percent(value, mid)).toBe(expected);
  });

  test.each([
    [5, 889.5754, 894.5754],
    [-5, 889.5754, 884.5754],
    [0.2, 0.1, 0.3],
    [0.00005, 1, 1.0001],
  ])('contract §6: %d VES on %d is %d', (value, mid, expected) => {
    expect(fixed(value, mid)).toBe(expected);
  });

  test('contract §6: a row whose result is not positive is left unmarked', () => {
    expect(fixed(-100, 100.0001)).toBe(0.0001);
    expect(fixed(-100, 100)).toBeUndefined();
    expect(fixed(-101, 100)).toBeUndefined();
    // The rate that would be shown has 4 decimals, and at those it is zero.
    expect(fixed(-100, 100.00004)).toBeUndefined();
    expect(percent(-99, 0.0049)).toBeUndefined();
    expect(percent(-99, 0.005)).toBe(0.0001);
  });

  test('contract §6: the result is never zero or negative, and has at most 4 decimals', () => {
    const mid = fc.double({ min: 1e-15, max: 1e15, noNaN: true });
    const change = fc.oneof(
      fc.record({
        kind: fc.constant('percent' as const),
        value: fc.double({ min: MIN_PERCENT, max: MAX_PERCENT, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant('fixed' as const),
        value: fc.double({ min: -MAX_FIXED, max: MAX_FIXED, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(change, mid, (given, rate) => {
        const marked = applyMarkup(rule(given), { market: 'parallel', mid: rate });
        if (marked === undefined) return;
        expect(marked).toBeGreaterThan(0);
        // Beyond 1e11 a double has no room for four decimals.
        if (marked < 1e11) expect(Number(marked.toFixed(4))).toBe(marked);
      }),
      { numRuns: 500 },
    );
  });

  test('contract §6: a percent gives the same as whole-number arithmetic', () => {
    const hundredths = fc.integer({ min: MIN_PERCENT * 100, max: MAX_PERCENT * 100 });
    const units = fc.integer({ min: 1, max: 10 ** 11 });
    fc.assert(
      fc.property(hundredths, units, (change, tenThousandths) => {
        const exact = BigInt(tenThousandths) * BigInt(10_000 + change);
        const expected = Number((exact + 5_000n) / 10_000n);
        const marked = percent(change / 100, tenThousandths / 10_000);
        expect(marked).toBe(expected === 0 ? undefined : expected / 10_000);
      }),
      { numRuns: 500 },
    );
  });

  test('contract §6: a rule covers the markets it lists, and all when it lists none', () => {
    const quote = { market: 'parallel', mid: 100 };
    expect(applyMarkup(rule({ value: 1, markets: ['parallel', 'cash'] }), quote)).toBe(101);
    expect(applyMarkup(rule({ value: 1, markets: [] }), quote)).toBe(101);
    expect(applyMarkup(rule({ value: 1, markets: ['cash'] }), quote)).toBeUndefined();
    expect(applyMarkup(rule({ value: 1, markets: ['PARALLEL'] }), quote)).toBeUndefined();
  });

  test('contract §6: a tag has 1 to 32 characters of a-z, 0-9, _ and -', () => {
    for (const tag of ['a', 'shop_1-x', '-', 'x'.repeat(32)]) {
      expect([tag, MARKUP_TAG.test(tag)]).toEqual([tag, true]);
    }
    for (const tag of ['', 'x'.repeat(33), 'Shop', 'a b', 'ñ', 'a\n', 'a.b']) {
      expect([tag, MARKUP_TAG.test(tag)]).toEqual([tag, false]);
    }
  });
});

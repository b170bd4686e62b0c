import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  decimal,
  divide,
  middle,
  multiply,
  round,
  significantDigits,
  subtract,
  sum,
  toNumber,
} from './decimal.ts';

/**
 * The oracle: a rational number over BigInt, which shares nothing with the decimal library, not
 * even the way it reads a text.
 */
interface Rational {
  readonly over: bigint;
  readonly under: bigint;
}

function rational(text: string): Rational {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = BigInt(whole + fraction) * (mantissa.startsWith('-') ? -1n : 1n);
  const power = Number(exponent) - fraction.length;
  const scale = 10n ** BigInt(Math.abs(power));
  return power >= 0 ? { over: digits * scale, under: 1n } : { over: digits, under: scale };
}

/** Rounded half away from zero, as plain text with exactly `places` decimals. */
function rounded({ over, under }: Rational, places: number): string {
  const positive = over < 0n === under < 0n;
  const [top, bottom] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const units = (2n * top * 10n ** BigInt(places) + bottom) / (2n * bottom);
  const digits = units.toString().padStart(places + 1, '0');
  const text =
    places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(digits.length - places)}`;
  return units === 0n || positive ? text : `-${text}`;
}

const plus = (a: Rational, b: Rational): Rational => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const times = (a: Rational, b: Rational): Rational => ({
  over: a.over * b.over,
  under: a.under * b.under,
});
const inverse = ({ over, under }: Rational): Rational => ({ over: under, under: over });
const opposite = ({ over, under }: Rational): Rational => ({ over: -over, under });

/** Compares exactly, through more places than any operand below can have. */
const exactly = (value: ReturnType<typeof decimal>) => rounded(rational(value.toString()), 700);

const plainText = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat({ max: 15 }))
  .map(([digits, places]) => rounded({ over: digits, under: 10n ** BigInt(places) }, places));
const doubleText = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 })
  .map((value) => (Object.is(value, -0) ? '0' : String(value)));
const number = fc.oneof(plainText, doubleText);
const nonZero = number.filter((text) => rational(text).over !== 0n);
const places = fc.nat({ max: 20 });

describe('arithmetic against rationals', () => {
  test('contract §2: a sum, a difference and a product are exact', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [left, right] = [rational(a), rational(b)];
        expect(exactly(add(a, b))).toBe(rounded(plus(left, right), 700));
        expect(exactly(subtract(a, b))).toBe(rounded(plus(left, opposite(right)), 700));
        expect(exactly(multiply(a, b))).toBe(rounded(times(left, right), 700));
      }),
      { numRuns: 300 },
    );
  });

  test('contract §2: a rounded value is the nearest one, half away from zero', () => {
    fc.assert(
      fc.property(number, places, (text, at) => {
        expect(
          round(text, at)
            .toFixed(at)
            .replace(/^-(?=[0.]*$)/, ''),
        ).toBe(rounded(rational(text), at));
      }),
      { numRuns: 500 },
    );
  });

  test('contract §2: exact halves of either sign round away from zero at every place', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), places, (digits, at) => {
        const half = {
          over: digits * 10n + (digits < 0n ? -5n : 5n),
          under: 10n ** BigInt(at + 1),
        };
        const expected = digits < 0n ? digits - 1n : digits + 1n;
        expect(round(rounded(half, at + 1), at).toFixed(at)).toBe(
          rounded({ over: expected, under: 10n ** BigInt(at) }, at),
        );
      }),
    );
  });

  test('contract §2: a quotient is rounded once, by its exact remainder', () => {
    fc.assert(
      fc.property(number, nonZero, places, (a, b, at) => {
        const expected = rounded(times(rational(a), inverse(rational(b))), at);
        expect(
          divide(a, b, at)
            .toFixed(at)
            .replace(/^-(?=[0.]*$)/, ''),
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('contract §2: a total does not depend on the order of its terms', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 50 }), (terms) => {
        const expected = terms.map(rational).reduce(plus, { over: 0n, under: 1n });
        expect(exactly(sum(terms))).toBe(rounded(expected, 700));
        expect(sum([...terms].reverse()).eq(sum(terms))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('contract §2: comparison has the order of rationals', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const gap = plus(rational(a), opposite(rational(b))).over;
        expect(compare(a, b)).toBe(gap > 0n ? 1 : gap < 0n ? -1 : 0);
      }),
    );
  });
});

describe('rounding', () => {
  test.each([
    ['1.005', 2, 1.01],
    ['1.004999999999999999999', 2, 1],
    ['-1.005', 2, -1.01],
    ['2.675', 2, 2.68],
    ['0.005', 2, 0.01],
    ['0.00499', 2, 0],
    ['999999999999.995', 2, 1e12],
    ['0.5', 0, 1],
    ['-0.5', 0, -1],
    ['5e-9', 8, 1e-8],
    ['4.9e-9', 8, 0],
  ])('contract §2: %s at %i places is %d', (text, at, expected) => {
    expect(toNumber(round(text, at))).toBe(expected);
  });

  test('contract §2: a double counts as its shortest text, so 1.005 rounds up to 1.01', () => {
    expect(toNumber(round(1.005, 2))).toBe(1.01);
    expect(toNumber(add(0.1, 0.2))).toBe(0.3);
  });

  test('contract §2: a quotient one part in 10^30 below a half is not rounded up', () => {
    const below = `0.00${'4'.padEnd(30, '9')}`;
    expect(toNumber(divide(below, 1, 2))).toBe(0);
    expect(toNumber(divide('0.005', 1, 2))).toBe(0.01);
  });

  test('contract §2: divisions at different places do not affect one another', () => {
    expect(toNumber(divide(2, 3, 2))).toBe(0.67);
    expect(toNumber(divide(2, 3, 8))).toBe(0.66666667);
    expect(toNumber(divide(2, 3, 2))).toBe(0.67);
    expect(divide(1, 3, 20).toFixed()).toBe('0.33333333333333333333');
  });

  test('contract §2: a negative value that rounds away leaves 0, never -0', () => {
    expect(Object.is(toNumber(round('-0.00001', 4)), 0)).toBe(true);
    expect(Object.is(toNumber(divide('-1', 1_000_000, 2)), 0)).toBe(true);
  });
});

describe('doubles', () => {
  test('contract §1: any double of up to 15 significant digits is read back unchanged', () => {
    const rate = fc
      .tuple(fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.integer({ min: -15, max: 0 }))
      .map(([digits, exponent]) => Number(`${digits}e${exponent}`));
    fc.assert(
      fc.property(rate, (value) => {
        expect(toNumber(decimal(value))).toBe(value);
        expect(significantDigits(value)).toBeLessThanOrEqual(15);
      }),
    );
  });

  test('contract §1: significant digits count neither leading nor trailing zeros', () => {
    const cases: [number, number][] = [
      [1, 1],
      [100, 1],
      [0.001, 1],
      [889.5754, 7],
      [-889.5754, 7],
      [1e21, 1],
      [5e-324, 1],
      [123_456_789_012_345, 15],
      [1_234_567_890_123_456, 16],
      [0.1 + 0.2, 17],
    ];
    for (const [value, digits] of cases)
      expect([value, significantDigits(value)]).toEqual([value, digits]);
  });

  test('contract §1: the middle of two sides lies between them, at 8 decimals', () => {
    const side = fc.integer({ min: 1, max: 10 ** 12 }).map((units) => units / 1e8);
    fc.assert(
      fc.property(side, side, (a, b) => {
        const half = { over: 1n, under: 2n };
        const exact = times(plus(rational(String(a)), rational(String(b))), half);
        expect(middle(a, b)).toBe(Number(rounded(exact, 8)));
        expect(middle(a, b)).toBe(middle(b, a));
      }),
    );
  });

  test.each([
    [890.1, 889.06, 889.58],
    [0.1, 0.2, 0.15],
    [1e-8, 2e-8, 2e-8],
    [1.000_000_01, 1, 1.000_000_01],
    [7, 7, 7],
  ])('contract §1: the middle of %d and %d is %d', (a, b, expected) => {
    expect(middle(a, b)).toBe(expected);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf, haveSameDecimals } from './amount.ts';

describe('amountOf', () => {
  test.each([
    ['889,57540000', 889.5754, 8],
    ['1.012,34560000', 1012.3456, 8],
    ['1012,34560000', 1012.3456, 8],
    ['0,40013579', 0.40013579, 8],
    ['0,00000001', 1e-8, 8],
    ['0,0000', 0, 4],
    ['107,90', 107.9, 2],
    ['4.181.781,8400', 4181781.84, 4],
    ['4181781,8400', 4181781.84, 4],
    ['999.999.999.999,12', 999999999999.12, 2],
  ])('%s is read exactly', (text, value, decimals) => {
    expect(amountOf(text)).toEqual({ value, decimals, text });
  });

  test('a written amount is read back exactly, with and without dots', () => {
    const written = fc.tuple(
      fc.integer({ min: 0, max: 9_999_999 }),
      fc.integer({ min: 0, max: 99_999_999 }),
    );
    fc.assert(
      fc.property(written, ([whole, fraction]) => {
        const decimals = String(fraction).padStart(8, '0');
        const grouped = new Intl.NumberFormat('de-DE').format(whole);
        const amount = { value: Number(`${whole}.${decimals}`), decimals: 8 };
        for (const text of [`${whole},${decimals}`, `${grouped},${decimals}`]) {
          expect(amountOf(text)).toEqual({ ...amount, text });
        }
      }),
    );
  });

  test.each([
    ['the English way', '1,012.34'],
    ['a dot for a comma', '889.57540000'],
    ['what may be a thousand and twelve in English', '1,012'],
    ['one decimal', '889,5'],
    ['more than eight decimals', '889,575400001'],
    ['no decimals', '889'],
    ['no decimals after the comma', '889,'],
    ['no digit before the comma', ',57540000'],
    ['two commas', '889,575,40000'],
    ['a group of two digits', '10.12,34560000'],
    ['a group of four digits', '1.0123,4560000'],
    ['a first group of four digits', '1012.345,67000000'],
    ['a first group of none', '.012,34560000'],
    ['some groups without a dot', '1.012345,67000000'],
    ['a leading zero', '0889,57540000'],
    ['a leading zero before a dot', '0.889,57540000'],
    ['a sign', '-889,57540000'],
    ['a plus', '+889,57540000'],
    ['a space within', '889, 57540000'],
    ['a space for a dot', '1 012,34560000'],
    ['a space around', ' 889,57540000'],
    ['a unit', '889,57540000 Bs'],
    ['an exponent', '8,8957e2'],
    ['digits of another script', '٨٨٩,٥٧٥٤٠٠٠٠'],
    ['a lost character', '88\uFFFD,57540000'],
    ['nothing', ''],
    ['a word', 'N/D'],
  ])('%s is refused as an amount', (_, text) => {
    expect(amountOf(text)).toBeUndefined();
  });

  test('an amount has at most 15 significant digits, not counting zeros at its ends', () => {
    expect(amountOf('1234567,12345678')?.value).toBe(1234567.12345678);
    expect(amountOf('12345678,12345678')).toBeUndefined();
    expect(amountOf('12345678,12345670')?.value).toBe(12345678.1234567);
    expect(amountOf('123456789012345,00')?.value).toBe(123456789012345);
    expect(amountOf('1234567890123456,00')).toBeUndefined();
    // The double nearest to it has one digit, and is another number.
    expect(amountOf('999999999999,99999999')).toBeUndefined();
  });
});

test('figures with different numbers of decimals are refused', () => {
  const amounts = (...texts: readonly string[]) => texts.flatMap((text) => amountOf(text) ?? []);
  expect(haveSameDecimals([])).toBe(true);
  expect(haveSameDecimals(amounts('889,57540000', '1.012,34560000'))).toBe(true);
  expect(haveSameDecimals(amounts('889,57540000', '1.012,3456000'))).toBe(false);
});

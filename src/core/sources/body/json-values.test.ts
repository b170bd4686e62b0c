import { describe, expect, test } from 'vitest';
import { NO_RATES } from '../../../../test/harness/bodies.ts';
import { parseExactJson } from '../../domain/exact-json.ts';
import { EARLIEST_TIME, figureOf, LATEST_TIME, rateOf, timeOf, valueAt } from './json-values.ts';

describe('a path', () => {
  const value = { a: { b: [10, { c: 'd' }] }, 'x y': null };

  test.each<[string, unknown]>([
    ['a.b.0', 10],
    ['a.b.1.c', 'd'],
    ['x y', null],
    ['a.b.2', undefined],
    ['a.b.-1', undefined],
    ['a.b.length', undefined],
    ['a.b.1.c.length', undefined],
    ['a.b.0.toFixed', undefined],
    ['constructor', undefined],
    ['__proto__.toString', undefined],
    ['x y.z', undefined],
    ['', undefined],
  ])('%j leads to %j, and never to a property that every object inherits', (path, found) => {
    expect(valueAt(value, path)).toBe(found);
  });
});

describe('a figure', () => {
  test('is a number, or a text in plain decimals', () => {
    expect(figureOf(0.968)).toBe(0.968);
    expect(figureOf('264.500')).toBe(264.5);
    expect(figureOf('-3')).toBe(-3);
    expect(figureOf('0')).toBe(0);
    for (const text of ['', '.5', '5.', '+5', '1e3', '1,5', ' 5', '0x10', 'NaN', '5%', '٥']) {
      expect(figureOf(text)).toBeUndefined();
    }
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, null, true, [5], { a: 5 }]) {
      expect(figureOf(value)).toBeUndefined();
    }
  });
});

describe('a rate', () => {
  test('contract §1: is relayed as published up to 15 digits', () => {
    for (const rate of [957.499994, 0.00115, 1012.3456, 123456.789012345, 1e15, 1e-15]) {
      expect(rateOf(rate)).toBe(rate);
      expect(rateOf(JSON.parse(JSON.stringify(rate)))).toBe(rate);
    }
    expect(rateOf('36.40000000')).toBe(36.4);
  });

  test('contract §1: is rounded to 8 decimals if it has more than 15 digits', () => {
    expect(rateOf(736.9000000000001)).toBe(736.9);
    expect(rateOf(900.1234567849999)).toBe(900.12345678);
    expect(rateOf(900.1234567850001)).toBe(900.12345679);
    // Digits are counted as written: the double nearest to this one has 12.
    expect(rateOf(parseExactJson('123.456789015000000000001'))).toBe(123.45678902);
    expect(rateOf('123.456789015000000000001')).toBe(123.45678902);
    expect(rateOf(parseExactJson('123.456789015'))).toBe(123.456789015);
    // Too large for 8 decimals: not even rounded is it a rate that can be carried exactly.
    expect(rateOf(123456789.12345678)).toBeUndefined();
    expect(rateOf(JSON.parse('0.0000000012345678901234567'))).toBeUndefined();
  });

  test.each(NO_RATES)('%s is refused', (json) => {
    expect(rateOf(JSON.parse(json))).toBeUndefined();
  });
});

describe('a time', () => {
  test('is read in the format of the catalogue', () => {
    const time = Date.parse('2026-09-24T22:55:13.674Z');
    expect(timeOf(1790290513674, 'epoch_ms')).toBe(time);
    expect(timeOf('1790290513', 'epoch_s')).toBe(time - 674);
    expect(timeOf('2026-08-21T00:00:00-04:00', 'iso')).toBe(Date.parse('2026-08-21T04:00:00Z'));
  });

  test('is refused in another format', () => {
    expect(timeOf(1790290513674, 'epoch_s')).toBeUndefined();
    expect(timeOf(1790290513, 'epoch_ms')).toBeUndefined();
    expect(timeOf('2026-08-21T00:00:00', 'iso')).toBeUndefined();
    expect(timeOf('2026-02-30T00:00:00Z', 'iso')).toBeUndefined();
    for (const value of [null, 0, -1, '', 'yesterday', {}, 1e308]) {
      expect(timeOf(value, 'epoch_s')).toBeUndefined();
      expect(timeOf(value, 'iso')).toBeUndefined();
    }
  });

  test('is from the year 2020 on, and before 2100', () => {
    expect(timeOf(EARLIEST_TIME, 'epoch_ms')).toBe(EARLIEST_TIME);
    expect(timeOf(EARLIEST_TIME - 1, 'epoch_ms')).toBeUndefined();
    expect(timeOf(LATEST_TIME - 1, 'epoch_ms')).toBe(LATEST_TIME - 1);
    expect(timeOf(LATEST_TIME, 'epoch_ms')).toBeUndefined();
  });
});

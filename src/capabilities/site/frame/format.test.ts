import { describe, expect, test } from 'vitest';
import { caracasDayOf } from '../../../core/domain/time.ts';
import {
  ageText,
  dayInWords,
  exactText,
  momentText,
  moneyText,
  nearDayShort,
  percentText,
  rateText,
  shortDay,
  wholeRateText,
} from './format.ts';

/** A space that does not break the line, written as a plain one to be read here. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('numbers', () => {
  test.each([
    [1012.35, '1.012,35', '1,012.35'],
    [0, '0,00', '0.00'],
    [1e12, '1.000.000.000.000,00', '1,000,000,000,000.00'],
    [1.005, '1,01', '1.01'],
    [-1234.5, '−1.234,50', '−1,234.50'],
  ])('%d as money', (amount, spanish, english) => {
    expect(moneyText(amount, 'es')).toBe(spanish);
    expect(moneyText(amount, 'en')).toBe(english);
  });

  test.each([
    [889.5754, '889,5754', '889.5754'],
    [889.57541234, '889,5754', '889.5754'],
    [800, '800,0000', '800.0000'],
    [0.00001234, '0,00001234', '0.00001234'],
  ])('%d as a rate', (rate, spanish, english) => {
    expect(rateText(rate, 'es')).toBe(spanish);
    expect(rateText(rate, 'en')).toBe(english);
  });

  test('a rate that 4 decimals round has a text with all of them, and no other', () => {
    expect(wholeRateText(889.45399204, 'en')).toBe('889.45399204');
    for (const rate of [855.5, 889.4539, 800, 0.00001234, 0.123456789]) {
      expect(wholeRateText(rate, 'es'), String(rate)).toBeUndefined();
    }
  });

  test('an amount has all its decimals', () => {
    expect(exactText(48012.34567891, 'es')).toBe('48.012,34567891');
    expect(exactText(100, 'en')).toBe('100');
  });

  test.each([
    [12.5, '+12,50 %', '+12.50%'],
    [-0.25, '−0,25 %', '−0.25%'],
    [-0.005, '−0,01 %', '−0.01%'],
    [-0.004, '0,00 %', '0.00%'],
    [0.004, '0,00 %', '0.00%'],
    [0, '0,00 %', '0.00%'],
  ])('%d in percent, with its sign', (percent, spanish, english) => {
    expect(plain(percentText(percent, 'es'))).toBe(spanish);
    expect(plain(percentText(percent, 'en'))).toBe(english);
  });
});

describe('days and times', () => {
  test('a day in words and in short', () => {
    expect(dayInWords('2026-11-23', 'es')).toBe('lunes, 23 de noviembre de 2026');
    expect(dayInWords('2026-11-23', 'en')).toBe('Monday, 23 November 2026');
    expect(shortDay('2026-03-01', 'es')).toBe('01/03/2026');
    expect(shortDay('2026-03-01', 'en')).toBe('1 Mar 2026');
  });

  test('times are in Caracas, on both sides of midnight', () => {
    expect(momentText(Date.parse('2026-11-21T03:59:59Z'), 'es')).toBe('20/11/2026 23:59');
    expect(momentText(Date.parse('2026-11-21T04:00:00Z'), 'en')).toBe('21 Nov 2026 00:00');
  });
});

describe('ages', () => {
  test.each([
    [-1, 'hace 0 s', '0 s ago'],
    [59, 'hace 59 s', '59 s ago'],
    [60, 'hace 1 min', '1 min ago'],
    [3_599, 'hace 59 min', '59 min ago'],
    [3_600, 'hace 1 h', '1 h ago'],
    [2 * 86_400 - 1, 'hace 47 h', '47 h ago'],
    [2 * 86_400, 'hace 2 días', '2 days ago'],
  ])('%d seconds', (seconds, spanish, english) => {
    expect(plain(ageText(seconds, 'es'))).toBe(spanish);
    expect(plain(ageText(seconds, 'en'))).toBe(english);
  });

  test.each([
    ['2026-11-20', 'es', 'vie 20'],
    ['2026-11-20', 'en', 'Fri 20'],
    ['2026-11-28', 'es', 'sáb 28'],
    ['2026-11-29', 'es', '29/11'],
    ['2026-11-11', 'en', '11 Nov'],
  ] as const)('a near day is short in a narrow column: %s in %s is %s', (day, language, text) => {
    expect(nearDayShort(day, caracasDayOf(Date.parse('2026-11-22T12:00:00Z')), language)).toBe(
      text,
    );
  });
});

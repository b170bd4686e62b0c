import { describe, expect, test } from 'vitest';
import { previewView, writtenNumber } from './markups-view.ts';

const RULE = { tag: 'shop', kind: 'percent', value: 3.5, markets: [], active: true } as const;
const RATES = [
  { market: 'parallel', base: 'USD', mid: 1012.35 },
  { market: 'reference', base: 'USD', mid: 889.5754 },
];

describe('the markups of the console', () => {
  test.each([
    ['3.5', 3.5],
    ['3,5', 3.5],
    [' -2 ', -2],
    ['\u22122,25', -2.25],
    ['+1', 1],
    ['0', 0],
  ])('%j is the number %d', (text, value) => {
    expect(writtenNumber(text)).toBe(value);
  });

  test.each(['', ',5', '5,', '1.000,5', '1e3', '0x1', 'NaN', '1 000', '--1'])(
    '%j is no number',
    (text) => {
      expect(writtenNumber(text)).toBeUndefined();
    },
  );

  test('the preview shows each rate before and after, as the API would mark it', () => {
    const { markup } = previewView(RULE, RATES, 'es');
    expect(markup).toContain('1.012,3500');
    expect(markup).toContain('1.047,7823');
    expect(markup).toContain('+35,4323');
    expect(markup).toContain('920,7105');
  });

  test('the preview leaves out what the rule does not cover or would make nothing of', () => {
    const one = previewView({ ...RULE, markets: ['parallel'] }, RATES, 'en').markup;
    expect(one).not.toContain('reference');
    const none = previewView({ ...RULE, kind: 'fixed', value: -5_000 }, RATES, 'en').markup;
    expect(none).toContain('no rates');
  });
});

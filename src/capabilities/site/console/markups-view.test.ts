import { describe, expect, test } from 'vitest';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { exampleView, previewView, rulesView, writtenValues } from './markups-view.ts';

const RULE = { tag: 'shop', kind: 'percent', value: 3.5, markets: [], active: true } as const;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const READ = { base: 'USD', updated_at: '2026-11-21T10:00:00Z' } as const;
const RATES = [
  { ...READ, market: 'parallel', mid: 1012.35, stale_after_sec: 7_200 },
  { ...READ, market: 'reference', mid: 889.5754, stale_after_sec: 475_200 },
];
const SHOWN = { rates: RATES, now: NOW };

const NAMES = {
  es: { parallel: 'Dólar paralelo', reference: 'BCV, dólar' },
  en: { parallel: 'Parallel dollar', reference: 'BCV, dollar' },
} as const;
const reader = (language: 'es' | 'en') => ({
  language,
  texts: CONSOLE_TEXTS[language],
  marketNames: NAMES[language],
});

describe('the markups of the console', () => {
  test.each([
    ['3,5', 'es', 3.5],
    ['3.5', 'es', 3.5],
    [' -2 ', 'es', -2],
    ['\u22122,25', 'es', -2.25],
    ['+1', 'en', 1],
    ['0', 'en', 0],
    ['-1.012,35', 'es', -1_012.35],
    ['1,012.35', 'en', 1_012.35],
    ["1'500", 'es', 1_500],
    ['20 mil', 'es', 20_000],
    ['-1,5 mil', 'es', -1_500],
  ] as const)('%j is read in %s as %d', (text, language, value) => {
    expect(writtenValues(text, language)).toEqual([value]);
  });

  test.each([
    ['1.000', 'es', [1_000, 1]],
    ['1.000', 'en', [1, 1_000]],
    ['-1,012', 'es', [-1.012, -1_012]],
    ['1,500 mil', 'es', [1_500, 1_500_000]],
  ] as const)('%j has two meanings in %s', (text, language, values) => {
    expect(writtenValues(text, language)).toEqual(values);
  });

  test.each(['', '-', ',', '1e3', '0x1', 'NaN', '--1', '1.000.5'])('%j is no value', (text) => {
    expect(writtenValues(text, 'es')).toEqual([]);
  });

  test('the example has the dollar of the service, with its markup', () => {
    const sampleDollar = { rate: 812.3456, valueDate: '2026-11-27' };
    const markup = markupOf(exampleView({ ...reader('en'), sampleDollar }));
    expect(markup.match(/\d+\.\d+/g)).toEqual(['812.3456', '836.716']);
    expect(markup).toContain('2026-11-27');
    expect(markup).not.toContain('demonstration');
    const declared = { ...sampleDollar, isDemonstration: true } as const;
    const sample = exampleView({ ...reader('en'), sampleDollar: declared });
    expect(markupOf(sample)).toContain('(figures of the demonstration)');
  });

  test('the preview shows each rate before and after, as the API calculates it', () => {
    const markup = markupOf(previewView(RULE, SHOWN, reader('es')));
    expect(markup).toContain('1.012,3500');
    expect(markup).toContain('1.047,7823');
    expect(markup).toContain('+35,4323');
    expect(markup).toContain('920,7105');
  });

  test.each([
    [NOW, 0],
    [NOW + 1_000, 1],
  ])('the preview marks a rate that is older than its market allows: at %d', (now, marked) => {
    const markup = markupOf(previewView(RULE, { rates: RATES, now }, reader('es')));
    expect(markup.split('desactualizada')).toHaveLength(marked + 1);
  });

  test('the preview omits rates that the rule does not cover, and names those that it cannot mark up', () => {
    const one = markupOf(previewView({ ...RULE, markets: ['parallel'] }, SHOWN, reader('en')));
    expect(one).not.toContain('BCV');
    const none = markupOf(
      previewView({ ...RULE, kind: 'fixed', value: -5_000 }, SHOWN, reader('en')),
    );
    expect(none).toContain('not applied: it would be 0 or less');
    expect(none).toContain('BCV');
    const nowhere = { ...RULE, markets: ['gone'] };
    expect(markupOf(previewView(nowhere, SHOWN, reader('en')))).toContain('not apply to any rate');
  });

  test.each(['es', 'en'] as const)(
    'markets have their names in %s, ids only as values',
    (language) => {
      const rule = { ...RULE, markets: ['parallel', 'gone'] };
      const shown = [
        rulesView([rule], { actions: () => undefined, dollar: undefined }, reader(language)),
        previewView(RULE, SHOWN, reader(language)),
      ].map(markupOf);
      const texts = shown.map((markup) => markup.replaceAll(/<[^>]*>/g, ' '));
      for (const text of texts) {
        expect(text).toContain(NAMES[language].parallel);
        expect(text).not.toMatch(/\bparallel\b|\breference\b/);
      }
      // A market that the catalogue no longer has is known by its id only.
      expect(texts[0]).toContain('gone');
    },
  );

  test.each([
    [{}, '889,5754 → 920,7105'],
    [{ markets: ['reference'], active: false }, '889,5754 → 920,7105'],
    [{ markets: ['parallel'] }, 'no se aplica'],
    [{ kind: 'fixed', value: -5_000 }, 'no se aplica: quedaría en 0 o menos'],
  ] as const)('the list shows the dollar before the rule %j and with it: %s', (changes, said) => {
    const given = { actions: undefined, dollar: { rate: 889.5754, stale: false } };
    const markup = markupOf(rulesView([{ ...RULE, ...changes }], given, reader('es')));
    const [, last = ''] = /data-label="Dólar BCV">(.*?)<\/td>/.exec(markup) ?? [];
    expect(last.replaceAll(/<[^>]*>/g, '')).toBe(said);
  });

  test('the list says that the dollar is stale, and shows none where there is none', () => {
    const listed = (dollar: { rate: number; stale: boolean } | undefined) =>
      markupOf(rulesView([RULE], { actions: undefined, dollar }, reader('en')));
    expect(listed({ rate: 889.5754, stale: true })).toContain('>out of date<');
    expect(listed(undefined)).toContain('data-label="BCV dollar">–<');
  });

  test('the preview shows its first rows, and all when it is asked', () => {
    const shown = (most: number) =>
      markupOf(previewView(RULE, { ...SHOWN, most, more: (all) => `all ${all}` }, reader('en')));
    expect(shown(1)).not.toContain('BCV, dollar');
    expect(shown(1)).toContain('all 2');
    expect(shown(2)).not.toContain('all 2');
  });

  test('a list of markets cannot be misread, although names have commas', () => {
    const rule = { ...RULE, markets: ['parallel', 'reference'] };
    const markup = markupOf(
      rulesView([rule], { actions: () => undefined, dollar: undefined }, reader('es')),
    );
    const text = markup.replaceAll(/<[^>]*>/g, '');
    expect(text).toContain('Dólar paralelo\u00a0· BCV, dólar');
  });
});

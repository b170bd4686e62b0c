import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import { viewOf } from '../frame/page-view.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { consolePage } from './console-page.ts';

const written = (lang: string, demoKeys: Parameters<typeof consolePage>[1]['demoKeys'] = []) =>
  consolePage(
    viewOf(
      { path: '/console', query: new URLSearchParams({ lang }), acceptLanguage: undefined },
      {
        notice: undefined,
        assets: (name: string) => `/assets/${name}`,
        publicUrl: 'https://example.com',
      },
    ),
    {
      markets: [{ id: 'a', name: 'A </script>', nameEn: 'A' }],
      demoKeys,
      webhooks: undefined,
      sampleDollar: { rate: 1, valueDate: '2026-11-20' },
    },
  );

test.each(LANGUAGES)('the page carries for its scripts the texts in %s, and no others', (lang) => {
  const page = written(lang);
  const [, carried = ''] = /id="console-data">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(carried)).toMatchObject({ language: lang, texts: CONSOLE_TEXTS[lang] });
  expect(page).not.toContain(CONSOLE_TEXTS[lang === 'es' ? 'en' : 'es'].newKeyHelp);
});

test('the page offers plans to enter with where it is given their keys, and else none', () => {
  const key = { plan: 'Escala', key: 'vfx_live_x', units: 1_500_000, historyDays: null };
  expect(written('es')).not.toMatch(/plan-choice|demo-keys|vfx_live_x/);
  const demo = written('es', [key]);
  expect(demo).toContain('Entre a la demostración');
  // For those who came for a key, not for the console; without scripts too.
  expect(demo).toContain('<code>vfx_live_x</code>');
  expect(demo).toContain('1.500.000 unidades al mes, sin límite');
});

test('without scripts the page leads to the documentation', () => {
  expect(written('en')).toMatch(/<noscript>.*href="[^"]*\/docs[^"]*".*<\/noscript>/s);
});

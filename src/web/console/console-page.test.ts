import { expect, test } from 'vitest';
import { LANGUAGES } from '../frame/language.ts';
import { viewOf } from '../frame/page-view.ts';
import { consolePage } from './console-page.ts';
import { CONSOLE_TEXTS } from './texts.ts';

test.each(LANGUAGES)('the page carries for its scripts the texts in %s, and no others', (lang) => {
  const query = new URLSearchParams({ lang });
  const view = viewOf(
    { path: '/console', query, acceptLanguage: undefined },
    {
      notice: undefined,
      assets: (name: string) => `/assets/${name}`,
      publicUrl: 'https://example.com',
    },
  );
  const written = consolePage(view, []);
  const [, carried = ''] = / data-texts="([^"]*)"/.exec(written) ?? [];
  const json = carried
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  expect(JSON.parse(json)).toEqual(CONSOLE_TEXTS[lang]);
  expect(written).not.toContain(CONSOLE_TEXTS[lang === 'es' ? 'en' : 'es'].newKeyHelp);
});

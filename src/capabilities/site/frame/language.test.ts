import { describe, expect, test } from 'vitest';
import { preferredLanguage } from '../../../core/http/framework/encoding/accept.ts';
import { inLanguage, linkTo, viewOf } from './page-view.ts';

const site = { notice: undefined, assets: String, publicUrl: 'https://example.com' };

function view(query: string, acceptLanguage?: string) {
  return viewOf({ path: '/docs', query: new URLSearchParams(query), acceptLanguage }, site);
}

describe('the language of a page', () => {
  test.each([
    [undefined, 'es'],
    ['', 'es'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['es-VE,es;q=0.9,en;q=0.8', 'es'],
    ['en;q=0.8, es;q=0.9', 'es'],
    ['en;q=0.5,es;q=0.5', 'es'],
    ['fr,en;q=0.3', 'en'],
    ['fr', 'es'],
    ['*', 'es'],
    ['en;q=0', 'es'],
    ['EN-gb;Q=1', 'en'],
    ['en;q=2', 'es'],
    [',;q=,en;q=x', 'es'],
  ])('for Accept-Language %j is %s', (acceptLanguage, language) => {
    expect(preferredLanguage(acceptLanguage)).toBe(language);
  });

  test('follows the address first, and an unknown value there is ignored', () => {
    expect(view('lang=en', 'es').language).toBe('en');
    expect(view('lang=es', 'en').language).toBe('es');
    expect(view('lang=fr', 'en').language).toBe('en');
  });

  test('is kept by links only if the address names it', () => {
    expect(linkTo(view('', 'en'), '/docs#plans')).toBe('/docs#plans');
    expect(linkTo(view('lang=en'), '/docs#plans')).toBe('/docs?lang=en#plans');
    expect(linkTo(view('lang=es'), '/?amount=1')).toBe('/?amount=1&lang=es');
  });

  test('changes by an address that keeps all other parameters', () => {
    expect(inLanguage(view('amount=1.5&lang=en&via=a%26b'), 'es')).toBe(
      '/docs?amount=1.5&lang=es&via=a%26b',
    );
  });
});

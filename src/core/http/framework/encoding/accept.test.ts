import { expect, test } from 'vitest';
import { prefersHtml } from './accept.ts';

const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html', false],
  ['application/json;q=0.9, text/html;q=0.8', false],
  ['text/html;q=0', false],
  ['text/html;q=nonsense', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  ['text/html', true],
  ['TEXT/HTML; q=0.5', true],
  ['text/*', true],
  ['application/json;q=0.8, text/html;q=0.9', true],
  [FIREFOX, true],
])('RFC 9110 §12.5.1: Accept %j prefers HTML: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../scripts/reference.ts';
import { loadCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadJudgement } from '../../core/catalogue/judgement.ts';
import type { Language } from '../../core/domain/words/language.ts';
import { html } from '../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../core/http/framework/encoding/markup.ts';
import { homePage } from './board/home-page.ts';
import { groupPage } from './docs/docs-page.ts';
import { methodologyPage } from './docs/markdown-page.ts';
import { referenceText } from './docs/reference.ts';
import { startPage } from './docs/start-page.ts';
import { STYLE_FILES } from './frame/asset-names.ts';
import { type PageView, viewOf } from './frame/page-view.ts';

const { plans, markets } = loadCatalogue('catalog');
const { rules } = loadJudgement('catalog');
const publicUrl = 'http://127.0.0.1:8080';

const PATHS = ['/', '/docs', '/docs/reference/conversion', '/methodology'] as const;

/** A page as a reader of that language gets it. */
function written(
  path: (typeof PATHS)[number],
  {
    language = 'en',
    notice,
  }: { readonly language?: Language; readonly notice?: PageView['notice'] } = {},
): string {
  const query = new URLSearchParams({ lang: language });
  const assets = (name: string) => `/assets/${name}`;
  const view = viewOf({ path, query, acceptLanguage: undefined }, { notice, assets, publicUrl });
  const reference = referenceText(
    { day: undefined, document: (one) => referenceDocument(publicUrl, one) },
    plans,
    language,
  );
  switch (path) {
    case '/':
      return homePage(view);
    case '/docs':
      return startPage(view, reference);
    case '/docs/reference/conversion':
      return groupPage(view, reference, 'Conversion');
    case '/methodology':
      return methodologyPage(view, { markets, rules });
    default:
      return path satisfies never;
  }
}

describe('html', () => {
  test('escapes every text, in content and in attributes', () => {
    const hostile = `<script>"'&`;
    expect(markupOf(hostile)).toBe(`&lt;script>&quot;'&amp;`);
    expect(markupOf(html`<a title="${hostile}">${hostile}</a>`)).toBe(
      `<a title="${markupOf(hostile)}">${markupOf(hostile)}</a>`,
    );
  });

  test('inserts markup unchanged, joins lists, and omits absent values', () => {
    const parts = [html`<b>1</b>`, '<', 2];
    expect(markupOf(html`<p>${parts}${undefined}${false}</p>`)).toBe('<p><b>1</b>&lt;2</p>');
  });
});

describe.each(PATHS)('the page %s', (path) => {
  const text = written(path);

  test('has no address of another host', () => {
    const targets = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to);
    expect(targets.length).toBeGreaterThan(4);
    for (const target of targets) expect(target).toMatch(/^(?:\/(?!\/)|#|data:image\/svg\+xml,)/);
    const addresses = [...text.matchAll(/https?:\/\/[^\s"<&]+/g)].map(([address]) => address);
    expect(
      addresses.filter(
        (one) =>
          !/^http:\/\/127\.0\.0\.1:8080|^https:\/\/(?:rates\.example\.net|(?:www\.)?tienda\.example)/.test(
            one,
          ),
      ),
    ).toEqual([]);
  });

  test('has no inline script or style', () => {
    expect(text).not.toMatch(/<script(?! (?:type="module" )?src=)|<style|\sstyle=/i);
    expect(text).not.toMatch(/\son\w+=|javascript:/i);
    expect(text).toContain('<link rel="stylesheet" href="/assets/pages.css"/>');
  });

  test('shows a notice, if any, escaped and in a landmark', () => {
    const notice = { en: 'Old figures, <moved> to now', es: 'Cifras <viejas>' };
    expect(written(path, { notice })).toContain(
      '<aside class="notice">Old figures, &lt;moved> to now</aside>',
    );
    expect(written(path, { notice, language: 'es' })).toContain('Cifras &lt;viejas>');
    expect(text).not.toContain('class="notice"');
  });

  test('is one document with a language, a title and a heading', () => {
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text.match(/<title>|<h1[ >]|<main /g)).toHaveLength(3);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
  });

  test('closes every element that it opens, in order', () => {
    const VOID = new Set(['meta', 'link', 'br', 'input']);
    const open: string[] = [];
    for (const [, end, name = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:[^>]*[^/>])?>/g)) {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (!VOID.has(name)) open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('has unique ids and no dead internal link', () => {
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of text.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});

/** Relative luminance of `#rrggbb`, as WCAG 2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The two values of a colour: `--page: light-dark(#f6f8f9, #0f1416);`. */
const PALETTE = new Map(
  [
    ...style('frame/palette.css').matchAll(
      /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g,
    ),
  ].map(([, name, light, dark]) => [name, [light, dark] as const]),
);

function style(path: string): string {
  return readFileSync(join(import.meta.dirname, path), 'utf8');
}

describe('the stylesheets', () => {
  test.each(Object.values(STYLE_FILES).flat())('%s loads nothing from elsewhere', (path) => {
    expect(style(path)).not.toMatch(/url\(|@import|@font-face/);
  });

  test.each(Object.values(STYLE_FILES).flat())('%s has the six sizes and two radii', (path) => {
    const values = (name: string) =>
      [...style(path).matchAll(new RegExp(`${name}: ([^;]+);`, 'g'))].map(([, value]) => value);
    const sizes =
      /^(?:var\(--(?:s13|s14|s16|s20|s28|hero)\)|inherit|(?:max\(var\(--s13\), )?[\d.]+em\)?)$/;
    expect(values('font-size').filter((value) => !sizes.test(value ?? ''))).toEqual([]);
    // A dot, a pill, and a box inside a line of text are round in their own way.
    const radii = /^(?:(?:var\(--r[12]\)|calc\(var\(--r[12]\) - \d+px\)|0|4px|50%|999px)(?: |$))+$/;
    expect(values('border-radius').filter((value) => !radii.test(value ?? ''))).toEqual([]);
  });

  test.each([
    ['light', 0],
    ['dark', 1],
  ] as const)('text has the contrast of level AA in the %s scheme', (_, scheme) => {
    const colour = (name: string) => PALETTE.get(name)?.[scheme] ?? '';
    const contrast = (one: string, other: string) => {
      const [dark = 0, light = 0] = [one, other]
        .map((name) => luminance(colour(name)))
        .toSorted((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    const grounds = ['page', 'card', 'panel', 'accent-ground'];
    for (const [text, ground] of [
      ...['text', 'quiet', 'accent', 'up', 'down'].flatMap((text) =>
        grounds.map((ground) => [text, ground] as const),
      ),
      ['accent-text', 'accent'],
      ['notice-text', 'notice'],
      ['stale', 'page'],
      ['stale', 'card'],
      ['stale', 'stale-ground'],
      ['band-text', 'band'],
      ['band-quiet', 'band'],
      ['band-accent', 'band'],
      ['code-key', 'band'],
      ['code-value', 'band'],
      ['code-word', 'band'],
      ['code-comment', 'band'],
    ] as const) {
      expect([text, ground, contrast(text, ground) > 4.5]).toEqual([text, ground, true]);
    }
  });
});

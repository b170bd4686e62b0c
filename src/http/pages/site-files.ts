import { readFileSync } from 'node:fs';
import type { Market } from '../../domain/markets.ts';
import { ICON, MARK_POINTS, THEME_COLOR } from '../../web/frame/icon.ts';
import type { Texts } from '../../web/frame/language.ts';
import { notFoundPage } from '../../web/frame/not-found-page.ts';
import { once } from '../encoding/made-once.ts';
import { PAGE_MAX_AGE_SEC, WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';
import { type Site, textPage } from './html-pages.ts';
import { Canvas, type Rgb } from './picture/canvas.ts';
import type { Segment } from './picture/strokes.ts';

const MANIFEST = 'application/manifest+json';

const NAMES: Texts<string> = { es: 'Tasas del bolívar', en: 'Bolívar exchange rates' };

/** Icons for the home screens of phones. A maskable one may be cut to any shape. */
const PNG_ICONS = [
  { path: '/icon.png', size: 192, maskable: false },
  { path: '/icon-512.png', size: 512, maskable: false },
  { path: '/icon-maskable.png', size: 512, maskable: true },
] as const;

/** The files that browsers and phones request from every site. */
export function siteFiles(site: () => Site): readonly Page[] {
  return [
    file('/favicon.ico', 'image/x-icon', favicon),
    ...PNG_ICONS.map(({ path, size, maskable }) =>
      file(path, 'image/png', () => iconPng(size, { maskable })),
    ),
    file('/icon.svg', 'image/svg+xml', () => Buffer.from(ICON)),
    textPage({ path: '/manifest.webmanifest', site, contentType: MANIFEST }, ({ language }) =>
      JSON.stringify({
        name: `vesfx · ${NAMES[language]}`,
        short_name: 'vesfx',
        lang: language,
        start_url: '/',
        display: 'standalone',
        theme_color: THEME_COLOR,
        background_color: THEME_COLOR,
        icons: [
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
          ...PNG_ICONS.map(({ path, size, maskable }) => ({
            src: path,
            sizes: `${size}x${size}`,
            type: 'image/png',
            ...(maskable && { purpose: 'maskable' }),
          })),
        ],
      }),
    ),
  ];
}

/** A file drawn at the first request. */
function file(path: string, contentType: string, draw: () => Buffer): Page {
  const body = once(() => new WrittenBody(draw()));
  const headers = ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`];
  return { path, respond: () => ({ contentType, body: body(), headers }) };
}

/** Pages keep the address for years, so a fixed script must reach them within a day. */
const EMBED_CACHE = 'public, max-age=86400, stale-while-revalidate=604800';

const SCRIPT = new URL('../../web/embed/vesfx-rate.min.js', import.meta.url);

/** The script of the element `<vesfx-rate>`, which pages of any origin load. */
export function embedScript(markets: readonly Market[]): Page {
  const script = readFileSync(SCRIPT, 'utf8').replace('MARKET_NAMES', () => namesOf(markets));
  const body = new WrittenBody(script);
  const open = ['Access-Control-Allow-Origin', '*', 'Cross-Origin-Resource-Policy', 'cross-origin'];
  return {
    path: '/embed/v1.js',
    respond: () => ({
      contentType: 'text/javascript; charset=utf-8',
      body,
      headers: ['Cache-Control', EMBED_CACHE, ...open],
    }),
  };
}

/** The names by id, as an expression in JavaScript. A name that both languages share stands once. */
function namesOf(markets: readonly Market[]): string {
  const names = markets.map(({ id, name, nameEn }) => [
    id,
    name === nameEn ? name : [name, nameEn],
  ]);
  return JSON.stringify(Object.fromEntries(names));
}

/** The 404 page for browsers. Its links lead to the front page. */
export function missingPage(site: () => Site): Page {
  const page = textPage({ path: '/', site, status: 404, cacheControl: 'no-store' }, notFoundPage);
  return { ...page, respond: (request) => page.respond({ ...request, path: page.path }) };
}

/** The site's mark in pixels, for programs that do not read SVG. */

/** `THEME_COLOR` of the pages. */
const GROUND: Rgb = [11, 102, 102];
const WHITE: Rgb = [255, 255, 255];

const GRID = 24;
const MARK_MIDDLE = { x: 12, y: 10.5 };
const LINE_WIDTH = 3.2;

/** Share of the icon's width that the mark covers. */
const SHARE = 0.74;
/** Small enough to stay whole when a phone cuts the icon to a circle. */
const MASKABLE_SHARE = 0.56;

function iconPng(size: number, { maskable = false } = {}): Buffer {
  const scale = (size * (maskable ? MASKABLE_SHARE : SHARE)) / GRID;
  const placed = MARK_POINTS.map(([x, y]) => ({
    x: size / 2 + (x - MARK_MIDDLE.x) * scale,
    y: size / 2 + (y - MARK_MIDDLE.y) * scale,
  }));
  const segments = placed.slice(1).map((end, index): Segment => {
    const start = placed[index] ?? end;
    return { x1: start.x, y1: start.y, x2: end.x, y2: end.y };
  });
  const canvas = new Canvas(size, size, GROUND);
  canvas.stroke(segments, LINE_WIDTH * scale, WHITE);
  return canvas.png();
}

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const FAVICON_SIZES = [16, 32, 48] as const;

/** `favicon.ico`: PNGs of the usual sizes. */
function favicon(): Buffer {
  const pictures = FAVICON_SIZES.map((size) => ({ size, png: iconPng(size) }));
  const head = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let place = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES;
    head[at] = size;
    head[at + 1] = size;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(24, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(place, at + 12);
    place += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

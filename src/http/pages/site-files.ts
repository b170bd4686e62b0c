import { ICON, THEME_COLOR } from '../../web/frame/icon.ts';
import type { Texts } from '../../web/frame/language.ts';
import { notFoundPage } from '../../web/frame/not-found-page.ts';
import { once } from '../encoding/made-once.ts';
import { PAGE_MAX_AGE_SEC, WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';
import { type Site, textPage } from './html-pages.ts';
import { favicon, iconPng } from './icon-files.ts';

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

/** The 404 page for browsers. Its links lead to the front page. */
export function notFound(site: () => Site): Page {
  const page = textPage({ path: '/', site, status: 404, cacheControl: 'no-store' }, notFoundPage);
  return { ...page, respond: (request) => page.respond({ ...request, path: page.path }) };
}

import { readFileSync } from 'node:fs';
import type { Market } from '../../domain/markets.ts';
import { THEME_COLOR } from '../../web/frame/icon.ts';
import type { Texts } from '../../web/frame/language.ts';
import { notFoundPage } from '../../web/frame/not-found-page.ts';
import { WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';
import { type Site, textPage } from './html-pages.ts';
import { PNG_ICONS, pictureFiles } from './picture/picture-files.ts';

const MANIFEST = 'application/manifest+json';

const NAMES: Texts<string> = { es: 'Tasas del bolívar', en: 'Bolívar exchange rates' };

/** The files that browsers and phones request from every site. */
export function siteFiles(site: () => Site): readonly Page[] {
  return [
    ...pictureFiles(site),
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

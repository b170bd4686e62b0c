import { ICON, THEME_COLOR } from '../../web/frame/icon.ts';
import type { Texts } from '../../web/frame/language.ts';
import { notFoundPage } from '../../web/frame/not-found-page.ts';
import { WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';
import { PAGE_MAX_AGE_SEC, type Site, textPage } from './html-pages.ts';
import { FAVICON, ICON_PNG } from './icon-files.ts';

const NAMES: Texts<string> = { es: 'Tasas del bolívar', en: 'Bolívar exchange rates' };

/** The files that browsers and phones ask every site for. */
export function siteFiles(site: () => Site): readonly Page[] {
  return [
    file('/favicon.ico', 'image/x-icon', FAVICON),
    file('/icon.png', 'image/png', ICON_PNG),
    file('/icon.svg', 'image/svg+xml', Buffer.from(ICON)),
    textPage(
      '/manifest.webmanifest',
      site,
      ({ language }) =>
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
            { src: '/icon.png', sizes: '192x192', type: 'image/png' },
          ],
        }),
      { contentType: 'application/manifest+json' },
    ),
  ];
}

function file(path: string, contentType: string, bytes: Buffer): Page {
  const body = new WrittenBody(bytes);
  const headers = ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`];
  return { path, respond: () => ({ contentType, body, headers }) };
}

/** What a browser gets at an address that leads nowhere. Its links lead to the front page. */
export function notFound(site: () => Site): Page {
  const page = textPage('/', site, notFoundPage, { status: 404, cacheControl: 'no-store' });
  return { ...page, respond: (request) => page.respond({ ...request, path: page.path }) };
}

import type { Market } from '../../../core/domain/markets.ts';
import { WrittenBody } from '../../../core/http/framework/encoding/written-answer.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import { readProductText } from '../../../core/product-files.ts';
import { quotedUnit } from '../board/age.ts';
import { THEME_COLOR } from '../frame/icon.ts';
import { partOf } from '../frame/site-parts.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';
import { type Site, textPage } from './html-pages.ts';
import { PNG_ICONS, pictureFiles } from './picture/picture-files.ts';

const MANIFEST = 'application/manifest+json';

/** The files that browsers and phones request from every site. */
export function siteFiles(site: () => Site): readonly Page[] {
  return [
    ...pictureFiles(site),
    textPage({ path: '/manifest.webmanifest', site, contentType: MANIFEST }, ({ language }) =>
      JSON.stringify({
        name: `vesfx · ${BOARD_TEXTS[language].heading}`,
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
// limit: Script of `<vesfx-rate>` in caches | 1 day, and 7 more while revalidated
const EMBED_CACHE = 'public, max-age=86400, stale-while-revalidate=604800';

const SCRIPT = 'src/capabilities/site/embed/vesfx-rate.min.js';

/** The script of the element `<vesfx-rate>`, which pages of any origin load. */
export function embedScript(markets: readonly Market[]): Page {
  const script = readProductText(SCRIPT).replace('MARKET_NAMES', () => namesOf(markets));
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

/**
 * The names by id, as an expression in JavaScript. A name that both languages share stands once; a unit
 * that is not the currency of the market follows them.
 */
function namesOf(markets: readonly Market[]): string {
  const names = markets.map((market) => {
    const { id, name, nameEn, base } = market;
    const unit = quotedUnit(market);
    if (unit !== base) return [id, [name, nameEn, unit]];
    return [id, name === nameEn ? name : [name, nameEn]];
  });
  return JSON.stringify(Object.fromEntries(names));
}

/**
 * The 404 page for browsers, one for each page that it may offer. Without a path the link of the other
 * language keeps the address, which the page does not know.
 */
export function missingPage(site: () => Site): Page {
  const nowhere = { path: '', site, status: 404, cacheControl: 'no-store' } as const;
  const pages = new Map<string, Page>();
  return {
    path: nowhere.path,
    async respond(request) {
      const [{ nearestPlace }, { notFoundPage }] = await Promise.all([
        import('../docs/docs-places.ts'),
        import('../missing/not-found-page.ts'),
      ]);
      const near = nearestPlace(request.path, 'es')?.path;
      const isDocs = partOf(request.path) === 'docs';
      const name = `${near} ${isDocs}`;
      const page =
        pages.get(name) ?? textPage(nowhere, (view) => notFoundPage(view, { near, isDocs }));
      pages.set(name, page);
      return page.respond({ ...request, path: nowhere.path });
    },
  };
}

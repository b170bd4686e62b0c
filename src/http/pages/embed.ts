import { readFileSync } from 'node:fs';
import type { Market } from '../../domain/markets.ts';
import { WrittenBody } from '../encoding/written-answer.ts';
import type { Page } from '../routing/router.ts';

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

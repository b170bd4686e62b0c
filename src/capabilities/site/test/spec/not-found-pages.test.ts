import { expect, test } from 'vitest';
import { startTestService } from '../../../../../test/harness/service.ts';

/** The page for unknown addresses (contract §4), and files that browsers request everywhere. */

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test.each([
  { language: undefined, lang: 'es', text: 'Esta página no existe' },
  { language: 'es-VE,es;q=0.9,en;q=0.5', lang: 'es', text: 'Esta página no existe' },
  { language: 'en-GB,en;q=0.9', lang: 'en', text: 'There is no such page' },
])('a browser that wants $language gets a 404 in $lang', async ({ language, lang, text }) => {
  const service = await startTestService();
  const headers = { ...BROWSER, ...(language !== undefined && { 'Accept-Language': language }) };
  const reply = await service.call('/zqxj7?x=zqxj7', { headers });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ]);
  expect(reply.text).toContain(`<html lang="${lang}">`);
  expect(reply.text).toContain(text);
  expect(reply.text).not.toContain('zqxj7');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test.each([
  { path: '/zqxj7?x=zqxj7', isDocs: false },
  { path: '/docs/zqxj7', isDocs: true },
  { path: '/docs/zqxj7/zqxj7?lang=es', isDocs: true },
])(
  'the page for $path keeps its address in the other language, and has the index of the documentation: $isDocs',
  async ({ path, isDocs }) => {
    const service = await startTestService();
    const { text } = await service.call(path, { headers: BROWSER });
    expect(text).toContain('<a class="language" href="?lang=en"');
    expect(text).not.toContain('zqxj7');
    expect(text.includes('<nav class="contents"')).toBe(isDocs);
    expect(text).not.toContain('aria-current');
    expect(text).not.toContain('rel="next"');
  },
);

test.each([
  ['/docs/', '/docs'],
  ['/Docs/Invoice_Rate', '/docs/invoice-rate'],
  ['/invoice-rate', '/docs/invoice-rate'],
  ['/docs/histroy', '/docs/history'],
  ['/docs/reference/rates.html', '/docs/reference/rates'],
  ['/methodolgy', '/methodology'],
])('the page for %s offers %s and the search', async (path, near) => {
  const service = await startTestService();
  for (const lang of ['es', 'en']) {
    const { status, text } = await service.call(`${path}?lang=${lang}`, { headers: BROWSER });
    expect(status).toBe(404);
    expect(text).toContain(
      `<p>${lang === 'es' ? '¿Buscaba esta?' : 'Did you look for this one?'} <a href="${near}?lang=${lang}">`,
    );
    expect(text).toContain('id="search-words"');
  }
  const { text } = await service.call('/zqxj7', { headers: BROWSER });
  expect(text).not.toContain('¿Buscaba esta?');
});

test.each([
  { path: '/favicon.ico', type: 'image/x-icon' },
  { path: '/icon.png', type: 'image/png' },
  { path: '/icon.svg', type: 'image/svg+xml' },
])('$path exists', async ({ path, type }) => {
  const service = await startTestService();
  const reply = await service.call(path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
  expect(reply.headers.get('cache-control')).toMatch(/^public, max-age=/);
});

/** Width and height of a PNG, from its header. */
const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

test.each([
  ['/icon.png', 192],
  ['/icon-512.png', 512],
  ['/icon-maskable.png', 512],
])('%s is a square of %d pixels', async (path, size) => {
  const service = await startTestService();
  const response = await fetch(service.url + path);
  expect(sizeOf(new Uint8Array(await response.arrayBuffer()))).toEqual([size, size]);
});

test('the icons have the mark of the page header', async () => {
  const service = await startTestService();
  const { text: icon } = await service.call('/icon.svg');
  const [, mark = 'none'] = / d="([^"]+)"/.exec(icon) ?? [];
  expect((await service.call('/')).text).toMatch(
    new RegExp(`<a class="name"[^>]*><svg[^>]*><path d="${mark}"`),
  );
});

test("the web manifest is in the reader's language, and its icons exist", async () => {
  const service = await startTestService();
  const headers = { 'Accept-Language': 'en' };
  const { json, headers: told } = await service.call('/manifest.webmanifest', { headers });
  expect(told.get('content-type')).toBe('application/manifest+json');
  expect(json).toMatchObject({ lang: 'en', start_url: '/', short_name: 'vesfx' });
  for (const { src } of json.icons) expect((await service.call(src)).status).toBe(200);
  expect(json.icons).toContainEqual(
    expect.objectContaining({ src: '/icon-maskable.png', sizes: '512x512', purpose: 'maskable' }),
  );
  expect((await service.call('/')).text).toContain('href="/manifest.webmanifest"');
});

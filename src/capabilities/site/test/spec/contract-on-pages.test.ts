import { request } from 'undici';
import { expect, test } from 'vitest';
import { fullMarket } from '../../../../../test/harness/make.ts';
import {
  type Reply,
  startTestService,
  type TestService,
} from '../../../../../test/harness/service.ts';

/** What the contract says of every address, at pages; and what it says of pages. */

const PAGES = ['/', '/docs', '/methodology'];

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  return { service, key: await service.keyFor('Escala') };
}

const allow = ({ headers }: Reply) => headers.get('allow')?.split(', ').sort();

test('contract §4 /docs and /methodology are open to anyone and cost nothing', async () => {
  const { service, key } = await serving();
  for (const path of PAGES) {
    for (const one of [undefined, key, 'wrong']) {
      const { status, headers, text } = await service.call(path, { key: one });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text.length).toBeGreaterThan(500);
    }
  }
  expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(0);
});

test('§4.8 methodology_url can be read without a key', async () => {
  const { service, key } = await serving();
  const { methodology_url: address } = (await service.call('/v1/fx/index', { key })).json;
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('132');
});

test('contract §4 pages load nothing from other hosts', async () => {
  const { service } = await serving();
  for (const path of PAGES) {
    const { text, headers } = await service.call(path);
    expect(text).not.toMatch(/<script(?![^>]*\s(?:src=|type="application\/json"))/i);
    const loaded = [
      ...text.matchAll(/<(?:link|script|img|iframe|source)[^>]*(?:href|src)="([^"]*)"/gi),
    ];
    for (const [, address] of loaded) expect(address).toMatch(/^(?:\/[^/]|data:)/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

test('contract §4 CORS is off on pages unless origins are configured', async () => {
  const { service } = await serving();
  const corsNames = async (method: 'GET' | 'OPTIONS', origin: string) => {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
    const reply = await request(`${service.url}/docs`, { method, headers });
    await reply.body.dump();
    return Object.keys(reply.headers).filter((name) => name.startsWith('access-control'));
  };
  for (const origin of ['https://app.example', 'null']) {
    expect(await corsNames('GET', origin)).toEqual([]);
    expect(await corsNames('OPTIONS', origin)).toEqual([]);
  }
});

test('contract §4 X-Request-Id is on every page and never the same twice', async () => {
  const { service } = await serving();
  const replies = await Promise.all([...PAGES, ...PAGES].map((path) => service.call(path)));
  const ids = replies.map(({ headers }) => headers.get('x-request-id'));
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(replies.length);
});

test('contract §4 a page takes GET, HEAD and OPTIONS, and another method is 405 with Allow', async () => {
  const { service, key } = await serving();
  const allowed = ['GET', 'HEAD', 'OPTIONS'];
  for (const path of PAGES) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      const reply = await service.call(path, { key, method });
      expect(reply.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      expect([path, method, reply.status, allow(reply), reply.json.code]).toEqual([
        ...[path, method, 405, allowed, 'method_not_allowed'],
      ]);
    }
    const options = await service.call(path, { method: 'OPTIONS' });
    expect([path, options.status, allow(options), options.text]).toEqual([path, 204, allowed, '']);
  }
});

test('contract §4 HEAD of a page has the headers of GET and no body', async () => {
  const { service } = await serving();
  // The client ends the connection of its HEAD.
  const varying = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
  const shown = ({ headers }: Reply) => [...headers].filter(([name]) => !varying.has(name));
  for (const path of PAGES) {
    const [get, head] = await bothOf(service, path);
    expect([path, head.status, head.text]).toEqual([path, get.status, '']);
    expect(shown(head)).toEqual(shown(get));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
  }
});

/** Without a coding, so that the length is that of the text. */
async function bothOf({ call }: TestService, path: string) {
  const headers = { 'Accept-Encoding': 'identity' };
  return [await call(path, { headers }), await call(path, { headers, method: 'HEAD' })] as const;
}

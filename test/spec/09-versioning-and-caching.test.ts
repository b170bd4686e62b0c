import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { documentedEndpoints } from '../../scripts/reference.ts';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { demonstrationTexts } from '../../src/core/cli/added.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { bankTable, fullMarket, official, quote } from '../harness/make.ts';
import {
  ADMIN_TOKEN,
  type Reply,
  START,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../harness/service.ts';

/** Askings after which the answer to a query is surely kept. */
const UNTIL_KEPT = 2;

const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];

/** Answers made from the snapshot, with how long a cache may keep them; §4 in its order. */
const SNAPSHOT_PATHS = [
  '/v1/fx/rates',
  '/v1/fx/rates/reference',
  '/v1/fx/rates/eur_reference',
  '/v1/fx/rates/parallel',
  '/v1/fx/rates/cash',
  '/v1/fx/rates/parallel/history',
  '/v1/fx/markets',
  '/v1/fx/convert?from=USD&to=VES&amount=5',
  '/v1/fx/convert?from=USD&to=VES&amount=6',
  '/v1/fx/convert?from=EUR&to=VES&amount=5',
  '/v1/fx/convert?from=VES&to=USD&amount=5',
  '/v1/fx/convert?from=USD&to=VES&amount=5&via=parallel',
  '/v1/fx/convert?from=USD&to=VES&amount=5&via=binance',
  '/v1/fx/route?from=USD&to=VES&amount=5',
  '/v1/fx/route?from=USD&to=VES&amount=6',
  '/v1/fx/index',
  '/v1/fx/spread',
  '/v1/fx/spread?against=binance',
  '/v1/fx/bcv/banks',
  '/v1/fx/bcv/currencies',
];

const TABLE = bankTable('2026-11-20', [
  { bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' },
  { bank: 'Mercantil', buy: 888.2, sell: 889.8, date: '2026-11-19' },
]);

async function serving(options: TestServiceOptions = {}) {
  const service = await startTestService(options);
  await service.push(...fullMarket(), TABLE);
  return service;
}

const withFormat = (path: string, format: string) =>
  `${path}${path.includes('?') ? '&' : '?'}format=${format}`;

describe('§9 versions', () => {
  test('§9 every endpoint is under /v1', () => {
    for (const { path } of allEndpoints({ admin: true })) expect(path).toMatch(/^\/v1\/[a-z]/);
  });

  test('§9 the index has the version of its methodology, alone and in /rates', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    expect((await service.call('/v1/fx/index', { key })).json.version).toBe('v1');
    expect((await service.call('/v1/fx/rates', { key })).json.index.version).toBe('v1');
  });

  test('§9 the former beta routes are 404 with any method, with a key or without', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/beta/fx/bcv/banks', '/v1/beta/fx/bcv/currencies']) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        for (const one of [key, undefined]) {
          expect((await service.call(path, { method, key: one })).status).toBe(404);
        }
      }
    }
  });
});

describe('contract §4 caching', () => {
  test('contract §4 snapshot answers have ETag, Last-Modified and a private Cache-Control', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of SNAPSHOT_PATHS) {
      const { status, headers } = await service.call(path, { key });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('etag')).toMatch(/^"[^"\s]+"$/);
      expect(headers.get('last-modified')).toMatch(/^\w{3}, 2\d Nov 2026 [\d:]{8} GMT$/);
      expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    }
  });

  test('contract §4 answers that do not depend on the snapshot are no-store', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const bulk = await service.call('/v1/fx/bulk/convert', {
      key,
      method: 'POST',
      body: { from: 'USD', to: 'VES', amounts: [1] },
    });
    const replies = [
      bulk,
      await service.call('/v1/account', { key }),
      await service.call('/v1/account/markups', { key }),
      await service.call('/v1/fx/rates/nowhere', { key, headers: { 'If-None-Match': '*' } }),
      await service.call('/v1/fx/rates'),
    ];
    for (const { headers } of replies) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401]);
  });

  test('contract §4 If-None-Match with the ETag gives 304 without a body, on every endpoint and format', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of SNAPSHOT_PATHS) {
      const formats =
        path === '/v1/fx/markets'
          ? [path]
          : ['json', 'csv', 'xml'].map((one) => withFormat(path, one));
      for (const asked of formats) {
        const first = await service.call(asked, { key });
        const etag = first.headers.get('etag') ?? '';
        const again = await service.call(asked, { key, headers: { 'If-None-Match': etag } });
        expect([asked, again.status, again.text]).toEqual([asked, 304, '']);
        for (const name of ['etag', 'last-modified', 'cache-control']) {
          expect(again.headers.get(name)).toBe(first.headers.get(name));
        }
        expect(again.headers.get('content-type')).toBeNull();
      }
    }
  });

  test('contract §4 the forms of If-None-Match', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const etag = (await service.call('/v1/fx/rates', { key })).headers.get('etag') ?? '';
    const forms: Record<string, number> = {
      [etag]: 304,
      [`W/${etag}`]: 304,
      [`"a", ${etag}`]: 304,
      [`${etag} , "a"`]: 304,
      [`W/"a",W/${etag}`]: 304,
      '*': 304,
      '"a"': 200,
      [etag.slice(1, -1)]: 200,
      [etag.slice(0, -1)]: 200,
      [etag.toUpperCase().replace(/^"|"$/g, "'")]: 200,
      '': 200,
      ',,,': 200,
    };
    for (const [form, status] of Object.entries(forms)) {
      const headers = { 'If-None-Match': form };
      const reply = await service.call('/v1/fx/rates', { key, headers });
      expect([form, reply.status]).toEqual([form, status]);
      const head = await service.call('/v1/fx/rates', { key, headers, method: 'HEAD' });
      expect([form, head.status]).toEqual([form, status]);
    }
  });

  test('contract §4 new data gives a new ETag, and a request with the old one gets the full answer', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const before = await service.call('/v1/fx/rates', { key });
    service.clock.advance(60_000);
    await service.push({ kind: 'quote', market: 'parallel', mid: 861.5 });
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await service.call('/v1/fx/rates', { key, headers });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.headers.get('last-modified')).toBe('Sat, 21 Nov 2026 12:01:00 GMT');
    const parallel = after.json.rates.find(
      ({ market }: { market: string }) => market === 'parallel',
    );
    expect(parallel.mid).toBe(861.5);
  });

  test('contract §4 a rate that takes effect at midnight in Caracas gives a new ETag by itself', async () => {
    const service = await serving();
    await service.push(official('2026-11-22', { USD: 810.25, EUR: 930.5 }));
    const key = await service.keyFor('Escala');
    const path = '/v1/fx/rates/reference';
    service.clock.set(Date.parse('2026-11-22T03:59:59.999Z'));
    const before = await service.call(path, { key });
    service.clock.advance(1);
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await service.call(path, { key, headers });
    expect([before.json.mid, after.status, after.json?.mid]).toEqual([800.5, 200, 810.25]);
  });

  test('contract §4 a quote that drops out of the snapshot gives a new ETag by itself', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const before = await service.call('/v1/fx/rates', { key });
    service.clock.set(START + 7 * 86_400_000 + 1);
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await service.call('/v1/fx/rates', { key, headers });
    expect([after.status, after.json?.rates.length]).toEqual([200, 2]);
  });

  test('contract §4 an answer with ages never gets a 304 for an older one', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of [
      '/v1/fx/convert?from=USD&to=VES&amount=5&via=parallel',
      '/v1/fx/route?from=USD&to=VES&amount=5',
    ]) {
      for (let n = 0; n < UNTIL_KEPT; n += 1) await service.call(path, { key });
      const before = await service.call(path, { key });
      service.clock.advance(10_000);
      const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
      expect([path, (await service.call(path, { key, headers })).status]).toEqual([path, 200]);
    }
  });

  test('contract §4 each plan, format and market has its own ETag', async () => {
    const service = await serving();
    const etags: (string | null)[] = [];
    for (const plan of ['Gratis', 'Esencial', 'Profesional', 'Escala']) {
      const key = await service.keyFor(plan);
      etags.push((await service.call('/v1/fx/rates', { key })).headers.get('etag'));
    }
    const key = await service.keyFor('Escala');
    for (const path of [
      '/v1/fx/rates?format=csv',
      '/v1/fx/rates?format=xml',
      '/v1/fx/rates/parallel',
      '/v1/fx/rates/cash',
      '/v1/fx/index',
    ]) {
      etags.push((await service.call(path, { key })).headers.get('etag'));
    }
    expect(new Set(etags).size).toBe(etags.length);
  });

  test('contract §4 cached answers equal fresh ones, for every endpoint, plan and format', async () => {
    const config = { publicUrl: 'https://rates.example.net' };
    const service = await serving({ config });
    const keys: Record<string, string> = {};
    for (const plan of PLANS) keys[plan] = await service.keyFor(plan);
    const asks = SNAPSHOT_PATHS.flatMap((path) =>
      ['json', 'csv', 'xml'].flatMap((format) =>
        PLANS.map((plan) => ({ plan, path: withFormat(path, format) })),
      ),
    ).concat(PLANS.map((plan) => ({ plan, path: '/v1/fx/markets' })));
    const shown = ({ status, text, headers }: Reply) => [
      status,
      text,
      ...['etag', 'content-type', 'last-modified', 'cache-control'].map((one) => headers.get(one)),
    ];
    const askAll = async (of: TestService, some: typeof asks) => {
      const found: Record<string, unknown> = {};
      for (const { plan, path } of some) {
        const reply = await of.call(path, { key: keys[plan] });
        found[`${plan} ${path}`] = shown(reply);
      }
      return found;
    };
    const first = await askAll(service, asks);
    const kept = await askAll(service, asks.toReversed());
    // Another process without cached answers, with requests in the reverse order.
    const other = await startTestService({ dataDir: service.dataDir, config });
    const fresh = await askAll(other, asks.toReversed());
    expect(kept).toEqual(first);
    expect(fresh).toEqual(first);
    expect(
      Object.values(first).filter((one) => Array.isArray(one) && one[0] === 200).length,
    ).toBeGreaterThan(80);
  });

  test('contract §4 a cached answer carries the quota headers of its own caller', async () => {
    const service = await serving();
    const [one, two] = [await service.keyFor('Gratis'), await service.keyFor('Gratis')];
    await service.call('/v1/fx/rates', { key: one });
    await service.call('/v1/fx/rates', { key: one });
    const { headers } = await service.call('/v1/fx/rates', { key: two });
    expect(headers.get('x-ratelimit-remaining')).toBe('1499');
  });

  test('contract §6 an answer with markup is never cached for another account', async () => {
    const service = await serving();
    const keys = [await service.keyFor('Inicio'), await service.keyFor('Inicio')];
    for (const [position, key] of keys.entries()) {
      const body = { tag: 'shop', kind: 'percent', value: 10 * (position + 1) };
      await service.call('/v1/account/markups', { key, method: 'POST', body });
    }
    const values: unknown[] = [];
    for (let n = 0; n < UNTIL_KEPT; n += 1) {
      for (const key of keys) {
        const { json } = await service.call('/v1/fx/rates?markup=shop', { key });
        values.push(json.markup_applied.value);
      }
    }
    expect(values).toEqual(Array(UNTIL_KEPT).fill([10, 20]).flat());
    const plain = await service.call('/v1/fx/rates', { key: keys[0] });
    expect(plain.json).not.toHaveProperty('markup_applied');
  });
});

describe('contract §4 CORS', () => {
  /** `fetch` does not let a caller set `Origin`. */
  function from(
    service: TestService,
    origin: string,
    path: string,
    more: Record<string, unknown> = {},
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number | undefined;
      headers: NodeJS.Dict<string | string[]>;
    }>();
    const { method = 'GET', headers = {} } = more as { method?: string; headers?: object };
    request(
      service.url + path,
      { method, agent: false, headers: { Origin: origin, ...headers } },
      (response) => {
        response.resume().on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers });
        });
      },
    )
      .on('error', reject)
      .end();
    return promise;
  }
  const corsNames = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));
  const PREFLIGHT = {
    method: 'OPTIONS',
    headers: {
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-api-key',
    },
  };

  test('contract §4 CORS is off unless origins are configured', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    for (const path of ['/v1/fx/rates', '/openapi.json', '/nowhere']) {
      const headers = { 'X-API-Key': key };
      const plain = await from(service, 'https://app.example', path, { headers });
      expect(corsNames(plain.headers)).toEqual([]);
      expect(corsNames((await from(service, 'null', path)).headers)).toEqual([]);
      const preflight = await from(service, 'https://app.example', path, PREFLIGHT);
      expect(corsNames(preflight.headers)).toEqual([]);
    }
  });

  test('contract §4 only a configured origin may read answers and errors', async () => {
    const service = await serving({
      config: { corsOrigins: ['https://app.example', 'http://localhost:3000'] },
    });
    const key = await service.keyFor('Gratis');
    for (const origin of ['https://app.example', 'http://localhost:3000']) {
      for (const [headers, status] of [
        [{ 'X-API-Key': key }, 200],
        [{}, 401],
      ] as const) {
        const reply = await from(service, origin, '/v1/fx/rates', { headers });
        expect(reply.status).toBe(status);
        expect(reply.headers['access-control-allow-origin']).toBe(origin);
        expect(reply.headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining');
        expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
        expect(reply.headers['vary']).toMatch(/\bOrigin$/);
      }
    }
    for (const origin of [
      'https://app.example.evil',
      'https://app.example:443',
      'HTTPS://APP.EXAMPLE',
      'http://app.example',
      'null',
      '*',
    ]) {
      const reply = await from(service, origin, '/v1/fx/rates', { headers: { 'X-API-Key': key } });
      expect([origin, reply.status, corsNames(reply.headers)]).toEqual([origin, 200, []]);
    }
  });

  test('contract §4 a preflight of a configured origin is 204 with methods and headers, without a key', async () => {
    const service = await serving({ config: { corsOrigins: ['https://app.example'] } });
    const rates = await from(service, 'https://app.example', '/v1/fx/rates', PREFLIGHT);
    expect(rates.status).toBe(204);
    expect(rates.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': expect.stringContaining('GET'),
      'access-control-allow-headers': expect.stringMatching(/X-API-Key/i),
    });
    const bulk = await from(service, 'https://app.example', '/v1/fx/bulk/convert', PREFLIGHT);
    expect(bulk.headers['access-control-allow-methods']).toContain('POST');
    expect(bulk.headers['access-control-allow-headers']).toMatch(/Content-Type/i);
    const other = await from(service, 'https://other.example', '/v1/fx/rates', PREFLIGHT);
    expect([other.status, corsNames(other.headers)]).toEqual([204, []]);
  });
});

describe('contract §4 the reference and probes', () => {
  test('contract §4 /openapi.json is open to anyone and costs nothing', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    for (const one of [undefined, key, 'wrong']) {
      const { status, headers, text } = await service.call('/openapi.json', { key: one });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text.length).toBeGreaterThan(500);
    }
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(0);
  });

  test('contract §4 methodology_url points at /methodology of the service itself', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const { methodology_url } = (await service.call('/v1/fx/index', { key })).json;
    expect(methodology_url).toBe(`${service.url}/methodology`);
    const named = await serving({ config: { publicUrl: 'https://rates.example.net' } });
    const other = await named.call('/v1/fx/index', { key: await named.keyFor('Gratis') });
    expect(other.json.methodology_url).toBe('https://rates.example.net/methodology');
  });

  test('contract §4 methodology_url follows a Host only if it is listed', async () => {
    const publicHosts = ['https://rates.example.net', 'http://tasas.example.net:8080'];
    const service = await serving({ config: { publicHosts } });
    const key = await service.keyFor('Gratis');
    const link = async (host: string, path = '/v1/fx/index') => {
      const { json } = await service.call(path, { key, headers: { Host: host } });
      return (json.index ?? json).methodology_url;
    };
    const own = `${service.url}/methodology`;
    // Requested alternately, so that the answers are cached for each of them.
    for (const path of ['/v1/fx/index', '/v1/fx/rates', '/v1/fx/index']) {
      expect([
        await link('rates.example.net', path),
        await link('RATES.example.net', path),
        await link('evil.example', path),
        await link('tasas.example.net:8080', path),
        await link('rates.example.net.evil.example', path),
      ]).toEqual([
        'https://rates.example.net/methodology',
        'https://rates.example.net/methodology',
        own,
        'http://tasas.example.net:8080/methodology',
        own,
      ]);
    }
  });

  test('§9 /openapi.json is OpenAPI 3.1 and has every endpoint', async () => {
    const service = await serving({ config: { added: demonstrationTexts(CAPABILITIES) } });
    const { json } = await service.call('/openapi.json');
    expect(json.openapi).toMatch(/^3\.1\./);
    const documented = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = documentedEndpoints.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(documented.sort()).toEqual(declared.sort());
  });

  test('contract §4 /healthz and /readyz answer without a key and are no-store', async () => {
    const service = await startTestService();
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ]) {
      const reply = await service.call(path ?? '');
      expect([reply.status, reply.json]).toEqual([200, { status }]);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('contract §4 /metrics requires the admin token', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    await service.call('/v1/fx/rates', { key });
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong-token-of-the-tests' },
      { Authorization: `Basic ${ADMIN_TOKEN}` },
      { 'X-API-Key': key },
      { 'X-API-Key': ADMIN_TOKEN },
    ]) {
      const refused = await service.call('/metrics', {
        headers: headers as Record<string, string>,
      });
      expect([headers, refused.status]).toEqual([headers, 401]);
      expect(refused.headers.get('www-authenticate')).toBeTruthy();
    }
    const shown = await service.call('/metrics', {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(shown.text).toMatch(
      /^vesfx_http_requests_total\{path="\/v1\/fx\/rates",status="200"\} 1$/m,
    );
    expect(shown.text).not.toContain(key);
  });

  test('contract §4 labels of metrics are declared paths, never text of a caller', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    await service.call('/v1/fx/rates/zqxj7', { key });
    await service.call('/zqxj7', { key });
    await service.call('/v1/fx/rates', { key, method: 'PATCH' });
    const { text } = await service.call('/metrics', { headers: { 'X-Admin-Token': ADMIN_TOKEN } });
    expect(text).toContain('path="/v1/fx/rates/:market",status="404"');
    expect(text).not.toContain('zqxj7');
  });

  test('contract §4 without an admin token /metrics and /v1/admin/records do not exist', async () => {
    const service = await startTestService({ config: { adminToken: undefined } });
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await service.call('/metrics', { headers })).status).toBe(404);
    const body = JSON.stringify(quote('parallel', 850));
    const pushed = await service.call('/v1/admin/records', { method: 'POST', headers, body });
    expect(pushed.status).toBe(404);
  });
});

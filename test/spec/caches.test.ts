import { cp, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Agent, cacheStores, interceptors, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { exampleAddress } from '../harness/example-address.ts';
import { bankTable, fullMarket, iso, official, quote } from '../harness/make.ts';
import { START, startTestService, type TestService, temporaryDir } from '../harness/service.ts';

const START_OF_YEAR = new Date('2026-01-01T00:00:00.000Z');

/** Every endpoint whose answers a cache may keep, and markets of every plan (contract §4). */
const CACHEABLE = [
  ...allEndpoints({ admin: true })
    .filter(({ access, maxAgeSec }) => access === 'key' && maxAgeSec !== undefined)
    .map((one) => exampleAddress(one, 'required')),
  '/v1/fx/rates/reference',
  '/v1/fx/rates/parallel',
  '/v1/fx/rates/cash',
  '/v1/fx/rates/parallel/history?date=2026-11-21',
];

const TABLE = bankTable('2026-11-20', [{ bank: 'Banesco', buy: 888.1, sell: 889.9 }]);

/** The packaged catalogue as it was before the clock of the tests. */
async function oldCatalogue(): Promise<string> {
  const folder = await temporaryDir();
  await cp(PACKAGED_CATALOGUE, folder, { recursive: true });
  for (const name of await readdir(folder))
    await utimes(join(folder, name), START_OF_YEAR, START_OF_YEAR);
  return folder;
}

async function serving(): Promise<TestService> {
  const service = await startTestService({ config: { catalogueDir: await oldCatalogue() } });
  await service.push(...fullMarket(), TABLE);
  return service;
}

/** A cache like those of browsers and HTTP libraries, shared by all callers of a program. */
function sharedCache(): ReturnType<Agent['compose']> {
  const agent = new Agent();
  onTestFinished(() => agent.close());
  const store = new cacheStores.MemoryCacheStore();
  return agent.compose(interceptors.cache({ store, type: 'private' }));
}

describe('a cache between several callers', () => {
  test.each(CACHEABLE)('gives each caller their own answer of %s (contract §4)', async (path) => {
    const service = await serving();
    const dispatcher = sharedCache();
    const keys: Record<string, string | undefined> = {
      Gratis: await service.keyFor('Gratis'),
      Escala: await service.keyFor('Escala'),
      wrong: `${(await service.keyFor('Escala')).slice(0, -1)}!`,
      none: undefined,
    };
    const ask = async (key: string | undefined, through?: typeof dispatcher) => {
      const { statusCode, body } = await request(service.url + path, {
        headers: key === undefined ? {} : { 'X-API-Key': key },
        ...(through !== undefined && { dispatcher: through }),
      });
      return [statusCode, await body.text()];
    };
    for (const order of [Object.keys(keys), Object.keys(keys).reverse()]) {
      for (const name of [...order, ...order]) {
        const direct = await ask(keys[name]);
        expect([name, ...(await ask(keys[name], dispatcher))]).toEqual([name, ...direct]);
      }
    }
  });

  test('reuses an answer only for its caller (contract §4)', async () => {
    const service = await serving();
    const dispatcher = sharedCache();
    const key = await service.keyFor('Escala');
    for (let n = 0; n < 3; n += 1) {
      const { body } = await request(`${service.url}/v1/fx/markets`, {
        headers: { 'X-API-Key': key },
        dispatcher,
      });
      await body.dump();
    }
    const account = await service.call('/v1/account', { key });
    expect(account.json.usage.units_used).toBe(1);
  });

  test.each(CACHEABLE)('sees Vary on %s, and on its 304', async (path) => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const first = await service.call(path, { key });
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    const second = await service.call(path, { key, headers });
    expect([first.status, second.status]).toEqual([200, 304]);
    for (const reply of [first, second]) {
      expect(reply.headers.get('vary')).toBe('X-API-Key, Accept-Encoding');
    }
  });
});

describe('an ETag depends on the bytes of the answer alone', () => {
  test.each([
    '/v1/fx/markets',
    '/v1/fx/bcv/banks',
    '/v1/fx/bcv/currencies',
    '/v1/fx/calendar',
    '/v1/fx/corrections',
    '/v1/fx/rates/reference',
    '/v1/fx/rates/parallel',
    '/v1/fx/rates/cash/history?from=2026-11-15&to=2026-11-20',
    '/v1/fx/rates/cash/history?date=2026-11-20',
  ])(
    'an ingestion that does not change %s changes neither its ETag nor its Last-Modified (contract §4)',
    async (path) => {
      const service = await serving();
      const at = iso(START - 2 * DAY_MS);
      await service.push(quote('cash', 840, { updated_at: at, captured_at: at }));
      const key = await service.keyFor('Escala');
      const before = await service.call(path, { key });
      service.clock.advance(MINUTE_MS);
      await service.push(
        quote('cucuta', 861, {
          updated_at: iso(START + MINUTE_MS),
          captured_at: iso(START + MINUTE_MS),
        }),
      );
      const after = await service.call(path, { key });
      expect([before.status, after.text]).toEqual([200, before.text]);
      for (const name of ['etag', 'last-modified']) {
        expect(after.headers.get(name)).toBe(before.headers.get(name));
      }
      const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
      expect((await service.call(path, { key, headers })).status).toBe(304);
    },
  );

  test('another process has the same ETags and Last-Modified (contract §4)', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    service.clock.advance(MINUTE_MS);
    const config = { publicUrl: service.url, catalogueDir: await oldCatalogue() };
    const other = await startTestService({
      dataDir: service.dataDir,
      start: START + MINUTE_MS,
      config,
    });
    for (const path of CACHEABLE) {
      const [one, two] = [await service.call(path, { key }), await other.call(path, { key })];
      for (const name of ['etag', 'last-modified']) {
        expect([path, two.headers.get(name)]).toEqual([path, one.headers.get(name)]);
      }
    }
  });
});

describe('Last-Modified is when the answer last changed (contract §4)', () => {
  const modified = async (service: TestService, key: string, path: string) =>
    new Date((await service.call(path, { key })).headers.get('last-modified') ?? '').toISOString();

  test('is, for an official rate, the instant at which it took effect', async () => {
    const service = await serving();
    await service.push(official('2026-11-23', { USD: 810.25, EUR: 930.5 }));
    const key = await service.keyFor('Gratis');
    const ask = (path: string) => modified(service, key, path);
    expect(await ask('/v1/fx/rates/reference')).toBe('2026-11-20T04:00:00.000Z');
    service.clock.set(Date.parse('2026-11-23T03:59:59.999Z'));
    expect(await ask('/v1/fx/rates/eur_reference')).toBe('2026-11-20T04:00:00.000Z');
    service.clock.advance(1);
    expect(await ask('/v1/fx/rates/reference')).toBe('2026-11-23T04:00:00.000Z');
    // Answers with that quote changed at that instant too, without an ingestion.
    for (const path of ['/v1/fx/rates', '/v1/fx/index', '/v1/fx/official']) {
      expect([path, await ask(path)]).toEqual([path, '2026-11-23T04:00:00.000Z']);
    }
  });

  test('is, for other rates, the time of the figures, and a reading of equal figures keeps it', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const path = '/v1/fx/rates/cash';
    service.clock.advance(MINUTE_MS);
    await service.push({ kind: 'quote', market: 'cash', mid: 877 });
    expect(await modified(service, key, path)).toBe(iso(START + MINUTE_MS));
    service.clock.advance(MINUTE_MS);
    await service.push({ kind: 'quote', market: 'cash', mid: 877 });
    expect(await modified(service, key, path)).toBe(iso(START + MINUTE_MS));
    expect(await modified(service, key, '/v1/fx/rates')).toBe(iso(START + 2 * MINUTE_MS));
  });

  test('changes when a quote drops out or the official rate becomes too old', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    // 132 hours after the official rate, to the second.
    const stale = Date.parse('2026-11-20T04:00:00.000Z') + 132 * 3_600_000 + 1_000;
    service.clock.set(stale);
    expect(await modified(service, key, '/v1/fx/index')).toBe(iso(stale));
  });

  test("is, for history, its last capture, or the day's start if the range moves with the day", async () => {
    const service = await serving();
    const at = iso(START - 2 * DAY_MS);
    await service.push(quote('cash', 840, { updated_at: at, captured_at: at }));
    const key = await service.keyFor('Escala');
    const ask = (query: string) => modified(service, key, `/v1/fx/rates/cash/history${query}`);
    expect(await ask('?date=2026-11-20')).toBe(at);
    expect(await ask('?from=2026-11-15&to=2026-11-20')).toBe(at);
    expect(await ask('?from=2026-11-10&to=2026-11-12')).toBe('2026-11-10T00:00:00.000Z');
    expect(await ask('')).toBe(iso(START));
    service.clock.set(START + DAY_MS);
    expect(await ask('')).toBe('2026-11-22T00:00:00.000Z');
  });

  test("is, for the central bank's tables, their capture, and for answers with ages, now", async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    service.clock.advance(MINUTE_MS);
    const ask = (path: string) => modified(service, key, path);
    expect(await ask('/v1/fx/bcv/banks')).toBe(iso(START));
    expect(await ask('/v1/fx/bcv/currencies')).toBe(iso(START));
    expect(await ask('/v1/fx/calendar')).toBe('2026-11-21T04:00:00.000Z');
    expect(await ask('/v1/fx/calendar?from=2026-11-20')).toBe(START_OF_YEAR.toISOString());
    expect(await ask('/v1/fx/markets')).toBe(START_OF_YEAR.toISOString());
    expect(await ask('/v1/fx/convert?from=USD&to=VES&amount=5')).toBe(iso(START + MINUTE_MS));
    expect(await ask('/v1/fx/route?from=USD&to=VES&amount=5')).toBe(iso(START + MINUTE_MS));
  });

  test('is never in the future (RFC 9110 §8.8.2.1)', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const ahead = iso(START + 4 * MINUTE_MS);
    await service.push(quote('cash', 840, { updated_at: ahead, captured_at: ahead }));
    for (const path of CACHEABLE) {
      expect(Date.parse(await modified(service, key, path))).toBeLessThanOrEqual(START);
    }
  });
});

describe('compression', () => {
  /** The bytes as sent, for undici does not decode them. */
  async function bytes(service: TestService, key: string, path: string, encoding?: string) {
    const { statusCode, headers, body } = await request(service.url + path, {
      headers: {
        'X-API-Key': key,
        ...(encoding !== undefined && { 'Accept-Encoding': encoding }),
      },
    });
    return { statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
  }

  const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    zstd: zstdDecompressSync,
    identity: (given) => given,
  };

  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['identity, gzip;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=x', 'identity'],
    [',,;q=', 'identity'],
    ['*;q=0', 'identity'],
  ])('Accept-Encoding %j gets the same answer in %s (RFC 9110 §12.5.3)', async (accept, coding) => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/fx/rates', '/v1/fx/rates?format=csv', '/v1/fx/rates?format=xml']) {
      const plain = await service.call(path, { key });
      for (let n = 0; n < 2; n += 1) {
        const { headers, body } = await bytes(service, key, path, accept);
        expect(headers['content-encoding'] ?? 'identity').toBe(coding);
        expect(Number(headers['content-length'])).toBe(body.length);
        expect(DECODERS[coding]?.(body).toString()).toBe(plain.text);
        expect(body.length <= Buffer.byteLength(plain.text)).toBe(true);
      }
    }
  });

  test('answers below 1 kB, errors and empty answers are not compressed', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/fx/rates/reference', '/v1/fx/rates/nowhere', '/v1/account']) {
      const { headers } = await bytes(service, key, path, 'gzip, br');
      expect([path, headers['content-encoding']]).toEqual([path, undefined]);
    }
  });

  test('long histories and batches are compressed too', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    await service.push(
      ...Array.from({ length: 2_000 }, (_, position) =>
        quote('cash', 800 + position / 100, { captured_at: iso(START - DAY_MS + position) }),
      ),
    );
    const path = '/v1/fx/rates/cash/history?granularity=raw';
    const plain = await service.call(path, { key });
    for (const coding of ['br', 'gzip', 'zstd']) {
      const { headers, body } = await bytes(service, key, path, coding);
      expect(headers['content-encoding']).toBe(coding);
      expect(DECODERS[coding]?.(body).toString()).toBe(plain.text);
    }
    const amounts = Array.from({ length: 50 }, (_, position) => position + 1);
    const { headers, body } = await request(`${service.url}/v1/fx/bulk/convert`, {
      method: 'POST',
      headers: {
        'X-API-Key': key,
        'Content-Type': 'application/json',
        'Accept-Encoding': 'gzip',
      },
      body: JSON.stringify({ from: 'USD', to: 'VES', amounts }),
    });
    expect(headers['content-encoding']).toBe('gzip');
    const decoded = gunzipSync(Buffer.from(await body.arrayBuffer()));
    expect(JSON.parse(decoded.toString()).results).toHaveLength(50);
  });

  test('each coding has its own strong ETag, and clients that accept it get a 304 for it (RFC 9110 §8.8.3.3)', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const ask = async (headers: Record<string, string>) =>
      service.call('/v1/fx/rates', { key, headers });
    const tags: Record<string, string> = {};
    for (const coding of ['identity', 'br', 'gzip', 'zstd']) {
      const reply = await ask({ 'Accept-Encoding': coding });
      tags[coding] = reply.headers.get('etag') ?? '';
    }
    expect(new Set(Object.values(tags)).size).toBe(4);
    for (const tag of Object.values(tags)) expect(tag).toMatch(/^"[\w-]+"$/);
    const all = 'gzip, br, zstd';
    for (const [coding, tag] of Object.entries(tags)) {
      const held = await ask({ 'Accept-Encoding': all, 'If-None-Match': tag });
      expect([coding, held.status, held.headers.get('etag')]).toEqual([coding, 304, tag]);
      expect(held.headers.get('content-encoding')).toBeNull();
    }
    // A client that does not accept that coding cannot have it.
    const other = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': tags['br'] ?? '' });
    expect([other.status, other.headers.get('etag')]).toEqual([200, tags['gzip']]);
  });

  test('HEAD has the Content-Length and coding of GET without the body', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const headers = { 'Accept-Encoding': 'gzip' };
    const got = await bytes(service, key, '/v1/fx/rates', 'gzip');
    const head = await service.call('/v1/fx/rates', { key, method: 'HEAD', headers });
    for (const name of ['content-length', 'content-encoding', 'etag']) {
      expect(head.headers.get(name)).toBe(got.headers[name]);
    }
  });
});

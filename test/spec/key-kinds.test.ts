import { describe, expect, test } from 'vitest';
import type { KeyGrant, PublishableGrant } from '../../src/core/domain/keys.ts';
import { PUBLISHABLE_SCOPES, SCOPES, type Scope } from '../../src/core/domain/keys.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { codeOf, lines, sendBytes } from '../harness/raw-http.ts';
import { type CallOptions, startTestService, type TestService } from '../harness/service.ts';

const SHOP = 'https://shop.example';
const RATES = '/v1/fx/rates';

function publishable(more: Partial<PublishableGrant> = {}): PublishableGrant {
  return {
    kind: 'publishable',
    scopes: PUBLISHABLE_SCOPES,
    origins: [SHOP],
    allowNoOrigin: false,
    requestsPerMinute: 60,
    ...more,
  };
}

async function accountOn(service: TestService, plan: string) {
  const { accounts } = service.service;
  const account = await accounts.create(`${plan} of a test`, plan);
  const keyWith = async (grant: KeyGrant) => (await accounts.createKey(account.id, { grant })).key;
  return { id: account.id, keyWith };
}

/** A request that each endpoint takes from a full key, whatever it then answers. */
const REQUESTS: Readonly<Record<string, CallOptions & { readonly path?: string }>> = {
  'GET /v1/fx/rates/:market': { path: '/v1/fx/rates/reference' },
  'GET /v1/fx/rates/:market/history': { path: '/v1/fx/rates/reference/history' },
  'GET /v1/fx/rates/:market/candles': { path: '/v1/fx/rates/reference/candles?interval=day' },
  'GET /v1/fx/convert': { path: '/v1/fx/convert?from=USD&to=VES&amount=1' },
};

const keyed = allEndpoints({ admin: true }).filter(({ access }) => access === 'key');

function requestOf(endpoint: (typeof keyed)[number]): { path: string; options: CallOptions } {
  const { method, path } = endpoint;
  const { path: given, ...options } = REQUESTS[`${method} ${path}`] ?? {};
  const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? {} : undefined;
  return {
    path: given ?? path.replaceAll(/:\w+/g, 'nothing'),
    options: { method, ...(body !== undefined && { body }), ...options },
  };
}

describe('scopes of keys (contract §11)', () => {
  test.each(keyed.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s requires one of the known scopes',
    (_name, { scope }) => {
      expect(SCOPES).toContain(scope);
    },
  );

  test('every kind of key, scope and origin gets the right answer from every endpoint', async () => {
    const service = await startTestService();
    const { keyWith } = await accountOn(service, 'Escala');
    const full = await keyWith({ kind: 'full' });
    const asFull = new Map<object, number>();
    for (const endpoint of keyed) {
      const { path, options } = requestOf(endpoint);
      const { status } = await service.call(path, { ...options, key: full });
      expect(status).not.toBe(403);
      asFull.set(endpoint, status);
    }
    const meets = async (
      grant: KeyGrant,
      scope: Scope,
      from: { headers: Record<string, string>; admitted: boolean },
    ) => {
      const key = await keyWith(grant);
      for (const endpoint of keyed) {
        const { path, options } = requestOf(endpoint);
        const reply = await service.call(path, { ...options, key, headers: from.headers });
        const what = `${grant.kind} ${scope} ${JSON.stringify(from)} ${endpoint.method} ${path}`;
        if (!from.admitted) {
          expect([what, reply.status, reply.json.code]).toEqual([what, 403, 'origin_not_allowed']);
          expect(reply.headers.get('access-control-allow-origin')).toBeNull();
        } else if (endpoint.scope === scope) {
          expect([what, reply.status]).toEqual([what, asFull.get(endpoint)]);
        } else {
          expect([what, reply.status, reply.json.code]).toEqual([what, 403, 'scope_missing']);
          expect(reply.json.details).toEqual({ scope: endpoint.scope });
        }
      }
    };
    for (const scope of SCOPES) {
      const anywhere = { headers: { Origin: 'https://a.example' }, admitted: true };
      await meets({ kind: 'restricted', scopes: [scope] }, scope, anywhere);
    }
    const origins: readonly (readonly [boolean, Record<string, string>, boolean])[] = [
      [false, { Origin: SHOP }, true],
      [false, { Origin: 'https://a.example' }, false],
      [false, { Origin: 'null' }, false],
      [false, {}, false],
      [true, {}, true],
      [true, { Origin: 'https://a.example' }, false],
      [false, { 'Sec-Fetch-Site': 'same-origin' }, true],
      [false, { 'Sec-Fetch-Site': 'cross-site' }, false],
    ];
    for (const scope of PUBLISHABLE_SCOPES) {
      for (const [allowNoOrigin, headers, admitted] of origins) {
        const grant = publishable({ scopes: [scope], allowNoOrigin });
        await meets(grant, scope, { headers, admitted });
      }
    }
  });
});

describe('publishable keys (contract §11)', () => {
  test('two Origin headers match no origin of a key', async () => {
    const service = await startTestService();
    const key = await (await accountOn(service, 'Gratis')).keyWith(publishable());
    for (const twice of [
      [`Origin: ${SHOP}`, 'Origin: https://a.example'],
      ['Origin: https://a.example', `Origin: ${SHOP}`],
      ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-origin'],
    ]) {
      const [reply] = await sendBytes(service, lines(`GET ${RATES}?key=${key} HTTP/1.1`, ...twice));
      expect([twice, reply?.status, codeOf(reply)]).toEqual([twice, 403, 'origin_not_allowed']);
      expect(reply?.head).not.toMatch(/^access-control-allow-origin/im);
    }
  });

  test('an answer or error echoes the origin that matched, with Vary', async () => {
    const service = await startTestService();
    const key = await (await accountOn(service, 'Gratis')).keyWith(publishable());
    const headers = { Origin: SHOP };
    for (const path of [RATES, '/v1/fx/route', '/v1/nothing', '/v1/fx/convert']) {
      const reply = await service.call(path, { key, headers });
      expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, SHOP]);
      expect(reply.headers.get('vary')).toContain('Origin');
    }
    const other = await service.call(RATES, { key, headers: { Origin: 'https://a.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('vary')).toContain('Origin');
  });

  test('a preflight is allowed only for an origin of a live publishable key', async () => {
    const service = await startTestService();
    const account = await accountOn(service, 'Gratis');
    const ask = (origin: string, path = RATES) =>
      service.call(path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'x-api-key',
        },
      });
    expect((await ask(SHOP)).headers.get('access-control-allow-origin')).toBeNull();
    await account.keyWith(publishable());
    const allowed = await ask(SHOP);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-API-Key');
    expect(allowed.headers.get('vary')).toContain('Origin');
    for (const other of ['https://a.example', 'null', '%', 'https://shop_example']) {
      expect((await ask(other)).headers.get('access-control-allow-origin')).toBeNull();
    }
    const own = await ask(SHOP, '/v1/account');
    expect(own.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a publishable key may be in the address as key=, even where unknown parameters are refused', async () => {
    const service = await startTestService();
    const grant = publishable({ allowNoOrigin: true });
    const key = await (await accountOn(service, 'Gratis')).keyWith(grant);
    for (const name of ['key', '%6bey']) {
      const reply = await service.call(`${RATES}/reference/history?from=2026-11-20&${name}=${key}`);
      expect(reply.status).toBe(200);
    }
    expect((await service.call(`${RATES}?key=`)).json.code).toBe('missing_api_key');
    for (const path of [`${RATES}?key=${key}&key=${key}`, `${RATES}?key=${key}x`]) {
      expect((await service.call(path)).json.code).toBe('invalid_api_key');
    }
    expect((await service.call(`${RATES}?key=${key}`, { key })).json.code).toBe('invalid_api_key');
  });

  test.each(['full', 'restricted'] as const)(
    'a %s key in the address is 401 and is neither logged nor echoed',
    async (kind) => {
      const service = await startTestService();
      const grant: KeyGrant = kind === 'full' ? { kind } : { kind, scopes: ['rates'] };
      const key = await (await accountOn(service, 'Gratis')).keyWith(grant);
      expect((await service.call(RATES, { key })).status).toBe(200);
      for (const path of [`${RATES}?key=${key}`, `/v1/fx/route?key=${key}`, `/v1/no?key=${key}`]) {
        const reply = await service.call(path);
        expect(reply.status).toBe(path.startsWith('/v1/no') ? 404 : 401);
        expect(reply.text + JSON.stringify([...reply.headers])).not.toContain(key);
      }
      expect(JSON.stringify(service.log.lines)).not.toContain(key);
      expect(service.log.lines.map(({ message }) => message)).toContain(
        'a secret key in an address was refused',
      );
    },
  );

  test('a key whose stored kind differs from its prefix is refused', async () => {
    const service = await startTestService();
    const { accounts, store } = service.service;
    const { id } = await accounts.create('a test', 'Inicio');
    const grant: KeyGrant = { kind: 'restricted', scopes: ['rates'] };
    const { key, record } = await accounts.createKey(id, { grant });
    await store.changeKey(record.id, { grant: { kind: 'full' } }, service.clock.now());
    expect((await service.call(RATES, { key })).json.code).toBe('invalid_api_key');
  });

  test('a publishable key gets CSV on every plan, and XML only if the plan includes it', async () => {
    const service = await startTestService();
    const account = await accountOn(service, 'Gratis');
    const key = await account.keyWith(publishable({ allowNoOrigin: true }));
    expect((await service.call(`${RATES}?format=csv&key=${key}`)).status).toBe(200);
    expect((await service.call(`${RATES}?format=xml&key=${key}`)).status).toBe(402);
    const full = await account.keyWith({ kind: 'full' });
    expect((await service.call(`${RATES}?format=csv`, { key: full })).status).toBe(402);
  });

  test.each([[60], [5]])(
    'a minute admits exactly %i requests of a publishable key, and the next minute more',
    async (max) => {
      const service = await startTestService();
      const account = await accountOn(service, 'Inicio');
      const key = await account.keyWith(publishable({ requestsPerMinute: max }));
      const other = await account.keyWith(publishable());
      const options = { headers: { Origin: SHOP } };
      const call = (one: string) => service.call(RATES, { key: one, ...options });
      const statuses = await Promise.all(Array.from({ length: max + 3 }, () => call(key)));
      expect(statuses.filter(({ status }) => status === 200)).toHaveLength(max);
      const refused = statuses.find(({ status }) => status === 429);
      expect(refused?.json.code).toBe('rate_limit_exceeded');
      expect(refused?.json.details).toEqual({ limit: max });
      expect(refused?.headers.get('x-ratelimit-scope')).toBe('minute');
      expect(refused?.headers.get('access-control-allow-origin')).toBe(SHOP);
      // A simultaneous refusal may overtake the last of the admitted calls.
      const later = await call(key);
      expect(later.status).toBe(429);
      expect(later.headers.get('x-ratelimit-remaining')).toBe(String(15_000 - max));
      expect((await call(other)).status).toBe(200);
      service.clock.advance(60_000);
      expect((await call(key)).status).toBe(200);
    },
  );

  test('a publishable key uses the units and the minute of its account', async () => {
    const service = await startTestService();
    const account = await accountOn(service, 'Gratis');
    const full = await account.keyWith({ kind: 'full' });
    const key = await account.keyWith(publishable({ allowNoOrigin: true }));
    for (let count = 0; count < 100; count += 1) await service.call(RATES, { key: full });
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await service.call(`${RATES}?key=${key}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
    const { usage } = (await service.call('/v1/account', { key: full })).json;
    expect(usage.units_used).toBe(120);
  });

  test('a call that a limit of the account refuses does not count in the minute of its publishable key (contract §14)', async () => {
    const service = await startTestService();
    const account = await accountOn(service, 'Gratis');
    const full = await account.keyWith({ kind: 'full' });
    const grant = publishable({ allowNoOrigin: true, requestsPerMinute: 5 });
    const key = await account.keyWith(grant);
    const statusesOfKey = async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) {
        statuses.push((await service.call(RATES, { key })).status);
      }
      return statuses;
    };
    for (let count = 0; count < 120; count += 1) await service.call(RATES, { key: full });
    service.clock.advance(30_000);
    expect(await statusesOfKey()).toEqual(Array<number>(6).fill(429));
    service.clock.advance(30_000);
    expect(await statusesOfKey()).toEqual([...Array<number>(5).fill(200), 429]);
  });
});

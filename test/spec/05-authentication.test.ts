import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoKey, kindOfKey, newKey } from '../../src/core/app/access/keys.ts';
import { HOUR_MS } from '../../src/core/domain/time.ts';
import { fullMarket, official } from '../harness/make.ts';
import { ADMIN_TOKEN, type Reply, startTestService, type TestService } from '../harness/service.ts';

const RATES = '/v1/fx/rates';

/** A well-formed key that no account has. */
const UNKNOWN_KEY = 'vfx_live_000000000000000000000000000000000hBrRk';

async function holder(service: TestService, plan = 'Escala') {
  const account = await service.service.accounts.create(`${plan} of a test`, plan);
  const { id, key } = await service.service.accounts.createKey(account.id);
  return { accountId: account.id, keyId: id, key };
}

async function serving() {
  const service = await startTestService();
  await service.push(official('2026-11-20', { USD: 800.5 }));
  return service;
}

/** Everything by which a refused caller could distinguish refusals. */
function refusal({ status, text, headers }: Reply) {
  return { status, text, authenticate: headers.get('www-authenticate') };
}

/** One request with headers that may repeat, as `fetch` cannot send them. */
function sendWith(url: string, headers: Record<string, string | string[]>) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    code: unknown;
  }>();
  request(url, { headers, agent: false }, (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => {
      resolve({ status: response.statusCode, code: JSON.parse(text).code });
    });
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('§5 the key of a request', () => {
  test('§5 a key of every demonstration opens no other service, even where it is stored', async () => {
    const service = await serving();
    const { accountId } = await holder(service);
    const key = demoKey('Escala');
    await service.service.accounts.createKey(accountId, { grant: { kind: 'full' }, key });
    const reply = await service.call(RATES, { key });
    expect(refusal(reply)).toEqual(refusal(await service.call(RATES, { key: UNKNOWN_KEY })));
    expect(reply.status).toBe(401);
  });

  test('§5 an account on a plan that the running service does not know keeps the plan it had (contract §3)', async () => {
    const service = await serving();
    const { accountId, key } = await holder(service);
    const { plan: had } = await service.service.accounts.find(accountId);
    // Like a command with a newer catalogue.
    await service.service.store.updateAccount(accountId, { plan: 'Newer' });
    await service.service.changePoller.poll();
    expect((await service.call(RATES, { key })).status).toBe(200);
    const { json } = await service.call('/v1/account', { key });
    expect(json).toMatchObject({ plan: had, limits: { history_days: 365 } });
  });

  test('§5 a request with the key of an account is answered', async () => {
    const service = await serving();
    const { key } = await holder(service);
    const reply = await service.call(RATES, { key });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('www-authenticate')).toBeNull();
  });

  test('§5 the name of the header is read in any letter case', async () => {
    const service = await serving();
    const { key } = await holder(service);
    for (const name of ['X-API-Key', 'x-api-key', 'X-Api-KEY']) {
      expect(await sendWith(service.url + RATES, { [name]: key })).toMatchObject({ status: 200 });
    }
  });

  test('§5 a key anywhere except in X-API-Key is ignored', async () => {
    const service = await serving();
    const { key } = await holder(service);
    const bearer = await service.call(RATES, { headers: { Authorization: `Bearer ${key}` } });
    const inQuery = await service.call(`${RATES}?api_key=${key}&X-API-Key=${key}`);
    const cookie = await service.call(RATES, { headers: { Cookie: `X-API-Key=${key}` } });
    for (const reply of [bearer, inQuery, cookie]) {
      expect([reply.status, reply.json.code]).toEqual([401, 'missing_api_key']);
    }
  });

  test('contract §4 a request without a key, or with an empty one, is 401 missing_api_key', async () => {
    const service = await serving();
    const missing = await service.call(RATES);
    expect([missing.status, missing.json.code]).toEqual([401, 'missing_api_key']);
    expect(missing.headers.get('www-authenticate')).toBeTruthy();
    const empty = await service.call(RATES, { headers: { 'X-API-Key': '' } });
    expect(refusal(empty)).toEqual(refusal(missing));
    const blank = await service.call(RATES, { headers: { 'X-API-Key': '   ' } });
    expect(refusal(blank)).toEqual(refusal(missing));
  });

  test('contract §4 a key is vfx_live_, 32 base62 characters and 6 of checksum, and unique', async () => {
    const service = await serving();
    const { accountId, key } = await holder(service);
    const { key: other } = await service.service.accounts.createKey(accountId);
    expect(key).toMatch(/^vfx_live_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/);
    expect(other).toMatch(/^vfx_live_[0-9A-Za-z]{38}$/);
    expect(other).not.toBe(key);
  });

  test('contract §4 the store keeps only the SHA-256 of a key', async () => {
    const service = await serving();
    const { key, keyId } = await holder(service);
    const stored = await service.service.store.findKey(keyId);
    expect(stored?.digest).toBe(createHash('sha256').update(key).digest('hex'));
    const files = await readdir(service.dataDir);
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const bytes = await readFile(join(service.dataDir, name));
      expect([name, bytes.includes(key), bytes.includes(key.slice(9))]).toEqual([
        name,
        false,
        false,
      ]);
    }
  });

  test('contract §4 a malformed, unknown, revoked or expired key gets the same answer to the last byte', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const live = await holder(service);
    const revoked = await accounts.createKey(live.accountId);
    const rotated = await accounts.createKey(live.accountId);
    await accounts.revokeKey(revoked.id);
    await accounts.rotateKey(rotated.id, 1_000);
    service.clock.advance(1_000);
    await changePoller.poll();
    const lastCharacter = live.key.at(-1) === '0' ? '1' : '0';
    expect(kindOfKey(UNKNOWN_KEY)).toBe('full');
    const wrong: Record<string, string> = {
      'not a key at all': 'hello',
      'one character long': 'x',
      'a wrong checksum': live.key.slice(0, -1) + lastCharacter,
      'a character too few': live.key.slice(0, -1),
      'a character too many': `${live.key}0`,
      'another prefix': live.key.replace('live', 'test'),
      'in capitals': live.key.toUpperCase(),
      'two keys in one': `${live.key}, ${live.key}`,
      '8,000 characters': 'v'.repeat(8_000),
      'the name of a field of objects': '__proto__',
      unknown: UNKNOWN_KEY,
      revoked: revoked.key,
      expired: rotated.key,
    };
    const found: Record<string, unknown> = {};
    for (const [kind, key] of Object.entries(wrong)) {
      found[kind] = refusal(await service.call(RATES, { key }));
    }
    const same = found['unknown'];
    expect(found).toEqual(Object.fromEntries(Object.keys(wrong).map((kind) => [kind, same])));
    expect(same).toMatchObject({ status: 401, authenticate: expect.stringMatching(/\S/) });
    expect(JSON.parse((same as { text: string }).text).code).toBe('invalid_api_key');
  });

  test('contract §4 the code of a 401 depends only on whether a key was sent', async () => {
    const service = await serving();
    const missing = await service.call(RATES);
    const wrong = await service.call(RATES, { key: 'wrong' });
    expect([missing.json.code, wrong.json.code]).toEqual(['missing_api_key', 'invalid_api_key']);
    expect(wrong.headers.get('www-authenticate')).toBe(missing.headers.get('www-authenticate'));
  });

  test('contract §4 two X-API-Key headers are invalid_api_key, even two valid ones', async () => {
    const service = await serving();
    const { key } = await holder(service);
    const pairs = [
      [key, key],
      [key, 'wrong'],
      ['wrong', key],
      ['', key],
      [key, ''],
      ['', ''],
    ];
    const found: unknown[] = [];
    for (const pair of pairs)
      found.push(await sendWith(service.url + RATES, { 'X-API-Key': pair }));
    expect(found).toEqual(pairs.map(() => ({ status: 401, code: 'invalid_api_key' })));
  });

  test('contract §4 the key is checked on every endpoint', async () => {
    const service = await serving();
    const paths: [string, string][] = [
      ['GET', '/v1/fx/rates'],
      ['GET', '/v1/fx/rates/reference'],
      ['GET', '/v1/fx/rates/reference/history'],
      ['GET', '/v1/fx/markets'],
      ['GET', '/v1/fx/convert?from=USD&to=VES&amount=1'],
      ['POST', '/v1/fx/bulk/convert'],
      ['GET', '/v1/fx/route'],
      ['GET', '/v1/fx/index'],
      ['GET', '/v1/fx/spread'],
      ['GET', '/v1/fx/bcv/banks'],
      ['GET', '/v1/fx/bcv/currencies'],
      ['GET', '/v1/account'],
      ['GET', '/v1/account/markups'],
      ['POST', '/v1/account/markups'],
      ['PUT', '/v1/account/markups/tag'],
      ['DELETE', '/v1/account/markups/tag'],
      ['POST', '/v1/admin/records'],
    ];
    for (const [method, path] of paths) {
      const reply = await service.call(path, { method });
      expect([method, path, reply.status, reply.json.code]).toEqual([
        method,
        path,
        401,
        'missing_api_key',
      ]);
    }
  });

  test('§5 the rights of a key depend on the plan of its account', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const reach: Record<string, unknown> = {};
    for (const plan of ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala']) {
      const key = await service.keyFor(plan);
      const { json } = await service.call(RATES, { key });
      const statuses = await Promise.all(
        ['/v1/fx/markets', `${RATES}?format=csv`, `${RATES}?format=xml`, '/v1/fx/spread'].map(
          async (path) => (await service.call(path, { key })).status,
        ),
      );
      reach[plan] = [json.rates.length, ...statuses];
    }
    expect(reach).toEqual({
      Gratis: [10, 402, 402, 402, 402],
      Inicio: [10, 402, 200, 402, 402],
      Esencial: [12, 200, 200, 200, 200],
      Profesional: [16, 200, 200, 200, 200],
      Escala: [18, 200, 200, 200, 200],
    });
  });

  test('§5 each of several keys of one account works', async () => {
    const service = await serving();
    const { accountId, key } = await holder(service);
    const second = await service.service.accounts.createKey(accountId);
    for (const one of [key, second.key]) {
      const { json } = await service.call('/v1/account', { key: one });
      expect(json.id).toBe(accountId);
      expect(json.keys).toHaveLength(2);
    }
  });

  test('§5 the account lists its keys without secrets or anything derived from them', async () => {
    const service = await serving();
    const { accountId, key, keyId } = await holder(service);
    const { json, text } = await service.call('/v1/account', { key });
    expect(Object.keys(json.keys[0]).sort()).toEqual([
      'allow_no_origin',
      'created_at',
      'current',
      'expires_at',
      'hint',
      'id',
      'kind',
      'label',
      'last_used_at',
      'origins',
      'requests_per_minute',
      'revoked_at',
      'scopes',
    ]);
    expect(json.keys[0].id).toBe(keyId);
    expect(text).not.toContain(key);
    const [stored] = (await service.service.accounts.listKeys(accountId)).keys;
    expect(stored?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(text).not.toContain(stored?.digest);
  });
});

describe('contract §4 expired and revoked keys', () => {
  test('contract §4 a revoked key is refused as soon as the change is noticed, even if it is in use', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, keyId, accountId } = await holder(service);
    const other = await accounts.createKey(accountId);
    expect((await service.call(RATES, { key })).status).toBe(200);
    await accounts.revokeKey(keyId);
    await changePoller.poll();
    const refused = await service.call(RATES, { key });
    expect([refused.status, refused.json.code]).toEqual([401, 'invalid_api_key']);
    expect((await service.call(RATES, { key: other.key })).status).toBe(200);
  });

  test('contract §4 a key rotated without grace ends at once, and its successor works', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, keyId } = await holder(service);
    expect((await service.call(RATES, { key })).status).toBe(200);
    const next = await accounts.rotateKey(keyId, 0);
    await changePoller.poll();
    expect((await service.call(RATES, { key })).status).toBe(401);
    expect((await service.call(RATES, { key: next.key })).status).toBe(200);
  });

  test('contract §4 a rotated key works to the last millisecond of its grace period and not after', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, keyId } = await holder(service);
    const next = await accounts.rotateKey(keyId, 24 * HOUR_MS);
    await changePoller.poll();
    service.clock.advance(24 * HOUR_MS - 1);
    expect((await service.call(RATES, { key })).status).toBe(200);
    service.clock.advance(1);
    expect((await service.call(RATES, { key })).status).toBe(401);
    expect((await service.call(RATES, { key: next.key })).status).toBe(200);
  });

  test('contract §4 a suspended account is 403 account_suspended until it is resumed', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, accountId } = await holder(service);
    expect((await service.call(RATES, { key })).status).toBe(200);
    await accounts.setStatus(accountId, 'suspended');
    await changePoller.poll();
    for (const path of [RATES, '/v1/account', '/v1/fx/markets?unknown=1']) {
      const refused = await service.call(path, { key });
      expect([refused.status, refused.json.code]).toEqual([403, 'account_suspended']);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
    await accounts.setStatus(accountId, 'active');
    await changePoller.poll();
    expect((await service.call(RATES, { key })).status).toBe(200);
  });

  test('contract §4 a suspended account is refused on its first request too', async () => {
    const service = await serving();
    const { key, accountId } = await holder(service);
    await service.service.accounts.setStatus(accountId, 'suspended');
    const refused = await service.call(RATES, { key });
    expect([refused.status, refused.json.code]).toEqual([403, 'account_suspended']);
  });

  test('contract §4 a revoked key of a suspended account is 401, not 403 account_suspended', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, keyId, accountId } = await holder(service);
    await service.call(RATES, { key });
    await accounts.setStatus(accountId, 'suspended');
    await accounts.revokeKey(keyId);
    await changePoller.poll();
    expect((await service.call(RATES, { key })).json.code).toBe('invalid_api_key');
  });

  test('contract §4 the keys of a deleted account are refused like unknown ones', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, accountId } = await holder(service);
    expect((await service.call(RATES, { key })).status).toBe(200);
    await accounts.delete(accountId);
    await changePoller.poll();
    const refused = await service.call(RATES, { key });
    expect(refusal(refused)).toEqual(refusal(await service.call(RATES, { key: 'unknown' })));
  });

  test('contract §4 a revocation by another process on the same database is noticed too', async () => {
    const service = await serving();
    const other = await startTestService({ dataDir: service.dataDir });
    const { key, keyId } = await holder(service);
    expect((await service.call(RATES, { key })).status).toBe(200);
    await other.service.accounts.revokeKey(keyId);
    await service.service.changePoller.poll();
    expect((await service.call(RATES, { key })).status).toBe(401);
  });
});

describe('contract §4 many wrong keys from one address', () => {
  const wrongKeys = async (service: TestService, count: number) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      statuses.push((await service.call(RATES, { key: `wrong-${sent}` })).status);
    }
    return statuses;
  };

  test('contract §4 60 wrong keys in a minute are 401, and the 61st is 429 without a scope', async () => {
    const service = await serving();
    expect(await wrongKeys(service, 60)).toEqual(Array.from({ length: 60 }, () => 401));
    const refused = await service.call(RATES, { key: 'one too many' });
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('x-ratelimit-scope')).toBeNull();
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });

  test('contract §4 wrong keys of every kind count, even two headers of which one is right', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const { key, accountId } = await holder(service);
    const revoked = await accounts.createKey(accountId);
    await accounts.revokeKey(revoked.id);
    await changePoller.poll();
    await wrongKeys(service, 57);
    await service.call(RATES, { key: revoked.key });
    await service.call(RATES, { key: UNKNOWN_KEY });
    await sendWith(service.url + RATES, { 'X-API-Key': [key, key] });
    expect((await service.call(RATES, { key: revoked.key })).status).toBe(429);
  });

  test('contract §4 wrong keys that arrive together are counted exactly', async () => {
    const service = await serving();
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, count) => service.call(RATES, { key: `wrong-${count}` })),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('contract §4 of 600 wrong keys with a right checksum at once none is 503, and a valid key among them is answered', async () => {
    const service = await serving();
    const { key } = await holder(service);
    const asked = (count: number) =>
      Array.from({ length: count }, () => service.call(RATES, { key: newKey() }));
    const before = asked(300);
    const valid = service.call(RATES, { key });
    const wrong = await Promise.all([...before, ...asked(300)]);
    expect((await valid).status).toBe(200);
    const counts = [401, 429].map((code) => wrong.filter(({ status }) => status === code).length);
    expect(counts).toEqual([60, 540]);
  });

  test('contract §4 wrong keys are refused until the minute ends, with Retry-After', async () => {
    const service = await serving();
    await wrongKeys(service, 61);
    service.clock.advance(59_001);
    const late = await service.call(RATES, { key: 'wrong' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
    service.clock.advance(998);
    expect((await service.call(RATES, { key: 'wrong' })).status).toBe(429);
    service.clock.advance(1);
    expect(await wrongKeys(service, 61)).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
  });

  test('contract §4 a valid key is never refused for wrong keys from its address, known before or not', async () => {
    const service = await serving();
    const { key, accountId } = await holder(service);
    await service.call(RATES, { key });
    await wrongKeys(service, 65);
    expect((await service.call(RATES, { key })).status).toBe(200);
    const fresh = await service.service.accounts.createKey(accountId);
    expect((await service.call(RATES, { key: fresh.key })).status).toBe(200);
    expect((await service.call(RATES, { key: 'wrong' })).status).toBe(429);
  });

  test('contract §4 a missing key does not count as wrong and stays 401', async () => {
    const service = await serving();
    for (let sent = 0; sent < 70; sent += 1) await service.call(RATES);
    expect((await service.call(RATES, { key: 'wrong' })).status).toBe(401);
    await wrongKeys(service, 60);
    expect((await service.call(RATES)).json.code).toBe('missing_api_key');
  });

  describe('contract §4 many wrong admin tokens from one address', () => {
    const admin = (service: TestService, token: string | undefined, path = '/metrics') =>
      service.call(path, {
        method: path === '/metrics' ? 'GET' : 'POST',
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          'Content-Type': 'application/x-ndjson',
        },
        ...(path !== '/metrics' && { body: '' }),
      });
    const guess = async (service: TestService, times: number) => {
      const statuses = new Set<number>();
      for (let sent = 0; sent < times; sent += 1) {
        statuses.add((await admin(service, `guess-${sent}`)).status);
      }
      return [...statuses];
    };

    test('contract §4 after 60 wrong tokens every admin call is 429, even with the right token', async () => {
      const service = await serving();
      expect(await guess(service, 59)).toEqual([401]);
      expect((await admin(service, ADMIN_TOKEN)).status).toBe(200);
      expect(await guess(service, 1)).toEqual([401]);
      for (const token of ['guess', ADMIN_TOKEN, undefined]) {
        for (const path of ['/metrics', '/v1/admin/records']) {
          const { status, json, headers } = await admin(service, token, path);
          expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
          expect(headers.get('retry-after')).toBe('60');
          expect(headers.get('x-ratelimit-scope')).toBeNull();
        }
      }
      service.clock.advance(59_999);
      expect((await admin(service, ADMIN_TOKEN)).status).toBe(429);
      service.clock.advance(1);
      expect((await admin(service, ADMIN_TOKEN)).status).toBe(200);
    });

    test('contract §4 wrong keys and wrong tokens count together, and a valid key is never refused', async () => {
      const service = await serving();
      const { key } = await holder(service);
      await wrongKeys(service, 30);
      await guess(service, 30);
      expect((await admin(service, ADMIN_TOKEN)).status).toBe(429);
      expect((await service.call(RATES, { key: 'wrong' })).status).toBe(429);
      expect((await service.call(RATES, { key })).status).toBe(200);
    });

    test('contract §4 refused tokens make one log line a minute, with the address and without the token', async () => {
      const service = await serving();
      await guess(service, 60);
      for (let sent = 0; sent < 50; sent += 1) await admin(service, ADMIN_TOKEN);
      const lines = () =>
        service.log.lines.filter(({ message }) => message.startsWith('admin calls are refused'));
      expect(lines()).toEqual([
        {
          level: 'warn',
          fields: { address: '127.0.0.1', suppressed: 0 },
          message: expect.any(String),
        },
      ]);
      expect(JSON.stringify(service.log.lines)).not.toContain(ADMIN_TOKEN);
      service.clock.advance(60_000);
      await guess(service, 61);
      expect(lines()[1]?.fields).toMatchObject({ suppressed: 49 });
    });
  });

  test('contract §4 X-Forwarded-For gives the address only behind a trusted proxy', async () => {
    const from = (service: TestService, forwarded: string) =>
      service.call(RATES, { key: 'wrong', headers: { 'X-Forwarded-For': forwarded } });
    const open = await serving();
    for (let sent = 0; sent < 60; sent += 1) await from(open, `203.0.113.${sent}`);
    expect((await from(open, '203.0.113.200')).status).toBe(429);

    const proxied = await startTestService({ config: { trustProxy: true } });
    for (let sent = 0; sent < 61; sent += 1) await from(proxied, '203.0.113.1');
    expect((await from(proxied, '203.0.113.1')).status).toBe(429);
    expect((await from(proxied, '203.0.113.2')).status).toBe(401);
    // The caller's own text comes before the address that the proxy adds.
    expect((await from(proxied, '203.0.113.9, 203.0.113.1')).status).toBe(429);
  });
});

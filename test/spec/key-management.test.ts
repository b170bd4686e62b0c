import { describe, expect, test } from 'vitest';
import { MAX_NEW_KEYS_PER_DAY } from '../../src/core/app/access/accounts.ts';
import { kindOfKey } from '../../src/core/app/access/keys.ts';
import { GRANTABLE_SCOPES, type KeyGrant } from '../../src/core/domain/keys.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const KEYS = '/v1/account/keys';
const SHOP = 'https://shop.example';

async function accountOn(service: TestService, plan: string) {
  const { accounts } = service.service;
  const { id } = await accounts.create(`${plan} of a test`, plan);
  const keyWith = async (grant: KeyGrant, lastsUntil?: number) =>
    accounts.createKey(id, { grant, lastsUntil });
  return { id, keyWith };
}

async function holderOn(service: TestService, plan: string, grant: KeyGrant = { kind: 'full' }) {
  const account = await accountOn(service, plan);
  const { id, key } = await account.keyWith(grant);
  const call = (method: string, path: string, body?: object) =>
    service.call(`${KEYS}${path}`, { key, method, ...(body !== undefined && { body }) });
  return { ...account, keyId: id, key, call };
}

describe('keys that an account manages itself (contract §11)', () => {
  test('each has its last use to the minute; a refused call is none', async () => {
    const service = await startTestService();
    const { call, keyWith, keyId } = await holderOn(service, 'Esencial');
    const reader = await keyWith({ kind: 'restricted', scopes: ['rates'] });
    // Keys made at one instant are in no order that anyone chose.
    const lastUses = async () => {
      const { keys } = (await call('GET', '')).json;
      return [keyId, reader.id].map(
        (id) => keys.find((key: Record<string, unknown>) => key['id'] === id).last_used_at,
      );
    };
    expect((await service.call('/v1/account', { key: reader.key })).status).toBe(403);
    service.clock.advance(90_000);
    expect(await lastUses()).toEqual(['2026-11-21T12:01:00.000Z', null]);
    expect((await service.call('/v1/fx/rates', { key: reader.key })).status).toBe(200);
    service.clock.advance(60_000);
    await expect.poll(lastUses).toEqual(['2026-11-21T12:02:00.000Z', '2026-11-21T12:01:00.000Z']);
  });

  test('each has how it begins and ends, also one that a rotation made', async () => {
    const service = await startTestService();
    const { call, keyWith } = await holderOn(service, 'Esencial');
    const reader = await keyWith({ kind: 'restricted', scopes: ['rates'] });
    const next = (await call('POST', `/${reader.id}/rotate`, { grace_sec: 3600 })).json;
    const hints = new Map(
      (await call('GET', '')).json.keys.map(({ id, hint }: { id: string; hint: string }) => [
        id,
        hint,
      ]),
    );
    for (const { id, key } of [reader, next]) {
      expect(hints.get(id)).toBe(`vfx_rk_live_…${key.slice(-4)}`);
    }
  });

  test('POST creates a key of each kind, and only its answer shows the key', async () => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Esencial');
    const full = await call('POST', '', { kind: 'full', label: 'Servidor' });
    expect(full.status).toBe(201);
    expect(full.headers.get('cache-control')).toBe('no-store');
    expect(full.json).toMatchObject({ kind: 'full', label: 'Servidor', origins: [] });
    expect(kindOfKey(full.json.key)).toBe('full');
    const restricted = await call('POST', '', { kind: 'restricted', scopes: ['rates'] });
    expect(restricted.json).toMatchObject({ kind: 'restricted', scopes: ['rates'], label: null });
    expect(kindOfKey(restricted.json.key)).toBe('restricted');
    const made = await call('POST', '', {
      kind: 'publishable',
      label: 'Tienda',
      scopes: ['official', 'rates'],
      origins: [SHOP, SHOP],
      allow_no_origin: true,
      requests_per_minute: 10,
      expires_at: '2026-12-24T00:00:00-04:00',
    });
    expect(made.json).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^vfx_pub_/),
      kind: 'publishable',
      label: 'Tienda',
      scopes: ['rates', 'official'],
      origins: [SHOP],
      allow_no_origin: true,
      requests_per_minute: 10,
      hint: expect.stringMatching(/^vfx_pub_…\w{4}$/),
      current: false,
      created_at: '2026-11-21T12:00:00.000Z',
      expires_at: '2026-12-24T04:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    const listed = await call('GET', '');
    expect(listed.json.keys).toHaveLength(4);
    expect(listed.json.next).toBeNull();
    expect(listed.text).not.toContain(made.json.key);
    const { key, ...shown } = made.json;
    expect(listed.json.keys).toContainEqual(shown);
    expect((await service.call(`/v1/fx/rates?key=${key}`)).status).toBe(200);
    service.clock.set(Date.parse('2026-12-24T04:00:00Z'));
    expect((await service.call(`/v1/fx/rates?key=${key}`)).status).toBe(401);
    expect(JSON.stringify(service.log.lines)).not.toContain(key);
  });

  const pub = { kind: 'publishable' };
  test.each([
    [{}, 'missing_field', 'kind'],
    [{ kind: 'secret' }, 'invalid_format', 'kind'],
    [{ kind: 'full', scopes: ['rates'] }, 'invalid_format', 'scopes'],
    [{ kind: 'full', origins: [SHOP] }, 'invalid_format', 'origins'],
    [{ kind: 'restricted' }, 'missing_field', 'scopes'],
    [{ kind: 'restricted', scopes: [] }, 'invalid_format', 'scopes'],
    [{ kind: 'restricted', scopes: 'rates' }, 'invalid_format', 'scopes'],
    [{ kind: 'restricted', scopes: ['rates', 'admin'] }, 'invalid_format', 'scopes'],
    [
      { kind: 'restricted', scopes: ['rates'], allow_no_origin: true },
      'invalid_format',
      'allow_no_origin',
    ],
    [{ ...pub, scopes: ['mcp'] }, 'invalid_format', 'scopes'],
    [{ ...pub, origen: [SHOP] }, 'unknown_parameter', 'origen'],
    [{ colour: 'red' }, 'unknown_parameter', 'colour'],
    [{ ...pub, label: 5, x: 1 }, 'unknown_parameter', 'x'],
    [{ ...pub, scopes: ['rates', 'account.read'] }, 'invalid_format', 'scopes'],
    [{ ...pub, origins: ['*'] }, 'invalid_format', 'origins'],
    [{ ...pub, origins: [`${SHOP}/`] }, 'invalid_format', 'origins'],
    [
      { ...pub, origins: Array.from({ length: 11 }, (_, at) => `https://a${at}.example`) },
      'invalid_format',
      'origins',
    ],
    [{ ...pub, requests_per_minute: 61 }, 'invalid_format', 'requests_per_minute'],
    [{ ...pub, requests_per_minute: 0 }, 'invalid_format', 'requests_per_minute'],
    [{ ...pub, allow_no_origin: 'yes' }, 'invalid_format', 'allow_no_origin'],
    [{ ...pub, label: '' }, 'invalid_format', 'label'],
    [{ ...pub, label: 'a\nb' }, 'invalid_format', 'label'],
    [{ ...pub, label: '\ud800' }, 'invalid_format', 'label'],
    [{ ...pub, label: 'x'.repeat(101) }, 'invalid_format', 'label'],
    [{ ...pub, expires_at: '2026-11-21T12:00:00Z' }, 'invalid_format', 'expires_at'],
    [{ ...pub, expires_at: '2029-01-01T00:00:00Z' }, 'invalid_format', 'expires_at'],
    [{ ...pub, expires_at: 'tomorrow' }, 'invalid_format', 'expires_at'],
  ])('POST %j is 400 %s, field %s', async (body, code, field) => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Esencial');
    const reply = await call('POST', '', body);
    expect([reply.status, reply.json.code, reply.json.field]).toEqual([400, code, field]);
  });

  test.each([
    ['scopes', { kind: 'restricted', scopes: ['rates', 'admin', 'x'] }, 1],
    ['scopes', { ...pub, scopes: ['mcp'] }, 0],
    ['origins', { ...pub, origins: [SHOP, SHOP, `${SHOP}/`] }, 2],
  ])(
    'contract §4 a wrong item of %s is named by its place in the list: %j',
    async (field, body, index) => {
      const { call } = await holderOn(await startTestService(), 'Esencial');
      const { json } = await call('POST', '', body);
      expect(json).toMatchObject({ field, details: { index } });
      expect(json.message).toMatch(`${field}[${index}]: `);
    },
  );

  test('an unknown field of a body about keys is refused and changes nothing', async () => {
    const service = await startTestService();
    const { call, keyId } = await holderOn(service, 'Escala');
    for (const [method, path, body, field, meant] of [
      ['POST', '', { ...pub, origen: [SHOP] }, 'origen', 'origins'],
      ['POST', '', { ...pub, Origins: [SHOP] }, 'Origins', 'origins'],
      ['PATCH', `/${keyId}`, { lable: 'mine' }, 'lable', 'label'],
      ['PATCH', `/${keyId}`, { grace_sec: 5 }, 'grace_sec', undefined],
      ['POST', `/${keyId}/rotate`, { grace_secs: 60 }, 'grace_secs', 'grace_sec'],
      ['POST', `/${keyId}/rotate`, { grace: 60 }, 'grace', undefined],
    ] as const) {
      const reply = await call(method, path, body);
      expect([path, reply.status, reply.json.code, reply.json.field]).toEqual([
        path,
        400,
        'unknown_parameter',
        field,
      ]);
      expect(reply.json.details.did_you_mean).toBe(meant);
      expect(reply.json.details.parameters).toContain(
        path.endsWith('rotate') ? 'grace_sec' : 'label',
      );
    }
    const { keys } = (await call('GET', '')).json;
    expect(keys.map(({ id, label }: { id: string; label: unknown }) => [id, label])).toEqual([
      [keyId, null],
    ]);
  });

  test('a key keeps a scope that can no longer be given, also when it is named', async () => {
    const service = await startTestService();
    const { call, keyWith } = await holderOn(service, 'Escala');
    const scopes = ['rates', 'mcp'] as const;
    const pageless = { origins: [], allowNoOrigin: true, requestsPerMinute: 60 };
    const { id } = await keyWith({ kind: 'publishable', scopes, ...pageless });
    for (const body of [{ label: 'old' }, { scopes }]) {
      const reply = await call('PATCH', `/${id}`, body);
      expect([reply.status, reply.json.scopes]).toEqual([200, scopes]);
    }
    expect((await call('PATCH', `/${id}`, { scopes: ['rates'] })).json.scopes).toEqual(['rates']);
    expect((await call('PATCH', `/${id}`, { scopes })).status).toBe(400);
  });

  test('a scope can be given exactly if some endpoint asks for it', () => {
    const asked = new Set(allEndpoints({ admin: true }).flatMap(({ scope }) => scope ?? []));
    // Those of capabilities open nothing without them (contract §23, contract §25).
    expect(new Set(GRANTABLE_SCOPES)).toEqual(new Set([...asked, 'mcp', 'stream']));
  });

  test('a key may have 10 origins, a label of 100 characters, and no named scope', async () => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Esencial');
    const origins = Array.from({ length: 10 }, (_, at) => `https://a${at}.example`);
    const reply = await call('POST', '', { ...pub, origins, label: 'x'.repeat(100) });
    expect(reply.json).toMatchObject({
      origins,
      scopes: ['rates', 'history', 'official'],
      requests_per_minute: 60,
    });
  });

  test('secret keys count towards keys_max, and publishable ones separately towards public_keys_max', async () => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Gratis');
    const restricted = { kind: 'restricted', scopes: ['rates'] };
    const refused = await call('POST', '', restricted);
    expect([refused.status, refused.json.code]).toEqual([402, 'feature_not_in_plan']);
    expect(refused.json.details).toEqual({
      feature: 'keys',
      current_plan: 'Gratis',
      required_plan: 'Inicio',
      max: 1,
    });
    expect((await call('POST', '', pub)).status).toBe(201);
    const more = await call('POST', '', pub);
    expect(more.json.details).toMatchObject({ feature: 'public_keys', max: 1 });
    expect(more.status).toBe(402);
  });

  test('PATCH changes its fields at once, and null removes a value', async () => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Gratis');
    const { json } = await call('POST', '', { ...pub, origins: [SHOP], label: 'a' });
    const rates = () =>
      service.call('/v1/fx/rates', { key: json.key, headers: { Origin: 'https://b.example' } });
    expect((await rates()).status).toBe(403);
    const changed = await call('PATCH', `/${json.id}`, {
      origins: ['https://b.example'],
      expires_at: '2026-12-01T00:00:00Z',
    });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ label: 'a', origins: ['https://b.example'] });
    expect((await rates()).status).toBe(200);
    expect(
      (await call('PATCH', `/${json.id}`, { label: null, expires_at: null })).json,
    ).toMatchObject({
      label: null,
      expires_at: null,
      origins: ['https://b.example'],
    });
    expect((await call('PATCH', `/${json.id}`, {})).status).toBe(400);
    for (const [body, field] of [
      [{ kind: 'full' }, 'kind'],
      [{ scopes: ['mcp'] }, 'scopes'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ] as const) {
      const reply = await call('PATCH', `/${json.id}`, body);
      expect([reply.status, reply.json.field]).toEqual([400, field]);
    }
  });

  test('DELETE revokes at once, and an ended, unknown or foreign key is 404', async () => {
    const service = await startTestService();
    const { call } = await holderOn(service, 'Gratis');
    const stranger = await holderOn(service, 'Gratis');
    const { json } = await call('POST', '', { ...pub, allow_no_origin: true });
    const gone = await call('DELETE', `/${json.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await service.call('/v1/fx/rates', { key: json.key })).status).toBe(401);
    for (const id of [json.id, 'key_nothing', stranger.keyId]) {
      expect((await call('DELETE', `/${id}`)).status).toBe(404);
      expect((await call('PATCH', `/${id}`, { label: 'mine' })).status).toBe(404);
    }
    expect((await stranger.call('GET', '')).json.keys[0].revoked_at).toBeNull();
  });

  test('no key creates, changes, rotates or revokes a key with more rights than its own', async () => {
    const service = await startTestService();
    const scopes = ['rates', 'account.read', 'account.write'] as const;
    const { call, id, keyWith } = await holderOn(service, 'Escala', { kind: 'restricted', scopes });
    const { id: full } = await keyWith({ kind: 'full' });
    const { id: wider } = await keyWith({ kind: 'restricted', scopes: ['mcp'] });
    const { id: same } = await keyWith({ kind: 'restricted', scopes });
    const refused = [
      ['POST', '', { kind: 'full' }, 'history'],
      ['POST', '', { kind: 'restricted', scopes: ['rates', 'official'] }, 'official'],
      ['POST', '', { ...pub, scopes: ['history'] }, 'history'],
      ['PATCH', `/${same}`, { scopes: ['official'] }, 'official'],
      ['PATCH', `/${full}`, { label: 'mine' }, 'history'],
      ['PATCH', `/${wider}`, { scopes: ['rates'] }, 'mcp'],
      ['DELETE', `/${full}`, undefined, 'history'],
      ['POST', `/${full}/rotate`, {}, 'history'],
      ['POST', `/${wider}/rotate`, {}, 'mcp'],
    ] as const;
    for (const [method, path, body, scope] of refused) {
      const reply = await call(method, path, body);
      expect([method, path, reply.status, reply.json.code]).toEqual([
        method,
        path,
        403,
        'scope_missing',
      ]);
      expect(reply.json.details).toEqual({ scope });
    }
    expect((await service.service.accounts.listKeys(id)).keys).toHaveLength(4);
    const made = await call('POST', '', pub);
    expect([made.status, made.json.scopes]).toEqual([201, ['rates']]);
    const rotated = await call('POST', `/${same}/rotate`, {});
    expect(kindOfKey(rotated.json.key)).toBe('restricted');
    const reply = await service.call('/v1/fx/official', { key: rotated.json.key });
    expect(reply.json.details).toEqual({ scope: 'official' });
  });

  test('a restricted key with every scope cannot create a full key', async () => {
    const service = await startTestService();
    const { SCOPES } = await import('../../src/core/domain/keys.ts');
    const { call } = await holderOn(service, 'Inicio', { kind: 'restricted', scopes: SCOPES });
    expect((await call('POST', '', { kind: 'full' })).json.details).toEqual({ scope: 'full' });
  });

  test('no key creates one that expires later than itself', async () => {
    const service = await startTestService();
    const account = await accountOn(service, 'Escala');
    const ends = service.clock.now() + 86_400_000;
    const { key, id } = await account.keyWith({ kind: 'full' }, ends);
    const post = (path: string, body: object) =>
      service.call(`${KEYS}${path}`, { key, method: 'POST', body });
    const same = '2026-11-22T12:00:00.000Z';
    expect((await post('', { kind: 'full' })).json.expires_at).toBe(same);
    expect((await post('', { kind: 'full', expires_at: same })).status).toBe(201);
    const later = await post('', { kind: 'full', expires_at: '2026-11-22T12:00:00.001Z' });
    expect([later.status, later.json.field]).toEqual([400, 'expires_at']);
    const eternal = await account.keyWith({ kind: 'full' });
    expect((await post(`/${eternal.id}/rotate`, {})).status).toBe(403);
    const next = await post(`/${id}/rotate`, {});
    const { keys } = (await service.service.accounts.listKeys(account.id)) ?? {};
    expect(keys.find((one) => one.id === next.json.id)?.expiresAt).toBe(ends);
  });

  test('PATCH refuses to extend the grace period of a key, and shortens it (contract §11)', async () => {
    const service = await startTestService();
    const { call, keyWith } = await holderOn(service, 'Inicio');
    const old = await keyWith({ kind: 'full' });
    await service.service.accounts.rotateKey(old.id, 60_000);
    const change = (expires_at: string | null) =>
      call('PATCH', `/${old.id}`, { label: 'old', expires_at });
    for (const end of ['2027-01-01T00:00:00Z', '2026-11-21T12:01:00.001Z', null]) {
      const { status, json } = await change(end);
      expect([status, json.code, json.field]).toEqual([400, 'invalid_format', 'expires_at']);
      expect(json.message).toContain('2026-11-21T12:01:00.000Z');
    }
    expect((await call('PATCH', `/${old.id}`, { label: 'a' })).json.label).toBe('a');
    expect((await change('2026-11-21T12:01:00.000Z')).status).toBe(200);
    expect((await change('2026-11-21T12:00:30.000Z')).json).toMatchObject({
      label: 'old',
      expires_at: '2026-11-21T12:00:29.999Z',
    });
  });

  test('an account creates a limited number of keys a UTC day', async () => {
    const service = await startTestService();
    const { call, id } = await holderOn(service, 'Escala');
    const { accounts } = service.service;
    for (let made = 1; made < MAX_NEW_KEYS_PER_DAY; made += 1) {
      const { id: one } = await accounts.createKey(id, { grant: { kind: 'full' } });
      await accounts.revokeKey(one);
    }
    const refused = await call('POST', '', { kind: 'full' });
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('x-ratelimit-scope')).toBe('account');
    expect(refused.headers.get('retry-after')).toBe('43200');
    service.clock.advance(12 * 3_600_000);
    expect((await call('POST', '', { kind: 'full' })).status).toBe(201);
  });
});

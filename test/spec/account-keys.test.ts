import { describe, expect, test } from 'vitest';
import { MAX_GRACE_MS } from '../../src/core/app/access/accounts.ts';
import { kindOfKey } from '../../src/core/app/access/keys.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const ACCOUNT = '/v1/account';
const HOUR_SEC = 3_600;

async function holder(service: TestService, plan: string) {
  const { accounts } = service.service;
  const account = await accounts.create(`${plan} of a test`, plan);
  const { id, key } = await accounts.createKey(account.id);
  return { accountId: account.id, id, key };
}

const rotate = (service: TestService, key: string, id: string, body: object = {}) =>
  service.call(`${ACCOUNT}/keys/${id}/rotate`, { key, method: 'POST', body });

const statusWith = async (service: TestService, key: string) =>
  (await service.call(ACCOUNT, { key })).status;

describe('the keys of an account', () => {
  test('the account marks the key of the request', async () => {
    const service = await startTestService();
    const { accountId, id, key } = await holder(service, 'Inicio');
    const other = await service.service.accounts.createKey(accountId);
    const { keys } = (await service.call(ACCOUNT, { key })).json;
    const current = Object.fromEntries(
      keys.map((one: { id: string; current: boolean }) => [one.id, one.current]),
    );
    expect(current).toEqual({ [id]: true, [other.id]: false });
  });

  test('without a grace period the old key ends with the answer that shows its successor', async () => {
    const service = await startTestService();
    const { id, key } = await holder(service, 'Gratis');
    expect(await statusWith(service, key)).toBe(200);
    const reply = await rotate(service, key, id);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^vfx_live_/),
      created_at: '2026-11-21T12:00:00.000Z',
      replaces: id,
      replaced_expires_at: '2026-11-21T12:00:00.000Z',
    });
    expect(kindOfKey(reply.json.key)).toBe('full');
    expect(await statusWith(service, key)).toBe(401);
    expect(await statusWith(service, reply.json.key)).toBe(200);
    expect(JSON.stringify(service.log.lines)).not.toContain(reply.json.key);
  });

  test('60 connections of one account that create keys are all answered, and another account notices nothing', async () => {
    const service = await startTestService();
    const busy = await holder(service, 'Escala');
    const other = await holder(service, 'Gratis');
    expect(await statusWith(service, other.key)).toBe(200);
    const body = { kind: 'publishable', origins: ['https://tienda.example'] };
    const made = Array.from({ length: 60 }, () =>
      service.call(`${ACCOUNT}/keys`, { key: busy.key, method: 'POST', body }),
    );
    const asked = Array.from({ length: 20 }, () =>
      service.call('/v1/account/keys', { key: other.key }),
    );
    const statuses = async (replies: typeof made) =>
      (await Promise.all(replies)).map(({ status }) => status).sort();
    expect(await statuses(asked)).toEqual(Array(20).fill(200));
    const max = service.service.plans.find('Escala')?.publicKeysMax ?? 0;
    expect(await statuses(made)).toEqual([...Array(max).fill(201), ...Array(60 - max).fill(402)]);
  });

  test('of simultaneous rotations of one key one succeeds and the others are 404', async () => {
    const service = await startTestService();
    const { accountId, key } = await holder(service, 'Esencial');
    const { id } = await service.service.accounts.createKey(accountId);
    const replies = await Promise.all(Array.from({ length: 6 }, () => rotate(service, key, id)));
    const outcomes = replies.map(({ status, json }) => [status, json.code, json.field]).sort();
    const notFound = [404, 'resource_not_found', 'id'];
    expect(outcomes).toEqual([[201, undefined, undefined], ...Array(5).fill(notFound)]);
  });

  test('the old key works to the end of its grace period and not after', async () => {
    const service = await startTestService();
    const { id, key } = await holder(service, 'Gratis');
    const { json } = await rotate(service, key, id, { grace_sec: HOUR_SEC });
    expect(json.replaced_expires_at).toBe('2026-11-21T13:00:00.000Z');
    service.clock.advance(HOUR_SEC * 1_000 - 1);
    expect(await statusWith(service, key)).toBe(200);
    service.clock.advance(1);
    expect(await statusWith(service, key)).toBe(401);
    expect(await statusWith(service, json.key)).toBe(200);
  });

  test.each([
    [0, 201],
    [MAX_GRACE_MS / 1_000, 201],
    [MAX_GRACE_MS / 1_000 + 1, 400],
    [1e99, 400],
    [-1, 400],
    [1.5, 400],
    ['60', 400],
    [null, 400],
  ])('a grace_sec of %s is answered %i', async (grace_sec, status) => {
    const service = await startTestService();
    const { id, key } = await holder(service, 'Gratis');
    const reply = await rotate(service, key, id, { grace_sec });
    expect([reply.status, reply.json.field]).toEqual([
      status,
      status === 400 ? 'grace_sec' : undefined,
    ]);
  });

  test('contract §4 a number that no field may have names the limit of its field', async () => {
    const service = await startTestService();
    const { id, key } = await holder(service, 'Gratis');
    const { json } = await rotate(service, key, id, { grace_sec: 1e99 });
    expect(json.message).toBe(`grace_sec: must be at most ${MAX_GRACE_MS / 1_000}.`);
  });

  test('grace periods never give more live keys than the plan and one', async () => {
    const service = await startTestService();
    const { accountId, id, key } = await holder(service, 'Gratis');
    const second = (await rotate(service, key, id, { grace_sec: HOUR_SEC })).json;
    for (const old of [id, second.id]) {
      const { status, json } = await rotate(service, second.key, old, { grace_sec: HOUR_SEC });
      expect([status, json.code, json.details]).toEqual([
        402,
        'feature_not_in_plan',
        { feature: 'keys', current_plan: 'Gratis', required_plan: 'Inicio', max: 1 },
      ]);
    }
    const third = await rotate(service, second.key, second.id);
    expect(third.status).toBe(201);
    expect(await statusWith(service, second.key)).toBe(401);
    expect(await statusWith(service, key)).toBe(200);
    service.clock.advance(HOUR_SEC * 1_000);
    const { key: last, id: lastId } = third.json;
    expect((await rotate(service, last, lastId, { grace_sec: HOUR_SEC })).status).toBe(201);
    expect((await service.service.accounts.listKeys(accountId)).keys).toHaveLength(4);
  });

  test('contract §11 a key in its grace period makes, rotates and changes no key and revokes none but itself', async () => {
    const service = await startTestService();
    const { accountId, id, key } = await holder(service, 'Escala');
    const other = await service.service.accounts.createKey(accountId);
    const second = (await rotate(service, key, id, { grace_sec: HOUR_SEC })).json;
    const call = (method: string, path: string, body?: object) =>
      service.call(`${ACCOUNT}/keys${path}`, { key, method, body });
    for (const [method, path, body] of [
      ['POST', '', { kind: 'full' }],
      // Refused before the body is read.
      ['POST', '', { unknown: 1 }],
      ['POST', `/${id}/rotate`, {}],
      ['POST', `/${second.id}/rotate`, {}],
      ['PATCH', `/${id}`, { label: 'mine' }],
      ['PATCH', `/${other.id}`, { label: 'mine' }],
      ['DELETE', `/${second.id}`, undefined],
      ['DELETE', `/${other.id}`, undefined],
      ['DELETE', '/key_nothing', undefined],
    ] as const) {
      const refused = await call(method, path, body);
      expect([method, path, refused.status, refused.json?.code]).toEqual([
        method,
        path,
        403,
        'key_in_grace',
      ]);
    }
    expect((await call('GET', '')).status).toBe(200);
    expect(await statusWith(service, second.key)).toBe(200);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await statusWith(service, key)).toBe(401);
  });

  test('contract §11 a key that ends before its grace period is in it too', async () => {
    const service = await startTestService();
    const { accounts } = service.service;
    const account = await accounts.create('short', 'Escala');
    const lastsUntil = service.clock.now() + 60_000;
    const made = await accounts.createKey(account.id, { grant: { kind: 'full' }, lastsUntil });
    const { key: next } = (await rotate(service, made.key, made.id, { grace_sec: HOUR_SEC })).json;
    const create = (key: string) =>
      service.call(`${ACCOUNT}/keys`, { key, method: 'POST', body: { kind: 'full' } });
    expect((await create(made.key)).json.code).toBe('key_in_grace');
    // Its successor brings the end forward, and it stays in its grace period.
    const expires_at = new Date(service.clock.now() + 30_000).toISOString();
    const path = `${ACCOUNT}/keys/${made.id}`;
    await service.call(path, { key: next, method: 'PATCH', body: { expires_at } });
    expect((await create(made.key)).json.code).toBe('key_in_grace');
    expect((await create(next)).status).toBe(201);
  });

  test('a key in its grace period gets no second successor beyond the plan', async () => {
    const service = await startTestService();
    const { id, key } = await holder(service, 'Gratis');
    const second = (await rotate(service, key, id, { grace_sec: HOUR_SEC })).json;
    const refused = await rotate(service, second.key, id);
    expect([refused.status, refused.json.code]).toEqual([402, 'feature_not_in_plan']);
  });

  test('a key may rotate another key of its account and keeps working', async () => {
    const service = await startTestService();
    const { accountId, key } = await holder(service, 'Inicio');
    const other = await service.service.accounts.createKey(accountId);
    expect((await rotate(service, key, other.id)).status).toBe(201);
    expect(await statusWith(service, other.key)).toBe(401);
    expect(await statusWith(service, key)).toBe(200);
  });

  test('keys of other accounts, ended keys and unknown keys get the same 404', async () => {
    const service = await startTestService();
    const { accountId, id, key } = await holder(service, 'Esencial');
    const stranger = await holder(service, 'Esencial');
    const revoked = await service.service.accounts.createKey(accountId);
    await service.service.accounts.revokeKey(revoked.id);
    const { key: next } = (await rotate(service, key, id)).json;
    const texts = new Set<string>();
    for (const gone of [stranger.id, revoked.id, id, 'key_none']) {
      const { status, json, text } = await rotate(service, next, gone);
      expect([status, json.code, json.field]).toEqual([404, 'resource_not_found', 'id']);
      texts.add(text);
    }
    expect(texts.size).toBe(1);
    expect(await statusWith(service, stranger.key)).toBe(200);
  });
});

import { describe, expect, test, vi } from 'vitest';
import { DEAD_KEYS_KEPT_MS } from '../../src/core/app/access/retention.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { START, startTestService, type TestService, temporaryDir } from '../harness/service.ts';

const ACCOUNT = '/v1/account';
const RULE = { kind: 'percent', value: 1 };

async function holder(service: TestService, plan: string) {
  const { accounts } = service.service;
  const account = await accounts.create(`${plan} of a test`, plan);
  const { id, key } = await accounts.createKey(account.id);
  return { accountId: account.id, id, key };
}

const limitHeaders = (reply: Awaited<ReturnType<TestService['call']>>) => [
  reply.status,
  reply.json.code,
  reply.headers.get('x-ratelimit-scope'),
  reply.headers.get('retry-after'),
];

/** Number of answers by status. */
function statuses(replies: readonly { readonly status: number }[]) {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('calls that cost nothing (contract §4 "Free calls")', () => {
  test.each([
    ['Gratis', 120],
    ['Inicio', 240],
  ])('%s has exactly %i free calls a minute, in a window of their own', async (plan, limit) => {
    const service = await startTestService();
    const { key } = await holder(service, plan);
    const replies = await Promise.all(
      Array.from({ length: limit + 7 }, () => service.call(ACCOUNT, { key })),
    );
    expect(statuses(replies)).toEqual({ 200: limit, 429: 7 });
    service.clock.advance(MINUTE_MS - 1);
    const refused = await service.call(ACCOUNT, { key });
    expect(limitHeaders(refused)).toEqual([429, 'rate_limit_exceeded', 'account', '1']);
    // It has the quota headers of every answer to a known caller, unchanged.
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(
      refused.headers.get('x-ratelimit-limit'),
    );
    expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
    service.clock.advance(1);
    expect((await service.call(ACCOUNT, { key })).status).toBe(200);
  });

  test('all free calls share the window, and calls that cost do not use it', async () => {
    const service = await startTestService();
    const { key, id } = await holder(service, 'Inicio');
    for (let call = 0; call < 236; call += 1) await service.call(ACCOUNT, { key });
    for (let call = 0; call < 5; call += 1) await service.call('/v1/fx/rates', { key });
    const { call } = service;
    const write = (method: string, path: string, body?: object) =>
      call(`${ACCOUNT}${path}`, { key, method, ...(body !== undefined && { body }) });
    const replies = [
      await call(`${ACCOUNT}/usage`, { key }),
      await write('POST', '/markups', { tag: 'a', ...RULE }),
      await write('PUT', '/markups/a', RULE),
      await write('DELETE', '/markups/a'),
      await write('POST', `/keys/${id}/rotate`, {}),
      await write('GET', '/markups'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200, 204, 429, 429]);
  });

  test('a free call that fails counts in the minute', async () => {
    const service = await startTestService();
    const { key } = await holder(service, 'Gratis');
    const rotate = (id: string) =>
      service.call(`${ACCOUNT}/keys/${id}/rotate`, { key, method: 'POST', body: {} });
    const replies = await Promise.all(Array.from({ length: 121 }, () => rotate('key_none')));
    expect(statuses(replies)).toEqual({ 404: 120, 429: 1 });
  });

  test('the keys of one account share the window over two processes, and accounts do not', async () => {
    const dataDir = await temporaryDir();
    const [one, two] = [await startTestService({ dataDir }), await startTestService({ dataDir })];
    const { accountId, key } = await holder(one, 'Inicio');
    const { key: other } = await one.service.accounts.createKey(accountId);
    const { key: stranger } = await holder(one, 'Inicio');
    const care = setInterval(() => {
      for (const { service } of [one, two]) service.changePoller.poll().catch(() => undefined);
    }, 20);
    const replies = await Promise.all(
      Array.from({ length: 250 }, (_, call) =>
        call % 2 === 0 ? one.call(ACCOUNT, { key }) : two.call(ACCOUNT, { key: other }),
      ),
    );
    clearInterval(care);
    expect(statuses(replies)).toEqual({ 200: 240, 429: 10 });
    expect((await two.call(ACCOUNT, { key: stranger })).status).toBe(200);
  });

  test('an account may rotate keys 10 times a UTC day, then 429 until the day ends', async () => {
    const service = await startTestService();
    let { id, key, accountId } = await holder(service, 'Gratis');
    const rotate = () =>
      service.call(`${ACCOUNT}/keys/${id}/rotate`, { key, method: 'POST', body: {} });
    for (let turn = 0; turn < 10; turn += 1) {
      const reply = await rotate();
      expect(reply.status).toBe(201);
      ({ id, key } = reply.json);
    }
    // It is 12:00 UTC, so twelve hours of the day remain.
    expect(limitHeaders(await rotate())).toEqual([429, 'rate_limit_exceeded', 'account', '43200']);
    expect((await service.call(ACCOUNT, { key })).status).toBe(200);
    // The operator may still do it, and it does not count.
    ({ id, key } = await service.service.accounts.rotateKey(id, DAY_MS));
    expect((await service.service.accounts.listKeys(accountId)).keys).toHaveLength(12);
    service.clock.advance(DAY_MS / 2 - 1);
    expect(limitHeaders(await rotate()).at(-1)).toBe('1');
    service.clock.advance(1);
    expect((await rotate()).status).toBe(201);
  });
});

describe('ended keys (contract §4 "Free calls")', () => {
  test('are removed after 30 days, not earlier', async () => {
    const dataDir = await temporaryDir();
    const first = await startTestService({ dataDir });
    const { accountId, id, key } = await holder(first, 'Inicio');
    const { id: liveId } = await first.service.accounts.createKey(accountId);
    await first.service.accounts.revokeKey(id);
    const keysAfter = async (milliseconds: number) => {
      const later = await startTestService({ dataDir, start: START + milliseconds });
      await later.service.close();
      const { service } = first;
      return (await service.accounts.listKeys(accountId)).keys.map((one) => one.id);
    };
    expect(await keysAfter(DEAD_KEYS_KEPT_MS)).toEqual([liveId, id]);
    expect(await keysAfter(DEAD_KEYS_KEPT_MS + 1)).toEqual([liveId]);
    expect((await first.call(ACCOUNT, { key })).status).toBe(401);
  });

  test('are removed while a service runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const service = await startTestService();
      const { accountId, id } = await holder(service, 'Inicio');
      await service.service.accounts.revokeKey(id);
      service.clock.advance(DEAD_KEYS_KEPT_MS + 1);
      await vi.advanceTimersByTimeAsync(3_600_000);
      await vi.waitFor(async () => {
        expect((await service.service.accounts.listKeys(accountId)).keys).toEqual([]);
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('are listed after live keys, in pages of 100', async () => {
    const service = await startTestService();
    const { accountId, id, key } = await holder(service, 'Gratis');
    for (let made = 0; made < 105; made += 1) {
      const next = await service.service.accounts.rotateKey(id, DAY_MS);
      await service.service.accounts.revokeKey(next.id);
    }
    const first = (await service.call(ACCOUNT, { key })).json;
    expect([first.keys.length, first.keys[0].id]).toEqual([100, id]);
    const second = (await service.call(`${ACCOUNT}?keys_after=${first.keys_next}`, { key })).json;
    expect([second.keys.length, second.keys_next]).toEqual([6, null]);
    const ids = new Set([...first.keys, ...second.keys].map((one: { id: string }) => one.id));
    expect(ids.size).toBe(106);
    const stranger = await holder(service, 'Gratis');
    const wrong = await service.call(`${ACCOUNT}?keys_after=${stranger.id}`, { key });
    expect([wrong.status, wrong.json.code, wrong.json.field]).toEqual([
      404,
      'resource_not_found',
      'keys_after',
    ]);
    expect(accountId).not.toBe(stranger.accountId);
  });
});

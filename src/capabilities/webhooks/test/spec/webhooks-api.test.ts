import { describe, expect, test } from 'vitest';
import { faultOf, startTestService } from '../../../../../test/harness/service.ts';
import { MAX_TESTS_PER_MINUTE, WEBHOOK_EVENTS } from '../../webhook-types.ts';
import { SECRET } from '../webhook-site.ts';

/** The addresses with which an account manages its webhooks (contract §24). */

const PATH = '/v1/account/webhooks';
const URL_OF_SHOP = 'https://shop.example/hook';
const wish = (more: object = {}) => ({ url: URL_OF_SHOP, events: ['official.published'], ...more });

async function serving({ plan = 'Esencial', loopback = false, secret = true } = {}) {
  const added = {
    ...(secret && { VESFX_SECRET: SECRET }),
    VESFX_ALLOW_LOOPBACK_WEBHOOKS: loopback ? '1' : '0',
  };
  const service = await startTestService({ config: { added } });
  const key = await service.keyFor(plan);
  const call = (method: string, path: string, body?: object) =>
    service.call(`${PATH}${path}`, { key, method, ...(body && { body }) });
  const create = (more?: object) => call('POST', '', wish(more));
  return { service, key, call, create };
}

describe('contract §24 webhooks of an account', () => {
  test('one is created with its secret, listed and shown without it, replaced and deleted', async () => {
    const { service, call, create } = await serving();
    const created = await create({ events: ['rate.changed'], markets: ['paralelo'] });
    expect(created.status).toBe(201);
    const { secret, ...webhook } = created.json;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-f]{16}$/),
      ...{ url: URL_OF_SHOP, events: ['rate.changed'], markets: ['parallel'] },
      ...{ threshold_percent: 1, description: null, active: true, status: 'active' },
      created_at: new Date(service.clock.now()).toISOString(),
    });
    expect((await call('GET', '')).json).toEqual({ webhooks: [webhook] });
    expect((await call('GET', `/${webhook.id}`)).json).toEqual(webhook);

    const changed = { ...webhook, threshold_percent: 0.5, description: 'caja', active: false };
    const replaced = await call('PUT', `/${webhook.id}`, changed);
    expect([replaced.status, replaced.json]).toEqual([200, { ...changed, status: 'paused' }]);
    // As answered, it stays as it is: a paused one is not revived.
    expect((await call('PUT', `/${webhook.id}`, replaced.json)).json).toEqual(replaced.json);
    const revived = await call('PUT', `/${webhook.id}`, wish({ active: true }));
    expect(revived.json).toMatchObject({ status: 'active', threshold_percent: 1, markets: [] });

    expect((await call('DELETE', `/${webhook.id}`)).status).toBe(204);
    expect((await call('GET', '')).json).toEqual({ webhooks: [] });
  });

  test.each([
    ['http', { url: 'http://shop.example/' }, 'url', 'malformed'],
    ['no address', { url: 'shop.example' }, 'url', 'malformed'],
    ['a user name', { url: 'https://me@shop.example/' }, 'url', 'malformed'],
    ['a fragment', { url: 'https://shop.example/#' }, 'url', 'malformed'],
    ['a private address', { url: 'https://10.1.2.3/' }, 'url', 'malformed'],
    ['one written as a number', { url: 'https://2130706433/' }, 'url', 'malformed'],
    ['IPv6 loopback', { url: 'https://[::1]/' }, 'url', 'malformed'],
    ['the metadata of a cloud', { url: 'https://169.254.169.254/' }, 'url', 'malformed'],
    ['localhost', { url: 'https://localhost:8443/' }, 'url', 'malformed'],
    ['port 1023', { url: 'https://shop.example:1023/' }, 'url', 'out_of_range'],
    ['2,001 characters', { url: `https://shop.example/${'a'.repeat(1980)}` }, 'url', 'too_long'],
    ['no events', { events: [] }, 'events', 'empty'],
    ['an unknown event', { events: ['rate.moved'] }, 'events', 'unknown_value'],
    ['an event twice', { events: ['rate.changed', 'rate.changed'] }, 'events', 'repeated'],
    ['the event of a test', { events: ['webhook.test'] }, 'events', 'unknown_value'],
    ['0.009 %', { threshold_percent: 0.009 }, 'threshold_percent', 'out_of_range'],
    ['50.01 %', { threshold_percent: 50.01 }, 'threshold_percent', 'out_of_range'],
    ['text', { threshold_percent: '1' }, 'threshold_percent', 'not_a_number'],
    ['a long note', { description: 'x'.repeat(201) }, 'description', 'too_long'],
    ['a control character', { description: 'a\u0000b' }, 'description', 'malformed'],
  ])('400: %s', async (_, more, field, rule) => {
    const { create } = await serving();
    const reply = await create(more);
    expect(faultOf(reply)).toEqual([400, 'invalid_format', field]);
    expect(reply.json.details.rule).toBe(rule);
  });

  test('400: a field that is nearly ours, with its name', async () => {
    const { create } = await serving();
    const reply = await create({ treshold_percent: 1 });
    expect(faultOf(reply)).toEqual([400, 'unknown_parameter', 'treshold_percent']);
    expect(reply.json.details.did_you_mean).toBe('threshold_percent');
  });

  test('what is just within the limits is taken', async () => {
    const { call, create } = await serving();
    const taken = [
      { url: 'https://shop.example:1024/', threshold_percent: 0.01 },
      { url: `https://shop.example/${'a'.repeat(1979)}`, threshold_percent: 50 },
      { url: 'https://shop.example:443/x', events: WEBHOOK_EVENTS, description: 'x'.repeat(200) },
    ];
    for (const more of taken) expect((await create(more)).status).toBe(201);
    const { webhooks } = (await call('GET', '')).json;
    // The usual port is left out, so that the same address has one spelling.
    expect(webhooks.map(({ url }: { url: string }) => url)).toContain('https://shop.example/x');
  });

  test('markets: 404 for an unknown one, 402 for one that the plan lacks', async () => {
    const { create } = await serving({ plan: 'Inicio' });
    const unknown = await create({ markets: ['paralel'] });
    expect(faultOf(unknown)).toEqual([404, 'resource_not_found', 'markets']);
    expect(unknown.json.details.did_you_mean).toContain('parallel');
    const dear = await create({ markets: ['extended_market_4'] });
    expect([dear.status, dear.json.details.feature]).toEqual([402, 'market:extended_market_4']);
  });

  test('the same url twice is 409 conflict, also by PUT, and in any spelling', async () => {
    const { call, create } = await serving();
    await create();
    expect(faultOf(await create())).toEqual([409, 'conflict', 'url']);
    const spellings = ['SHOP.example:443/hook', 'shop.example./hook', 'shop.example/%68ook'];
    for (const spelling of spellings) {
      const reply = await create({ url: `https://${spelling}` });
      expect(faultOf(reply), spelling).toEqual([409, 'conflict', 'url']);
    }
    const { id } = (await create({ url: 'https://shop.example/other' })).json;
    expect(faultOf(await call('PUT', `/${id}`, wish()))).toEqual([409, 'conflict', 'url']);
  });

  test('webhooks_max: the last one is taken, one more is 402 with details.max', async () => {
    const { create } = await serving({ plan: 'Inicio' });
    expect((await create()).status).toBe(201);
    const more = await create({ url: 'https://shop.example/2' });
    expect(more.status).toBe(402);
    expect(more.json.details).toMatchObject({ feature: 'webhooks', max: 1 });
    expect(more.json.message).toMatch(/at most 1 webhook\.$/);
  });

  test('a plan without webhooks is 402, whatever else is wrong', async () => {
    const { call } = await serving({ plan: 'Gratis' });
    for (const reply of [await call('GET', ''), await call('POST', '', wish({ url: 'x' }))]) {
      expect(reply.status).toBe(402);
      expect(reply.json.details).toMatchObject({ feature: 'webhooks', max: 0 });
    }
  });

  test('the reference says from which plan on what makes, changes or sends is', async () => {
    const { service } = await serving();
    const { paths } = (await service.call('/openapi.json')).json;
    const plansOf = Object.entries<Record<string, { 'x-plan'?: string }>>(paths)
      .filter(([path]) => path.startsWith('/v1/account/webhooks'))
      .flatMap(([, methods]) => Object.entries(methods));
    expect(plansOf.length).toBeGreaterThan(9);
    for (const [method, { 'x-plan': plan }] of plansOf)
      expect([method, plan]).toEqual([method, /get|delete/.test(method) ? undefined : 'Inicio']);
  });

  test('of those left from a dearer plan the oldest count; one beyond them can be read and deleted only', async () => {
    const { service, key, call, create } = await serving();
    const first = (await create()).json;
    service.clock.advance(1);
    const second = (await create({ url: 'https://shop.example/2' })).json;
    const { json } = await service.call('/v1/account', { key });
    await service.service.store.updateAccount(json.id, { plan: 'Inicio' });
    await service.service.changePoller.poll();
    const since = { since: '2026-11-20T00:00:00Z' };
    const sent = (id: string) =>
      Promise.all([
        call('PUT', `/${id}`, id === first.id ? wish() : wish({ url: second.url })),
        call('POST', `/${id}/rotate`, {}),
        call('POST', `/${id}/test`, {}),
        call('POST', `/${id}/recover`, since),
        call('POST', `/${id}/deliveries/msg_0/redeliver`, {}),
      ]);
    const kept = await sent(first.id);
    expect(kept.map(({ status }) => status)).toEqual([200, 201, 202, 202, 404]);
    for (const reply of await sent(second.id)) {
      expect([reply.status, reply.json.details]).toEqual([
        402,
        expect.objectContaining({ feature: 'webhooks', max: 1 }),
      ]);
    }
    // What is unknown stays unknown.
    for (const { status } of await sent('whe_0000000000000000')) expect(status).toBe(404);
    expect((await call('GET', '')).json.webhooks).toHaveLength(2);
    expect((await call('GET', `/${second.id}`)).status).toBe(200);
    expect((await call('GET', `/${second.id}/deliveries`)).json).toEqual({ deliveries: [] });
    // Without the older one it is the oldest.
    expect((await call('DELETE', `/${first.id}`)).status).toBe(204);
    expect((await call('POST', `/${second.id}/test`, {})).status).toBe(202);
  });

  test('those left from a dearer plan can be read and deleted, and send nothing', async () => {
    const { service, key, call, create } = await serving();
    const { id } = (await create()).json;
    const { json } = await service.call('/v1/account', { key });
    await service.service.store.updateAccount(json.id, { plan: 'Gratis' });
    await service.service.changePoller.poll();
    const since = { since: '2026-11-20T00:00:00Z' };
    for (const path of ['/test', '/rotate', '/recover', '/deliveries/msg_0/redeliver']) {
      const reply = await call('POST', `/${id}${path}`, path === '/recover' ? since : {});
      expect([reply.status, reply.json.details.feature], path).toEqual([402, 'webhooks']);
    }
    expect((await call('GET', '')).json.webhooks).toHaveLength(1);
    expect((await call('GET', `/${id}/deliveries`)).json).toEqual({ deliveries: [] });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
  });

  test('those of another account are not there', async () => {
    const { service, create } = await serving();
    const { id } = (await create()).json;
    const key = await service.keyFor('Esencial');
    const asked = [
      ['GET', ''],
      ['PUT', '', wish()],
      ['DELETE', ''],
      ['POST', '/rotate', {}],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/recover', { since: '2026-11-20T00:00:00Z' }],
    ] as const;
    for (const [method, path, body] of asked) {
      const reply = await service.call(`${PATH}/${id}${path}`, { key, method, body });
      expect(faultOf(reply)).toEqual([404, 'resource_not_found', 'id']);
    }
  });

  test('without VESFX_SECRET the addresses are 404', async () => {
    const { call } = await serving({ secret: false });
    const reply = await call('GET', '');
    expect([reply.status, reply.json.details.reason]).toEqual([404, 'unknown_path']);
  });

  test('http and loopback only with VESFX_ALLOW_LOOPBACK_WEBHOOKS', async () => {
    const { create } = await serving({ loopback: true });
    expect((await create({ url: 'http://127.0.0.1:8080/' })).status).toBe(201);
    expect((await create({ url: 'http://localhost:8080/' })).status).toBe(201);
    expect((await create({ url: 'http://10.0.0.1:8080/' })).status).toBe(400);
  });

  test('the secret is rotated, with the former one for as long as asked', async () => {
    const { service, call, create } = await serving();
    const { id, secret } = (await create()).json;
    const rotated = await call('POST', `/${id}/rotate`, { grace_sec: 60 });
    expect(rotated.status).toBe(201);
    expect(rotated.json.secret).not.toBe(secret);
    const end = new Date(service.clock.now() + 60_000).toISOString();
    expect(rotated.json.previous_expires_at).toBe(end);
    expect((await call('POST', `/${id}/rotate`, { grace_sec: 0 })).json).toMatchObject({
      previous_expires_at: null,
    });
    // Without a body the former one signs for a day.
    const day = new Date(service.clock.now() + 86_400_000).toISOString();
    expect((await call('POST', `/${id}/rotate`)).json.previous_expires_at).toBe(day);
    for (const grace_sec of [-1, 604_801, 1.5, '60']) {
      const reply = await call('POST', `/${id}/rotate`, { grace_sec });
      expect(faultOf(reply)).toEqual([400, 'invalid_format', 'grace_sec']);
    }
  });

  test('a test message waits among the deliveries, which can be read and sent again', async () => {
    const { call, create } = await serving();
    const { id } = (await create()).json;
    const sent = await call('POST', `/${id}/test`);
    expect(sent.status).toBe(202);
    const { message_id } = sent.json;
    const { deliveries } = (await call('GET', `/${id}/deliveries`)).json;
    expect(deliveries).toEqual([
      expect.objectContaining({ message_id, type: 'webhook.test', status: 'pending' }),
    ]);
    const details = (await call('GET', `/${id}/deliveries/${message_id}`)).json;
    expect(details).toMatchObject({ message_id, attempts: [] });
    expect(JSON.parse(details.payload)).toMatchObject({ type: 'webhook.test' });
    const again = await call('POST', `/${id}/deliveries/${message_id}/redeliver`);
    expect([again.status, again.json]).toEqual([202, { message_id }]);
    const unknown = await call('POST', `/${id}/deliveries/msg_x/redeliver`);
    expect(faultOf(unknown)).toEqual([404, 'resource_not_found', 'message']);
  });

  test('tests have a limit a minute', async () => {
    const { service, call, create } = await serving();
    const { id } = (await create()).json;
    for (let at = 0; at < MAX_TESTS_PER_MINUTE; at += 1)
      expect((await call('POST', `/${id}/test`)).status).toBe(202);
    const more = await call('POST', `/${id}/test`);
    expect([more.status, more.headers.get('Retry-After')]).toEqual([429, '60']);
    service.clock.set(service.clock.now() + 60_000);
    expect((await call('POST', `/${id}/test`)).status).toBe(202);
  });

  test('deliveries come in pages, by status', async () => {
    const { call, create } = await serving();
    const { id } = (await create()).json;
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1)
      made.unshift((await call('POST', `/${id}/test`)).json.message_id);
    const ids = async (query: string) =>
      (await call('GET', `/${id}/deliveries?${query}`)).json.deliveries.map(
        (one: { message_id: string }) => one.message_id,
      );
    expect(await ids('limit=2')).toEqual(made.slice(0, 2));
    expect(await ids(`limit=2&before=${made[1]}`)).toEqual(made.slice(2));
    expect(await ids('status=pending')).toEqual(made);
    expect(await ids('status=failed')).toEqual([]);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'status=sent', 'before=2026-11-21']) {
      const reply = await call('GET', `/${id}/deliveries?${query}`);
      expect(faultOf(reply)).toEqual([400, 'invalid_format', query.split('=')[0]]);
    }
  });

  test('what is paused sends nothing: 409 until it is active', async () => {
    const { call, create } = await serving();
    const { id } = (await create({ active: false })).json;
    const since = { since: '2026-11-20T00:00:00Z' };
    expect(faultOf(await call('POST', `/${id}/test`))).toEqual([409, 'conflict', undefined]);
    expect(faultOf(await call('POST', `/${id}/recover`, since))).toEqual([
      409,
      'conflict',
      undefined,
    ]);
    await call('PUT', `/${id}`, wish());
    const recovered = await call('POST', `/${id}/recover`, since);
    expect([recovered.status, recovered.json]).toEqual([202, { count: 0 }]);
  });

  test('recover needs a time that has come', async () => {
    const { call, create } = await serving();
    const { id } = (await create()).json;
    for (const [since, rule] of [
      ['ayer', 'not_a_time'],
      ['2026-11-20', 'not_a_time'],
      ['2099-01-01T00:00:00Z', 'out_of_range'],
    ]) {
      const reply = await call('POST', `/${id}/recover`, { since });
      expect(faultOf(reply)).toEqual([400, 'invalid_format', 'since']);
      expect(reply.json.details.rule).toBe(rule);
    }
    expect(faultOf(await call('POST', `/${id}/recover`, {}))).toEqual([
      400,
      'missing_field',
      'since',
    ]);
  });

  test('none of it costs a unit', async () => {
    const { service, key, call, create } = await serving();
    const { id } = (await create()).json;
    await call('POST', `/${id}/test`);
    const usage = await service.call('/v1/account', { key });
    expect(usage.json.usage?.units_used ?? usage.json.units_used ?? 0).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import {
  account,
  ENGINES,
  type Site,
  storeForEachTest,
} from '../../../../../test/contracts/engines.ts';
import { MINUTE_MS } from '../../../../core/domain/time.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import { examineWebhooks } from '../../examine.ts';
import {
  MAX_RECOVERED,
  MAX_TESTS_PER_MINUTE,
  type WebhookStore,
  type WebhookWish,
} from '../../webhook-types.ts';
import { NOON, packagedRules, SECRET, webhooksOn, wish } from '../webhook-site.ts';

const ACCOUNT = 'acc-1';

describe.each(ENGINES)('webhooks on $name', ({ create }) => {
  let site: Site;
  let store: OpenedStore;
  let webhooks: WebhookStore;

  storeForEachTest(create, async (opened) => {
    ({ site, store } = opened);
    webhooks = webhooksOn(store);
    await store.createAccount(account());
    await store.createAccount(account({ id: 'acc-2', name: 'Other' }));
  });

  async function made(given: Partial<WebhookWish> = {}, max: number | null = null) {
    const outcome = await webhooks.create(ACCOUNT, wish(given), { max, now: NOON });
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  }

  test('an endpoint is created, found by its account alone, and deleted (contract §24)', async () => {
    const { webhook, secret } = await made({ description: 'the till', markets: ['parallel'] });
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(webhook).toMatchObject({ status: 'active', createdAt: NOON, description: 'the till' });
    expect(webhook.id).toMatch(/^whe_[0-9a-f]{16}$/);
    expect(await webhooks.list(ACCOUNT)).toEqual([webhook]);
    expect(await webhooks.find(ACCOUNT, webhook.id)).toEqual(webhook);
    expect(await webhooks.list('acc-2')).toEqual([]);
    expect(await webhooks.find('acc-2', webhook.id)).toBeUndefined();
    expect(await webhooks.find(ACCOUNT, 'whe_\0')).toBeUndefined();
    expect(await webhooks.delete('acc-2', webhook.id)).toBe(false);
    expect(await webhooks.delete(ACCOUNT, webhook.id)).toBe(true);
    expect(await webhooks.delete(ACCOUNT, webhook.id)).toBe(false);
    expect(await webhooks.list(ACCOUNT)).toEqual([]);
  });

  test('no secret is stored as it is (contract §24)', async () => {
    const { webhook, secret } = await made();
    await webhooks.rotate(ACCOUNT, webhook.id, { graceMs: 1_000, now: NOON });
    const tables = ['webhook_endpoint', 'audit'];
    const rows = await Promise.all(tables.map((table) => site.ask(`select * from ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length));
  });

  test('an account has as many endpoints as its plan gives, each address once (contract §24)', async () => {
    await made({ url: 'https://a.example/' }, 2);
    const create = (url: string) => webhooks.create(ACCOUNT, wish({ url }), { max: 2, now: NOON });
    expect(await create('https://a.example/')).toBe('exists');
    expect(await create('https://b.example/')).toMatchObject({ webhook: { status: 'active' } });
    expect(await create('https://c.example/')).toBe('full');
    const outcome = await webhooks.create('acc-2', wish(), { max: 0, now: NOON });
    expect(outcome).toBe('full');
  });

  test('two creations at once never exceed the plan (contract §24)', async () => {
    const other = webhooksOn(await site.open());
    const outcomes = await Promise.all(
      [webhooks, other, webhooks].map((one, place) =>
        one.create(ACCOUNT, wish({ url: `https://${place}.example/` }), { max: 1, now: NOON }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(2);
    expect(await webhooks.list(ACCOUNT)).toHaveLength(1);
  });

  test('a replacement takes the whole object, pauses and revives (contract §24)', async () => {
    const { webhook } = await made({ description: 'the till' });
    await made({ url: 'https://other.example/' });
    const replace = (given: Partial<WebhookWish>) =>
      webhooks.replace(ACCOUNT, webhook.id, wish(given), NOON + 1);
    expect(await replace({ url: 'https://other.example/' })).toBe('exists');
    const paused = await replace({ active: false, events: ['official.in_force'] });
    expect(paused).toMatchObject({ status: 'paused', events: ['official.in_force'] });
    expect(paused).not.toHaveProperty('description');
    expect(await replace({})).toMatchObject({ status: 'active', createdAt: NOON });
    expect(await webhooks.replace(ACCOUNT, 'whe_none', wish(), NOON)).toBe('missing');
    expect(await webhooks.replace('acc-2', webhook.id, wish(), NOON)).toBe('missing');
  });

  test('a test is a message that waits, and is listed with its payload (contract §24)', async () => {
    const { webhook } = await made();
    const outcome = await webhooks.test(ACCOUNT, webhook.id, NOON);
    if (typeof outcome === 'string') throw new Error(outcome);
    const { messageId } = outcome;
    const listed = await webhooks.deliveries(ACCOUNT, webhook.id, { limit: 10 });
    const delivery = {
      ...{ messageId, type: 'webhook.test', status: 'pending', createdAt: NOON },
      ...{ attemptsMade: 0, nextAttemptAt: NOON },
    };
    expect(listed).toEqual([delivery]);
    const payload = `{"type":"webhook.test","timestamp":"2026-11-24T16:00:00.000Z","data":{"webhook":"${webhook.id}"}}`;
    const details = await webhooks.delivery(ACCOUNT, webhook.id, messageId);
    expect(details).toEqual({ ...delivery, payload, attempts: [] });
    expect(await webhooks.delivery(ACCOUNT, webhook.id, 'msg_none')).toBe('missing');
    expect(await webhooks.delivery('acc-2', webhook.id, messageId)).toBe('missing');
    expect(await webhooks.deliveries('acc-2', webhook.id, { limit: 10 })).toBe('missing');
  });

  test('deliveries are listed newest first, in pages, by status (contract §24)', async () => {
    const { webhook } = await made();
    const ids: string[] = [];
    for (let place = 0; place < 5; place += 1) {
      const outcome = await webhooks.test(ACCOUNT, webhook.id, NOON + Math.floor(place / 2));
      if (typeof outcome !== 'string') ids.unshift(outcome.messageId);
    }
    const page = async (filter: object) => {
      const list = await webhooks.deliveries(ACCOUNT, webhook.id, { limit: 2, ...filter });
      return typeof list === 'string' ? list : list.map(({ messageId }) => messageId);
    };
    expect(await page({})).toEqual(ids.slice(0, 2));
    expect(await page({ before: ids[1] })).toEqual(ids.slice(2, 4));
    expect(await page({ before: ids[3] })).toEqual(ids.slice(4));
    expect(await page({ before: ids[4] })).toEqual([]);
    expect(await page({ status: 'failed' })).toEqual([]);
    expect(await page({ status: 'pending', limit: 9 })).toEqual(ids);
  });

  test('an endpoint that is not active is asked to send nothing (contract §24)', async () => {
    const { webhook } = await made();
    const outcome = await webhooks.test(ACCOUNT, webhook.id, NOON);
    const messageId = typeof outcome === 'string' ? '' : outcome.messageId;
    await webhooks.replace(ACCOUNT, webhook.id, wish({ active: false }), NOON);
    const now = NOON + 1;
    expect(await webhooks.test(ACCOUNT, webhook.id, now)).toBe('inactive');
    expect(await webhooks.redeliver(ACCOUNT, webhook.id, { messageId, now })).toBe('inactive');
    expect(await webhooks.recover(ACCOUNT, webhook.id, { since: 0, now })).toBe('inactive');
    expect(await webhooks.test(ACCOUNT, 'whe_none', now)).toBe('missing');
  });

  test('a message is sent again with its id, and what failed is recovered in portions (contract §24)', async () => {
    const { webhook } = await made();
    const outcome = await webhooks.test(ACCOUNT, webhook.id, NOON);
    const messageId = typeof outcome === 'string' ? '' : outcome.messageId;
    await site.run("update webhook_message set status = 'delivered', failures = 3");
    const now = NOON + 60_000;
    expect(await webhooks.redeliver(ACCOUNT, webhook.id, { messageId, now })).toBe('accepted');
    expect(await webhooks.deliveries(ACCOUNT, webhook.id, { limit: 1 })).toMatchObject([
      { messageId, status: 'pending', nextAttemptAt: now },
    ]);
    expect(await webhooks.redeliver(ACCOUNT, webhook.id, { messageId: 'x', now })).toBe('missing');
    await site.run(`insert into webhook_message
      with recursive place(n) as (select 1 union all select n + 1 from place where n < ${MAX_RECOVERED})
      select 'copy' || n, endpoint_id, event_seq, type, subject, body, status, created_at,
        attempts_made, failures, next_at, last_status, last_error from webhook_message, place`);
    await site.run("update webhook_message set status = 'failed'");
    const recover = (since: number) => webhooks.recover(ACCOUNT, webhook.id, { since, now });
    expect(await recover(NOON + 1)).toEqual({ count: 0 });
    expect(await recover(NOON)).toEqual({ count: MAX_RECOVERED });
    expect(await recover(NOON)).toEqual({ count: 1 });
    expect(await recover(NOON)).toEqual({ count: 0 });
  });

  test('ten tests a minute are sent to an endpoint, and no more (contract §24)', async () => {
    const { webhook } = await made();
    const send = (now: number) => webhooks.test(ACCOUNT, webhook.id, now);
    for (let place = 0; place < MAX_TESTS_PER_MINUTE; place += 1)
      expect(await send(NOON)).toHaveProperty('messageId');
    expect(await send(NOON + MINUTE_MS - 1)).toBe('too_many');
    expect(await send(NOON + MINUTE_MS)).toHaveProperty('messageId');
  });

  test('the doctor says why nothing is sent (contract §24)', async () => {
    const { plans } = packagedRules();
    const levels = async (secret: string | undefined) =>
      (await examineWebhooks(secret, store, plans)).map(
        ({ level, message }) => `${level}: ${message}`,
      );
    expect(await levels(undefined)).toEqual([
      'ok: There are no webhooks, and their addresses are 404: VESFX_SECRET is not set.',
    ]);
    await made();
    expect(await levels(SECRET)).toEqual(['ok: Webhooks: 1.']);
    expect(await levels(undefined)).toEqual([
      'warning: Webhooks that get nothing, because VESFX_SECRET is not set: 1.',
    ]);
    expect(await levels(`${SECRET} changed`)).toEqual([
      'warning: Webhooks that get nothing, because their secrets were sealed with another VESFX_SECRET: 1.',
    ]);
    // The plan of the account has one.
    await made({ url: 'https://shop.example/newer' });
    const newest = (await webhooks.list(ACCOUNT)).at(-1);
    expect(await levels(SECRET)).toEqual([
      `warning: Webhooks beyond the plan of their account, which get nothing: ${newest?.id} of ${ACCOUNT}.`,
    ]);
  });

  test('a deleted account has no endpoints, and the log names each (contract §24, contract §28)', async () => {
    const { webhook } = await made();
    await webhooks.test(ACCOUNT, webhook.id, NOON);
    await store.deleteAccount(ACCOUNT);
    expect(await webhooks.list(ACCOUNT)).toEqual([]);
    expect(await site.ask('select id from webhook_message')).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import {
  account,
  ENGINES,
  type Site,
  storeForEachTest,
} from '../../../../../test/contracts/engines.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import { ATTEMPT_WAITS_MS, MAX_FAILING_MS } from '../../delivery/attempts.ts';
import { MESSAGES_KEPT_MS } from '../../delivery/deliverer.ts';
import { type Delivering, delivering } from '../delivering.ts';
import { startReceiver, verifies } from '../receiver.ts';
import { NOON, wish } from '../webhook-site.ts';

const ACCOUNT = 'acc-1';

describe.each(ENGINES)('messages of webhooks on $name', ({ create }) => {
  let site: Site;
  let store: OpenedStore;
  let service: Delivering;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  storeForEachTest(create, async (opened) => {
    ({ site, store } = opened);
    await store.createAccount(account({ plan: 'Escala' }));
    service = await delivering(store);
  });

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  async function listen(url = receiver.url) {
    const options = { max: null, now: service.clock.now() };
    const outcome = await service.webhooks.create(ACCOUNT, wish({ url }), options);
    if (typeof outcome === 'string') throw new Error(outcome);
    return { ...outcome, id: outcome.webhook.id };
  }

  async function sendTest(id: string): Promise<string> {
    const outcome = await service.webhooks.test(ACCOUNT, id, service.clock.now());
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome.messageId;
  }

  async function deliveryOf(id: string, messageId: string) {
    const found = await service.webhooks.delivery(ACCOUNT, id, messageId);
    if (found === 'missing') throw new Error(found);
    return found;
  }

  test('what waits for a webhook beyond the plan is failed, and sent after a recovery (contract §24)', async () => {
    receiver.says(200);
    const { id: first } = await listen();
    service.clock.advance(1);
    const { id: second } = await listen(`${receiver.url}second`);
    const [kept, left] = [await sendTest(first), await sendTest(second)];
    await store.updateAccount(ACCOUNT, { plan: 'Inicio' });
    await service.tick();
    expect(receiver.got.map(({ id }) => id)).toEqual([kept]);
    expect(await deliveryOf(second, left)).toMatchObject({
      ...{ status: 'failed', attemptsMade: 0 },
      lastError: 'the plan does not include this webhook',
    });
    await store.updateAccount(ACCOUNT, { plan: 'Escala' });
    const now = service.clock.now();
    const span = { since: now - DAY_MS, now };
    expect(await service.webhooks.recover(ACCOUNT, second, span)).toEqual({ count: 1 });
    await service.tick();
    expect(receiver.got.map(({ id }) => id)).toEqual([kept, left]);
  });

  test('a message is signed as Standard Webhooks says, and recorded with its answer (contract §24)', async () => {
    receiver.says(200);
    const { id, secret } = await listen();
    const messageId = await sendTest(id);
    await service.tick();
    const [got] = receiver.got;
    if (got === undefined) throw new Error('nothing was received');
    expect(got).toMatchObject({ id: messageId, timestamp: NOON / 1_000, userAgent: 'vesfx/test' });
    expect(verifies(secret, got)).toBe(true);
    expect(verifies(secret, { ...got, text: `${got.text} ` })).toBe(false);
    const delivery = await deliveryOf(id, messageId);
    expect(delivery).toMatchObject({ status: 'delivered', attemptsMade: 1, lastStatus: 200 });
    expect(delivery.attempts).toEqual([
      { number: 1, at: NOON, status: 200, ms: expect.any(Number), excerpt: 'an answer' },
    ]);
    expect(delivery.payload).toBe(got.text);
    expect(await service.webhooks.find(ACCOUNT, id)).toMatchObject({ lastSuccessAt: NOON });
    await service.tick();
    expect(receiver.got).toHaveLength(1);
  });

  test('after a rotation both secrets sign until the former one ends (contract §24)', async () => {
    const { id, secret: former } = await listen();
    const rotated = await service.webhooks.rotate(ACCOUNT, id, { graceMs: HOUR_MS, now: NOON });
    const secret = rotated === 'missing' ? '' : rotated.secret;
    const signed = async () => {
      await sendTest(id);
      await service.tick();
      const got = receiver.got.splice(0)[0];
      if (got === undefined) throw new Error('nothing was received');
      const count = got.signature.split(' ').length;
      return [count, verifies(secret, got), verifies(former, got)];
    };
    expect(await signed()).toEqual([2, true, true]);
    await service.pass(HOUR_MS - 1);
    expect(await signed()).toEqual([2, true, true]);
    await service.pass(1);
    expect(await signed()).toEqual([1, true, false]);
  });

  test('a message that fails is sent again by the schedule with the same id, then it is failed (contract §24)', async () => {
    receiver.says(500);
    const { id } = await listen();
    const messageId = await sendTest(id);
    await service.tick();
    for (const wait of ATTEMPT_WAITS_MS.slice(1)) {
      await service.pass(wait - 1);
      await service.tick();
      const count = receiver.got.length;
      await service.pass(1);
      await service.tick();
      expect(receiver.got).toHaveLength(count + 1);
    }
    expect(new Set(receiver.got.map((got) => got.id))).toEqual(new Set([messageId]));
    const delivery = await deliveryOf(id, messageId);
    expect(delivery).toMatchObject({
      ...{ status: 'failed', attemptsMade: ATTEMPT_WAITS_MS.length, lastStatus: 500 },
      lastError: 'it answered with status 500',
    });
    await service.pass(DAY_MS);
    await service.tick();
    expect(receiver.got).toHaveLength(ATTEMPT_WAITS_MS.length);
  });

  test('a receiver that was down for an hour has everything afterwards (contract §24)', async () => {
    receiver.says(503);
    const { id } = await listen();
    const ids: string[] = [];
    for (let minute = 0; minute < 60; minute += 10) {
      ids.push(await sendTest(id));
      await service.tick();
      await service.pass(10 * MINUTE_MS);
    }
    receiver.got.splice(0);
    receiver.says(204);
    for (let hour = 0; hour < 6; hour += 1) {
      await service.tick();
      await service.pass(HOUR_MS);
    }
    expect(receiver.got.map((got) => got.id).toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ['120', 2 * MINUTE_MS],
    ['2', 5 * SECOND_MS],
    ['999999', DAY_MS],
    ['soon', 5 * SECOND_MS],
  ])('a Retry-After of %s waits %i ms (contract §24)', async (text, wait) => {
    receiver.says(429, { 'Retry-After': text });
    const { id } = await listen();
    const messageId = await sendTest(id);
    await service.tick();
    expect(await deliveryOf(id, messageId)).toMatchObject({ nextAttemptAt: NOON + wait });
  });

  test('an endpoint that answers 410 is disabled at once (contract §24)', async () => {
    receiver.says(410);
    const { id } = await listen();
    const [first, second] = [await sendTest(id), await sendTest(id)];
    await service.tick();
    expect(receiver.got).toHaveLength(1);
    expect(await service.webhooks.find(ACCOUNT, id)).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'gone' },
    });
    expect(await deliveryOf(id, first)).toMatchObject({ status: 'failed', lastStatus: 410 });
    expect(await deliveryOf(id, second)).toMatchObject({ status: 'failed', attemptsMade: 0 });
    expect(service.log.lines.map(({ message }) => message)).toEqual(['a webhook was disabled']);
  });

  test('an endpoint is disabled when every attempt of five days has failed, and not before (contract §24)', async () => {
    receiver.says(500);
    const { id } = await listen();
    await sendTest(id);
    await service.tick();
    await service.pass(MAX_FAILING_MS - 1);
    await service.tick();
    const found = () => service.webhooks.find(ACCOUNT, id);
    expect(await found()).toMatchObject({ status: 'active', failingSince: NOON });
    await service.pass(1);
    await sendTest(id);
    await service.tick();
    expect(await found()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const again = wish({ url: receiver.url });
    await service.webhooks.replace(ACCOUNT, id, again, service.clock.now());
    expect(await found()).toMatchObject({ status: 'active' });
    expect(await found()).not.toHaveProperty('failingSince');
  });

  test('one success ends the days of failures (contract §24)', async () => {
    receiver.says(500);
    const { id } = await listen();
    await sendTest(id);
    await service.tick();
    receiver.says(204);
    await service.pass(MINUTE_MS);
    await service.tick();
    expect(await service.webhooks.find(ACCOUNT, id)).not.toHaveProperty('failingSince');
  });

  test('of two processes only the holder of the lease sends (contract §24)', async () => {
    const { id } = await listen();
    await sendTest(id);
    const other = await delivering(await site.open(), { holder: 'other' });
    await Promise.all([service.tick(), other.tick()]);
    expect(receiver.got).toHaveLength(1);
    expect([...service.results, ...other.results]).toEqual(['delivered']);
  });

  test('what dies between the message and its record is sent again with the same id (contract §24)', async () => {
    const { id } = await listen();
    const messageId = await sendTest(id);
    const other = await delivering(await site.open(), { holder: 'other' });
    let taken: Promise<void> | undefined;
    receiver.answers((_request, response) => {
      // Another process takes the lease over before the answer is recorded.
      taken ??= (async () => {
        other.clock.advance(HOUR_MS);
        await other.take();
      })();
      void taken.then(() => response.writeHead(204).end());
    });
    await service.tick();
    expect(await deliveryOf(id, messageId)).toMatchObject({ status: 'pending', attemptsMade: 0 });
    await other.tick();
    expect(receiver.got.map((got) => got.id)).toEqual([messageId, messageId]);
    expect(await deliveryOf(id, messageId)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
  });

  test('nothing is sent to a suspended account until it is active again (contract §24)', async () => {
    const { id } = await listen();
    await sendTest(id);
    await store.updateAccount(ACCOUNT, { status: 'suspended' });
    await service.tick();
    expect(receiver.got).toEqual([]);
    await store.updateAccount(ACCOUNT, { status: 'active' });
    await service.tick();
    expect(receiver.got).toHaveLength(1);
  });

  test('with another VESFX_SECRET nothing is sent, and what waits is sent when it is back (contract §24)', async () => {
    const { id } = await listen();
    const messageId = await sendTest(id);
    const other = await delivering(store, { secret: 'another secret that is long enough too' });
    await other.tick();
    expect(receiver.got).toEqual([]);
    expect(await deliveryOf(id, messageId)).toMatchObject({
      ...{
        status: 'pending',
        lastError: 'its secret was sealed with another VESFX_SECRET: rotate it',
      },
    });
    await service.pass(MINUTE_MS);
    await service.tick();
    expect(receiver.got).toHaveLength(1);
  });

  test('messages are kept for 30 days (contract §24)', async () => {
    const { id } = await listen();
    const messageId = await sendTest(id);
    await service.tick();
    await service.pass(MESSAGES_KEPT_MS);
    await service.tick();
    expect(await deliveryOf(id, messageId)).toMatchObject({ status: 'delivered' });
    await service.pass(HOUR_MS);
    await service.tick();
    expect(await service.webhooks.delivery(ACCOUNT, id, messageId)).toBe('missing');
  });
});

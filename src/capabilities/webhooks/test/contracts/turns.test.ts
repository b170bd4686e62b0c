import { describe, expect, test } from 'vitest';
import { account, sqliteSite, storeForEachTest } from '../../../../../test/contracts/engines.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import { MAX_SENT_AT_ONCE, MAX_SENT_TO_ACCOUNT, MAX_SENT_TO_HOST } from '../../delivery/sender.ts';
import { type Delivering, delivering } from '../delivering.ts';
import { startReceiver } from '../receiver.ts';
import { NOON, wish } from '../webhook-site.ts';

describe('many webhooks', () => {
  let store: OpenedStore;
  let service: Delivering;

  storeForEachTest(sqliteSite, async (opened) => {
    ({ store } = opened);
    service = await delivering(store);
  });

  const accounts = (...ids: readonly string[]) =>
    Promise.all(ids.map((id) => store.createAccount(account({ id, name: id, plan: 'Escala' }))));

  /** A webhook that has messages to send. */
  async function withTests(accountId: string, url: string, { count = 1, now = NOON } = {}) {
    const made = await service.webhooks.create(accountId, wish({ url }), { max: null, now });
    if (typeof made === 'string') throw new Error(made);
    for (let sent = 0; sent < count; sent += 1) {
      await service.webhooks.test(accountId, made.webhook.id, now);
    }
  }

  /** Receivers that answer when the test says so. */
  async function slowReceivers(count: number) {
    const receivers = await Promise.all(Array.from({ length: count }, startReceiver));
    const waiting: (() => void)[] = [];
    for (const { answers } of receivers) {
      answers((_request, response) => waiting.push(() => response.writeHead(204).end()));
    }
    return {
      receivers,
      sum: () => receivers.reduce((all, { got }) => all + got.length, 0),
      async answerAll() {
        const timer = setInterval(() => {
          for (const answer of waiting.splice(0)) answer();
        }, 1);
        await service.sender.settled();
        clearInterval(timer);
      },
    };
  }

  test('16 messages are sent at once, 4 to a host, 1 to an endpoint, and all of them arrive (contract §24)', async () => {
    const owners = ['acc-1', 'acc-2', 'acc-3', 'acc-4', 'acc-5', 'acc-6'];
    await accounts(...owners);
    const { receivers, sum, answerAll } = await slowReceivers(4);
    for (const { url } of receivers) {
      for (const owner of owners) await withTests(owner, `${url}${owner}`, { count: 2 });
    }
    await service.deliverer.tick();
    await expect.poll(sum).toBe(MAX_SENT_AT_ONCE);
    expect(Math.max(...receivers.map(({ got }) => got.length))).toBe(MAX_SENT_TO_HOST);
    await answerAll();
    expect(sum()).toBe(4 * 6 * 2);
    expect(new Set(receivers.flatMap(({ got }) => got.map(({ id }) => id))).size).toBe(48);
  });

  test('an account whose receivers hang does not keep the messages of others waiting (contract §24)', async () => {
    await accounts('acc-1', 'acc-2');
    const { receivers, sum, answerAll } = await slowReceivers(4);
    for (const { url } of receivers) {
      for (const place of [1, 2, 3, 4]) {
        await withTests('acc-1', `${url}${place}`, { now: NOON - 1 });
      }
    }
    const other = await startReceiver();
    await withTests('acc-2', other.url);
    await service.deliverer.tick();
    await expect.poll(() => other.got.length).toBe(1);
    await expect.poll(sum).toBe(MAX_SENT_TO_ACCOUNT);
    await answerAll();
    expect(sum()).toBe(16);
  });
});

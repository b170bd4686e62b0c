import { beforeEach, describe, expect, test } from 'vitest';
import { account, ENGINES, storeForEachTest } from '../../../../../test/contracts/engines.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import type { WebhookWish } from '../../webhook-types.ts';
import { type Delivering, delivering } from '../delivering.ts';
import { startReceiver } from '../receiver.ts';
import { NOON, wish } from '../webhook-site.ts';

const ACCOUNT = 'acc-1';
const ASKED = { events: ['rate.changed'], markets: ['parallel'] } as const;

describe.each(ENGINES)('the rate that a receiver knows on $name', ({ create }) => {
  let store: OpenedStore;
  let service: Delivering;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let id: string;

  storeForEachTest(create, async (opened) => {
    ({ store } = opened);
    await store.createAccount(account({ plan: 'Escala' }));
    service = await delivering(store);
    const captured_at = iso(NOON - HOUR_MS);
    await service.push(official('2026-11-24', { USD: 241 }, { captured_at }));
    await service.push(quote('parallel', 300, { updated_at: captured_at, captured_at }));
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    const url = receiver.url;
    const made = await service.webhooks.create(ACCOUNT, wish({ url, ...ASKED }), {
      ...{ max: null, now: service.clock.now() },
    });
    if (typeof made === 'string') throw new Error(made);
    ({ id } = made.webhook);
    await service.tick();
  });

  const told = () => receiver.got.splice(0).map(({ body }) => body);

  const set = (given: Partial<WebhookWish>) =>
    service.webhooks.replace(
      ACCOUNT,
      id,
      wish({ url: receiver.url, ...ASKED, ...given }),
      service.clock.now(),
    );

  /** Another rate, at a later moment. */
  async function change(mid: number) {
    await service.pass(SECOND_MS);
    const at = iso(service.clock.now());
    await service.push(quote('parallel', mid, { updated_at: at, captured_at: at }));
    await service.tick();
  }

  async function deliveries() {
    const listed = await service.webhooks.deliveries(ACCOUNT, id, { limit: 9 });
    if (typeof listed === 'string') throw new Error(listed);
    return listed;
  }

  test('an endpoint that is active again is told the rate that it does not know, without another change (contract §24)', async () => {
    for (const [mid, away, back] of [
      [310, () => set({ active: false }), () => set({ active: true })],
      [
        320,
        () => store.updateAccount(ACCOUNT, { status: 'suspended' }),
        () => store.updateAccount(ACCOUNT, { status: 'active' }),
      ],
      [330, () => set({ thresholdPercent: 50 }), () => set({ thresholdPercent: 1 })],
    ] as const) {
      await away();
      await change(mid);
      expect(told()).toEqual([]);
      await back();
      await service.pass(MINUTE_MS);
      await service.tick();
      expect(told()).toMatchObject([{ data: { rate: { mid }, previous: { mid: mid - 10 } } }]);
    }
  });

  test('what is only sent again leaves the rate that the receiver knows (contract §24)', async () => {
    await change(310);
    await change(320);
    expect(told()).toHaveLength(2);
    receiver.says(503);
    for (const { messageId } of await deliveries()) {
      await service.webhooks.redeliver(ACCOUNT, id, { messageId, now: service.clock.now() });
    }
    await service.tick();
    await change(330);
    const last = told().find(({ data }) => data.rate.mid === 330);
    expect(last?.data.previous.mid).toBe(320);
    expect((await deliveries()).map(({ status }) => status)).toEqual([
      ...['pending', 'pending', 'pending'],
    ]);
  });
});

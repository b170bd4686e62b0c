import { beforeEach, describe, expect, test } from 'vitest';
import { account, ENGINES, storeForEachTest } from '../../../../../test/contracts/engines.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import { MESSAGES } from '../../api/event-schemas.ts';
import { DEGRADED_AFTER_MS } from '../../degraded.ts';
import type { WebhookWish } from '../../webhook-types.ts';
import { type Delivering, delivering } from '../delivering.ts';
import { startReceiver } from '../receiver.ts';
import { NOON, wish } from '../webhook-site.ts';

const ACCOUNT = 'acc-1';
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

describe.each(ENGINES)('events of webhooks on $name', ({ create }) => {
  let store: OpenedStore;
  let service: Delivering;
  let receiver: Receiver;

  storeForEachTest(create, async (opened) => {
    ({ store } = opened);
    await store.createAccount(account({ plan: 'Escala' }));
    service = await delivering(store);
    await service.push(
      official('2026-11-23', { USD: 240.5, EUR: 280 }, { captured_at: iso(NOON - 96 * HOUR_MS) }),
      official('2026-11-24', { USD: 241, EUR: 281 }, { captured_at: iso(NOON - 20 * HOUR_MS) }),
      quote('parallel', 300, { updated_at: iso(NOON), captured_at: iso(NOON) }),
      quote('binance', 310, { updated_at: iso(NOON), captured_at: iso(NOON) }),
    );
  });

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  async function listen(given: Partial<WebhookWish> = {}) {
    const { webhooks, clock } = service;
    const options = { max: null, now: clock.now() };
    const outcome = await webhooks.create(ACCOUNT, wish({ url: receiver.url, ...given }), options);
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome.webhook;
  }

  /** What was received, which the reference describes. */
  const told = () =>
    receiver.got.splice(0).map(({ body }) => {
      MESSAGES.find(({ name }) => name === body.type)?.schema.parse(body);
      return body;
    });
  const rateOf = (mid: number, market = 'parallel') => {
    const at = iso(service.clock.now());
    return quote(market, mid, { updated_at: at, captured_at: at });
  };

  test('a publication is told once, with the change, and not what was published before (contract §24)', async () => {
    await listen({ events: ['official.published'] });
    await service.tick();
    expect(told()).toEqual([]);
    await service.pass(5 * HOUR_MS);
    const captured_at = iso(service.clock.now());
    await service.push(official('2026-11-25', { USD: 242.41, EUR: 282 }, { captured_at }));
    await service.tick();
    expect(told()).toEqual([
      {
        type: 'official.published',
        timestamp: captured_at,
        data: {
          value_date: '2026-11-25',
          effective_at: '2026-11-25T04:00:00.000Z',
          rates: {
            USD: { rate: 242.41, change: { amount: 1.41, percent: 0.5851 } },
            EUR: { rate: 282, change: { amount: 1, percent: 0.3559 } },
          },
          captured_at,
        },
      },
    ]);
    await service.push(official('2026-11-25', { USD: 242.41, EUR: 282 }, { captured_at }));
    await service.tick();
    expect(told()).toEqual([]);
  });

  test('a publication that is read in parts is told in parts (contract §24)', async () => {
    await listen({ events: ['official.published'] });
    const captured_at = iso(service.clock.now());
    await service.push(official('2026-11-25', { USD: 242 }, { captured_at }));
    await service.tick();
    await service.push(official('2026-11-25', { USD: 242, EUR: 282, CNY: 34 }, { captured_at }));
    await service.tick();
    const currencies = told().map(({ data }) => Object.keys(data.rates));
    expect(currencies).toEqual([['USD'], ['EUR', 'CNY']]);
  });

  test('a rate comes into force at 00:00 in Caracas, once (contract §24)', async () => {
    await listen({ events: ['official.in_force'] });
    const captured_at = iso(service.clock.now());
    await service.push(official('2026-11-25', { USD: 242 }, { captured_at }));
    service.clock.set(Date.parse('2026-11-25T03:59:59.999Z'));
    await service.take();
    await service.tick();
    expect(told()).toEqual([]);
    service.clock.advance(1);
    await service.tick();
    await service.tick();
    expect(told()).toMatchObject([
      {
        type: 'official.in_force',
        timestamp: '2026-11-25T04:00:00.000Z',
        data: { value_date: '2026-11-25', rates: { USD: { rate: 242 } } },
      },
    ]);
  });

  test('a correction names both figures, also of a past day (contract §24)', async () => {
    await listen({ events: ['official.corrected'] });
    await service.pass(HOUR_MS);
    const captured_at = iso(service.clock.now());
    await service.push(official('2026-11-23', { USD: 240.6, EUR: 280 }, { captured_at }));
    await service.tick();
    await service.tick();
    expect(told()).toMatchObject([
      {
        type: 'official.corrected',
        data: { value_date: '2026-11-23', rates: { USD: { was: 240.5, is: 240.6 } } },
      },
    ]);
  });

  test.each([
    [302.99, false],
    [303, true],
    [297.01, false],
    [297, true],
  ])('a rate of 300 that becomes %f is 1 percent away: %s (contract §24)', async (mid, isTold) => {
    await listen({ events: ['rate.changed'], markets: ['parallel'], thresholdPercent: 1 });
    await service.pass(MINUTE_MS);
    await service.push(rateOf(mid), rateOf(500, 'binance'));
    await service.tick();
    expect(told().map(({ data }) => data.rate.mid)).toEqual(isTold ? [mid] : []);
  });

  test('changes count from what the endpoint was told last (contract §24)', async () => {
    await listen({ events: ['rate.changed'], markets: ['parallel'], thresholdPercent: 1 });
    for (const mid of [302, 303, 305, 306.03, 303]) {
      await service.pass(MINUTE_MS);
      await service.push(rateOf(mid));
      await service.tick();
    }
    const got = told();
    expect(got.map(({ data }) => [data.previous.mid, data.rate.mid])).toEqual([
      [300, 303],
      [303, 306.03],
    ]);
    expect(got[0]?.data).toEqual({
      market: 'parallel',
      rate: {
        ...{ market: 'parallel', type: 'parallel', base: 'USD', mid: 303 },
        ...{ updated_at: iso(NOON + 2 * MINUTE_MS), stale_after_sec: expect.any(Number) },
      },
      previous: { mid: 300, updated_at: iso(NOON) },
      change: { amount: 3, percent: 1 },
      threshold_percent: 1,
      version: expect.any(Number),
    });
  });

  test('a receiver that was away is told the newest rate and what it knew, not those between (contract §24)', async () => {
    const webhook = await listen({ events: ['rate.changed'], markets: ['parallel'] });
    receiver.says(503);
    for (const mid of [310, 320, 330]) {
      await service.pass(MINUTE_MS);
      await service.push(rateOf(mid));
      await service.tick();
    }
    told();
    receiver.says(204);
    await service.pass(HOUR_MS);
    await service.tick();
    expect(told()).toMatchObject([{ data: { previous: { mid: 300 }, rate: { mid: 330 } } }]);
    const listed = await service.webhooks.deliveries(ACCOUNT, webhook.id, { limit: 9 });
    if (typeof listed === 'string') throw new Error(listed);
    expect(listed.map(({ status }) => status)).toEqual(['delivered', 'superseded', 'superseded']);
  });

  test('an endpoint that is revived is told what happens then, and recovers what it missed (contract §24)', async () => {
    const events = ['official.published', 'official.in_force'] as const;
    const { id } = await listen({ events });
    const { webhooks, clock } = service;
    const set = (active: boolean) =>
      webhooks.replace(ACCOUNT, id, wish({ url: receiver.url, events, active }), clock.now());
    await set(false);
    const captured_at = iso(clock.now());
    await service.push(official('2026-11-25', { USD: 242 }, { captured_at }));
    await service.tick();
    await service.pass(MINUTE_MS);
    await set(true);
    await service.tick();
    expect(told()).toEqual([]);
    const span = { since: NOON, now: clock.now() };
    expect(await webhooks.recover(ACCOUNT, id, span)).toEqual({ count: 1 });
    expect(await webhooks.recover(ACCOUNT, id, span)).toEqual({ count: 0 });
    await service.tick();
    expect(told()).toMatchObject([{ type: 'official.published' }]);
  });

  test('an official rate that a witness contradicts is in doubt, until the witness agrees (contract §24)', async () => {
    await listen({ events: ['rate.in_doubt'], markets: ['reference'] });
    const captured_at = iso(service.clock.now());
    await service.page(official('2026-11-25', { USD: 242, EUR: 282 }, { captured_at }));
    await service.tick();
    expect(told()).toEqual([]);
    await service.witness(official('2026-11-25', { USD: 243, EUR: 282 }, { captured_at }));
    await service.tick();
    await service.tick();
    expect(told()).toMatchObject([
      {
        type: 'rate.in_doubt',
        data: {
          ...{ market: 'reference', in_doubt: true },
          rate: { mid: 242, effective_date: '2026-11-25' },
        },
      },
    ]);
    await service.pass(HOUR_MS);
    const later = { captured_at: iso(service.clock.now()) };
    await service.witness(official('2026-11-25', { USD: 242, EUR: 282 }, later));
    await service.tick();
    expect(told()).toMatchObject([{ data: { market: 'reference', in_doubt: false } }]);
  });

  test('a change says that its rate is in doubt, and nothing of one that is not (contract §24)', async () => {
    await listen({ events: ['rate.changed'], thresholdPercent: 0.1 });
    const captured_at = iso(service.clock.now());
    await service.page(official('2026-11-25', { USD: 242, EUR: 281 }, { captured_at }));
    await service.push(rateOf(330));
    await service.tick();
    await service.pass(13 * HOUR_MS);
    const later = { captured_at: iso(service.clock.now()) };
    await service.witness(official('2026-11-25', { USD: 243, EUR: 281 }, later));
    await service.tick();
    const marks = told().map(({ data }) => [data['market'], data['in_doubt']]);
    expect(Object.fromEntries(marks)).toEqual({ parallel: undefined, reference: true });
  });

  test('a source that fails is told after five minutes, and when it works again (contract §24)', async () => {
    await listen({ events: ['source.degraded', 'source.recovered'] });
    await service.sourceState({
      failure: { reason: 'timeout', message: 'late' },
      ...{ failingSince: NOON, consecutiveFailures: 1 },
    });
    await service.pass(DEGRADED_AFTER_MS - 1);
    await service.tick();
    expect(told()).toEqual([]);
    await service.pass(SECOND_MS * 15);
    await service.tick();
    await service.tick();
    expect(told()).toMatchObject([
      { type: 'source.degraded', data: { source: 'feed', state: 'failing', since: iso(NOON) } },
    ]);
    await service.sourceState({ lastSuccessAt: service.clock.now() });
    await service.pass(SECOND_MS * 15);
    await service.tick();
    expect(told()).toMatchObject([
      { type: 'source.recovered', data: { source: 'feed', degraded_for_sec: 329 } },
    ]);
  });

  test('without an endpoint nothing is stored (contract §24)', async () => {
    await service.push(official('2026-11-25', { USD: 242 }, { captured_at: iso(NOON) }));
    await service.tick();
    const count = await store.engine.read((db) =>
      db.selectFrom('webhook_event').select('seq').execute(),
    );
    expect(count).toEqual([]);
  });
});

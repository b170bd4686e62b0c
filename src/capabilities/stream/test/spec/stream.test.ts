import { describe, expect, test, vi } from 'vitest';
import { catalogueWith } from '../../../../../test/harness/catalogue.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import {
  fault,
  START,
  startTestService,
  type TestService,
} from '../../../../../test/harness/service.ts';
import { DAY_MS, MINUTE_MS } from '../../../../core/domain/time.ts';
import { STREAM_HEARTBEAT_MS, STREAM_LIFE_MS } from '../../limits.ts';
import { openedStream } from '../opened.ts';

const STREAM = '/v1/fx/stream';
const RECORDS = [
  official('2026-11-20', { USD: 800.5, EUR: 920.25 }),
  quote('parallel', 880),
  quote('binance', 870),
];

async function streaming(
  plan = 'Escala',
  records: readonly object[] = RECORDS,
  options: Parameters<typeof startTestService>[0] = {},
) {
  const service = await startTestService(options);
  await service.push(...records);
  const key = await service.keyFor(plan);
  const open = (query = '', more: Parameters<typeof openedStream>[1] = {}) =>
    openedStream(`${service.url}${STREAM}${query}`, { key, ...more });
  return { service, key, open };
}

const later = (service: TestService, market: string, mid: number) => {
  service.clock.advance(1_000);
  const at = iso(service.clock.now());
  return service.push(quote(market, mid, { updated_at: at, captured_at: at }));
};

const marketsIn = ({ rates }: { readonly rates: readonly { readonly market: string }[] }) =>
  rates.map(({ market }) => market);

describe('contract §23 the events of a stream', () => {
  test('the first event has every rate of the plan, the index and the official rates; then come changes', async () => {
    const { service, key, open } = await streaming();
    const stream = await open();
    expect((await stream.part())?.data).toBe(3_000);
    const { event, id, data } = await stream.next();
    const [rates, whole] = await Promise.all(
      ['/v1/fx/rates', '/v1/fx/official'].map((path) => service.call(path, { key })),
    );
    expect([event, data.rates, data.index, data.official]).toEqual([
      'snapshot',
      rates?.json.rates,
      rates?.json.index,
      whole?.json,
    ]);
    await later(service, 'parallel', 881);
    const change = await stream.next();
    expect([change.event, change.data.rates.map(({ mid }: { mid: number }) => mid)]).toEqual([
      'rates',
      [881],
    ]);
    expect(change.data.index.components.paralelo).toBe(881);
    expect(Object.keys(change.data).sort()).toEqual([
      ...['fetched_at', 'frozen', 'in_doubt', 'index', 'rates', 'stale'],
    ]);
    expect(change.id).not.toBe(id);
    await service.push(official('2026-11-24', { USD: 805 }));
    const published = await stream.next();
    expect(published.data.rates).toEqual([]);
    expect(published.data.official.rates.USD.next).toMatchObject({ rate: 805 });
  });

  test('named markets, by id or alias, are the only ones', async () => {
    const { service, open } = await streaming();
    const stream = await open('?markets=paralelo,binance,paralelo');
    expect(marketsIn((await stream.next()).data)).toEqual(['parallel', 'binance']);
    await service.push(official('2026-11-20', { USD: 800.6 }));
    await later(service, 'binance', 871);
    expect(marketsIn((await stream.next()).data)).toEqual([]);
    expect(marketsIn((await stream.next()).data)).toEqual(['binance']);
  });

  test('its headers keep caches, proxies and compression away, and HEAD has the same', async () => {
    const { open } = await streaming();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, leave } = await open('', {
        method,
        headers: { 'Accept-Encoding': 'gzip, br' },
      });
      expect([method, status]).toEqual([method, 200]);
      expect(headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-ratelimit-cost': '1',
        'x-ratelimit-limit': '1500000',
      });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers).not.toHaveProperty('content-length');
      leave();
    }
  });

  test('midnight in Caracas changes the official rate without a new record', async () => {
    const midnight = Date.parse('2026-11-23T04:00:00Z');
    const start = midnight - 5 * MINUTE_MS;
    const { service, open } = await streaming('Escala', RECORDS, { start });
    await service.push(official('2026-11-23', { USD: 805, EUR: 925 }));
    const stream = await open('?markets=reference');
    expect((await stream.next()).data.rates[0].mid).toBe(800.5);
    // As a program's clock does, the service's reaches midnight.
    service.clock.set(midnight);
    const { data } = await stream.next();
    expect(data.rates).toMatchObject([{ market: 'reference', mid: 805 }]);
    expect(data.official.rates.USD.in_force.rate).toBe(805);
  });

  test('a market that drops out is removed, and so is an index that is gone', async () => {
    const dropping = (market: string, afterMs: number) => {
      const at = iso(START - afterMs + 5 * MINUTE_MS);
      return quote(market, 880, { updated_at: at, captured_at: at });
    };
    const records = [dropping('binance', 2 * DAY_MS), dropping('parallel', 7 * DAY_MS)];
    const { service, open } = await streaming('Escala', records);
    const stream = await open('?markets=binance,parallel');
    const first = (await stream.next()).data;
    expect([marketsIn(first), first.index === undefined]).toEqual([['parallel', 'binance'], false]);
    service.clock.advance(5 * MINUTE_MS + 1_000);
    const seen = [];
    for (let left = 3; left > 0; ) {
      const { data } = await stream.next();
      left -= data.removed?.length ?? 0;
      seen.push(data);
    }
    expect(seen.flatMap(({ removed = [] }) => removed).toSorted()).toEqual([
      'binance',
      'index',
      'parallel',
    ]);
    expect(seen.at(-1)).not.toHaveProperty('index');
  });

  test('a comment follows 15 s of silence, and nothing before', async () => {
    const { service, open } = await streaming();
    const stream = await open();
    await stream.next();
    service.clock.advance(STREAM_HEARTBEAT_MS - 1);
    await later(service, 'parallel', 881);
    expect((await stream.part())?.event).toBe('rates');
    service.clock.advance(STREAM_HEARTBEAT_MS);
    expect(await stream.part()).toMatchObject({
      event: 'comment',
      data: iso(service.clock.now()),
    });
  });

  test('a stream ends after an hour, 10 % more or less, with whole events', async () => {
    const { service, open } = await streaming();
    const stream = await open();
    await stream.next();
    service.clock.advance(0.9 * STREAM_LIFE_MS - 1_000);
    expect((await stream.part())?.event).toBe('comment');
    service.clock.advance(0.2 * STREAM_LIFE_MS + 1_000);
    const { cut } = await stream.rest();
    expect([cut, stream.response.complete]).toEqual(['', true]);
  });
});

describe('contract §23 a reader that comes again', () => {
  test('with the current state nothing is repeated, by header or parameter, and the header wins', async () => {
    const { service, open } = await streaming();
    const { id = '' } = await (await open()).next();
    const streams = [
      await open('', { headers: { 'Last-Event-ID': id } }),
      await open(`?last_event_id=${id}`),
      await open('?last_event_id=nonsense', { headers: { 'Last-Event-ID': id } }),
    ];
    for (const stream of streams) expect((await stream.part())?.event).toBe('retry');
    await later(service, 'binance', 871);
    for (const stream of streams) {
      const { event, data } = await stream.next();
      expect([event, marketsIn(data)]).toEqual(['rates', ['binance']]);
    }
  });

  test('with any other state, or an id without sense, it gets a snapshot', async () => {
    const { service, open } = await streaming();
    const { id = '' } = await (await open()).next();
    await later(service, 'binance', 871);
    for (const text of [id, '', '0', '999999.20301231.abc', `${id}x`, 'ñ'.repeat(500)]) {
      const query = `?last_event_id=${encodeURIComponent(text)}`;
      const stream = await open(query);
      expect([text, stream.status]).toEqual([text, 200]);
      const { event, data } = await stream.next();
      expect([event, data.rates.length]).toEqual(['snapshot', 4]);
      stream.leave();
    }
  });

  test('another process knows whether its state is current, also when it chose other markets', async () => {
    const { service, key, open } = await streaming();
    const other = await startTestService({ dataDir: service.dataDir });
    const { id = '' } = await (await open('?markets=binance')).next();
    const again = (query: string) =>
      openedStream(`${other.url}${STREAM}${query}`, { key, headers: { 'Last-Event-ID': id } });
    const same = await again('?markets=binance');
    const more = await again('?markets=binance,parallel');
    expect(marketsIn((await more.next()).data)).toEqual(['parallel', 'binance']);
    other.clock.set(service.clock.now() + 1_000);
    await later(service, 'binance', 872);
    await other.service.changePoller.poll();
    expect((await same.part())?.event).toBe('retry');
    expect((await same.next()).data.rates).toMatchObject([{ market: 'binance', mid: 872 }]);
  });
});

describe('contract §23 who may open a stream', () => {
  test('each refusal comes before the first byte', async () => {
    const { service, key } = await streaming('Inicio');
    const free = await service.keyFor('Gratis');
    const scoped = async (scopes: readonly ('rates' | 'stream')[]) => {
      const { id } = await service.service.accounts.create('scoped', 'Escala');
      const grant = { kind: 'restricted' as const, scopes };
      return (await service.service.accounts.createKey(id, { grant })).key;
    };
    const asked = async (path: string, with_?: string) =>
      fault(await service.call(`${STREAM}${path}`, { key: with_ }));
    expect(await asked('')).toEqual([401, 'missing_api_key']);
    expect(await asked('?mercados=1', free)).toEqual([402, 'feature_not_in_plan']);
    expect(await asked('', await scoped(['rates']))).toEqual([403, 'scope_missing']);
    expect(await asked('?mercados=1', key)).toEqual([400, 'unknown_parameter', 'mercados']);
    expect(await asked('?markets=,', key)).toEqual([400, 'invalid_format', 'markets']);
    expect(await asked('?markets=atlantis', key)).toEqual([404, 'resource_not_found', 'markets']);
    expect(await asked('?markets=extended_market_3', key)).toEqual([402, 'feature_not_in_plan']);
    const { json } = await service.call(STREAM, { key: free });
    expect(json.details).toEqual({
      ...{ feature: 'stream', current_plan: 'Gratis', required_plan: 'Inicio' },
    });
    const opened = await openedStream(`${service.url}${STREAM}`, { key: await scoped(['stream']) });
    expect(opened.status).toBe(200);
  });

  test('a publishable key with the scope opens one from its page, in the address', async () => {
    const { service } = await streaming();
    const { id } = await service.service.accounts.create('page', 'Inicio');
    const origin = 'https://shop.example';
    const grant = {
      ...{ kind: 'publishable' as const, scopes: ['stream'] as const, origins: [origin] },
      ...{ allowNoOrigin: false, requestsPerMinute: 60 },
    };
    const { key } = await service.service.accounts.createKey(id, { grant });
    const stream = await openedStream(`${service.url}${STREAM}?key=${key}`, {
      headers: { Origin: origin },
    });
    expect([stream.status, stream.headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect((await stream.next()).event).toBe('snapshot');
  });

  test('the stream of a key that is revoked ends with the error of a wrong key', async () => {
    const { service } = await streaming();
    const { id } = await service.service.accounts.create('revoked', 'Inicio');
    const { key, record } = await service.service.accounts.createKey(id);
    const stream = await openedStream(`${service.url}${STREAM}`, {
      key,
      headers: { 'Accept-Language': 'es' },
    });
    await stream.next();
    await service.service.accounts.revokeKey(record.id);
    const { event, data } = await stream.next();
    expect([event, data.code]).toEqual(['error', 'invalid_api_key']);
    expect(data.message).toMatch(/clave/);
    expect((await stream.rest()).cut).toBe('');
  });

  test('a suspended account, and one whose plan has no streams any more, are told so', async () => {
    const { service } = await streaming();
    const { accounts } = service.service;
    const ofNew = async () => {
      const { id } = await accounts.create('changed', 'Inicio');
      const { key } = await accounts.createKey(id);
      const stream = await openedStream(`${service.url}${STREAM}`, { key });
      await stream.next();
      return { id, stream };
    };
    const [suspended, smaller] = [await ofNew(), await ofNew()];
    await accounts.setStatus(suspended.id, 'suspended');
    await accounts.setPlan(smaller.id, 'Gratis');
    expect((await suspended.stream.next()).data.code).toBe('account_suspended');
    expect((await smaller.stream.next()).data.code).toBe('feature_not_in_plan');
  });
});

describe('contract §23 units', () => {
  test('opening costs one, a later minute one when something is sent, and none when not', async () => {
    const { service, key, open } = await streaming();
    const used = async () => (await service.call('/v1/account', { key })).json.usage.units_used;
    const stream = await open();
    await stream.next();
    expect(await used()).toBe(1);
    await later(service, 'parallel', 881);
    await stream.next();
    expect(await used()).toBe(1);
    service.clock.advance(5 * MINUTE_MS);
    expect((await stream.part())?.event).toBe('comment');
    expect(await used()).toBe(1);
    for (const mid of [882, 883]) {
      await later(service, 'parallel', mid);
      await stream.next();
    }
    expect(await used()).toBe(2);
    const { json } = await service.call('/v1/account/usage', { key });
    expect(json.days).toMatchObject([{ endpoint: `GET ${STREAM}`, calls: 2, units: 2 }]);
  });

  test('when the month is used up the stream ends with the error of the month', async () => {
    const catalogueDir = await catalogueWith({
      plans: (plans) => Object.assign(plans['Inicio'] ?? {}, { units_per_month: 3 }),
    });
    const { service, key, open } = await streaming('Inicio', RECORDS, { config: { catalogueDir } });
    const stream = await open();
    await stream.next();
    expect((await service.call('/v1/fx/index', { key })).status).toBe(200);
    service.clock.advance(MINUTE_MS);
    await later(service, 'parallel', 881);
    expect((await stream.next()).event).toBe('rates');
    service.clock.advance(MINUTE_MS);
    await later(service, 'parallel', 882);
    const { event, data } = await stream.next();
    expect([event, data.code]).toEqual(['error', 'quota_exceeded']);
    expect((await stream.rest()).cut).toBe('');
  });
});

describe('contract §23 the number of streams', () => {
  test('one more than the plan has is refused, also with 600 at once, and one that leaves frees its place', async () => {
    const { service, key, open } = await streaming('Escala');
    const all = await Promise.all(Array.from({ length: 600 }, () => open()));
    const opened = all.filter(({ status }) => status === 200);
    expect([opened.length, all.filter(({ status }) => status === 429).length]).toEqual([50, 550]);
    const refused = await service.call(STREAM, { key });
    expect(fault(refused)).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.json.details).toEqual({ limit: 'streams', max: 50 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { leave } of opened.slice(0, 2)) leave();
    await vi.waitFor(async () => expect((await open()).status).toBe(200), 5_000);
    await vi.waitFor(async () => expect((await open()).status).toBe(200), 5_000);
    expect((await open()).status).toBe(429);
  });

  test('two processes count together', async () => {
    const { service, key } = await streaming('Esencial');
    const other = await startTestService({ dataDir: service.dataDir });
    const opened = (url: string) => openedStream(`${url}${STREAM}`, { key });
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => opened(n % 2 === 0 ? service.url : other.url)),
    );
    const held = all.filter(({ status }) => status === 200);
    expect(held.length).toBe(3);
    held[0]?.leave();
    await vi.waitFor(async () => expect((await opened(other.url)).status).toBe(200), 5_000);
    expect((await opened(service.url)).status).toBe(429);
  });

  test('a refused stream costs nothing', async () => {
    const { service, key, open } = await streaming('Inicio');
    await (await open()).next();
    expect((await open()).status).toBe(429);
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(1);
  });
});

test('contract §23 the service stops after whole events, and its places are free', async () => {
  const { service, key } = await streaming();
  const other = await startTestService({ dataDir: service.dataDir });
  const stopping = await startTestService({ dataDir: service.dataDir });
  const streams = await Promise.all(
    Array.from({ length: 50 }, () => openedStream(`${stopping.url}${STREAM}`, { key })),
  );
  expect((await openedStream(`${other.url}${STREAM}`, { key })).status).toBe(429);
  const ends = streams.map(({ rest }) => rest());
  await stopping.service.close();
  for (const [n, end] of ends.entries()) {
    const { events, cut } = await end;
    expect([events.at(-1)?.event, cut, streams[n]?.response.complete]).toEqual([
      ...['snapshot', '', true],
    ]);
  }
  // One after another: on a busy machine fifty at once may wait longer than an answer does.
  for (const _ of streams) {
    expect((await openedStream(`${other.url}${STREAM}`, { key })).status).toBe(200);
  }
});

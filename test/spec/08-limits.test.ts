import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { burstOf } from '../harness/burst.ts';
import { catalogueWith, limitsOf } from '../harness/catalogue.ts';
import { fullMarket, official } from '../harness/make.ts';
import { type Reply, START, startTestService, type TestService } from '../harness/service.ts';

const RATES = '/v1/fx/rates';
const BULK = '/v1/fx/bulk/convert';
const BATCH = { from: 'USD', to: 'VES', amounts: [1, 2] };
/** 2026-12-01T00:00Z: the month of `START` ends. */
const MONTH_END = Date.parse('2026-12-01T00:00:00.000Z');
const SECONDS_LEFT = (MONTH_END - START) / 1_000;
const NOVEMBER_SECONDS = 30 * 86_400;

/** What `/v1/account` says of each packaged plan, from the cheapest on. */
const PLAN_NAMES = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];
const PLAN_TABLE = {
  units_per_month: [1_500, 15_000, 75_000, 300_000, 1_500_000],
  requests_per_minute: [120, 240, 600, 1_200, 6_000],
  bulk_calls_per_hour: [300, 300, 300, 300, 300],
  history_days: [7, 30, 90, 180, 365],
  official_days: [30, 365, null, null, null],
  formats: ['json', 'json,csv', 'json,csv,xml', 'json,csv,xml', 'json,csv,xml'],
  keys_max: [1, 2, 5, 10, 50],
  public_keys_max: [1, 2, 5, 10, 50],
  markups_max: [0, 1, 5, 20, 100],
  streams_max: [0, 1, 3, 10, 50],
  webhooks_max: [0, 1, 3, 10, 50],
  features: [
    '',
    'markup',
    'markets,spread,markup',
    'markets,spread,markup',
    'markets,spread,bulk_convert,route,markup',
  ],
};

type PlanRow = Partial<
  Record<'units_per_month' | 'requests_per_minute' | 'bulk_calls_per_hour', number | null>
>;

async function serving(changes: Record<string, PlanRow> = {}) {
  const catalogueDir = await catalogueWith({ plans: limitsOf(changes) });
  const service = await startTestService({ config: { catalogueDir } });
  await service.push(official('2026-11-20', { USD: 800.5 }));
  return service;
}

/** Two services on the same files. */
async function twins(changes: Record<string, PlanRow>): Promise<[TestService, TestService]> {
  const config = { catalogueDir: await catalogueWith({ plans: limitsOf(changes) }) };
  const service = await startTestService({ config });
  await service.push(official('2026-11-20', { USD: 800.5 }));
  return [service, await startTestService({ dataDir: service.dataDir, config })];
}

async function holder(service: TestService, plan: string) {
  const account = await service.service.accounts.create(`${plan} of a test`, plan);
  return { accountId: account.id, key: (await service.service.accounts.createKey(account.id)).key };
}

/** Asks that many times at once and counts the answers by status. */
async function burst(count: number, ask: (position: number) => Promise<Reply>) {
  const replies = await Promise.all(Array.from({ length: count }, (_, position) => ask(position)));
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return { counts, replies };
}

const remaining = ({ headers }: Reply) => Number(headers.get('x-ratelimit-remaining'));

function refusal({ status, json, headers }: Reply) {
  return [status, json?.code, headers.get('x-ratelimit-scope'), headers.get('retry-after')];
}

describe('§8 requests per minute', () => {
  test('§8 each plan has its own number of requests a minute and admits exactly that many', async () => {
    const service = await serving();
    for (const [place, plan] of PLAN_NAMES.slice(0, -1).entries()) {
      const limit = PLAN_TABLE.requests_per_minute[place] ?? 0;
      const key = await service.keyFor(plan);
      const counts = await burstOf(limit + 7, service.url + RATES, { 'X-API-Key': key });
      expect([plan, counts]).toEqual([plan, { 200: limit, 429: 7 }]);
      const refused = await service.call(RATES, { key });
      expect(refusal(refused)).toEqual([429, 'rate_limit_exceeded', 'minute', '60']);
    }
  });

  test('§8 Escala has 6,000 requests a minute, counted exactly', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const counts = await burstOf(6_003, service.url + RATES, { 'X-API-Key': key });
    expect(counts).toEqual({ 200: 6_000, 429: 3 });
  });

  test('§8 of sequential calls the last of the minute is answered and the next is 429', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 5 } });
    const key = await service.keyFor('Gratis');
    const statuses: number[] = [];
    for (let sent = 0; sent < 7; sent += 1) {
      statuses.push((await service.call(RATES, { key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test('contract §3 the minute opens with the first call and lasts exactly 60,000 ms', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 3 } });
    const key = await service.keyFor('Gratis');
    service.clock.advance(12_345);
    expect((await service.call(RATES, { key })).status).toBe(200);
    service.clock.advance(30_000);
    await service.call(RATES, { key });
    await service.call(RATES, { key });
    expect(refusal(await service.call(RATES, { key }))).toEqual([
      429,
      'rate_limit_exceeded',
      'minute',
      '30',
    ]);
    service.clock.advance(29_999);
    expect(refusal(await service.call(RATES, { key }))).toEqual([
      429,
      'rate_limit_exceeded',
      'minute',
      '1',
    ]);
    service.clock.advance(1);
    const { counts } = await burst(10, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 3, 429: 7 });
  });

  test('contract §3 after a minute closes, the next call opens a new one', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 1 } });
    const key = await service.keyFor('Gratis');
    await service.call(RATES, { key });
    service.clock.advance(MINUTE_MS + 40_000);
    expect((await service.call(RATES, { key })).status).toBe(200);
    // 20 s later a calendar minute would be over; this window has 40 s more.
    service.clock.advance(20_000);
    const refused = await service.call(RATES, { key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  });

  test('contract §3 the keys of an account share its minute, and other accounts have their own', async () => {
    const service = await serving({ Inicio: { requests_per_minute: 20 } });
    const { accountId, key } = await holder(service, 'Inicio');
    const second = await service.service.accounts.createKey(accountId);
    const other = await holder(service, 'Inicio');
    const { counts } = await burst(30, (position) =>
      service.call(RATES, { key: position % 2 === 0 ? key : second.key }),
    );
    expect(counts).toEqual({ 200: 20, 429: 10 });
    expect((await service.call(RATES, { key: other.key })).status).toBe(200);
  });

  test('contract §3 two services on one database share the minute exactly', async () => {
    const service = await serving();
    const twin = await startTestService({ dataDir: service.dataDir });
    const key = await service.keyFor('Gratis');
    const { counts } = await burst(150, (position) =>
      (position % 2 === 0 ? service : twin).call(RATES, { key }),
    );
    expect(counts).toEqual({ 200: 120, 429: 30 });
  });

  test('contract §3 a limit of null means no limit', async () => {
    const service = await serving({
      Escala: { requests_per_minute: null, units_per_month: null, bulk_calls_per_hour: null },
    });
    const key = await service.keyFor('Escala');
    const { counts } = await burst(400, () =>
      service.call(BULK, { key, method: 'POST', body: BATCH }),
    );
    expect(counts).toEqual({ 200: 400 });
    const { json, headers } = await service.call('/v1/account', { key });
    expect(json.limits).toMatchObject({
      units_per_month: null,
      requests_per_minute: null,
      bulk_calls_per_hour: null,
    });
    expect(json.usage).toMatchObject({ units_used: 400, units_remaining: null });
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });
});

describe('§8 units of the month', () => {
  test('the packaged plans have the limits of the table (§8, contract §3)', async () => {
    const service = await serving();
    const found: Record<string, unknown[]> = {};
    for (const plan of PLAN_NAMES) {
      const { json } = await service.call('/v1/account', { key: await service.keyFor(plan) });
      for (const [cell, value] of Object.entries(json.limits)) {
        const shown = Array.isArray(value) ? value.join() : value;
        found[cell] = [...(found[cell] ?? []), shown];
      }
    }
    expect(found).toMatchObject(PLAN_TABLE);
  });

  test('§8 the month admits exactly its units, even for simultaneous calls', async () => {
    const service = await serving({ Gratis: { units_per_month: 37, requests_per_minute: null } });
    const key = await service.keyFor('Gratis');
    const { counts, replies } = await burst(60, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 37, 429: 23 });
    const refused = replies.find(({ status }) => status === 429);
    expect(refused && refusal(refused)).toEqual([
      429,
      'quota_exceeded',
      'month',
      String(SECONDS_LEFT),
    ]);
    expect(refused && remaining(refused)).toBe(0);
  });

  test('§8 of sequential calls the one with the last unit is answered and the next is 429', async () => {
    const service = await serving({ Gratis: { units_per_month: 4 } });
    const key = await service.keyFor('Gratis');
    const seen: unknown[] = [];
    for (let sent = 0; sent < 6; sent += 1) {
      const reply = await service.call(RATES, { key });
      seen.push([reply.status, remaining(reply)]);
    }
    expect(seen).toEqual([
      [200, 3],
      [200, 2],
      [200, 1],
      [200, 0],
      [429, 0],
      [429, 0],
    ]);
  });

  test('§8 without units left, no call that costs is answered', async () => {
    const service = await serving({ Gratis: { units_per_month: 0 } });
    const key = await service.keyFor('Gratis');
    expect(refusal(await service.call(RATES, { key }))[1]).toBe('quota_exceeded');
    expect((await service.call('/v1/account', { key })).status).toBe(200);
  });

  test('contract §3 every answered call costs one unit, whatever the endpoint', async () => {
    const service = await startTestService();
    await service.push(...fullMarket(), {
      kind: 'bank_table',
      indicator_date: '2026-11-20',
      rows: [{ bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' }],
    });
    const key = await service.keyFor('Escala');
    const paths = [
      RATES,
      `${RATES}?format=csv`,
      '/v1/fx/rates/parallel',
      '/v1/fx/rates/parallel/history',
      '/v1/fx/markets',
      '/v1/fx/convert?from=USD&to=VES&amount=5',
      '/v1/fx/route?from=USD&to=VES&amount=5',
      '/v1/fx/index',
      '/v1/fx/spread',
      '/v1/fx/bcv/banks',
      '/v1/fx/bcv/currencies',
    ];
    let left = 1_500_000;
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await service.call(path, { key, method });
        left -= 1;
        expect([method, path, reply.status, remaining(reply)]).toEqual([method, path, 200, left]);
        expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
      }
    }
    const bulk = await service.call(BULK, { key, method: 'POST', body: BATCH });
    expect([bulk.status, remaining(bulk), bulk.headers.get('x-ratelimit-cost')]).toEqual([
      200,
      left - 1,
      '1',
    ]);
  });

  test('contract §3 a 304 costs one unit', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const first = await service.call(RATES, { key });
    const etag = first.headers.get('etag') ?? '';
    const again = await service.call(RATES, { key, headers: { 'If-None-Match': etag } });
    expect([again.status, remaining(again), again.headers.get('x-ratelimit-cost')]).toEqual([
      304,
      1_498,
      '1',
    ]);
  });

  test('contract §3 a 4xx or 5xx costs nothing and has no cost header', async () => {
    const service = await serving();
    const key = await service.keyFor('Esencial');
    await service.call(RATES, { key });
    const refused: [string, number][] = [
      ['/v1/fx/convert?from=USD&to=VES&amount=0', 400],
      ['/v1/fx/convert?from=USD&to=VES', 400],
      ['/v1/fx/markets?x=1', 400],
      ['/v1/fx/rates?format=JSON', 400],
      ['/v1/fx/route?from=USD&to=VES&amount=1', 402],
      ['/v1/fx/rates/cash', 402],
      ['/v1/fx/rates/parallel/history?from=2026-01-01', 403],
      ['/v1/fx/rates/nowhere', 404],
      ['/v1/fx/rates/parallel', 404],
      ['/v1/fx/rates?markup=none', 404],
      ['/v1/fx/bcv/banks', 404],
      ['/v1/fx/rates/parallel/history?date=2026-11-20', 404],
      ['/v1/fx/spread', 422],
    ];
    for (const [path, status] of refused) {
      const reply = await service.call(path, { key });
      expect([path, reply.status, remaining(reply)]).toEqual([path, status, 74_999]);
      expect(reply.headers.get('x-ratelimit-cost')).toBeNull();
    }
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(1);
    expect(remaining(await service.call(RATES, { key }))).toBe(74_998);
  });

  test('contract §3 a 503 costs nothing', async () => {
    const service = await startTestService();
    const key = await service.keyFor('Escala');
    for (const path of ['/v1/fx/index', '/v1/fx/route?from=USD&to=VES&amount=1']) {
      const reply = await service.call(path, { key });
      expect([reply.status, remaining(reply)]).toEqual([503, 1_500_000]);
    }
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(0);
  });

  test('contract §3 refunds lose no unit, even after many refused calls', async () => {
    const service = await serving({ Gratis: { units_per_month: 10, requests_per_minute: null } });
    const key = await service.keyFor('Gratis');
    await service.call(RATES, { key });
    await burst(40, () => service.call('/v1/fx/rates/parallel', { key }));
    const { counts } = await burst(20, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 9, 429: 11 });
  });

  test('contract §3 two services on one database share the month exactly', async () => {
    const [service, twin] = await twins({
      Gratis: { units_per_month: 53, requests_per_minute: null },
    });
    const key = await service.keyFor('Gratis');
    const total: Record<number, number> = {};
    for (let round = 0; round < 4; round += 1) {
      const { counts } = await burst(20, (position) =>
        (position % 2 === 0 ? service : twin).call(RATES, { key }),
      );
      for (const [status, count] of Object.entries(counts)) {
        total[Number(status)] = (total[Number(status)] ?? 0) + count;
      }
    }
    expect(total).toEqual({ 200: 53, 429: 27 });
  });

  test('contract §3 units that one service returns are available to the other', async () => {
    const [service, twin] = await twins({
      Gratis: { units_per_month: 40, requests_per_minute: null },
    });
    const key = await service.keyFor('Gratis');
    for (let sent = 0; sent < 15; sent += 1) await service.call(RATES, { key });
    const { counts } = await burst(30, () => twin.call(RATES, { key }));
    expect(counts).toEqual({ 200: 25, 429: 5 });
    expect((await service.call(RATES, { key })).status).toBe(429);
  });

  test('contract §3 without the database a process spends its block, then answers 503 with Retry-After 5', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    await service.call(RATES, { key });
    await service.service.store.close();
    const { counts, replies } = await burst(40, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 19, 503: 21 });
    for (const { status, json, headers } of replies) {
      if (status === 200) continue;
      expect([json.code, headers.get('retry-after')]).toEqual(['service_unavailable', '5']);
      expect(headers.get('x-ratelimit-remaining')).toBe('1480');
    }
  });

  test('contract §3 the count of the month survives a restart', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    for (let sent = 0; sent < 9; sent += 1) await service.call(RATES, { key });
    await service.service.close();
    const next = await startTestService({ dataDir: service.dataDir });
    expect((await next.call('/v1/account', { key })).json.usage.units_used).toBe(9);
    expect(remaining(await next.call(RATES, { key }))).toBe(1_490);
  });

  test('§8 a new month begins at 00:00 UTC of its first day with all its units', async () => {
    const service = await serving({ Gratis: { units_per_month: 2 } });
    const key = await service.keyFor('Gratis');
    service.clock.set(MONTH_END - 1);
    await service.call(RATES, { key });
    await service.call(RATES, { key });
    const last = await service.call(RATES, { key });
    expect(refusal(last)).toEqual([429, 'quota_exceeded', 'month', '1']);
    expect(last.headers.get('x-ratelimit-reset')).toBe('1');
    service.clock.set(MONTH_END);
    const first = await service.call(RATES, { key });
    expect([first.status, remaining(first)]).toEqual([200, 1]);
    expect(first.headers.get('x-ratelimit-reset')).toBe(String(31 * 86_400));
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage).toEqual({
      month: '2026-12',
      units_used: 1,
      units_remaining: 1,
      resets_at: '2027-01-01T00:00:00.000Z',
    });
  });
});

describe('contract §4 quota headers', () => {
  test('contract §4 quota headers give the limit, the remaining units and the seconds to the end of the month', async () => {
    const service = await serving();
    const key = await service.keyFor('Inicio');
    const { headers } = await service.call(RATES, { key });
    expect(headers.get('x-ratelimit-limit')).toBe('15000');
    expect(headers.get('x-ratelimit-remaining')).toBe('14999');
    expect(headers.get('x-ratelimit-reset')).toBe(String(SECONDS_LEFT));
    expect(headers.get('ratelimit-policy')).toBe(`"month";q=15000;w=${NOVEMBER_SECONDS}`);
    expect(headers.get('ratelimit')).toBe(`"month";r=14999;t=${SECONDS_LEFT}`);
  });

  test('contract §4 Remaining falls by exactly one with each answered call', async () => {
    const service = await serving();
    const key = await service.keyFor('Esencial');
    const seen: number[] = [];
    for (let sent = 0; sent < 100; sent += 1) {
      seen.push(remaining(await service.call('/v1/fx/rates/bcv', { key })));
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, position) => 74_999 - position));
  });

  test('contract §4 Reset is in whole seconds, rounded up', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    service.clock.advance(1);
    const { headers } = await service.call(RATES, { key });
    expect(headers.get('x-ratelimit-reset')).toBe(String(SECONDS_LEFT));
    service.clock.advance(999);
    const later = await service.call(RATES, { key });
    expect(later.headers.get('x-ratelimit-reset')).toBe(String(SECONDS_LEFT - 1));
  });

  test('contract §4 every authenticated answer has quota headers, also errors and free calls', async () => {
    const service = await serving({ Inicio: { requests_per_minute: 2 } });
    const key = await service.keyFor('Inicio');
    const cases: [string, string, number][] = [
      ['GET', RATES, 200],
      ['HEAD', RATES, 200],
      ['GET', RATES, 429],
      ['GET', '/v1/account', 200],
      ['DELETE', '/v1/account/markups/none', 404],
      ['GET', '/v1/account/markups', 429],
      ['GET', '/v1/fx/convert', 400],
      ['GET', '/v1/fx/convert?x=1', 400],
      ['GET', '/v1/fx/rates?format=XML', 400],
      ['GET', '/v1/fx/markets', 402],
      ['GET', '/v1/fx/rates?format=xml', 402],
      ['GET', '/v1/fx/rates/nowhere', 404],
      ['GET', '/v1/fx/rates/cash', 402],
      ['GET', '/v1/fx/rates/%zz', 400],
      ['POST', '/v1/account/markups', 400],
      ['POST', BULK, 402],
      ['PUT', '/v1/account/markups/none', 400],
      ['GET', '/v1/nothing', 404],
      ['PATCH', RATES, 405],
      ['DELETE', '/openapi.json', 405],
    ];
    const found: unknown[] = [];
    for (const [method, path] of cases) {
      const { status, headers } = await service.call(path, { key, method });
      const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
      const absent = [...names, 'ratelimit-policy', 'ratelimit'].filter((one) => !headers.has(one));
      found.push([method, path, status, absent]);
    }
    expect(found).toEqual(cases.map((one) => [...one, []]));
  });

  test('contract §4 the 403 of a suspended account has its quota headers', async () => {
    const service = await serving();
    const { accounts, changePoller } = service.service;
    const account = await accounts.create('Suspended', 'Inicio');
    const { key } = await accounts.createKey(account.id);
    await service.call(RATES, { key });
    await accounts.setStatus(account.id, 'suspended');
    await changePoller.poll();
    for (const path of [RATES, '/v1/account']) {
      const { status, headers } = await service.call(path, { key });
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([403, '14999']);
      expect(headers.get('ratelimit')).toMatch(/^"month";r=14999;t=\d+$/);
    }
  });

  test('contract §4 a wrong key on an unknown path stays a 404, and counts as a wrong key', async () => {
    const service = await serving();
    const wrong = 'vfx_live_nothing';
    for (let sent = 0; sent < 60; sent += 1) {
      const { status, headers } = await service.call('/v1/nothing', { key: wrong });
      expect([status, headers.has('x-ratelimit-limit')]).toEqual([404, false]);
    }
    expect((await service.call(RATES, { key: wrong })).status).toBe(429);
  });

  test('contract §4 concurrent bulk calls, even refused ones, each have their own Remaining', async () => {
    const service = await serving({ Escala: { bulk_calls_per_hour: 10 } });
    const key = await service.keyFor('Escala');
    const bulk = (body: object = { from: 'USD', to: 'VES', amounts: [1] }) =>
      service.call(BULK, { key, method: 'POST', body });
    const replies = await Promise.all(Array.from({ length: 14 }, () => bulk()));
    const seen = replies.map(({ status, headers }) => [
      status,
      Number(headers.get('x-bulk-ratelimit-remaining')),
    ]);
    expect(
      seen
        .filter(([status]) => status === 200)
        .map(([, left]) => left)
        .sort(),
    ).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].sort());
    expect(seen.filter(([status]) => status === 429)).toEqual(Array(4).fill([429, 0]));
    for (const { headers } of replies) expect(headers.get('x-bulk-ratelimit-limit')).toBe('10');
    // Refused calls also report the hour, without using it.
    service.clock.advance(3_600_000);
    const wrong = await bulk({ from: 'USD', to: 'VES', amounts: [] });
    const without = await bulk({ from: 'USD', to: 'VES', amounts: [1], market: 'nowhere' });
    for (const { status, headers } of [wrong, without]) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('x-bulk-ratelimit-remaining')).toBe('10');
    }
  });

  test('contract §4 answers without a known caller have no quota headers', async () => {
    const service = await serving();
    for (const path of [RATES, '/healthz', '/v1/nothing']) {
      const { headers } = await service.call(path);
      expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });

  test('contract §4 quota headers stay right after a free call changes the account', async () => {
    const service = await serving();
    const key = await service.keyFor('Inicio');
    for (let sent = 0; sent < 3; sent += 1) await service.call(RATES, { key });
    const created = await service.call('/v1/account/markups', {
      key,
      method: 'POST',
      body: { tag: 'shop', kind: 'percent', value: 3 },
    });
    expect([created.status, remaining(created)]).toEqual([201, 14_997]);
    const replaced = await service.call('/v1/account/markups/shop', {
      key,
      method: 'PUT',
      body: { kind: 'percent', value: 4 },
    });
    expect([replaced.status, remaining(replaced)]).toEqual([200, 14_997]);
    const deleted = await service.call('/v1/account/markups/shop', { key, method: 'DELETE' });
    expect([deleted.status, remaining(deleted)]).toEqual([204, 14_997]);
    expect(remaining(await service.call(RATES, { key }))).toBe(14_996);
  });
});

describe('contract §3 the account', () => {
  test('contract §3 GET /v1/account costs nothing, uses no call of the minute, and counts exactly', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 3 } });
    const key = await service.keyFor('Gratis');
    for (let sent = 0; sent < 5; sent += 1) await service.call(RATES, { key });
    for (let sent = 0; sent < 3; sent += 1) {
      const { status, json, headers } = await service.call('/v1/account', { key });
      expect(status).toBe(200);
      expect(json.usage).toEqual({
        month: '2026-11',
        units_used: 3,
        units_remaining: 1_497,
        resets_at: '2026-12-01T00:00:00.000Z',
      });
      expect(headers.get('x-ratelimit-cost')).toBeNull();
      expect(headers.get('x-ratelimit-remaining')).toBe('1497');
    }
  });

  test('contract §3 the account counts exactly in a service that answers few of its calls', async () => {
    const service = await serving();
    const twin = await startTestService({ dataDir: service.dataDir });
    const key = await service.keyFor('Gratis');
    expect((await twin.call('/v1/account', { key })).json.usage.units_used).toBe(0);
    for (let sent = 0; sent < 5; sent += 1) await service.call(RATES, { key });
    // Closing gives units back, so that the database has the exact count.
    await service.service.close();
    const { json, headers } = await twin.call('/v1/account', { key });
    expect(json.usage.units_used).toBe(5);
    expect(headers.get('x-ratelimit-remaining')).toBe('1495');
  });

  test('contract §3 a higher plan applies from the next poll and keeps the used units', async () => {
    const service = await serving({ Gratis: { units_per_month: 3 } });
    const { key, accountId } = await holder(service, 'Gratis');
    for (let sent = 0; sent < 4; sent += 1) await service.call(RATES, { key });
    expect((await service.call(RATES, { key })).status).toBe(429);
    await service.service.accounts.setPlan(accountId, 'Esencial');
    await service.service.changePoller.poll();
    const reply = await service.call(RATES, { key });
    expect([reply.status, remaining(reply)]).toEqual([200, 75_000 - 4]);
    expect((await service.call('/v1/fx/markets', { key })).status).toBe(200);
    expect((await service.call('/v1/account', { key })).json.plan).toBe('Esencial');
  });

  test('contract §3 after a downgrade below the used units, calls are 429 and Remaining is 0', async () => {
    const service = await serving({ Gratis: { units_per_month: 3 } });
    const { key, accountId } = await holder(service, 'Escala');
    for (let sent = 0; sent < 5; sent += 1) await service.call(RATES, { key });
    await service.service.accounts.setPlan(accountId, 'Gratis');
    await service.service.changePoller.poll();
    const refused = await service.call(RATES, { key });
    expect([refused.status, refused.json.code, remaining(refused)]).toEqual([
      429,
      'quota_exceeded',
      0,
    ]);
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect([usage.units_used, usage.units_remaining]).toEqual([5, 0]);
    await service.service.accounts.setPlan(accountId, 'Escala');
    await service.service.changePoller.poll();
    expect(remaining(await service.call(RATES, { key }))).toBe(1_500_000 - 6);
  });

  test('contract §3 a plan change within the minute keeps its used calls', async () => {
    const service = await serving({
      Gratis: { requests_per_minute: 3 },
      Inicio: { requests_per_minute: 5 },
    });
    const { key, accountId } = await holder(service, 'Gratis');
    await burst(6, () => service.call(RATES, { key }));
    await service.service.accounts.setPlan(accountId, 'Inicio');
    await service.service.changePoller.poll();
    const { counts } = await burst(6, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 2, 429: 4 });
  });

  test("contract §3 an account has at most its plan's number of live keys", async () => {
    const service = await serving();
    const { accountId } = await holder(service, 'Inicio');
    await service.service.accounts.createKey(accountId);
    await expect(service.service.accounts.createKey(accountId)).rejects.toThrow(/at most 2/);
    const [first] = (await service.service.accounts.listKeys(accountId)).keys;
    await service.service.accounts.revokeKey(first?.id ?? '');
    expect((await service.service.accounts.createKey(accountId)).key).toMatch(/^vfx_live_/);
  });
});

describe('contract §4 which limit answers', () => {
  test('contract §4 the minute is checked before the month', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 2, units_per_month: 2 } });
    const key = await service.keyFor('Gratis');
    await service.call(RATES, { key });
    await service.call(RATES, { key });
    expect(refusal(await service.call(RATES, { key })).slice(1, 3)).toEqual([
      'rate_limit_exceeded',
      'minute',
    ]);
    service.clock.advance(MINUTE_MS);
    expect(refusal(await service.call(RATES, { key })).slice(1, 3)).toEqual([
      'quota_exceeded',
      'month',
    ]);
  });

  test('contract §4 the minute is checked before the bulk hour, and the hour before the month', async () => {
    const service = await serving({
      Escala: { requests_per_minute: 2, bulk_calls_per_hour: 2, units_per_month: 2 },
    });
    const key = await service.keyFor('Escala');
    const bulk = () => service.call(BULK, { key, method: 'POST', body: BATCH });
    await bulk();
    await bulk();
    expect(refusal(await bulk())).toEqual([429, 'rate_limit_exceeded', 'minute', '60']);
    service.clock.advance(MINUTE_MS);
    expect(refusal(await bulk())).toEqual([429, 'rate_limit_exceeded', 'hour', '3540']);
    service.clock.advance(3_540_000);
    expect(refusal(await bulk()).slice(1, 3)).toEqual(['quota_exceeded', 'month']);
  });

  test('contract §4 a call refused by the month does not use the minute', async () => {
    const service = await serving({
      Gratis: { requests_per_minute: 4, units_per_month: 2 },
      Inicio: { requests_per_minute: 4 },
    });
    const { key, accountId } = await holder(service, 'Gratis');
    await burst(2, () => service.call(RATES, { key }));
    for (let sent = 0; sent < 5; sent += 1) {
      expect(refusal(await service.call(RATES, { key }))[1]).toBe('quota_exceeded');
    }
    await service.service.accounts.setPlan(accountId, 'Inicio');
    await service.service.changePoller.poll();
    const { counts } = await burst(5, () => service.call(RATES, { key }));
    expect(counts).toEqual({ 200: 2, 429: 3 });
  });

  test('contract §4 each 429 has its code and its scope', async () => {
    const cases = [
      { plan: { requests_per_minute: 0 }, path: RATES, told: ['rate_limit_exceeded', 'minute'] },
      { plan: { bulk_calls_per_hour: 0 }, path: BULK, told: ['rate_limit_exceeded', 'hour'] },
      { plan: { units_per_month: 0 }, path: RATES, told: ['quota_exceeded', 'month'] },
      {
        plan: { requests_per_minute: 0 },
        path: '/v1/account',
        told: ['rate_limit_exceeded', 'account'],
      },
    ];
    for (const { plan, path, told } of cases) {
      const service = await serving({ Escala: plan });
      const key = await service.keyFor('Escala');
      const asked = path === BULK ? { method: 'POST', body: BATCH } : {};
      const { status, json, headers } = await service.call(path, { key, ...asked });
      expect([path, status, json.code, headers.get('x-ratelimit-scope')]).toEqual([
        path,
        429,
        ...told,
      ]);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  test('contract §4 every 429 has a Retry-After of at least 1 whole second and is no-store', async () => {
    const service = await serving({ Gratis: { requests_per_minute: 1 } });
    const key = await service.keyFor('Gratis');
    await service.call(RATES, { key });
    for (const advance of [0, 1, 59_000, 998]) {
      service.clock.advance(advance);
      const refused = await service.call(RATES, { key });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
    service.clock.advance(1);
    expect((await service.call(RATES, { key })).status).toBe(200);
  });
});

describe('§8 bulk calls of the hour', () => {
  test('§8 an account has exactly 300 bulk calls an hour over all its keys, even simultaneous ones', async () => {
    const service = await serving();
    const { accountId, key } = await holder(service, 'Escala');
    const second = await service.service.accounts.createKey(accountId);
    const { counts, replies } = await burst(310, (position) =>
      service.call(BULK, {
        key: position % 2 === 0 ? key : second.key,
        method: 'POST',
        body: BATCH,
      }),
    );
    expect(counts).toEqual({ 200: 300, 429: 10 });
    const refused = replies.find(({ status }) => status === 429);
    expect(refused && refusal(refused)).toEqual([429, 'rate_limit_exceeded', 'hour', '3600']);
    expect(refused && remaining(refused)).toBe(1_500_000 - 300);
  });

  test('§8 two services on one database share the bulk hour exactly', async () => {
    const service = await serving();
    const twin = await startTestService({ dataDir: service.dataDir });
    const key = await service.keyFor('Escala');
    const { counts } = await burst(320, (position) =>
      (position % 2 === 0 ? service : twin).call(BULK, { key, method: 'POST', body: BATCH }),
    );
    expect(counts).toEqual({ 200: 300, 429: 20 });
  });

  test('contract §4 the bulk hour opens with the first call and lasts exactly 3,600,000 ms', async () => {
    const service = await serving({ Escala: { bulk_calls_per_hour: 2 } });
    const key = await service.keyFor('Escala');
    const bulk = () => service.call(BULK, { key, method: 'POST', body: BATCH });
    await bulk();
    service.clock.advance(3_599_999);
    expect((await bulk()).headers.get('x-bulk-ratelimit-remaining')).toBe('0');
    expect(refusal(await bulk())).toEqual([429, 'rate_limit_exceeded', 'hour', '1']);
    service.clock.advance(1);
    expect((await bulk()).headers.get('x-bulk-ratelimit-remaining')).toBe('1');
  });

  test('contract §4 only answered bulk calls count in the hour', async () => {
    const service = await serving({ Escala: { bulk_calls_per_hour: 2 } });
    const key = await service.keyFor('Escala');
    const bulk = (body: object) => service.call(BULK, { key, method: 'POST', body });
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await bulk({ ...BATCH, amounts: [] })).status).toBe(400);
      expect((await bulk({ ...BATCH, market: 'parallel' })).status).toBe(404);
    }
    expect((await bulk(BATCH)).status).toBe(200);
    expect((await bulk(BATCH)).status).toBe(200);
    expect((await bulk(BATCH)).status).toBe(429);
  });

  test('contract §4 other calls do not use the bulk hour', async () => {
    const service = await serving({ Escala: { bulk_calls_per_hour: 1 } });
    const key = await service.keyFor('Escala');
    await burst(5, () => service.call(RATES, { key }));
    const bulk = await service.call(BULK, { key, method: 'POST', body: BATCH });
    expect([bulk.status, bulk.headers.get('x-bulk-ratelimit-remaining')]).toEqual([200, '0']);
    expect((await service.call(RATES, { key })).status).toBe(200);
  });
});

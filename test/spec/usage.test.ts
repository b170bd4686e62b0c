import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { official } from '../harness/make.ts';
import { START, startTestService, type TestService } from '../harness/service.ts';

const USAGE = '/v1/account/usage';
const RATES = '/v1/fx/rates';

async function serving() {
  const service = await startTestService();
  await service.push(official('2026-11-20', { USD: 800.5 }));
  return service;
}

async function calls(service: TestService, key: string, paths: readonly string[]) {
  for (const path of paths) await service.call(path, { key });
}

const usageOf = async (service: TestService, key: string, query = '') =>
  (await service.call(USAGE + query, { key })).json;

describe('usage by day and endpoint', () => {
  test('every call that costs is counted under its endpoint, with units and errors', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const { id } = (await service.call('/v1/account', { key })).json.keys[0];
    await calls(service, key, [
      RATES,
      RATES,
      '/v1/fx/rates/reference',
      '/v1/fx/rates/nowhere',
      '/v1/fx/rates/cash',
      '/v1/fx/spread',
      '/v1/fx/convert?from=USD',
      '/v1/account',
      '/v1/fx/unknown',
    ]);
    const { headers } = await service.call(RATES, { key });
    const etag = headers.get('etag') ?? '';
    await service.call(RATES, { key, headers: { 'If-None-Match': etag } });
    await service.call(RATES, { key, method: 'HEAD' });
    const row = (endpoint: string, made: number, units: number, client_errors: number) => ({
      ...{ date: '2026-11-21', endpoint, calls: made, units, client_errors, server_errors: 0 },
    });
    expect(await usageOf(service, key)).toEqual({
      from: '2026-08-23',
      to: '2026-11-21',
      total_calls: 10,
      total_units: 6,
      count: 4,
      days: [
        row('GET /v1/fx/convert', 1, 0, 1),
        row('GET /v1/fx/rates', 5, 5, 0),
        row('GET /v1/fx/rates/:market', 3, 1, 2),
        row('GET /v1/fx/spread', 1, 0, 1),
      ],
      keys: [{ id, calls: 10, units: 6 }],
    });
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage.units_used).toBe(6);
  });

  test('a 5xx is counted as server error and costs nothing', async () => {
    const service = await startTestService();
    const key = await service.keyFor('Gratis');
    expect((await service.call('/v1/fx/index', { key })).status).toBe(503);
    expect((await usageOf(service, key)).days).toMatchObject([
      { calls: 1, units: 0, client_errors: 0, server_errors: 1 },
    ]);
  });

  test('reading usage costs nothing on every plan and is not counted', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    for (const _ of [1, 2]) {
      const reply = await service.call(USAGE, { key });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-cost')).toBeNull();
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('1500');
      expect(reply.json.days).toEqual([]);
    }
  });

  test('an account sees the calls of all its keys, of each what it used, and of no other account (contract §14)', async () => {
    const service = await serving();
    const { accounts } = service.service;
    const { id } = await accounts.create('two keys', 'Inicio');
    const own = [await accounts.createKey(id), await accounts.createKey(id)];
    for (const { key } of own) await calls(service, key, [RATES]);
    const [first, second] = own;
    await calls(service, second?.key ?? '', ['/v1/fx/convert?from=USD']);
    const ofKeys = [
      { id: second?.id, calls: 2, units: 1 },
      { id: first?.id, calls: 1, units: 1 },
    ];
    const told = { total_calls: 3, total_units: 2, keys: ofKeys };
    expect(await usageOf(service, first?.key ?? '')).toMatchObject(told);
    // What a key used stays when it is revoked, so that the keys add up to the account.
    await accounts.revokeKey(second?.id ?? '');
    expect(await usageOf(service, first?.key ?? '')).toMatchObject(told);
    const other = await service.keyFor('Inicio');
    expect(await usageOf(service, other)).toMatchObject({ total_calls: 0, days: [], keys: [] });
  });

  test('a day ends at midnight in UTC', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    service.clock.set(Date.parse('2026-11-21T23:59:59.999Z'));
    await calls(service, key, [RATES]);
    service.clock.advance(1);
    await calls(service, key, [RATES, RATES]);
    const { days } = await usageOf(service, key);
    const shown = days.map(({ date, calls: made }: Record<string, unknown>) => [date, made]);
    expect(shown).toEqual([
      ['2026-11-21', 1],
      ['2026-11-22', 2],
    ]);
  });

  test('from and to are included, and a later to is today', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    for (const _ of [1, 2, 3]) {
      await calls(service, key, [RATES]);
      service.clock.advance(DAY_MS);
    }
    const counts = async (query: string) => {
      const { from, to, count } = await usageOf(service, key, query);
      return [from, to, count];
    };
    expect(await counts('?from=2026-11-22&to=2026-11-23')).toEqual(['2026-11-22', '2026-11-23', 2]);
    expect(await counts('?to=2026-11-22')).toEqual(['2026-08-26', '2026-11-22', 2]);
    expect(await counts('?from=2026-11-23')).toEqual(['2026-11-23', '2026-11-24', 1]);
    expect(await counts('?from=2026-11-24&to=2027-01-01')).toEqual(['2026-11-24', '2026-11-24', 0]);
    expect(await counts('?unknown=1')).toEqual(['2026-08-26', '2026-11-24', 3]);
  });

  test.each([
    ['from=2026-02-30', 'from'],
    ['to=21.11.2026', 'to'],
    ['from=2026-11-22', 'from'],
    ['from=2026-11-20&to=2026-11-19', 'from'],
    ['from=2026-11-20&from=2026-11-21', 'from'],
  ])('an invalid range is 400 with its field: %s', async (query, field) => {
    const service = await startTestService();
    const key = await service.keyFor('Gratis');
    const { status, json } = await service.call(`${USAGE}?${query}`, { key });
    expect([status, json.code, json.field]).toEqual([400, 'invalid_format', field]);
  });

  test('the first of 90 days is answered, and the day before is 403', async () => {
    const service = await startTestService();
    const key = await service.keyFor('Escala');
    expect((await service.call(`${USAGE}?from=2026-08-23`, { key })).status).toBe(200);
    for (const query of ['from=2026-08-22', 'to=2026-08-22']) {
      const { status, json } = await service.call(`${USAGE}?${query}`, { key });
      expect([status, json.code, json.details]).toEqual([
        ...[403, 'history_out_of_retention'],
        { max_days: 90, earliest: '2026-08-23', required_plan: null },
      ]);
    }
  });

  test('counts survive a stop, and days beyond 90 are deleted', async () => {
    const first = await serving();
    const key = await first.keyFor('Gratis');
    await calls(first, key, [RATES]);
    await first.service.close();
    const options = { dataDir: first.dataDir };
    const second = await startTestService({ ...options, start: START + 90 * DAY_MS });
    expect(await usageOf(second, key)).toMatchObject({ from: '2026-11-21', total_calls: 1 });
    await second.service.close();
    const third = await startTestService({ ...options, start: START + 91 * DAY_MS });
    expect(await usageOf(third, key)).toMatchObject({ from: '2026-11-22', total_calls: 0 });
    third.clock.set(START);
    expect(await usageOf(third, key)).toMatchObject({ total_calls: 0 });
  });

  test('with CSV in the plan, usage has a row per day and endpoint', async () => {
    const service = await serving();
    const key = await service.keyFor('Inicio');
    await calls(service, key, [RATES]);
    expect((await service.call(`${USAGE}?from=2026-11-20&format=csv`, { key })).text).toBe(
      'date,endpoint,calls,units,client_errors,server_errors,from,to\r\n' +
        '2026-11-21,GET /v1/fx/rates,1,1,0,0,2026-11-20,2026-11-21\r\n',
    );
    const gratis = await service.keyFor('Gratis');
    expect((await service.call(`${USAGE}?format=csv`, { key: gratis })).status).toBe(402);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { fullMarket, official, quote } from '../harness/make.ts';
import { faultOf, startTestService } from '../harness/service.ts';

async function serving(plan: string, records: readonly object[] = fullMarket()) {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const get = (path: string) => service.call(path, { key });
  return { service, key, get };
}

describe('details.reason of a 404 (contract §4)', () => {
  const ONE_QUOTE = [official('2026-11-20', { USD: 800.5 }), quote('parallel', 850)];

  test.each([
    ['/v1/fx/rates/nowhere', 'unknown_market'],
    ['/v1/fx/rates/nowhere/history', 'unknown_market'],
    ['/v1/fx/rates/nowhere/candles', 'unknown_market'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&via=nowhere', 'unknown_market'],
    ['/v1/fx/changes?markets=parallel,nowhere', 'unknown_market'],
    ['/v1/fx/rates/cash', 'no_quote'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&via=cash', 'no_quote'],
    ['/v1/fx/rates?date=2026-01-02', 'no_data'],
    ['/v1/fx/rates/reference?date=2026-01-02', 'no_data'],
    ['/v1/fx/rates/parallel?date=2026-01-02', 'no_data'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&date=2026-01-02', 'no_data'],
    ['/v1/fx/rates/parallel/history?date=2026-01-02', 'no_data'],
    ['/v1/account?keys_after=key_nothing', 'unknown_id'],
    ['/v1/account/keys?after=key_nothing', 'unknown_id'],
    ['/v1/fx/nothing', 'unknown_path'],
    ['/v1/fx/rates/', 'unknown_path'],
  ])('%s: %s', async (path, reason) => {
    const { get } = await serving('Escala', ONE_QUOTE);
    const { status, json } = await get(path);
    expect([status, json.code, json.details.reason]).toEqual([404, 'resource_not_found', reason]);
    expect(Object.hasOwn(json.details, 'did_you_mean')).toBe(reason === 'unknown_market');
  });

  test('of a batch, of keys and of rules', async () => {
    const { service, key } = await serving('Escala', ONE_QUOTE);
    const call = async (method: string, path: string, body?: object) => {
      const { status, json } = await service.call(path, { key, method, body });
      return [status, json.code, json.details.reason];
    };
    const batch = { from: 'USD', to: 'VES', amounts: [1] };
    const bulk = (market: string) => call('POST', '/v1/fx/bulk/convert', { ...batch, market });
    expect(await bulk('nowhere')).toEqual([404, 'resource_not_found', 'unknown_market']);
    expect(await bulk('cash')).toEqual([404, 'resource_not_found', 'no_quote']);
    const keys = '/v1/account/keys/key_nothing';
    for (const [method, path, body] of [
      ['PATCH', keys, { label: 'x' }],
      ['DELETE', keys, undefined],
      ['POST', `${keys}/rotate`, {}],
    ] as const) {
      expect(await call(method, path, body)).toEqual([404, 'resource_not_found', 'unknown_id']);
    }
    const rule = '/v1/account/markups/nothing';
    for (const [method, path, body] of [
      ['PUT', rule, { kind: 'fixed', value: 1 }],
      ['DELETE', rule, undefined],
      ['GET', '/v1/fx/rates?markup=nothing', undefined],
    ] as const) {
      expect(await call(method, path, body)).toEqual([404, 'markup_not_found', 'unknown_id']);
    }
  });

  test('of what the central bank has not published', async () => {
    const { get } = await serving('Escala', []);
    for (const path of ['/v1/fx/official', '/v1/fx/bcv/banks', '/v1/fx/bcv/currencies']) {
      const { status, json } = await get(path);
      expect([path, status, json.code, json.details]).toEqual([
        path,
        404,
        'bcv_snapshot_unavailable',
        { reason: 'no_data' },
      ]);
    }
  });
});

describe('403 history_out_of_retention (contract §4)', () => {
  const convert = '/v1/fx/convert?from=USD&to=VES&amount=1';

  test.each([
    // Seven days of history and thirty of official rates.
    ['Gratis', '/v1/fx/rates/parallel/history?date=2026-11-13', 'date', 7, '2026-11-14', 'Inicio'],
    ['Gratis', '/v1/fx/rates/parallel/history?from=2026-10-22', 'from', 7, '2026-11-14', 'Inicio'],
    [
      'Gratis',
      '/v1/fx/rates/parallel/history?from=2026-10-21',
      'from',
      7,
      '2026-11-14',
      'Esencial',
    ],
    ['Gratis', '/v1/fx/rates/parallel/history?to=2026-11-13', 'to', 7, '2026-11-14', 'Inicio'],
    ['Gratis', '/v1/fx/rates/parallel/history?from=2025-11-20', 'from', 7, '2026-11-14', null],
    ['Gratis', '/v1/fx/rates/parallel/candles?from=2025-11-21', 'from', 7, '2026-11-14', 'Escala'],
    ['Gratis', '/v1/fx/changes?period=30d', 'period', 7, '2026-11-14', 'Inicio'],
    ['Gratis', '/v1/fx/changes?period=365d', 'period', 7, '2026-11-14', 'Escala'],
    ['Gratis', '/v1/fx/rates/parallel?date=2026-11-13', 'date', 7, '2026-11-14', 'Inicio'],
    ['Gratis', '/v1/fx/rates/reference?date=2026-10-21', 'date', 30, '2026-10-22', 'Inicio'],
    ['Gratis', `${convert}&date=2025-11-20`, 'date', 30, '2026-10-22', 'Esencial'],
    ['Gratis', '/v1/fx/rates?date=2026-10-21', 'date', 30, '2026-10-22', 'Inicio'],
    ['Inicio', '/v1/fx/rates?date=2025-11-20', 'date', 365, '2025-11-21', 'Esencial'],
    ['Escala', '/v1/fx/rates/parallel/history?date=2025-11-20', 'date', 365, '2025-11-21', null],
    ['Escala', '/v1/account/usage?from=2026-08-22', 'from', 90, '2026-08-23', null],
    ['Escala', '/v1/account/usage?to=2026-08-22', 'to', 90, '2026-08-23', null],
  ])('%s %s: %s, %i days, from %s, %s', async (plan, path, field, days, earliest, required) => {
    const { get } = await serving(plan);
    const reply = await get(path);
    expect(faultOf(reply)).toEqual([403, 'history_out_of_retention', field]);
    expect(reply.json.details).toEqual({ max_days: days, earliest, required_plan: required });
  });

  test('earliest is a day that is not refused: of Caracas with date, of UTC in history', async () => {
    const { service, get } = await serving('Gratis');
    // 02:00 UTC on the 22nd is the evening of the 21st in Caracas.
    service.clock.set(Date.parse('2026-11-22T02:00:00.000Z'));
    for (const [path, earliest] of [
      ['/v1/fx/rates/reference?date=', '2026-10-22'],
      ['/v1/fx/rates/parallel?date=', '2026-11-14'],
      ['/v1/fx/rates/parallel/history?date=', '2026-11-15'],
      ['/v1/fx/rates/parallel/history?from=', '2026-11-15'],
    ] as const) {
      const before = new Date(Date.parse(earliest) - 86_400_000).toISOString().slice(0, 10);
      const refused = await get(path + before);
      expect([path, refused.status, refused.json.details?.earliest]).toEqual([path, 403, earliest]);
      expect([path, (await get(path + earliest)).json.code]).not.toEqual([
        path,
        'history_out_of_retention',
      ]);
    }
  });
});

describe('a key in the query (contract §4)', () => {
  test('a secret one is 401, and the message says where it goes', async () => {
    const { service, key } = await serving('Gratis');
    const account = await service.service.accounts.create('restricted', 'Gratis');
    const grant = { kind: 'restricted', scopes: ['rates'] } as const;
    const { key: restricted } = await service.service.accounts.createKey(account.id, { grant });
    for (const one of [key, restricted, `${key.slice(0, -1)}x`]) {
      const reply = await service.call(`/v1/fx/rates?key=${one}`);
      expect(faultOf(reply)).toEqual([401, 'invalid_api_key', undefined]);
      expect(reply.json.message).toMatch(/secret key in the X-API-Key header/);
    }
    // Beside another key too, wherever that one stands.
    for (const both of [`${key}&key=vfx_pub_a`, `vfx_pub_a&key=${key}`]) {
      const reply = await service.call(`/v1/fx/rates?key=${both}`);
      expect(reply.json.message).toMatch(/secret key in the X-API-Key header/);
    }
    expect(JSON.stringify(service.log.lines)).not.toContain(key);
  });

  test('one that is not secret is a wrong key like any other, and not told as a secret', async () => {
    const { service, key } = await serving('Gratis');
    for (const [path, options] of [
      ['', { key: 'wrong' }],
      ['?key=vfx_pub_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', {}],
      ['?key=wrong', {}],
      ['?key=wrong', { key }],
    ] as const) {
      const reply = await service.call(`/v1/fx/rates${path}`, options);
      expect(faultOf(reply)).toEqual([401, 'invalid_api_key', undefined]);
      expect(reply.json.message).toBe('The key is malformed, unknown, revoked or expired.');
    }
    expect(JSON.stringify(service.log.lines)).not.toContain('secret key');
  });
});

describe('limits of GET /v1/account (contract §4)', () => {
  test('have every cell of the plan in the catalogue, with its value', async () => {
    const plans = JSON.parse(await readFile(join(PACKAGED_CATALOGUE, 'plans.json'), 'utf8'));
    for (const [plan, cells] of Object.entries<object>(plans)) {
      const { get } = await serving(plan, []);
      const { limits } = (await get('/v1/account')).json;
      expect([plan, limits]).toEqual([plan, expect.objectContaining(cells)]);
    }
  });
});

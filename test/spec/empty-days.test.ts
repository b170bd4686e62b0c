import { describe, expect, test } from 'vitest';
import { fullMarket, official } from '../harness/make.ts';
import { faultOf, startTestService } from '../harness/service.ts';

// The clock shows Saturday 2026-11-21, 08:00 in Caracas.

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket(), official('2026-11-19', { USD: 884, EUR: 1000 }));
  const key = await service.keyFor('Escala');
  return { service, key, get: (path: string) => service.call(path, { key }) };
}

const CONVERT = '/v1/fx/convert?from=USD&to=VES&amount=1';

describe('contract §2: a day that is sent and empty never means today', () => {
  test.each([
    ['/v1/fx/rates?date=', 'date'],
    ['/v1/fx/rates?date', 'date'],
    ['/v1/fx/rates?date=%20', 'date'],
    ['/v1/fx/rates?date=+', 'date'],
    ['/v1/fx/rates?format=csv&date=', 'date'],
    ['/v1/fx/rates?date=2026-11-20&rule=', 'rule'],
    ['/v1/fx/rates?rule=', 'rule'],
    ['/v1/fx/rates/reference?date=', 'date'],
    ['/v1/fx/rates/reference?date=2026-11-20&rule=', 'rule'],
    ['/v1/fx/rates/parallel/history?date=', 'date'],
    ['/v1/fx/rates/parallel/history?from=', 'from'],
    ['/v1/fx/rates/parallel/history?to=', 'to'],
    ['/v1/fx/rates/parallel/candles?from=', 'from'],
    ['/v1/fx/rates/parallel/candles?from=2026-11-01&to=', 'to'],
    [`${CONVERT}&date=`, 'date'],
    [`${CONVERT}&date=2026-11-20&rule=`, 'rule'],
    ['/v1/fx/official/history?from=', 'from'],
    ['/v1/fx/official/history?days=all&to=', 'to'],
    ['/v1/fx/calendar?from=', 'from'],
    ['/v1/fx/calendar?to=', 'to'],
    ['/v1/fx/corrections?since=', 'since'],
    ['/v1/account/usage?from=', 'from'],
    ['/v1/account/usage?to=', 'to'],
  ])('%s is 400 invalid_format of %s', async (path, field) => {
    const { get } = await serving();
    expect(faultOf(await get(path))).toEqual([400, 'invalid_format', field]);
  });

  test.each([
    ['date', ''],
    ['date', ' '],
    ['date', null],
    ['rule', ''],
    ['rule', null],
  ])('a batch whose %s is %j is 400', async (field, value) => {
    const { service, key } = await serving();
    const body = { from: 'USD', to: 'VES', amounts: [1], date: '2026-11-20', [field]: value };
    const reply = await service.call('/v1/fx/bulk/convert', { key, method: 'POST', body });
    expect(faultOf(reply)).toEqual([400, 'invalid_format', field]);
  });

  test('every other parameter that is empty counts as absent', async () => {
    const { get } = await serving();
    for (const [path, plain] of [
      ['/v1/fx/rates?format=&locale=&markup=', '/v1/fx/rates'],
      ['/v1/fx/rates/parallel?details=', '/v1/fx/rates/parallel'],
      ['/v1/fx/official/history?currency=&days=', '/v1/fx/official/history'],
      [`${CONVERT}&via=&market=`, CONVERT],
      ['/v1/fx/public/calculator?amount=1&from=&to=', '/v1/fx/public/calculator?amount=1'],
    ] as const) {
      const reply = await get(path);
      expect([path, reply.status, reply.text]).toEqual([path, 200, (await get(plain)).text]);
    }
    expect(faultOf(await get('/v1/fx/convert?from=&to=VES&amount=1'))).toEqual([
      400,
      'missing_field',
      'from',
    ]);
  });

  test('so does an empty field of a batch', async () => {
    const { service, key } = await serving();
    const bulk = (more: object) => {
      const body = { from: 'USD', to: 'VES', amounts: [1], date: '2026-11-20', ...more };
      return service.call('/v1/fx/bulk/convert', { key, method: 'POST', body });
    };
    const plain = await bulk({});
    for (const more of [{ adjusted: '' }, { market: '' }, { market: '', adjusted: '' }]) {
      const reply = await bulk(more);
      expect([more, reply.status, reply.text]).toEqual([more, 200, plain.text]);
    }
    for (const field of ['from', 'to', 'amounts']) {
      expect(faultOf(await bulk({ [field]: '' }))).toEqual([400, 'missing_field', field]);
    }
  });

  test('a refused day costs nothing', async () => {
    const { get } = await serving();
    const before = (await get('/v1/account')).json.usage.units_used;
    await get('/v1/fx/rates?date=');
    expect((await get('/v1/account')).json.usage.units_used).toBe(before);
  });

  test('the message says what to do', async () => {
    const { get } = await serving();
    expect((await get('/v1/fx/rates?date=')).json.message).toBe(
      'date: is empty. Give it a value, or leave it out.',
    );
  });
});

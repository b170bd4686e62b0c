import { describe, expect, test } from 'vitest';
import { MONITOR, MONITORS, shapeOf } from '../fixtures.ts';
import { startCompatService } from '../official-week.ts';

const service = () => startCompatService(['pydolarve']);

const USD = {
  change: 4.5,
  color: 'green',
  image: '',
  last_update: '20/11/2026, 12:00 AM',
  percent: 0.5625,
  price: 804.5,
  price_old: 800,
  symbol: '▲',
  title: 'Dólar estadounidense',
};

describe('the addresses of pydolarve', () => {
  test('a page has its monitors, with the fields and types that programs read (contract §12)', async () => {
    const { call } = await service();
    const { json, headers } = await call('/api/v1/dollar?page=bcv');
    expect(shapeOf({ ...json, monitors: { usd: json.monitors.usd } })).toEqual(shapeOf(MONITORS));
    expect(json.monitors.usd).toEqual(USD);
    expect(Object.keys(json.monitors)).toEqual(['usd', 'eur', 'cny']);
    expect(json.datetime.date).toBe('sábado, 21 de noviembre de 2026');
    expect(json.datetime.time).toMatch(/^8:00:00/);
    expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
  });

  test('without a page the answer has the official rate and the parallel market', async () => {
    const { call } = await service();
    const { monitors } = (await call('/api/v1/dollar')).json;
    expect(Object.keys(monitors)).toEqual(['bcv', 'enparalelovzla']);
    expect(monitors.bcv).toEqual(USD);
    // Against its last rate of the day before in Caracas.
    expect(monitors.enparalelovzla).toEqual({
      ...USD,
      change: 10.5,
      last_update: '21/11/2026, 08:00 AM',
      percent: 1.1928,
      price: 890.75,
      price_old: 880.25,
      title: 'Dólar paralelo',
    });
    expect((await call('/api/v2/dollar')).json.monitors).toEqual(monitors);
    expect((await call('/api/v1/euro')).json.monitors.bcv.price).toBe(925.5);
  });

  test.each([
    ['/api/v1/dollar?page=bcv&monitor=usd', 804.5],
    ['/api/v1/dollar?page=bcv&monitor=eur', 925.5],
    ['/api/v1/dollar?monitor=bcv', 804.5],
    ['/api/v1/dollar?monitor=enparalelovzla', 890.75],
    ['/api/v1/dollar?page=enparalelovzla&monitor=enparalelovzla', 890.75],
    ['/api/v2/dollar?page=bcv&monitor=usd', 804.5],
    ['/api/v2/tipo-cambio?currency=usd', 804.5],
    ['/api/v2/tipo-cambio?currency=usd&monitor=bcv', 804.5],
    ['/api/v2/tipo-cambio?currency=EUR', 925.5],
  ])('%s is that monitor alone', async (path, price) => {
    const { call } = await service();
    const { json } = await call(path);
    expect(shapeOf(json)).toEqual(shapeOf(MONITOR));
    expect(json.price).toBe(price);
  });

  test('tipo-cambio has all official rates', async () => {
    const { call } = await service();
    const { json } = await call('/api/v2/tipo-cambio');
    expect(json.monitors.usd).toEqual(USD);
    expect(Object.keys(json.monitors)).toEqual(['usd', 'eur', 'cny']);
  });

  test('change is negative for a rate that fell, and 0 without an earlier rate', async () => {
    const { call, clock, push } = await service();
    await push({
      kind: 'official',
      value_date: '2026-11-25',
      rates: { USD: 790 },
      captured_at: '2026-11-20T22:00:00Z',
    });
    clock.set(Date.parse('2026-11-25T12:00:00Z'));
    const fallen = (await call('/api/v2/tipo-cambio?currency=usd')).json;
    expect(fallen).toMatchObject({ change: -20, color: 'red', symbol: '▼', price_old: 810 });
    const { call: first } = await startCompatService(['pydolarve'], {
      records: [{ kind: 'official', value_date: '2026-11-20', rates: { USD: 800 } }],
    });
    expect((await first('/api/v2/tipo-cambio?currency=usd')).json).toMatchObject({
      change: 0,
      color: 'neutral',
      percent: 0,
      price_old: 800,
      symbol: '',
    });
  });

  test.each([
    ['format_date=iso', { last_update: '2026-11-20T04:00:00.000Z' }],
    ['format_date=timestamp', { last_update: 1795147200 }],
    ['format_date=default', { last_update: '20/11/2026, 12:00 AM' }],
    ['rounded_price=false', { price: 800.12345678 }],
    ['rounded_price=true', { price: 800.12 }],
    ['', { price: 800.12345678 }],
  ])('%j is applied', async (query, expected) => {
    const { call } = await startCompatService(['pydolarve'], {
      records: [{ kind: 'official', value_date: '2026-11-20', rates: { USD: 800.12345678 } }],
    });
    const { json } = await call(`/api/v2/tipo-cambio?currency=usd&${query}`);
    expect(json).toMatchObject(expected);
  });

  test.each([
    ['/api/v1/dollar?page=ivenezuela', 404],
    ['/api/v1/dollar?page=cash', 404],
    ['/api/v1/dollar?page=bcv&monitor=gbp', 404],
    ['/api/v1/dollar?page=bcv&monitor=constructor', 404],
    ['/api/v1/euro?monitor=enparalelovzla', 404],
    ['/api/v2/tipo-cambio?currency=gbp', 404],
    ['/api/v1/dollar?format_date=utc', 400],
    ['/api/v1/dollar?rounded_price=1', 400],
  ])('%s is refused in the format of that service', async (path, status) => {
    const { call } = await service();
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
  });
});

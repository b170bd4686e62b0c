import { describe, expect, test } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import type { ServiceName } from '../../compat.ts';
import { DOLARES, EURO, PAST_DOLAR, shapeOf } from '../fixtures.ts';
import { startCompatService } from '../official-week.ts';

/** Thursday and the Friday in force on this Saturday, and what is published for Monday. */
const RECORDS = [
  official('2026-11-18', { USD: 795, EUR: 915 }, { captured_at: '2026-11-17T21:10:00Z' }),
  official('2026-11-19', { USD: 800, EUR: 920 }, { captured_at: '2026-11-18T21:10:00Z' }),
  official('2026-11-20', { USD: 804.5, EUR: 925.5 }, { captured_at: '2026-11-19T21:10:00Z' }),
  official('2026-11-24', { USD: 810, EUR: 930 }, { captured_at: '2026-11-20T21:10:00Z' }),
  quote('parallel', 880.25, {
    updated_at: '2026-11-19T18:00:00Z',
    captured_at: '2026-11-19T18:00:00Z',
  }),
  quote('parallel', 890.75),
];

const serving = (open = false, records = RECORDS, names: readonly ServiceName[] = ['dolarapi']) =>
  startCompatService(names, { open, records });

const open = true;
const unitsLeft = (headers: Headers) => headers.get('x-ratelimit-remaining');

describe('the addresses of dolarapi', () => {
  test('answer with the fields, types and order that its programs read (contract §12)', async () => {
    const { call } = await serving(open);
    const dolares = (await call('/v1/dolares')).json;
    expect(shapeOf(dolares)).toEqual(shapeOf(DOLARES));
    expect(dolares).toEqual([
      {
        ...DOLARES[0],
        promedio: 804.5,
        fechaActualizacion: '2026-11-20T00:00:00-04:00',
      },
      { ...DOLARES[1], promedio: 890.75, fechaActualizacion: '2026-11-21T12:00:00.000Z' },
    ]);
    expect((await call('/v1/dolares/oficial')).json).toEqual(dolares[0]);
    expect((await call('/v1/dolares/paralelo')).json).toEqual(dolares[1]);
    const [euro, ...others] = (await call('/v1/euros')).json;
    expect(shapeOf(euro)).toEqual(shapeOf(EURO));
    expect(euro.promedio).toBe(925.5);
    expect(others).toEqual([(await call('/v1/euros/paralelo')).json]);
    expect((await call('/v1/euros/oficial')).json).toEqual(euro);
    expect((await call('/v1/cotizaciones')).json).toEqual([dolares[0], euro]);
    expect((await call('/v1/estado')).json).toEqual({
      estado: 'Disponible',
      aleatorio: expect.any(Number),
    });
  });

  test('give the official rate in force, which changes at midnight in Caracas (contract §1)', async () => {
    const { call, clock } = await serving(open);
    const rate = async () => (await call('/v1/dolares/oficial')).json.promedio;
    const midnight = Date.parse('2026-11-24T04:00:00Z');
    clock.set(midnight - 1);
    expect(await rate()).toBe(804.5);
    clock.set(midnight);
    expect(await rate()).toBe(810);
  });

  test('list past rates by day, oldest first, as far back as the plan', async () => {
    const { call } = await serving(open);
    const all = (await call('/v1/historicos/dolares?t=1763726400000')).json;
    expect(all.map((row: typeof PAST_DOLAR) => [row.fecha, row.fuente, row.promedio])).toEqual([
      ['2026-11-18', 'oficial', 795],
      ['2026-11-19', 'oficial', 800],
      ['2026-11-19', 'paralelo', 880.25],
      ['2026-11-20', 'oficial', 804.5],
      ['2026-11-21', 'paralelo', 890.75],
    ]);
    expect(shapeOf(all[0])).toEqual(shapeOf(PAST_DOLAR));
    const official = (await call('/v1/historicos/dolares/oficial')).json;
    expect(official).toEqual(all.filter(({ fuente }: typeof PAST_DOLAR) => fuente === 'oficial'));
    const [euro] = (await call('/v1/historicos/euros')).json;
    expect(shapeOf(euro)).toEqual(shapeOf({ ...PAST_DOLAR, moneda: 'EUR' }));
    expect((await call('/v1/historicos/euros/oficial')).json[0]).toEqual(euro);
  });

  test('the days of the parallel dollar are those of Caracas, and a past day equals its row', async () => {
    const at = (captured_at: string, mid: number) =>
      quote('parallel', mid, { updated_at: captured_at, captured_at });
    const { call } = await serving(open, [
      ...RECORDS,
      at('2026-11-17T23:00:00Z', 871),
      // The evening of the 17th and the last minute of it in Caracas.
      at('2026-11-18T01:00:00Z', 872),
      at('2026-11-18T03:59:59.999Z', 873),
      at('2026-11-18T04:00:00Z', 874),
      // The 18th has no later capture in UTC, but one in Caracas.
      at('2026-11-19T02:00:00Z', 875),
    ]);
    const series = (await call('/v1/historicos/dolares/paralelo')).json;
    const pair = ({ fecha, promedio }: typeof PAST_DOLAR) => [fecha, promedio];
    expect(series.map(pair)).toEqual([
      ['2026-11-17', 873],
      ['2026-11-18', 875],
      ['2026-11-19', 880.25],
      ['2026-11-21', 890.75],
    ]);
    for (const row of series) {
      const path = `/v1/historicos/dolares/paralelo/${row.fecha.replaceAll('-', '/')}`;
      expect((await call(path)).json).toEqual(row);
    }
    // A day without a capture: the rate of the day before, and its date says so.
    const friday = (await call('/v1/historicos/dolares/paralelo/2026/11/20')).json;
    expect(pair(friday)).toEqual(['2026-11-19', 880.25]);
  });

  test('give the rate in force on a past day, with its own date', async () => {
    const { call } = await serving(open);
    expect((await call('/v1/historicos/dolares/oficial/2026/11/19')).json).toEqual({
      ...PAST_DOLAR,
      promedio: 800,
      fecha: '2026-11-19',
    });
    // A Saturday: the rate of Friday, and its date says so.
    const saturday = (await call('/v1/historicos/dolares/2026/11/21')).json;
    expect(saturday.map((row: typeof PAST_DOLAR) => [row.fecha, row.promedio])).toEqual([
      ['2026-11-20', 804.5],
      ['2026-11-21', 890.75],
    ]);
    expect((await call('/v1/historicos/euros/2026/11/19')).json).toHaveLength(1);
  });

  test.each([
    ['an unknown source', '/v1/dolares/tarjeta', 404],
    ['the history of the euro of the parallel market', '/v1/historicos/euros/paralelo', 404],
    [
      'a past day of the euro of the parallel market',
      '/v1/historicos/euros/paralelo/2026/11/19',
      404,
    ],
    ['the history of an unknown source', '/v1/historicos/dolares/blue', 404],
    ['a day that does not exist', '/v1/historicos/dolares/oficial/2026/02/30', 404],
    ['a date not written YYYY/MM/DD', '/v1/historicos/dolares/oficial/2026/1/3', 404],
    ['a day after the newest value date', '/v1/historicos/dolares/oficial/2026/11/25', 400],
    ['a day in the future', '/v1/historicos/dolares/paralelo/2026/11/22', 400],
    ['a day before the first rate', '/v1/historicos/dolares/oficial/2026/11/17', 404],
    ['a day beyond the plan', '/v1/historicos/dolares/oficial/2026/10/21', 403],
    ['all dollars of a day beyond the plan', '/v1/historicos/dolares/2026/10/21', 403],
  ])('refuse %s in the format of that service', async (_, path, status) => {
    const { call } = await serving(open);
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a missing value date is refused, never replaced by another rate (contract §9)', async () => {
    const { call } = await serving(open, [
      official('2026-11-18', { USD: 795 }, { captured_at: '2026-11-17T21:10:00Z' }),
      official('2026-11-20', { USD: 804.5 }, { captured_at: '2026-11-19T21:10:00Z' }),
    ]);
    const reply = await call('/v1/historicos/dolares/oficial/2026/11/19');
    expect([reply.status, reply.json]).toEqual([404, { error: expect.any(String) }]);
    expect((await call('/v1/historicos/dolares/2026/11/19')).status).toBe(404);
  });

  test('cost a unit with a key, with the history of its plan', async () => {
    const { call, keyFor } = await serving();
    const key = await keyFor('Gratis');
    const asked = await call('/v1/dolares', { key });
    expect([asked.status, unitsLeft(asked.headers)]).toEqual([200, '1499']);
    expect(asked.headers.get('x-ratelimit-cost')).toBe('1');
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const absent = await call('/v1/dolares/blue', { key });
    expect([absent.status, unitsLeft(absent.headers)]).toEqual([404, '1499']);
    const head = await call('/v1/dolares', { key, method: 'HEAD' });
    expect([head.status, head.text, unitsLeft(head.headers)]).toEqual([200, '', '1498']);
    const { json } = await call('/v1/account/usage', { key });
    expect(JSON.stringify(json)).toContain('/v1/dolares');
  });

  test.each([
    ['none', undefined],
    ['a wrong one', 'vfx_live_wrong'],
  ])(
    'require a key unless they are open: %s is 401 in the format of that service',
    async (_, key) => {
      const { call } = await serving();
      const { status, json, headers } = await call('/v1/dolares/oficial', { key });
      expect([status, json]).toEqual([401, { error: expect.any(String) }]);
      expect(headers.get('www-authenticate')).not.toBeNull();
    },
  );

  test('answer any page without a key when they are open, and name the source', async () => {
    const { call } = await serving(open);
    const headers = { Origin: 'https://shop.example' };
    const reply = await call('/v1/dolares/oficial', { headers });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    expect(unitsLeft(reply.headers)).toBeNull();
    expect(reply.headers.get('x-ratelimit-cost')).toBeNull();
    const preflight = await call('/v1/dolares/oficial', {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    // Our own addresses still need a key.
    const own = await call('/v1/fx/rates', { headers });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([401, null]);
  });

  test('answer one address 60 times a minute when they are open, and count a key separately', async () => {
    const { call, clock, keyFor } = await serving(open);
    const key = await keyFor('Gratis');
    for (let count = 1; count < 60; count += 1) await call('/v1/estado');
    expect((await call('/v1/dolares')).status).toBe(200);
    const refused = await call('/v1/dolares');
    expect([refused.status, refused.json]).toEqual([429, { error: expect.any(String) }]);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await call('/v1/dolares', { key })).status).toBe(200);
    clock.advance(60_000);
    expect((await call('/v1/dolares')).status).toBe(200);
  });

  test('refuse other methods in the format of that service', async () => {
    const { call } = await serving(open);
    const { status, json, headers } = await call('/v1/dolares', { method: 'POST' });
    expect([status, json]).toEqual([405, { error: expect.any(String) }]);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('do not exist unless the operator enables them', async () => {
    const { call } = await serving(open, RECORDS, []);
    const { status, json } = await call('/v1/dolares');
    expect([status, json.code]).toEqual([404, 'resource_not_found']);
  });
});

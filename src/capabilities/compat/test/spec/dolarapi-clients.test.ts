import { describe, expect, test } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import { EURO, shapeOf } from '../fixtures.ts';
import { startCompatService, WEEK } from '../official-week.ts';

/** What public clients of dolarapi ask for (contract §12). */

describe('contract §12 the euro of the parallel market', () => {
  test('is the parallel dollar times the official euro in dollars, and says so (exchangeRates.js, diccionario_api.py, setRates.jsx)', async () => {
    const { call } = await startCompatService(['dolarapi']);
    const reply = await call('/v1/euros/paralelo');
    expect(shapeOf(reply.json)).toEqual(shapeOf(EURO));
    expect(reply.json).toMatchObject({
      moneda: 'EUR',
      fuente: 'paralelo',
      // 890.75 × 925.5 ÷ 804.5, rounded once.
      promedio: 1024.72234307,
      fechaActualizacion: '2026-11-21T12:00:00.000Z',
    });
    const formula = 'parallel*eur_reference/reference';
    expect(reply.headers.get('x-vesfx-derived')).toBe(formula);
    expect(reply.headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    expect(reply.headers.get('access-control-expose-headers')).toContain('X-Vesfx-Derived');
    const list = await call('/v1/euros');
    expect(list.json[1]).toEqual(reply.json);
    expect(list.headers.get('x-vesfx-derived')).toBe(formula);
    for (const path of ['/v1/dolares', '/v1/dolares/paralelo', '/v1/euros/oficial']) {
      expect((await call(path)).headers.get('x-vesfx-derived')).toBeNull();
    }
  });

  test('is 404 with VESFX_COMPAT_DERIVED=0, and then no list has it', async () => {
    const { call } = await startCompatService(['dolarapi'], {
      config: { added: { VESFX_COMPAT_DERIVED: '0' } },
    });
    expect((await call('/v1/euros/paralelo')).status).toBe(404);
    const list = await call('/v1/euros');
    expect(list.json.map(({ fuente }: { fuente: string }) => fuente)).toEqual(['oficial']);
    expect(list.headers.get('x-vesfx-derived')).toBeNull();
  });

  test.each([
    ['without a parallel dollar', [official('2026-11-20', { USD: 800, EUR: 900 })]],
    [
      'of two value dates',
      [
        official('2026-11-19', { USD: 800, EUR: 900 }),
        official('2026-11-20', { USD: 801 }),
        quote('parallel', 890),
      ],
    ],
  ])('is 404 %s', async (_, records) => {
    const { call } = await startCompatService(['dolarapi'], { records });
    expect((await call('/v1/euros/paralelo')).status).toBe(404);
  });
});

test('contract §12 a PHP client sends fecha to a list that it filters itself', async () => {
  const { call } = await startCompatService(['dolarapi'], { records: WEEK });
  for (const path of ['/v1/historicos/dolares/oficial', '/v1/historicos/dolares']) {
    const reply = await call(`${path}?fecha=2026-11-19`);
    expect([path, reply.status, reply.json]).toEqual([path, 200, (await call(path)).json]);
    expect(reply.headers.get('x-ignored-parameters')).toBe('fecha');
    expect((await call(`${path}?date=2026-11-19`)).status).toBe(400);
  }
  expect((await call('/v1/dolares/oficial?fecha=2026-11-19')).status).toBe(400);
});

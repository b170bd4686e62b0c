import { describe, expect, test } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { type Reply, START, startTestService } from '../../../../../test/harness/service.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/domain/time.ts';
import { answering, startCompatService } from '../official-week.ts';

/** Friday 2026-11-20. The rate of Tuesday the 24th is published, because Monday is a bank holiday. */
const NOON = Date.parse('2026-11-20T16:00:00Z');

const PUBLISHED = [
  official('2026-11-18', { USD: 882, EUR: 1000 }, { captured_at: '2026-11-17T21:10:00Z' }),
  official('2026-11-19', { USD: 884, EUR: 1002 }, { captured_at: '2026-11-18T21:10:00Z' }),
  official('2026-11-20', { USD: 886, EUR: 1004 }, { captured_at: '2026-11-19T21:10:00Z' }),
  official('2026-11-24', { USD: 890, EUR: 1010 }, { captured_at: '2026-11-20T15:00:00Z' }),
  quote('parallel', 900, {
    updated_at: '2026-11-18T12:00:00Z',
    captured_at: '2026-11-18T12:00:00Z',
  }),
];

async function serving(name: 'dolarapi' | 'frankfurter') {
  const service = await startTestService({ start: NOON, config: answering([name]) });
  await service.push(...PUBLISHED);
  const key = await service.keyFor('Escala');
  return { get: (path: string) => service.call(path, { key }) };
}

describe('a published rate of a day to come (contract §9, contract §12)', () => {
  test('dolarapi has the published rate of a day to come, and refuses a later one', async () => {
    const { get } = await serving('dolarapi');
    const day = '/v1/historicos/dolares/oficial/2026/11';
    expect((await get(`${day}/24`)).json).toMatchObject({ promedio: 890, fecha: '2026-11-24' });
    expect((await get(`${day}/23`)).json).toMatchObject({ promedio: 886, fecha: '2026-11-20' });
    expect((await get(`${day}/25`)).status).toBe(400);
    expect((await get('/v1/historicos/dolares/paralelo/2026/11/24')).status).toBe(400);
    const both = await get('/v1/historicos/dolares/2026/11/24');
    expect(both.json).toEqual([expect.objectContaining({ fuente: 'oficial', promedio: 890 })]);
    expect((await get('/v1/historicos/dolares/2026/11/25')).status).toBe(400);
    const series = (await get('/v1/historicos/dolares/oficial')).json;
    expect(series.at(-1)).toMatchObject({ fecha: '2026-11-20' });
  });

  test('Frankfurter has it too, in a day and in a range that reaches it', async () => {
    const { get } = await serving('frankfurter');
    const rate = (text: string) => get(`/v1/${text}?from=USD&to=VES`);
    expect((await rate('2026-11-24')).json).toMatchObject({
      date: '2026-11-24',
      rates: { VES: 890 },
    });
    expect((await rate('2026-11-25')).status).toBe(404);
    expect((await rate('latest')).json).toMatchObject({ date: '2026-11-20', rates: { VES: 886 } });
    expect((await rate('2026-11-19..2026-11-30')).json).toMatchObject({
      end_date: '2026-11-24',
      rates: { '2026-11-24': { VES: 890 } },
    });
    expect((await rate('2026-11-19..')).json).toMatchObject({ end_date: '2026-11-20' });
    expect((await rate('2026-11-24..')).json).toMatchObject({ end_date: '2026-11-24' });
    const rows = async (query: string) =>
      (await get(`/v2/rates?base=USD&quotes=VES&${query}`)).json;
    expect((await rows('from=2026-11-20&to=2026-11-30')).at(-1)).toMatchObject({
      date: '2026-11-24',
      rate: 890,
    });
    expect((await rows('from=2026-11-20')).at(-1)).toMatchObject({ date: '2026-11-20' });
    expect((await rows('date=2026-11-24'))[0]).toMatchObject({ date: '2026-11-24', rate: 890 });
  });
});

describe('contract §1, §2: X-Vesfx-Stale names the stale quotes that an answer rests on', () => {
  /** `stale_after_sec` of the parallel market. */
  const PARALLEL_STALE = 2 * HOUR_MS;
  /** When the official rates are stale. */
  const OFFICIAL_STALE_FROM = Date.parse('2026-11-20T04:00:00Z') + 475_201 * SECOND_MS;
  const staleIn = ({ headers }: Reply) => headers.get('x-vesfx-stale');

  test('they carry it for current figures, and not for past ones', async () => {
    const service = await startTestService({ config: answering(undefined, true) });
    const sides = { ask: 852, bid: 850 };
    await service.push(
      official('2026-11-19', { USD: 799 }, { captured_at: '2026-11-18T21:00:00Z' }),
      official('2026-11-20', { USD: 800, EUR: 920, CNY: 110, TRY: 19, RUB: 9 }),
      quote('parallel', 890, { updated_at: iso(START - DAY_MS), captured_at: iso(START - DAY_MS) }),
      quote('parallel', 900),
      quote('binance', 851, sides),
      quote('bybit', 851, sides),
    );
    const told = async (expected: Record<string, string | null>) => {
      for (const [path, value] of Object.entries(expected)) {
        const reply = await service.call(path);
        expect([path, reply.status, staleIn(reply)]).toEqual([path, 200, value]);
      }
    };
    await told({ '/v1/dolares': null, '/api/v2/dollar': null, '/api/usdt/ves': null });
    service.clock.set(START + PARALLEL_STALE + SECOND_MS);
    await told({
      '/v1/dolares': 'parallel',
      '/v1/dolares/paralelo': 'parallel',
      '/v1/dolares/oficial': null,
      '/v1/historicos/dolares/paralelo': null,
      '/v1/historicos/dolares/2026/11/20': null,
      '/api/v2/dollar': 'parallel',
      '/api/v2/dollar?monitor=bcv': null,
      '/api/v1/dollar?monitor=enparalelovzla': 'parallel',
      '/api/usdt/ves': 'binance,bybit',
      '/api/binancep2p/usdt/ves': 'binance',
    });
    service.clock.set(OFFICIAL_STALE_FROM);
    await told({
      '/v1/dolares/oficial': 'reference',
      '/v1/cotizaciones': 'reference,eur_reference',
      '/api/v2/tipo-cambio?currency=eur': 'eur_reference',
      '/v1/latest?from=USD': 'reference',
      '/v1/latest?from=VES&to=USD,EUR,CNY': 'reference,eur_reference',
      '/v1/currencies': null,
      '/v1/2026-11-19?from=USD': null,
      '/v2/rate/EUR/VES': 'eur_reference',
      '/v2/rate/USD/VES?date=2026-11-19': null,
    });
  });
});

test('contract §1: no answer shows a time after the request', async () => {
  const { call, push } = await startCompatService(['dolarapi']);
  const ahead = iso(START + 4 * MINUTE_MS);
  await push(quote('parallel', 900, { updated_at: ahead }));
  const { json } = await call('/v1/dolares/paralelo');
  expect(json).toMatchObject({ promedio: 900, fechaActualizacion: iso(START) });
});

import { describe, expect, test } from 'vitest';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import type { ServiceName } from '../../compat.ts';
import { publishableKey, startCompatService, WEEK } from '../official-week.ts';

/** Services with the official rate alone. Each test reads it as the named public programs do. */

const serving = async (name: ServiceName) => {
  const { call } = await startCompatService([name]);
  return async (path: string) => {
    const reply = await call(path);
    expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, '*']);
    return reply;
  };
};

describe('bcv-api.rafnixg.dev (contract §12)', () => {
  test.each(['/rates/', '/rates'])(
    '%s has dollar and date (bcvService.js, ActualizarTasaBoton.php, api_service.dart)',
    async (path) => {
      const get = await serving('rafnixg');
      const { json, headers } = await get(path);
      expect(json).toEqual({ dollar: 804.5, date: '2026-11-20' });
      expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    },
  );

  test('a day has the rate in force, with its own date; a missing one is 404 (tasa-bcv.ts)', async () => {
    const get = await serving('rafnixg');
    expect((await get('/rates/2026-11-19')).json).toEqual({ dollar: 800, date: '2026-11-19' });
    // A Saturday.
    expect((await get('/rates/2026-11-21')).json).toEqual({ dollar: 804.5, date: '2026-11-20' });
    const missing = await get('/rates/2026-11-17');
    expect([missing.status, missing.json]).toEqual([404, { detail: expect.any(String) }]);
  });

  test('/rates/history is newest first, of a range or of the last 30 days (BcvWidget.tsx, bcv_history.py, build_bcv_mensual.py)', async () => {
    const get = await serving('rafnixg');
    expect((await get('/rates/history?start_date=2026-11-19&end_date=2026-11-20')).json).toEqual({
      start_date: '2026-11-19',
      end_date: '2026-11-20',
      rates: [
        { dollar: 804.5, date: '2026-11-20' },
        { dollar: 800, date: '2026-11-19' },
      ],
    });
    const { json } = await get('/rates/history');
    expect([json.start_date, json.end_date, json.rates.length]).toEqual([
      '2026-10-22',
      '2026-11-21',
      3,
    ]);
  });

  test.each([
    ['/rates/2026-02-30', 400],
    ['/rates/usd', 400],
    ['/rates/2026-12-31', 404],
    ['/rates/2020-01-01', 403],
    ['/rates/history?start_date=x', 400],
    ['/rates/history?start_date=', 400],
    ['/rates/history?start_date=2026-11-20&end_date=2026-11-19', 400],
    ['/rates/history?start_date=2020-01-01', 403],
  ])('%s is refused with %d and a detail', async (path, status) => {
    const get = await serving('rafnixg');
    const reply = await get(path);
    expect([reply.status, reply.json]).toEqual([status, { detail: expect.any(String) }]);
  });
});

describe('bcvapi.tech (contract §12)', () => {
  test.each([
    ['/api/v1/dolar', 804.5],
    ['/api/v1/dolar/public', 804.5],
    ['/api/v1/euro', 925.5],
    ['/api/v1/euro/public', 925.5],
  ])(
    '%s has tasa and fecha (getBCVRate.ts, ExchangeRateService.ts, bcv-rates.js)',
    async (path, rate) => {
      const get = await serving('bcvapi');
      expect((await get(path)).json).toEqual({ tasa: rate, fecha: '2026-11-20' });
    },
  );

  test('beside pydolarve, whose path /api/v1/euro it shares, that one answers there', async () => {
    const { call } = await startCompatService(['pydolarve', 'bcvapi']);
    expect((await call('/api/v1/euro')).json.monitors.bcv.price).toBe(925.5);
    expect((await call('/api/v1/euro/public')).json.tasa).toBe(925.5);
    expect((await call('/api/v1/dolar')).json.tasa).toBe(804.5);
  });

  test('without a rate it is 404 in Spanish', async () => {
    const { call } = await startCompatService(['bcvapi'], {
      records: [official('2026-11-20', { EUR: 1 })],
    });
    const { status, json } = await call('/api/v1/dolar');
    expect([status, json]).toEqual([404, { error: expect.any(String) }]);
  });
});

describe('bcv.today (contract §12)', () => {
  const FRIDAY = {
    ...{ USD: 804.5, EUR: 925.5, CNY: 111 },
    updated_at: '2026-11-20T04:00:00.000Z',
    effective_date: '2026-11-20',
  };

  test('rate.json has the rates, when they hold and today (bcv.ts of Supabase, BcvRateProvider.cs, rates.js)', async () => {
    const get = await serving('bcvtoday');
    expect((await get('/api/v1/rate.json')).json).toEqual({ ...FRIDAY, date: '2026-11-21' });
  });

  test('history.json has the rate of every day, oldest first, and a day has a file (tasas.php, tasa-bcv.ts, bcv_reference_rate_service.dart)', async () => {
    const get = await serving('bcvtoday');
    const { json } = await get('/api/v1/history.json');
    expect(json.map(({ date, USD }: Record<string, unknown>) => [date, USD])).toEqual([
      ['2026-11-18', 795],
      ['2026-11-19', 800],
      ['2026-11-20', 804.5],
      ['2026-11-21', 804.5],
    ]);
    // What a program looks for by `date` on a Saturday.
    expect(json.at(-1)).toEqual({ ...FRIDAY, date: '2026-11-21' });
    expect((await get('/api/v1/history/2026-11-21.json')).json).toEqual({
      ...FRIDAY,
      date: '2026-11-21',
    });
    // Published on Friday for Tuesday: programs look for the rate of tomorrow there.
    expect((await get('/api/v1/history/2026-11-24.json')).json.USD).toBe(810);
  });

  test('history.json has no row for a day whose rate is missing, nor until the next one', async () => {
    const { call } = await startCompatService(['bcvtoday'], {
      records: WEEK.filter(
        (record) => !('value_date' in record && record.value_date === '2026-11-20'),
      ),
    });
    const days = (await call('/api/v1/history.json')).json.map(
      ({ date }: { date: string }) => date,
    );
    expect(days).toEqual(['2026-11-18', '2026-11-19']);
  });

  test.each([
    ['/api/v1/history/2026-11-17.json', 404],
    ['/api/v1/history/2026-11-25.json', 404],
    ['/api/v1/history/2026-11-20', 400],
    ['/api/v1/history/x.json', 400],
    ['/api/v1/history/2020-01-01.json', 403],
  ])('%s is refused with %d', async (path, status) => {
    const get = await serving('bcvtoday');
    const reply = await get(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
  });
});

describe('api.exchangedyn.com (contract §12)', () => {
  test('/markets/quotes/usdves/bcv has a quote in text and its time (ExchangeDyn.cs, CarritoContext.jsx, ReporteService.java)', async () => {
    const get = await serving('exchangedyn');
    const { json } = await get('/markets/quotes/usdves/bcv?fbclid=IwAR3');
    const { quote, last_retrieved } = json.sources.BCV;
    expect([quote, Number(quote).toFixed(2), quote.substring(0, 5)]).toEqual([
      '804.5',
      '804.50',
      '804.5',
    ]);
    expect(new Date(last_retrieved).toISOString()).toBe('2026-11-20T04:00:00.000Z');
  });

  test('a tiny rate is written without an exponent', async () => {
    const { call } = await startCompatService(['exchangedyn'], {
      records: [official('2026-11-20', { USD: 0.00000012 })],
    });
    const { json } = await call('/markets/quotes/usdves/bcv');
    expect(json.sources.BCV.quote).toBe('0.00000012');
  });
});

describe("fawazahmed0's currency-api (contract §12)", () => {
  test.each([
    '/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.json',
    '/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.min.json',
    '/npm/@fawazahmed0/currency-api@2026-11-20/v1/currencies/usd.json',
    '/v1/currencies/usd.json',
    '/gh/fawazahmed0/currency-api@1/latest/currencies/usd.json',
    '/gh/fawazahmed0/currency-api@1/2026-11-20/currencies/usd.min.json',
  ])(
    '%s has the date and the rates by small code (currency_rates_service.dart, fx_rates.py, useExchangeRate.ts)',
    async (path) => {
      const get = await serving('fawazahmed0');
      const { json } = await get(path);
      expect(json).toEqual({
        date: '2026-11-20',
        usd: expect.objectContaining({ usd: 1, ves: 804.5 }),
      });
    },
  );

  test.each([
    ['/npm/@fawazahmed0/currency-api@x/v1/currencies.json', 404],
    ['/npm/@fawazahmed0/currency-api@2026.13.1/v1/currencies/usd.json', 404],
    ['/gh/fawazahmed0/currency-api@1/latest/currencies/usd/usd.json', 404],
    ['/gh/fawazahmed0/currency-api@1/latest/currencies/usd/ves.txt', 404],
    ['/gh/fawazahmed0/currency-api@1/x/currencies/usd.json', 404],
    ['/v1/currencies/xxx.json', 404],
    ['/v1/currencies/USD.json', 404],
    ['/v1/currencies/usd.xml', 404],
    ['/npm/@fawazahmed0/currency-api@1/v1/currencies/usd.json', 404],
    ['/npm/@fawazahmed0/currency-api@2026-13-01/v1/currencies/usd.json', 404],
    ['/npm/@fawazahmed0/currency-api@2026-11-17/v1/currencies/usd.json', 404],
    ['/npm/@fawazahmed0/currency-api@2020-01-01/v1/currencies/usd.json', 403],
  ])('%s is refused with %d', async (path, status) => {
    const get = await serving('fawazahmed0');
    const reply = await get(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
  });

  test.each([
    '/npm/@fawazahmed0/currency-api@latest/v1/currencies.json',
    '/npm/@fawazahmed0/currency-api@latest/v1/currencies.min.json',
    '/v1/currencies.json',
    '/gh/fawazahmed0/currency-api@1/latest/currencies.json',
  ])(
    '%s names the currencies that have a rate (useCurrencies.ts, converter.html, sincronizador.java)',
    async (path) => {
      const get = await serving('fawazahmed0');
      expect((await get(path)).json).toEqual({
        ...{ cny: 'Chinese Renminbi Yuan', eur: 'Euro', usd: 'United States Dollar' },
        ves: 'Venezuelan Bolívar',
      });
    },
  );

  test.each([
    ['2026.11.19', 800],
    ['2026-11-19', 800],
    // The value date of another month with one digit.
    ['2026.9.4', 700],
  ])('a day may be written as a version of the npm package, @%s', async (version, rate) => {
    const records = [...WEEK, official('2026-09-04', { USD: 700 })];
    const service = await startCompatService(['fawazahmed0'], { records });
    const key = await service.keyFor('Escala');
    const path = `/npm/@fawazahmed0/currency-api@${version}/v1/currencies/usd.json`;
    expect((await service.call(path, { key })).json.usd.ves).toBe(rate);
  });

  test('the first version has a file for one pair (script.js of converters that read data[quote])', async () => {
    const get = await serving('fawazahmed0');
    const place = '/gh/fawazahmed0/currency-api@1';
    const { json } = await get(`${place}/latest/currencies/usd/ves.json`);
    expect(json).toEqual({ date: '2026-11-20', ves: 804.5 });
    // With a base address that ends in a slash.
    const past = await get(`${place}/2026-11-19/currencies//eur/usd.json`);
    expect(past.json).toEqual({ date: '2026-11-19', usd: 1.15 });
    expect(past.headers.get('x-vesfx-derived')).toBe('EUR/USD');
  });

  test('a rate between two foreign currencies is marked', async () => {
    const get = await serving('fawazahmed0');
    const { json, headers } = await get('/v1/currencies/usd.json');
    expect(json.usd.eur).toBeCloseTo(804.5 / 925.5, 5);
    expect(headers.get('x-vesfx-derived')).toBe('USD/CNY,USD/EUR');
  });

  test('stands beside Frankfurter', async () => {
    const { call } = await startCompatService(['frankfurter', 'fawazahmed0']);
    expect((await call('/v1/currencies')).json.VES).toBe('Venezuelan Bolívar');
    expect((await call('/v1/currencies/eur.json')).json.eur.ves).toBe(925.5);
  });
});

test('each needs a key unless the operator opened them, and a series needs history (contract §11)', async () => {
  const names = [
    'rafnixg',
    'bcvapi',
    'bcvtoday',
    'exchangedyn',
    'fawazahmed0',
    'dolarvzla',
  ] as const;
  const records = [...WEEK, ...fullMarket()];
  const service = await startCompatService(names, { open: false, records });
  const key = await publishableKey(service, { allowNoOrigin: true });
  for (const path of [
    '/rates/',
    '/api/v1/dolar',
    '/api/v1/rate.json',
    '/markets/quotes/usdves/bcv',
    '/v1/currencies/usd.json',
    '/bcv/current.json',
  ]) {
    expect([path, (await service.call(path)).status]).toEqual([path, 401]);
    expect([path, (await service.call(`/k/${key}${path}`)).status]).toEqual([path, 200]);
  }
  for (const path of ['/rates/history', '/api/v1/history.json', '/public/exchange-rate/list']) {
    expect([path, (await service.call(`/k/${key}${path}`)).status]).toEqual([path, 403]);
  }
});

import { describe, expect, test } from 'vitest';
import { bankTable, iso, quote } from '../../../../../test/harness/make.ts';
import { START } from '../../../../../test/harness/service.ts';
import { MONITOR, shapeOf } from '../fixtures.ts';
import { startCompatService, WEEK } from '../official-week.ts';

/** What public clients of pydolarve ask for, by the file that showed it (contract §12). */

const YESTERDAY = { updated_at: '2026-11-20T18:00:00Z', captured_at: '2026-11-20T18:00:00Z' };

const BANKS = bankTable('2026-11-20', [
  { bank: 'Banesco', buy: 802, sell: 806.5 },
  { bank: 'Banco de Venezuela', buy: 801 },
  { bank: 'Banco Exterior', date: '2026-11-19', sell: 799 },
]);

const RECORDS = [
  ...WEEK,
  quote('binance', 870, YESTERDAY),
  quote('binance', 900, { ask: 902, bid: 898, updated_at: iso(START) }),
  BANKS,
];

const serving = (records: readonly object[] = RECORDS) =>
  startCompatService(['pydolarve'], { records });

describe('contract §12 pages and monitors of pydolarve', () => {
  test.each(['alcambio', 'italcambio', 'dolartoday', 'exchangemonitor', 'criptodolar'])(
    'page=%s lists what the answer without a page does (utilsDollar.js, getDollarValue.ts, fetchExchangeRate of shops)',
    async (page) => {
      const { call } = await serving();
      const { monitors } = (await call(`/api/v1/dollar?page=${page}`)).json;
      expect(Object.keys(monitors)).toEqual(['bcv', 'enparalelovzla']);
      expect(monitors).toEqual((await call('/api/v1/dollar')).json.monitors);
    },
  );

  test('monitor=binance and page=binance have the middle of Binance P2P (fetchBinance.js, getRate of proxies, Brecha of a bot)', async () => {
    const { call } = await serving();
    for (const query of ['monitor=binance', 'page=binance&monitor=binance']) {
      const { json } = await call(`/api/v1/dollar?${query}`);
      expect(shapeOf(json)).toEqual(shapeOf(MONITOR));
      expect(json).toMatchObject({ price: 900, price_old: 870, change: 30, title: 'Binance P2P' });
    }
    const { monitors } = (await call('/api/v2/dollar?page=binance')).json;
    expect(Object.keys(monitors)).toEqual(['bcv', 'binance']);
    const off = await serving(WEEK);
    const alone = (await off.call('/api/v2/dollar?page=binance')).json.monitors;
    expect(Object.keys(alone)).toEqual(['bcv']);
    expect((await off.call('/api/v1/dollar?monitor=binance')).status).toBe(404);
  });

  test('a page and a monitor may be in capitals (fetchBcvRate.js asks for unit/BCV)', async () => {
    const { call } = await serving();
    const small = await call('/api/v1/dollar?page=bcv&monitor=usd');
    expect((await call('/api/v1/dollar?page=BCV&monitor=USD')).json).toEqual(small.json);
    expect((await call('/api/v1/dollar/unit/EnParaleloVzla')).json.price).toBe(890.75);
  });

  test.each([
    ['/api/v1/dollar/page?page=bcv&monitor=usd', '/api/v1/dollar?page=bcv&monitor=usd'],
    ['/api/v1/dollar/unit/bcv', '/api/v1/dollar?monitor=bcv'],
    ['/api/v1/dollar/unit/enparalelovzla', '/api/v1/dollar?monitor=enparalelovzla'],
    ['/api/v1/dollar/unit/binance', '/api/v1/dollar?monitor=binance'],
    ['/api/v1/dollar/unit/usd', '/api/v1/dollar?page=bcv&monitor=usd'],
    ['/api/v1/euro/unit/bcv', '/api/v1/euro?monitor=bcv'],
    ['/api/v1/tipo-cambio?currency=eur', '/api/v2/tipo-cambio?currency=eur'],
  ])('%s is %s (fetchFromPyDolar.ts, fetchDollarData.vue, CoinService.ts)', async (path, meant) => {
    const { call } = await serving();
    const [reply, plain] = [await call(path), await call(meant)];
    expect([reply.status, reply.json]).toEqual([200, plain.json]);
    expect(shapeOf(reply.json)).toEqual(shapeOf(MONITOR));
  });

  test('a bank of page=bcv has the rate at which it sells, else the one at which it buys', async () => {
    const { call } = await serving();
    const of = async (bank: string) => (await call(`/api/v1/dollar?page=bcv&monitor=${bank}`)).json;
    expect(await of('banesco')).toMatchObject({ price: 806.5, price_old: 806.5, title: 'Banesco' });
    expect(await of('banco_de_venezuela')).toMatchObject({ price: 801 });
    expect(await of('exterior')).toMatchObject({ price: 799, last_update: '19/11/2026, 12:00 AM' });
    for (const path of [
      '/api/v1/dollar?page=bcv&monitor=mercantil',
      '/api/v1/euro?page=bcv&monitor=banesco',
      '/api/v1/dollar?monitor=banesco',
      '/api/v1/dollar/unit/constructor',
    ]) {
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    }
  });

  test('without an earlier rate price_old is the price, so typed clients read it', async () => {
    const { call } = await serving([
      { kind: 'official', value_date: '2026-11-20', rates: { USD: 800 } },
      BANKS,
    ]);
    const { json } = await call('/api/v1/dollar?page=bcv&monitor=usd');
    expect(json).toMatchObject({ price: 800, price_old: 800, change: 0, percent: 0, symbol: '' });
  });
});

describe('contract §12 the history of pydolarve', () => {
  const HISTORY = '/api/v2/dollar/history';

  test('has the value dates of a range, written DD-MM-YYYY (getHistoricalData.kt, obtenerTasaBcvPorFecha.ts)', async () => {
    const { call } = await serving();
    const query = 'page=bcv&monitor=usd&start_date=18-11-2026&end_date=20-11-2026';
    const { json, headers } = await call(`${HISTORY}?${query}`);
    expect(Object.keys(json)).toEqual(['datetime', 'history']);
    expect(json.datetime.date).toBe('sábado, 21 de noviembre de 2026');
    expect(json.history).toEqual([
      { price: 795, last_update: '18/11/2026, 12:00 AM' },
      { price: 800, last_update: '19/11/2026, 12:00 AM' },
      { price: 804.5, last_update: '20/11/2026, 12:00 AM' },
    ]);
    expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    const newest = await call(`${HISTORY}?${query}&order=desc&format_date=iso`);
    expect(newest.json.history[0]).toEqual({
      price: 804.5,
      last_update: '2026-11-20T04:00:00.000Z',
    });
  });

  test.each([
    ['/api/v1/dollar/history?page=bcv&start_date=2026-11-19&end_date=2026-11-19', [800]],
    ['/api/v1/dollar/history?page=alcambio&monitor=bcv&start_date=19-11-2026', [800, 804.5]],
    ['/api/v1/dollar/history?monitor=bcv', [795, 800, 804.5]],
    ['/api/v1/euro/history?page=bcv&monitor=eur&start_date=20/11/2026', [925.5]],
    ['/api/v1/euro/history?page=bcv&end_date=18-11-2026', [915]],
    ['/api/v2/dollar/history?page=bcv&monitor=cny', [109, 110, 111]],
    ['/api/v2/dollar/history?page=alcambio&monitor=enparalelovzla', [880.25, 890.75]],
    ['/api/v2/dollar/history?page=enparalelovzla', [880.25, 890.75]],
    ['/api/v2/dollar/history?monitor=binance&start_date=21-11-2026', [900]],
  ])('%s', async (path, prices) => {
    const { call } = await serving();
    const { json } = await call(path);
    expect(json.history.map(({ price }: { price: number }) => price)).toEqual(prices);
  });

  test('a day without a rate is 404, so its clients try the day before', async () => {
    const { call } = await serving();
    for (const [query, status] of [
      ['page=bcv&monitor=usd&start_date=15-11-2026&end_date=15-11-2026', 404],
      ['page=bcv&monitor=gbp', 404],
      ['monitor=cash', 404],
      ['monitor=reference', 404],
      ['start_date=31-02-2026', 400],
      ['start_date=', 400],
      ['order=up', 400],
      ['fecha=20-11-2026', 400],
    ] as const) {
      const reply = await call(`${HISTORY}?${query}`);
      expect([query, reply.status, reply.json]).toEqual([
        query,
        status,
        { error: expect.any(String) },
      ]);
    }
  });

  test('needs the scope history and reaches as far as the plan (contract §11)', async () => {
    const service = await startCompatService(['pydolarve'], { open: false, records: RECORDS });
    const keyWith = async (scope: 'rates' | 'history') => {
      const { accounts } = service.service;
      const { id } = await accounts.create('restricted', 'Gratis');
      const grant = { kind: 'restricted', scopes: [scope] } as const;
      return (await accounts.createKey(id, { grant })).key;
    };
    const headers = { Authorization: `Bearer ${await keyWith('history')}` };
    expect((await service.call(HISTORY, { headers })).status).toBe(200);
    const refused = await service.call(HISTORY, { key: await keyWith('rates') });
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('history')]);
    await service.push({ kind: 'official', value_date: '2020-01-10', rates: { USD: 9 } });
    const early = await service.call(`${HISTORY}?start_date=01-01-2020`, { headers });
    expect(early.json.history[0].price).toBe(795);
  });
});

describe('contract §12 the conversion of pydolarve', () => {
  test.each([
    ['/api/v2/dollar/conversion?type=VES&value=1609&page=bcv&monitor=usd', 2],
    ['/api/v1/dollar/conversion?type=USD&value=10&page=bcv&monitor=usd', 8045],
    ['/api/v1/dollar/conversion?type=usd&value=2&monitor=enparalelovzla', 1781.5],
    ['/api/v1/euro/conversion?type=EUR&value=2&page=bcv', 1851],
    ['/api/v1/dollar/conversion?type=VES&value=1', 0.00124300808],
    ['/api/v1/dollar/conversion?type=USD&value=1&page=bcv&monitor=banesco', 806.5],
  ])('%s is the bare number %d (fetchDollarConversion.ts)', async (path, amount) => {
    const { call } = await serving();
    const { status, text } = await call(path);
    expect([status, text]).toEqual([200, String(amount)]);
  });

  test.each(['', '?type=USD', '?value=1', '?type=COP&value=1', '?type=USD&value=-1'])(
    '%j is 400',
    async (query) => {
      const { call } = await serving();
      const { status, json } = await call(`/api/v1/dollar/conversion${query}`);
      expect([status, json]).toEqual([400, { error: expect.any(String) }]);
    },
  );
});

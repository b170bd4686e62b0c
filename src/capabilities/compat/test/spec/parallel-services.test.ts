import { describe, expect, test } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { START } from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';
import { publishableKey, startCompatService, WEEK } from '../official-week.ts';

/** Services with a market's rate. Each test reads it as the named public programs do. */

describe('api.yadio.io (contract §12)', () => {
  test('exrates: units of each currency for one of the base (Rates.kt, update-data.js, peercoin prices.js)', async () => {
    const { call } = await startCompatService(['yadio']);
    const dollar = await call('/exrates/usd');
    expect(dollar.json).toEqual({
      USD: { USD: 1, VES: 890.75 },
      base: 'USD',
      timestamp: START,
    });
    expect(dollar.headers.get('x-vesfx-source')).toBeNull();
    const { VES } = (await call('/exrates/VES')).json;
    expect([VES.USD, (1 / VES.USD).toFixed(2)]).toEqual([0.001122649453, '890.75']);
  });

  test('rate: the price of the second currency in the first (rates.js for ves/usd, rate_service.py for USD/VES)', async () => {
    const { call } = await startCompatService(['yadio']);
    expect((await call('/rate/ves/usd')).json).toEqual({
      rate: 890.75,
      timestamp: START,
      request: 'rate:VES/USD',
    });
    const { rate } = (await call('/rate/USD/VES')).json;
    expect((1 / rate).toFixed(2)).toBe('890.75');
  });

  test('convert: the amount of the first currency in the second (fetch_rates.py, Yadio of mostro, getPrice.ts)', async () => {
    const { call } = await startCompatService(['yadio']);
    expect((await call('/convert/100/USD/VES')).json).toEqual({
      request: { amount: 100, from: 'USD', to: 'VES' },
      result: 89_075,
      rate: 890.75,
      timestamp: START,
    });
    const back = (await call('/convert/1/VES/USD')).json;
    expect([back.result, back.rate]).toEqual([0.001122649453, 0.001122649453]);
    // Never 0, however small.
    expect((await call('/convert/0.0000000001/VES/USD')).json.result).toBe(1.122649453e-13);
  });

  test.each([
    ['/exrates/BTC', 404],
    ['/exrates/EUR', 404],
    ['/rate/BTC/USD', 404],
    ['/rate/VES/BTC', 404],
    ['/convert/1/BTC/USD', 404],
    ['/convert/1/USD/BTC', 404],
    ['/convert/0/USD/VES', 400],
    ['/convert/-1/USD/VES', 400],
    ['/convert/x/USD/VES', 400],
    ['/convert/1e13/USD/VES', 400],
  ])('%s is refused with %d in the shape of Yadio', async (path, status) => {
    const { call } = await startCompatService(['yadio']);
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
    if (status === 404) expect(reply.json.error).toBe('currency not found');
  });

  test('without a parallel rate every address is 404', async () => {
    const { call } = await startCompatService(['yadio'], {
      records: [official('2026-11-20', { USD: 1 })],
    });
    for (const path of ['/exrates/USD', '/rate/VES/USD', '/convert/1/USD/VES']) {
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    }
  });
});

const YESTERDAY = iso(START - DAY_MS);

/** The week, and USDT at Binance of yesterday and now. */
const WITH_BINANCE = [
  ...WEEK,
  quote('binance', 880, { ask: 881, bid: 879, updated_at: YESTERDAY, captured_at: YESTERDAY }),
  quote('binance', 900, { ask: 901, bid: 899 }),
];

describe('dolarvzla.com (contract §12)', () => {
  test.each(['/bcv/current.json', '/public/exchange-rate', '/public/bcv/exchange-rate'])(
    '%s has the current rates, those before and the change (getRates.ts, xekred app.js, bcv cli)',
    async (path) => {
      const { call } = await startCompatService(['dolarvzla']);
      const { json, headers } = await call(path);
      expect(json).toEqual({
        current: { usd: 804.5, eur: 925.5, date: '2026-11-20' },
        previous: { usd: 800, eur: 920, date: '2026-11-19' },
        changePercentage: { usd: 0.5625, eur: 0.5978 },
      });
      expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    },
  );

  test('the first rate is compared with itself, so that no field is missing', async () => {
    const { call } = await startCompatService(['dolarvzla'], {
      records: [official('2026-11-20', { USD: 800, EUR: 900 })],
    });
    const { previous, changePercentage } = (await call('/bcv/current.json')).json;
    expect([previous, changePercentage]).toEqual([
      { usd: 800, eur: 900, date: '2026-11-20' },
      { usd: 0, eur: 0 },
    ]);
  });

  test.each(['/public/exchange-rate/list', '/public/bcv/exchange-rate/list'])(
    '%s is newest first, and empty for a day without a rate of its own (history_service.dart, transactions.js, callAPI of PHP)',
    async (path) => {
      const { call } = await startCompatService(['dolarvzla']);
      const all = await call(path);
      expect(all.json).toEqual({
        rates: [
          { date: '2026-11-20', usd: 804.5, eur: 925.5 },
          { date: '2026-11-19', usd: 800, eur: 920 },
          { date: '2026-11-18', usd: 795, eur: 915 },
        ],
      });
      const one = await call(`${path}?from=2026-11-19&to=2026-11-19`);
      expect(one.json.rates).toEqual([{ date: '2026-11-19', usd: 800, eur: 920 }]);
      expect((await call(`${path}?from=2026-11-21&to=2026-11-21`)).json).toEqual({ rates: [] });
    },
  );

  test('USDT at Binance, compared with its last rate of yesterday (consultarApi of the cli, dolarvzla.ts, tasas.py)', async () => {
    const service = await startCompatService(['dolarvzla'], { records: WITH_BINANCE });
    const key = await service.keyFor('Escala');
    const { json } = await service.call('/public/usdt/exchange-rate', { key });
    expect(json).toEqual({
      current: { buy: 901, sell: 899, average: 900, date: iso(START) },
      previous: { buy: 881, sell: 879, average: 880, date: YESTERDAY },
      changePercentage: { buy: 2.2701, sell: 2.2753, average: 2.2727 },
    });
  });

  test('/public/usdt/exchange-rate/list has the last middle of each day, newest first (historyService.ts, callAPI of PHP, index of monedas)', async () => {
    const service = await startCompatService(['dolarvzla'], { records: WITH_BINANCE });
    const key = await service.keyFor('Escala');
    const ask = (query: string) => service.call(`/public/usdt/exchange-rate/list${query}`, { key });
    const [today, yesterday] = [
      { date: '2026-11-21', average: 900 },
      { date: '2026-11-20', average: 880 },
    ];
    const all = await ask('');
    expect(all.json).toEqual({ rates: [today, yesterday] });
    expect(all.headers.get('x-vesfx-source')).toBeNull();
    expect((await ask('?from=2026-11-01&to=2026-11-20')).json).toEqual({ rates: [yesterday] });
    expect((await ask('?from=2026-11-01&to=2026-11-02')).json).toEqual({ rates: [] });
  });

  test('takes the key in its own header, also from a page; one of another service is no key', async () => {
    const origin = 'https://shop.example';
    const service = await startCompatService(['dolarvzla'], { open: false });
    const key = await publishableKey(service, { origins: [origin] });
    const path = '/public/bcv/exchange-rate';
    const ask = (sent: string) =>
      service.call(path, { headers: { Origin: origin, 'X-DolarVzla-Key': sent } });
    expect((await ask(key)).json.current.usd).toBe(804.5);
    expect([(await ask('3f7f4c2f240a')).status, (await ask('vfx_pub_wrong')).status]).toEqual([
      401, 401,
    ]);
    const preflight = await service.call(path, { method: 'OPTIONS', headers: { Origin: origin } });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-dolarvzla-key');
  });

  test.each([
    ['/public/exchange-rate/list?from=x', 400],
    ['/public/exchange-rate/list?from=', 400],
    ['/public/exchange-rate/list?from=2026-11-20&to=2026-11-19', 400],
    ['/public/exchange-rate/list?from=2020-01-01', 403],
    ['/public/usdt/exchange-rate', 404],
    ['/public/usdt/exchange-rate/list?from=2026-11-20&to=2026-11-19', 400],
    ['/public/usdt/exchange-rate/list?from=2020-01-01', 403],
  ])('%s is refused with %d in Spanish', async (path, status) => {
    const { call } = await startCompatService(['dolarvzla']);
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { error: expect.any(String) }]);
  });
});

describe('DolarToday (contract §12)', () => {
  test('data.json has the parallel dollar, the official rates and the time (index.js of bots, dolarToday.php, App.jsx)', async () => {
    const { call } = await startCompatService(['dolartoday']);
    expect((await call('/dolartoday/data.json')).json).toEqual({
      _timestamp: {
        epoch: String(START / 1000),
        fecha: 'Noviembre 21, 2026 08:00 AM',
        fecha_corta: 'Nov 21, 2026',
        fecha_nice: 'Noviembre 21, 2026',
        dia: 'Sábado',
      },
      USD: {
        transferencia: 890.75,
        promedio: 890.75,
        dolartoday: 890.75,
        promedio_real: 804.5,
        sicad2: 804.5,
      },
      EUR: { promedio_real: 925.5, sicad2: 925.5 },
    });
  });

  test('without a parallel rate it is 404', async () => {
    const { call } = await startCompatService(['dolartoday'], {
      records: [official('2026-11-20', { USD: 1 })],
    });
    const { status, json } = await call('/dolartoday/data.json');
    expect([status, json]).toEqual([404, { error: expect.any(String) }]);
  });
});

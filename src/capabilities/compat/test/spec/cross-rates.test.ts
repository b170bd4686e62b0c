import { describe, expect, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { decimal, divideToDigits, toNumber } from '../../../../core/domain/decimal.ts';
import { MAX_CROSS_FIGURES } from '../../cross-rates.ts';
import { startCompatService } from '../official-week.ts';

/** Pairs without the bolívar, and currencies that only the workbooks have (contract §12). */

const read = (time: string) => ({ captured_at: time });

/** The workbook has the Wednesday and the Thursday, the page the Friday too. */
const RECORDS = [
  official(
    '2026-11-18',
    { USD: 795, EUR: 915, JPY: 5.1, MXP: 43.2, CLP: 0.83 },
    read('2026-11-17T21:10:00Z'),
  ),
  official(
    '2026-11-19',
    { USD: 800, EUR: 920.12345678, JPY: 5.2, MXP: 43.5 },
    read('2026-11-18T21:10:00Z'),
  ),
  official('2026-11-20', { USD: 804.5, EUR: 925.5 }, read('2026-11-19T21:10:00Z')),
];

const serving = () => startCompatService(['frankfurter'], { records: RECORDS });
const derived = (headers: Headers) => headers.get('x-vesfx-derived');

const sixDigits = (over: number, under: number) =>
  toNumber(divideToDigits(decimal(over), decimal(under), 6));

describe('contract §12 a pair without the bolívar', () => {
  test.each([
    ['/v1/latest?base=EUR&symbols=USD', 'EUR/USD', '2026-11-20', sixDigits(925.5, 804.5)],
    ['/v1/latest?from=USD&to=EUR', 'USD/EUR', '2026-11-20', sixDigits(804.5, 925.5)],
    ['/v1/2026-11-19?base=EUR&symbols=USD', 'EUR/USD', '2026-11-19', 1.15015],
    ['/v1/2026-11-19?base=USD&symbols=JPY', 'USD/JPY', '2026-11-19', 153.846],
    // The newest value date that both have.
    ['/v1/latest?base=USD&symbols=JPY', 'USD/JPY', '2026-11-19', 153.846],
    ['/v1/latest?base=JPY&symbols=EUR', 'JPY/EUR', '2026-11-19', sixDigits(5.2, 920.12345678)],
    ['/v1/latest?base=CLP&symbols=JPY', 'CLP/JPY', '2026-11-18', sixDigits(0.83, 5.1)],
    ['/v1/latest?base=USD&symbols=MXN', 'USD/MXN', '2026-11-19', sixDigits(800, 43.5)],
  ])('%s is the quotient of one value date, rounded once', async (path, pair, date, rate) => {
    const { call } = await serving();
    const { json, headers } = await call(path);
    const [base, quote = ''] = pair.split('/');
    expect(json).toEqual({ amount: 1, base, date, rates: { [quote]: rate } });
    expect(derived(headers)).toBe(pair);
    expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    const second = (await call(`/v2/rate/${pair}?date=${date}`)).json;
    expect(second).toEqual({ date, base, quote, rate });
  });

  test('an amount of money keeps its cents', async () => {
    const { call } = await serving();
    const { json } = await call('/v1/latest?base=EUR&symbols=USD&amount=1234567.89');
    expect(json.rates.USD).toBe(1420251.81);
  });

  test('a pair with the bolívar is as it was, and marked by nothing', async () => {
    const { call } = await serving();
    for (const path of ['/v1/latest?base=USD&symbols=VES', '/v1/2026-11-19?base=VES&symbols=EUR']) {
      const { status, headers } = await call(path);
      expect([status, derived(headers)]).toEqual([200, null]);
    }
    const yen = (await call('/v1/2026-11-19?base=JPY&symbols=VES')).json;
    expect(yen.rates).toEqual({ VES: 5.2 });
  });

  test('without symbols the answer has every currency of its date, version 2 of every date', async () => {
    const { call } = await serving();
    const reply = await call('/v1/latest?base=USD');
    expect(reply.json.rates).toEqual({ EUR: sixDigits(804.5, 925.5), VES: 804.5 });
    expect(derived(reply.headers)).toBe('USD/EUR');
    const rows = (await call('/v2/rates?base=USD')).json;
    expect(rows.map(({ date, quote }: Record<string, string>) => [date, quote])).toEqual([
      ['2026-11-18', 'CLP'],
      ['2026-11-20', 'EUR'],
      ['2026-11-19', 'JPY'],
      ['2026-11-19', 'MXN'],
      ['2026-11-20', 'VES'],
    ]);
  });

  test('a series joins the value dates of both', async () => {
    const { call } = await serving();
    const { json, headers } = await call('/v1/2026-11-18..?base=USD&symbols=EUR,JPY');
    expect(json.rates).toEqual({
      '2026-11-18': { EUR: sixDigits(795, 915), JPY: sixDigits(795, 5.1) },
      '2026-11-19': { EUR: sixDigits(800, 920.12345678), JPY: 153.846 },
      '2026-11-20': { EUR: sixDigits(804.5, 925.5) },
    });
    expect(derived(headers)).toBe('USD/EUR,USD/JPY');
    const rows = (await call('/v2/rates?base=JPY&quotes=USD,VES&from=2026-11-18')).json;
    expect(rows.map(({ date, quote }: Record<string, string>) => `${date} ${quote}`)).toEqual([
      '2026-11-18 USD',
      '2026-11-18 VES',
      '2026-11-19 USD',
      '2026-11-19 VES',
    ]);
    const first = (await call('/v1/2026-11-21..?base=EUR&symbols=USD')).json;
    expect(Object.keys(first.rates)).toEqual(['2026-11-20']);
  });

  test('of before a redenomination is the same in any unit, and its bolívares are of its day', async () => {
    const service = await startCompatService(['frankfurter'], {
      open: false,
      records: [official('2021-09-30', { USD: 4.18, EUR: 4.85, JPY: 0.0374 })],
    });
    const key = await service.keyFor('Escala');
    const { json, headers } = await service.call('/v1/2021-09-30?base=JPY', { key });
    expect(json.rates).toEqual({
      EUR: sixDigits(0.0374, 4.85),
      USD: sixDigits(0.0374, 4.18),
      VES: 37_400,
    });
    expect(headers.get('x-vesfx-unit-changes')).toBe('2021-10-01=1000000');
  });

  test.each([
    ['/v1/latest?base=USD&symbols=GBP', 404],
    ['/v1/latest?base=GBP&symbols=USD', 404],
    ['/v1/2026-11-20?base=USD&symbols=JPY', 404],
    ['/v1/2026-11-25?base=USD&symbols=EUR', 404],
    ['/v1/2026-10-01?base=USD&symbols=EUR', 403],
    ['/v1/2026-11-19..2026-11-18?base=USD&symbols=EUR', 422],
  ])('%s is %d', async (path, status) => {
    const { call } = await serving();
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { message: expect.any(String) }]);
  });

  test('a series of too many days and currencies is refused, one of as many is not', async () => {
    const names = ['EUR', 'JPY', 'ARS', 'BRL', 'CAD', 'CHF', 'CLP', 'COP', 'GBP', 'INR'];
    const rates = Object.fromEntries(names.map((name, place) => [name, 10 + place]));
    const service = await startCompatService(['frankfurter'], {
      open: false,
      records: [official('2026-11-20', { USD: 800, ...rates })],
    });
    const key = await service.keyFor('Escala');
    // Ten currencies and the bolívar: 9,090 days are 99,990.
    const days = Math.floor(MAX_CROSS_FIGURES / 11);
    const from = (count: number) =>
      new Date(Date.parse('2026-11-21') - count * 86_400_000).toISOString().slice(0, 10);
    const ask = (count: number) => service.call(`/v2/rates?base=USD&from=${from(count)}`, { key });
    expect((await ask(days)).status).toBe(200);
    expect((await ask(days + 1)).status).toBe(422);
  });
});

describe('contract §12 the currencies of Frankfurter', () => {
  test('are all that are stored, with the first and the last day of each', async () => {
    const { call } = await serving();
    const { json } = await call('/v2/currencies');
    expect(
      json.map(({ iso_code, start_date, end_date }: Record<string, string>) => [
        iso_code,
        start_date,
        end_date,
      ]),
    ).toEqual([
      ['CLP', '2026-11-18', '2026-11-18'],
      ['EUR', '2026-11-18', '2026-11-20'],
      ['JPY', '2026-11-18', '2026-11-19'],
      ['MXN', '2026-11-18', '2026-11-19'],
      ['USD', '2026-11-18', '2026-11-20'],
      ['VES', '2026-11-18', '2026-11-20'],
    ]);
    expect((await call('/v1/currencies')).json).toMatchObject({ JPY: 'Japanese Yen' });
    expect((await call('/v2/currency/jpy')).json).toEqual({
      iso_code: 'JPY',
      iso_numeric: '392',
      name: 'Japanese Yen',
      symbol: '¥',
      start_date: '2026-11-18',
      end_date: '2026-11-19',
      providers: ['BCV'],
    });
    expect((await call('/v2/currency/GBP')).status).toBe(404);
  });

  test('the only provider is the central bank', async () => {
    const { call } = await serving();
    const [provider, ...others] = (await call('/v2/providers')).json;
    expect(others).toEqual([]);
    expect(provider).toMatchObject({
      key: 'BCV',
      pivot_currency: 'VES',
      start_date: '2026-11-18',
      end_date: '2026-11-20',
      currencies: ['CLP', 'EUR', 'JPY', 'MXN', 'USD', 'VES'],
    });
  });

  test('rates of the provider that the path names, and none of another (getEurUsdRate.ts, weekly assets, pipeline.py)', async () => {
    const { call } = await serving();
    for (const rest of ['/rates?base=USD&quotes=EUR', '/rate/usd/eur', '/rate/USD/VES?t=1']) {
      const reply = await call(`/v2/providers/bcv${rest}`);
      const plain = await call(`/v2${rest}`);
      expect([reply.status, reply.json]).toEqual([200, plain.json]);
      expect(reply.headers.get('x-vesfx-derived')).toBe(plain.headers.get('x-vesfx-derived'));
      const other = await call(`/v2/providers/ecb${rest}`);
      expect([other.status, other.json.status]).toEqual([404, 404]);
    }
  });

  test('the addresses of api.frankfurter.app are at the root', async () => {
    const { call } = await serving();
    for (const path of ['/latest?from=USD&to=VES', '/2026-11-19?from=EUR', '/currencies']) {
      const [reply, plain] = [await call(path), await call(`/v1${path}`)];
      expect([path, reply.status, reply.json]).toEqual([path, 200, plain.json]);
    }
    const series = await call('/2026-11-18..2026-11-19?from=USD&to=VES');
    expect(series.json.rates).toEqual({ '2026-11-18': { VES: 795 }, '2026-11-19': { VES: 800 } });
    expect((await call('/v1/current?base=USD&symbols=VES')).json.rates).toEqual({ VES: 804.5 });
    expect((await call('/2026-11')).json.code).toBe('resource_not_found');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { official, quote } from '../../../../../test/harness/make.ts';
import { daysOf } from '../../../../core/domain/calendar.ts';
import { decimal, divide, multiply, subtract, toNumber } from '../../../../core/domain/decimal.ts';
import { MAX_RATE, MIN_RATE } from '../../../../core/domain/quotes.ts';
import { parseCaracasDay } from '../../../../core/domain/time.ts';
import { LATEST, RATE_ROW, SERIES, shapeOf } from '../fixtures.ts';
import { startCompatService } from '../official-week.ts';

const service = () => startCompatService(['frankfurter']);

const usd = (rate: number, date = '2026-11-20') => ({
  amount: 1,
  base: 'USD',
  date,
  rates: { VES: rate },
});

describe('the addresses of Frankfurter, version 1', () => {
  test.each([
    ['/v1/latest?base=USD&symbols=VES', usd(804.5)],
    ['/v1/latest?from=USD&to=VES', usd(804.5)],
    ['/v1/latest?from=usd&to=ves,gbp', usd(804.5)],
    ['/v1/latest?base=USD&symbols=VES&amount=2.5', { ...usd(2011.25), amount: 2.5 }],
    [
      '/v1/latest',
      {
        amount: 1,
        base: 'EUR',
        date: '2026-11-20',
        rates: { CNY: 8.33784, USD: 1.1504, VES: 925.5 },
      },
    ],
    ['/v1/2026-11-19?base=USD&symbols=VES', usd(800, '2026-11-19')],
    // A list with spaces loses no currency.
    [
      '/v1/2026-11-19?base=USD&symbols=VES,%20EUR',
      { amount: 1, base: 'USD', date: '2026-11-19', rates: { EUR: 0.869565, VES: 800 } },
    ],
    // A Saturday has the rate of Friday, as with Frankfurter.
    ['/v1/2026-11-21?base=USD&symbols=VES', usd(804.5)],
    [
      '/v1/2026-11-19?base=CNY&symbols=VES',
      { amount: 1, base: 'CNY', date: '2026-11-19', rates: { VES: 110 } },
    ],
    [
      '/v1/latest?base=VES&symbols=USD',
      { amount: 1, base: 'VES', date: '2026-11-20', rates: { USD: 0.00124300808 } },
    ],
    [
      '/v1/2026-11-19?base=VES',
      {
        amount: 1,
        base: 'VES',
        date: '2026-11-19',
        rates: { USD: 0.00125, EUR: 0.001086956522, CNY: 0.009090909091 },
      },
    ],
  ])('%s is answered in the format of that service (contract §12)', async (path, expected) => {
    const { call } = await service();
    const { json } = await call(path);
    expect(json).toEqual(expected);
    expect(shapeOf({ ...json, rates: {} })).toEqual(shapeOf({ ...LATEST, rates: {} }));
  });

  test.each([
    ['/v1/2026-11-18..2026-11-19?base=USD&symbols=VES', ['2026-11-18', '2026-11-19']],
    ['/v1/2026-11-19..?base=USD&symbols=VES', ['2026-11-19', '2026-11-20']],
    // The rate of a later value date is published.
    ['/v1/2026-11-20..2026-12-31?base=USD', ['2026-11-20', '2026-11-24']],
    ['/v1/2026-11-20..2026-11-23?base=USD', ['2026-11-20']],
    // A range that begins on a day without banks begins with the rate in force.
    ['/v1/2026-11-21..?base=USD', ['2026-11-20']],
  ])('%s is a series, by value date', async (path, dates) => {
    const { call } = await service();
    const { json } = await call(path);
    expect(Object.keys(json.rates)).toEqual(dates);
    expect(json).toMatchObject({ start_date: dates[0], end_date: dates.at(-1) });
    expect(shapeOf({ ...json, rates: {} })).toEqual(shapeOf({ ...SERIES, rates: {} }));
  });

  test('a series has the value date of a rate, also when its source was updated on another day (contract §7)', async () => {
    const eve = { updated_at: '2026-11-18T21:00:00Z', captured_at: '2026-11-18T21:05:00Z' };
    const { call } = await startCompatService(['frankfurter', 'dolarapi'], {
      records: [
        official('2026-11-18', { USD: 795 }, { captured_at: '2026-11-17T21:10:00Z' }),
        quote('reference', 800, { ...eve, effective_date: '2026-11-19' }),
        quote('reference', 804.5, { ...eve, effective_date: '2026-11-20' }),
      ],
    });
    const rates = { '2026-11-18': { VES: 795 }, '2026-11-19': { VES: 800 } };
    expect((await call('/v1/2026-11-18..2026-11-19?base=USD')).json.rates).toEqual(rates);
    const history = (await call('/v1/historicos/dolares/oficial')).json;
    expect(history.map(({ fecha }: { fecha: string }) => fecha)).toEqual([
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ]);
  });

  test.each([
    ['/v1/latest?base=GBP', 404, 'not found'],
    ['/v1/latest?base=USD&symbols=USD', 422, 'bad currency pair'],
    ['/v1/latest?base=USD&amount=0', 422, undefined],
    ['/v1/latest?base=USD&amount=1e', 422, undefined],
    ['/v1/2026-02-30?base=USD', 404, 'not found'],
    ['/v1/2026-11-25?base=USD', 404, 'not found'],
    ['/v1/2026-11-17?base=USD', 404, 'not found'],
    ['/v1/2026-10-21?base=USD', 403, undefined],
    ['/v1/2026-11-20..2026-11-19?base=USD', 422, 'invalid date range'],
    ['/v1/2026-10-21..?base=USD', 403, undefined],
    ['/v1/2026-11-25..?base=USD', 422, 'invalid date range'],
    ['/v1/2026-11-25..2026-11-30?base=USD', 404, 'not found'],
    ['/v1/2026-11-17..2026-11-17?base=USD', 404, 'not found'],
  ])('%s is refused in the format of that service', async (path, status, message) => {
    const { call } = await service();
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([
      status,
      { message: message ?? expect.any(String) },
    ]);
  });

  test('a range does not begin with a rate before a missing value date (contract §9)', async () => {
    const { call } = await startCompatService(['frankfurter'], {
      records: [
        { kind: 'official', value_date: '2026-11-18', rates: { USD: 795 } },
        { kind: 'official', value_date: '2026-11-20', rates: { USD: 804.5 } },
      ],
    });
    const { json } = await call('/v1/2026-11-19..?base=USD');
    expect(Object.keys(json.rates)).toEqual(['2026-11-20']);
  });

  test('a missing value date is refused, never replaced by another rate (contract §9)', async () => {
    const { call } = await startCompatService(['frankfurter'], {
      records: [{ kind: 'official', value_date: '2026-11-18', rates: { USD: 795 } }],
    });
    const { status, json } = await call('/v1/2026-11-19?base=USD&symbols=VES');
    expect([status, json]).toEqual([404, { message: expect.stringContaining('2026-11-19') }]);
  });
});

/** Figures of every size that a record may have, with up to nine digits. */
const anyRate = fc
  .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: -23, max: 14 }))
  .map(([digits, power]) => Number(`${digits}e${power}`))
  .filter((rate) => rate >= MIN_RATE && rate <= MAX_RATE);

const exactly = (text: string) => parseCaracasDay(text) ?? expect.unreachable();
const DAYS = daysOf({ from: exactly('2026-11-02'), to: exactly('2026-11-20') });

/** How far `served` is from the exact value `over / under`, as a share of it. */
function apart(served: number, over: number | string, under: number): number {
  const difference = subtract(multiply(served, under), over).abs();
  return toNumber(divide(difference, over, 20));
}

describe('the digits of Frankfurter (contract §12)', () => {
  test.each([
    [1e-10, 1e-10, 1e10],
    [6.4555e-9, 6.4555e-9, 154906668.7321],
    [1e15, 1e15, 1e-15],
    [1e-15, 1e-15, 1e15],
  ])('a rate of %d is served as %d, its inverse as %d, never as 0', async (rate, ves, inverse) => {
    const { call } = await startCompatService(['frankfurter'], {
      records: [official('2026-11-20', { USD: rate })],
    });
    expect((await call('/v1/latest?base=USD')).json.rates.VES).toBe(ves);
    const back = (await call('/v1/latest?base=VES&symbols=USD')).json.rates.USD;
    expect(apart(back, String(inverse), 1)).toBeLessThan(5e-7);
    expect((await call('/v2/rate/USD/VES')).json.rate).toBe(ves);
    expect((await call('/v2/rates?base=USD&date=2026-11-20')).json[0].rate).toBe(ves);
  });

  test('a served rate of any size is within 5e-7 of the exact one, in both directions', async () => {
    const rates = fc.array(anyRate, { minLength: DAYS.length, maxLength: DAYS.length });
    const amounts = fc.constantFrom('1', '0.01', '2.5', '1e-9', '1e12', '33.333333');
    await fc.assert(
      fc.asyncProperty(rates, amounts, async (figures, amount) => {
        const records = DAYS.map((day, place) => official(day, { USD: figures[place] ?? 1 }));
        const service = await startCompatService(['frankfurter'], { open: false, records });
        const key = await service.keyFor('Escala');
        const ask = (pair: string) =>
          service.call(`/v1/2026-11-02..2026-11-20?${pair}&amount=${amount}`, { key });
        const [direct, inverse] = [
          (await ask('base=USD&symbols=VES')).json.rates,
          (await ask('base=VES&symbols=USD')).json.rates,
        ];
        for (const [place, day] of DAYS.entries()) {
          const rate = figures[place] ?? 1;
          const exact = multiply(amount, rate).toString();
          expect(apart(direct[day].VES, exact, 1)).toBeLessThanOrEqual(5e-7);
          expect(apart(inverse[day].USD, decimal(amount).toString(), rate)).toBeLessThanOrEqual(
            5e-7,
          );
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('the currencies of Frankfurter', () => {
  test('are the bolívar and the currencies with a rate, in the format of each version', async () => {
    const { call } = await startCompatService(['frankfurter']);
    const { json, headers } = await call('/v1/currencies');
    expect(json).toEqual({
      CNY: 'Chinese Renminbi Yuan',
      EUR: 'Euro',
      USD: 'United States Dollar',
      VES: 'Venezuelan Bolívar',
    });
    expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
    const second = (await call('/v2/currencies')).json;
    expect(second.map(({ iso_code, name }: Record<string, string>) => [iso_code, name])).toEqual(
      Object.entries(json),
    );
    expect((await call('/v2/currencies?scope=some')).status).toBe(422);
  });
});

describe('the addresses of Frankfurter, version 2', () => {
  test.each([
    ['/v2/rates?base=USD&quotes=VES', [['2026-11-20', 804.5]]],
    ['/v2/rates?base=usd&providers=bcv&quotes=ves', [['2026-11-20', 804.5]]],
    ['/v2/rates?base=USD&providers=ECB', []],
    ['/v2/rates?base=USD&date=2026-11-19&quotes=VES', [['2026-11-19', 800]]],
    [
      '/v2/rates?base=USD&from=2026-11-18&to=2026-11-19&quotes=VES',
      [
        ['2026-11-18', 795],
        ['2026-11-19', 800],
      ],
    ],
    ['/v2/rates?base=USD&from=2026-11-21&quotes=VES', [['2026-11-20', 804.5]]],
    ['/v2/rates?base=USD&from=2026-11-17&to=2026-11-18&quotes=VES', [['2026-11-18', 795]]],
    // That service ignores an end without a beginning.
    ['/v2/rates?base=USD&to=2026-11-19&quotes=VES', [['2026-11-20', 804.5]]],
  ])('%s is a list of rows', async (path, expected) => {
    const { call } = await service();
    const { json } = await call(path);
    expect(json.map((row: typeof RATE_ROW) => [row.date, row.rate])).toEqual(expected);
    for (const row of json) expect(shapeOf(row)).toEqual(shapeOf(RATE_ROW));
  });

  test('a single pair is one row', async () => {
    const { call } = await service();
    const row = { date: '2026-11-20', base: 'USD', quote: 'VES', rate: 804.5 };
    expect((await call('/v2/rate/USD/VES')).json).toEqual(row);
    expect((await call('/v2/rate/usd/ves?date=2026-11-19')).json).toEqual({
      ...row,
      date: '2026-11-19',
      rate: 800,
    });
  });

  test.each([
    ['/v2/rates?base=GBP', 404],
    ['/v2/rates?symbols=VES', 422],
    ['/v2/rates?date=2026-13-01', 422],
    ['/v2/rates?date=2026-11-19&from=2026-11-18', 422],
    ['/v2/rates?base=USD&date=2026-10-21', 403],
  ])('%s is refused in the format of that service', async (path, status) => {
    const { call } = await service();
    const reply = await call(path);
    expect([reply.status, reply.json]).toEqual([status, { status, message: expect.any(String) }]);
  });
});

import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { convertedAmount, writtenAmount } from '../../src/client/amounts.ts';
import {
  type ConvertOptions,
  type StaticRate,
  type StaticVesfx,
  Vesfx,
  VesfxError,
} from '../../src/client/vesfx.ts';
import { convertAmount, parseAmount } from '../../src/core/domain/calculations/convert.ts';
import { toNumber } from '../../src/core/domain/decimal.ts';
import { listening } from '../harness/listening.ts';
import { fullMarket, official } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';

/** The client of a static copy: files of contract §22 behind a plain web server. */

afterEach(() => {
  vi.useRealTimers();
});

/** Only the clock: a request still ends in its own time. */
function at(instant: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly status: number;
}

/** A web server over files below `/copy`, with ETags. A status stands for a file that is refused. */
async function hosted(files: Readonly<Record<string, object | string | number>>) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = files[path.replace('/copy/', '')] ?? 404;
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    const etag = `"${Buffer.byteLength(text)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    const status = typeof file === 'number' ? file : isKnown ? 304 : 200;
    asked.push({ path, headers: request.headers, status });
    response.writeHead(status, { ETag: etag });
    response.end(status === 200 ? text : status === 304 ? undefined : '<h1>No</h1>');
  });
  const address = `${await listening(server)}/copy`;
  return { vesfx: new Vesfx({ static: address }), address, asked };
}

async function errorOf(call: Promise<unknown>): Promise<VesfxError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof VesfxError) return outcome;
  throw new Error(`expected a VesfxError, got ${JSON.stringify(outcome)}`);
}

const rate = (market: string, mid: number, updated_at: string, more: object = {}) => ({
  ...{ market, type: 'parallel', base: 'USD', mid, updated_at, stale_after_sec: 7_200 },
  stale_at: new Date(Date.parse(updated_at) + 7_200_000).toISOString(),
  ...more,
});

const FRIDAY = '2026-11-20T04:00:00.000Z';
const OFFICIAL_RATE = { type: 'reference', stale_after_sec: 475_200, effective_date: '2026-11-20' };
const STALE_AT = { stale_at: '2026-11-25T16:00:00.000Z' };

const effect = (value_date: string, value: number) => ({
  rate: value,
  value_date,
  effective_at: `${value_date}T04:00:00.000Z`,
});

const LATEST = {
  rates: [
    rate('reference', 889.5754, FRIDAY, { ...OFFICIAL_RATE, ...STALE_AT, in_doubt: true }),
    rate('eur_reference', 1029.7725, FRIDAY, { ...OFFICIAL_RATE, ...STALE_AT, base: 'EUR' }),
    rate('parallel', 940.25, '2026-11-21T02:45:00.000Z'),
    rate('zelle', 930, '2026-11-21T02:45:00.000Z', { type: 'remittance' }),
  ],
  index: { value: 910, version: 'v1' },
  official: {
    rates: {
      USD: {
        in_force: { ...effect('2026-11-20', 889.5754), change: { amount: 3.1, percent: 0.3497 } },
        previous: effect('2026-11-19', 886.4754),
        next: { ...effect('2026-11-24', 888.0754), change: { amount: -1.5, percent: -0.1686 } },
      },
      EUR: { in_force: effect('2026-11-20', 1029.7725) },
    },
    fetched_at: '2026-11-21T02:58:00.000Z',
  },
  fetched_at: '2026-11-21T02:58:00.000Z',
};

const day = (date: string, value_date: string, value: number, business_day = true) => ({
  date,
  business_day,
  carried_days: (Date.parse(date) - Date.parse(value_date)) / 86_400_000,
  rates: { USD: { rate: value, value_date }, EUR: { rate: value * 2, value_date } },
});

const FILES = {
  'v1/latest.json': LATEST,
  'v1/official/2026-11-18.json': day('2026-11-18', '2026-11-18', 885.1427),
  'v1/official/2026-11-19.json': {
    ...{ date: '2026-11-19', business_day: true, missing: true, rates: {} },
  },
  'v1/official/2026-11-20.json': day('2026-11-20', '2026-11-20', 889.5754),
  'v1/official/2026-11-21.json': day('2026-11-21', '2026-11-20', 889.5754, false),
  'v1/official/2026-11-22.json': day('2026-11-22', '2026-11-20', 889.5754, false),
  'v1/official/2026-11-23.json': day('2026-11-23', '2026-11-20', 889.5754, false),
  'v1/official/2026-11-24.json': day('2026-11-24', '2026-11-24', 888.0754),
};

describe('contract §22 the client of a static copy', () => {
  test('says the age of each rate by the clock of its caller, without a key', async () => {
    const { vesfx, asked } = await hosted(FILES);
    expectTypeOf(vesfx).toEqualTypeOf<StaticVesfx>();
    const ageAt = async (time: string) => {
      at(time);
      const { updated_at, staleness_sec, stale } = await vesfx.rate('parallel');
      return [updated_at, staleness_sec, stale];
    };
    const updatedAt = '2026-11-21T02:45:00.000Z';
    expect(await ageAt('2026-11-21T02:46:30.900Z')).toEqual([updatedAt, 90, false]);
    expect(await ageAt('2026-11-21T04:45:00.999Z')).toEqual([updatedAt, 7_200, false]);
    expect(await ageAt('2026-11-21T04:45:01.000Z')).toEqual([updatedAt, 7_201, true]);
    // A clock that is behind makes no negative age.
    expect(await ageAt('2026-11-21T02:00:00.000Z')).toEqual([updatedAt, 0, false]);
    const { rates, index, fetched_at, ...head } = await vesfx.rates();
    expectTypeOf(rates).toEqualTypeOf<readonly StaticRate[]>();
    expect(rates.map(({ market, stale }) => [market, stale])).toHaveLength(4);
    expect([index?.value, fetched_at]).toEqual([910, '2026-11-21T02:58:00.000Z']);
    expect(head).toEqual({ country: 'VE', currency: 'VES', base: 'USD' });
    expect(await vesfx.index()).toEqual(LATEST.index);
    expect(asked.filter(({ headers }) => 'x-api-key' in headers)).toEqual([]);
  });

  test('asks for a file again only with its ETag', async () => {
    const { vesfx, asked } = await hosted(FILES);
    await vesfx.rates();
    await vesfx.rate('parallel');
    expect(asked.map(({ status }) => status)).toEqual([200, 304]);
  });

  test('converts with the fields and figures of the service, also on a past day', async () => {
    const service = await startTestService();
    await service.push(
      official('2026-11-18', { USD: 885.1427, EUR: 1024.77 }, { captured_at: FRIDAY }),
      ...fullMarket(),
    );
    const key = await service.keyFor('Escala');
    const json = async (path: string) => (await service.call(path, { key })).json;
    const { rates } = await json('/v1/fx/rates');
    const detailed = rates.map(({ market }: { market: string }) =>
      json(`/v1/fx/rates/${market}?details=true`),
    );
    const { vesfx } = await hosted({
      'v1/latest.json': { ...(await json('/v1/fx/rates')), rates: await Promise.all(detailed) },
      'v1/official/2026-11-18.json': {
        ...{ date: '2026-11-18', business_day: true, carried_days: 0 },
        rates: {
          USD: { rate: 885.1427, value_date: '2026-11-18' },
          EUR: { rate: 1024.77, value_date: '2026-11-18' },
        },
      },
    });
    at(service.clock.now());
    const conversions: readonly Omit<ConvertOptions, 'date'>[] = [
      { from: 'USD', to: 'VES', amount: '100' },
      { from: 'EUR', to: 'VES', amount: '0.01' },
      { from: 'VES', to: 'USD', amount: '12345.67', via: 'parallel' },
      { from: 'VES', to: 'EUR', amount: '1e3' },
      { from: 'USD', to: 'VES', amount: 2.5, market: 'binance' },
    ];
    const queryOf = (asked: object) =>
      new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    for (const asked of conversions) {
      const wanted = await json(`/v1/fx/convert?${queryOf(asked)}`);
      expect(await vesfx.convert(asked)).toEqual(wanted);
    }
    const past = { from: 'VES', to: 'USD', amount: '1000', date: '2026-11-18' } as const;
    const { as_of, ...wanted } = await json(`/v1/fx/convert?${queryOf(past)}`);
    const { captured_at: _, ...known } = as_of;
    expect(await vesfx.convert(past)).toEqual({ ...wanted, as_of: known });
  });

  test('rounds every amount as the service does', () => {
    const decimals = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: -12, max: 3 }))
      .map(([digits, exponent]) => `${digits}e${exponent}`);
    const rates = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(decimals, rates, fc.boolean(), (amount, mid, toVes) => {
        const parsed = parseAmount(amount);
        expect(writtenAmount(amount) !== undefined).toBe(parsed !== undefined);
        if (parsed === undefined) return;
        expect(convertedAmount(amount, mid, toVes)).toBe(
          toNumber(convertAmount(parsed, mid, toVes)),
        );
      }),
    );
    for (const text of [
      '1e12',
      '1000000000000.0000001',
      '0',
      '-1',
      '1,5',
      '',
      ' 1',
      '01',
      '1e999',
    ]) {
      expect(writtenAmount(text) !== undefined, text).toBe(parseAmount(text) !== undefined);
    }
  });

  test('a new official rate is in force from midnight in Caracas, also with the copy of the evening', async () => {
    const { vesfx } = await hosted(FILES);
    const pair = { from: 'USD', to: 'VES', amount: 1 } as const;
    at('2026-11-24T03:59:59.999Z');
    expect((await vesfx.convert(pair)).effective_date).toBe('2026-11-20');
    at('2026-11-24T04:00:00.000Z');
    expect(await vesfx.convert(pair)).toMatchObject({
      to: { amount: 888.08 },
      updated_at: '2026-11-24T04:00:00.000Z',
      effective_date: '2026-11-24',
      staleness_sec: 0,
      stale: false,
    });
    expect((await vesfx.rate('reference')).stale_at).toBe('2026-11-29T16:00:00.000Z');
    const { rates } = await vesfx.official();
    expect(rates.USD).toEqual({
      in_force: LATEST.official.rates.USD.next,
      previous: effect('2026-11-20', 889.5754),
    });
    expect(rates.EUR).toEqual(LATEST.official.rates.EUR);
    expect((await vesfx.rate('eur_reference')).effective_date).toBe('2026-11-20');
    // A doubt was about the rate before.
    expect(await vesfx.rate('reference')).not.toHaveProperty('in_doubt');
    at('2026-11-24T03:59:59.999Z');
    expect(await vesfx.rate('reference')).toMatchObject({ in_doubt: true });
  });

  test('gives the rate of a day and a currency, and converts at it by both rules', async () => {
    const { vesfx } = await hosted(FILES);
    at('2026-11-23T12:00:00.000Z');
    expect(await vesfx.officialOn('2026-11-22')).toEqual({
      ...{ currency: 'USD', date: '2026-11-22', rate: 889.5754, value_date: '2026-11-20' },
      ...{ business_day: false, carried_days: 2 },
    });
    expect(await vesfx.officialOn('2026-11-24', { currency: 'eur' })).toMatchObject({
      currency: 'EUR',
      rate: 1776.1508,
    });
    const asked = { from: 'USD', to: 'VES', amount: 100, date: '2026-11-22' } as const;
    expect(await vesfx.convert(asked)).toMatchObject({ to: { amount: 88_957.54 } });
    expect(await vesfx.convert({ ...asked, rule: 'next_banking_day' })).toMatchObject({
      to: { amount: 88_807.54 },
      effective_date: '2026-11-24',
      as_of: { value_date: '2026-11-24', business_day: false, carried_days: 0 },
    });
    const past = await vesfx.rate('reference', { date: '2026-11-22' });
    expect([past.mid, past.as_of.carried_days]).toEqual([889.5754, 2]);
  });

  test('gives the rate of a day by either rule (contract §9), of a copy that has both in one file', async () => {
    const SUNDAY = 'v1/official/2026-11-22.json';
    const next = { currency: 'USD', date: '2026-11-22', rate: 888.0754, value_date: '2026-11-24' };
    const { rates, ...sunday } = FILES[SUNDAY];
    const USD = { ...rates.USD, next_banking_day_rate: 888.0754 };
    const named = { ...sunday, next_banking_day: '2026-11-24', rates: { USD } };
    for (const [files, count] of [
      // A copy of an earlier version: its days are looked through.
      [FILES, 3],
      [{ ...FILES, [SUNDAY]: named }, 1],
    ] as const) {
      const { vesfx, asked } = await hosted(files);
      const answer = await vesfx.officialOn('2026-11-22', { rule: 'next_banking_day' });
      expect(answer).toEqual({ ...next, business_day: false, carried_days: 0 });
      expect(asked).toHaveLength(count);
    }
    const { vesfx } = await hosted(FILES);
    const friday = await vesfx.officialOn('2026-11-20', { rule: 'next_banking_day' });
    expect(friday).toEqual(await vesfx.officialOn('2026-11-20', { rule: 'value_date' }));
    const waiting = await hosted({
      [SUNDAY]: { ...FILES[SUNDAY], next_banking_day: null },
    });
    const early = waiting.vesfx.officialOn('2026-11-22', { rule: 'next_banking_day' });
    expect(await errorOf(early)).toMatchObject({ code: 'rate_not_published', field: 'date' });
    // JavaScript callers can pass anything: it must never mean the other rule.
    for (const rule of ['', 'next', null]) {
      // @ts-expect-error Another rule does not compile.
      const wrong = vesfx.officialOn('2026-11-22', { rule });
      expect(await errorOf(wrong)).toMatchObject({ code: 'invalid_format', field: 'rule' });
    }
  });

  test('a missing day, an unknown market and bad input have the errors of the service', async () => {
    const { vesfx } = await hosted({ ...FILES, 'v1/official/2026-11-17.json': 403 });
    at('2026-11-23T12:00:00.000Z');
    const pair = { from: 'USD', to: 'VES', amount: 1 } as const;
    const cases: readonly (readonly [() => Promise<unknown>, object])[] = [
      [() => vesfx.officialOn('2026-11-19'), { code: 'rate_not_published', field: 'date' }],
      [() => vesfx.convert({ ...pair, date: '2026-11-19' }), { code: 'rate_not_published' }],
      [() => vesfx.officialOn('2026-11-17'), { code: 'resource_not_found', field: 'date' }],
      [
        () => vesfx.officialOn('2026-11-20', { currency: 'CNY' }),
        { code: 'resource_not_found', field: 'currency', details: { reason: 'no_data' } },
      ],
      [
        () => vesfx.rate('nobody'),
        { code: 'resource_not_found', details: { reason: 'unknown_market' } },
      ],
      [
        () => vesfx.convert({ ...pair, via: 'nobody' }),
        { code: 'resource_not_found', field: 'via' },
      ],
      [
        () => vesfx.convert({ ...pair, via: 'eur_reference' }),
        { code: 'invalid_format', field: 'via' },
      ],
      [
        () => vesfx.convert({ from: 'VES', to: 'USD', amount: 1, via: 'zelle' }),
        { code: 'invalid_format', field: 'via' },
      ],
      [() => vesfx.convert({ ...pair, amount: '0' }), { code: 'invalid_format', field: 'amount' }],
      [() => vesfx.convert({ ...pair, to: 'EUR' }), { code: 'invalid_format', field: 'to' }],
      [() => vesfx.officialOn('2026-02-30'), { code: 'invalid_format', field: 'date' }],
      [() => vesfx.officialOn('../latest'), { code: 'invalid_format', field: 'date' }],
      [
        () => vesfx.convert({ ...pair, date: '2026-11-25' }),
        { code: 'invalid_format', field: 'date', details: { last_value_date: '2026-11-24' } },
      ],
      [
        () => vesfx.officialOn('2026-11-25'),
        { code: 'invalid_format', field: 'date', details: { last_value_date: '2026-11-24' } },
      ],
    ];
    for (const [call, wanted] of cases) expect(await errorOf(call())).toMatchObject(wanted);
  });

  test('converts by the published rate of a day to come (contract §9)', async () => {
    const { vesfx } = await hosted(FILES);
    at('2026-11-23T12:00:00.000Z');
    const pair = { from: 'USD', to: 'VES', amount: 1 } as const;
    const { rate, as_of } = await vesfx.convert({ ...pair, date: '2026-11-24' });
    expect(as_of).toMatchObject({ date: '2026-11-24', value_date: '2026-11-24' });
    expect(rate).toBe((await vesfx.officialOn('2026-11-24')).rate);
    expect((await vesfx.convert(pair)).effective_date).not.toBe('2026-11-24');
  });

  test('refuses clearly what a copy cannot answer, and an address without a copy', async () => {
    const { address, asked } = await hosted(FILES);
    const whole: object = new Vesfx({ static: address });
    // JavaScript callers have the methods of a client of a service.
    const vesfx = whole as Vesfx;
    const pair = { from: 'USD', to: 'VES', amount: 1 } as const;
    for (const call of [
      () => vesfx.changes(),
      () => vesfx.historyPoint('parallel', '2026-11-20'),
      () => vesfx.rates({ format: 'csv' }),
      () => vesfx.rate('parallel', { date: '2026-11-20' }),
      () => vesfx.bulkConvert({ ...pair, amounts: [1] }),
      () => vesfx.status(),
      () => vesfx.keys.list(),
      () => vesfx.read('getCalendar', {}),
    ]) {
      expect((await errorOf(call())).code).toBe('not_in_static_copy');
    }
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/copy/v1/latest.json']));
    expect(await vesfx.read('getIndex')).toEqual(LATEST.index);
    for (const file of [404, '<h1>Home</h1>', {}, { rates: [null] }]) {
      const other = await hosted({ 'v1/latest.json': file });
      expect(await errorOf(other.vesfx.rates())).toMatchObject({
        code: 'unexpected_answer',
        message: expect.stringContaining('static'),
      });
    }
    const wrong: object[] = [
      { static: address, key: 'vfx_live_x' },
      { static: address, baseUrl: address },
      { static: 'ftp://a' },
      { static: `${address}?a=1` },
    ];
    // @ts-expect-error Options of both kinds do not compile.
    for (const options of wrong) expect(() => new Vesfx(options)).toThrow(TypeError);
  });
});

test('the client of a service gives the rate of a day from its history', async () => {
  const service = await startTestService();
  await service.push(official('2026-11-20', { USD: 889.5754 }, { captured_at: FRIDAY }));
  const vesfx = new Vesfx({ baseUrl: service.url, key: await service.keyFor('Escala') });
  expect(await vesfx.officialOn('2026-11-21')).toMatchObject({
    ...{ currency: 'USD', date: '2026-11-21', rate: 889.5754, value_date: '2026-11-20' },
    ...{ business_day: false, carried_days: 1 },
  });
  const notPublished = { code: 'rate_not_published', field: 'date' };
  expect(await errorOf(vesfx.officialOn('2026-11-19'))).toMatchObject(notPublished);
  const byNext = () => vesfx.officialOn('2026-11-21', { rule: 'next_banking_day' });
  expect(await errorOf(byNext())).toMatchObject(notPublished);
  await service.push(official('2026-11-24', { USD: 888.0754 }));
  expect(await byNext()).toEqual({
    ...{ currency: 'USD', date: '2026-11-21', rate: 888.0754, value_date: '2026-11-24' },
    ...{ business_day: false, carried_days: 0 },
  });
  expect(await vesfx.officialOn('2026-11-20', { rule: 'next_banking_day' })).toMatchObject({
    ...{ rate: 889.5754, value_date: '2026-11-20', carried_days: 0 },
  });
  // @ts-expect-error Another rule does not compile.
  expect(await errorOf(vesfx.officialOn('2026-11-21', { rule: '' }))).toMatchObject({
    ...{ code: 'invalid_format', field: 'rule' },
  });
});

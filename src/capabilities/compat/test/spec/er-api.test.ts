import { describe, expect, test } from 'vitest';
import { publishableKey, startCompatService } from '../official-week.ts';

/** ExchangeRate-API and open.er-api.com, read as public programs read them. */

const service = () => startCompatService(['er-api']);

const TIMES = {
  // 2026-11-20 at midnight in Caracas.
  time_last_update_unix: 1_795_147_200,
  time_last_update_utc: 'Fri, 20 Nov 2026 04:00:00 +0000',
  // The next day begins, and a rate may change.
  time_next_update_unix: 1_795_320_000,
  time_next_update_utc: 'Sun, 22 Nov 2026 04:00:00 +0000',
};

describe('the addresses of ExchangeRate-API (contract §12)', () => {
  test('/v4/latest/USD has the fields that typed clients require (jb.currency Exchange.java, GetData.dart)', async () => {
    const { call } = await service();
    const { json, headers } = await call('/v4/latest/USD');
    expect(json).toEqual({
      provider: expect.any(String),
      terms: expect.any(String),
      base: 'USD',
      date: '2026-11-20',
      time_last_updated: TIMES.time_last_update_unix,
      rates: expect.objectContaining({ USD: 1, VES: 804.5 }),
    });
    expect(headers.get('x-vesfx-source')).toBe('Banco Central de Venezuela');
  });

  test('/v6/latest/usd as rate refreshers read it: result, rates and the times (ERApiProvider.py, RatesResponse.ts, ERResponse.swift)', async () => {
    const { call } = await service();
    const { json } = await call('/v6/latest/usd');
    expect(json).toEqual({
      result: 'success',
      provider: expect.any(String),
      documentation: expect.any(String),
      terms_of_use: expect.any(String),
      ...TIMES,
      time_eol_unix: 0,
      base_code: 'USD',
      rates: expect.objectContaining({ USD: 1, VES: 804.5 }),
    });
    expect(new Date(json.time_last_update_utc).getTime()).toBe(json.time_last_update_unix * 1000);
    const euro = (await call('/v6/latest/EUR')).json;
    expect([euro.base_code, euro.rates.EUR, euro.rates.VES]).toEqual(['EUR', 1, 925.5]);
  });

  test('a rate between two foreign currencies is the quotient of one value date, and is marked (InfoHub, config.js, worker.py)', async () => {
    const { call } = await service();
    const { json, headers } = await call('/v6/latest/USD');
    expect(json.rates.EUR).toBeCloseTo(804.5 / 925.5, 5);
    expect(headers.get('x-vesfx-derived')).toBe('USD/CNY,USD/EUR');
    const pair = await call('/v6/any/pair/EUR/USD');
    expect(pair.json.conversion_rate).toBeCloseTo(925.5 / 804.5, 5);
    expect(pair.headers.get('x-vesfx-derived')).toBe('EUR/USD');
    expect((await call('/v6/any/pair/EUR/VES')).headers.get('x-vesfx-derived')).toBeNull();
  });

  test('rates keep their digits, also of one bolivar', async () => {
    const { call } = await service();
    const { rates } = (await call('/v6/latest/VES')).json;
    expect(rates).toMatchObject({ VES: 1, USD: 0.00124300808, EUR: 0.001080497029 });
  });

  test('a key in the path is one of ours, and its answer has conversion_rates (telegram bots, WsExchangeRate.java)', async () => {
    const closed = await startCompatService(['er-api'], { open: false });
    const key = await publishableKey(closed, { allowNoOrigin: true });
    const { json, status, headers } = await closed.call(`/v6/${key}/latest/USD`);
    expect(status).toBe(200);
    expect(json).toEqual({
      result: 'success',
      documentation: expect.any(String),
      terms_of_use: expect.any(String),
      ...TIMES,
      base_code: 'USD',
      conversion_rates: expect.objectContaining({ USD: 1, VES: 804.5 }),
    });
    // It counts with the plan of the key.
    expect(headers.get('x-ratelimit-remaining')).toBe('1499');
    expect((await closed.call('/v6/latest/USD', { key })).status).toBe(200);
    expect((await closed.call(`/v6/${key}/latest/USD`, { key })).status).toBe(401);
  });

  test('/v6/KEY/pair as the courses of conversion programs read it (Moneda.java, PairConvertResource.kt, NetworkPayment.kt)', async () => {
    const { call } = await service();
    const pair = { base_code: 'USD', target_code: 'VES', conversion_rate: 804.5 };
    expect((await call('/v6/anything/pair/USD/VES')).json).toMatchObject(pair);
    const amount = (await call('/v6/anything/pair/usd/ves/2.5')).json;
    expect(amount).toMatchObject({ ...pair, conversion_result: 2011.25 });
    const back = (await call('/v6/anything/pair/VES/USD/804.5')).json;
    expect([back.conversion_rate, back.conversion_result]).toEqual([0.00124300808, 1]);
    expect((await call('/v6/anything/pair/USD/USD/3')).json.conversion_result).toBe(3);
  });

  test('/v6/KEY/codes names the currencies that have a rate, as choosers fill themselves (jsonResponse.js, get_exchange_rate_url.py, populateCurrencySelects)', async () => {
    const { call } = await service();
    const { json } = await call('/v6/anything/codes');
    expect(json).toMatchObject({ result: 'success' });
    expect(json.supported_codes).toContainEqual(['VES', 'Venezuelan Bolívar']);
    for (const [code] of json.supported_codes) {
      expect((await call(`/v6/latest/${code}`)).status).toBe(200);
    }
  });

  test('a key of another service is no key, but one of ours must be right', async () => {
    const { call } = await service();
    expect((await call('/v6/1f5fa35e0aa344d4006c0162/latest/USD')).status).toBe(200);
    const mistyped = await call('/v6/vfx_pub_nothing/latest/USD');
    expect([mistyped.status, mistyped.json['error-type']]).toEqual([401, 'invalid-key']);
  });

  test.each([
    ['/v6/latest/XXX', 404, 'unsupported-code'],
    ['/v4/latest/ARS', 404, 'unsupported-code'],
    ['/v6/k/pair/USD/XXX', 404, 'unsupported-code'],
    ['/v6/k/pair/USD/VES/0', 400, 'malformed-request'],
    ['/v6/k/pair/USD/VES/-1', 400, 'malformed-request'],
    ['/v6/k/pair/USD/VES/abc', 400, 'malformed-request'],
    ['/v6/k/pair/USD/VES/1e13', 400, 'malformed-request'],
    ['/v6/latest/%zz', 400, 'malformed-request'],
  ])(
    '%s is refused with %d and the kind of error that its clients know',
    async (path, status, type) => {
      const { call } = await service();
      const reply = await call(path);
      expect([reply.status, reply.json]).toEqual([
        status,
        { result: 'error', 'error-type': type, message: expect.any(String) },
      ]);
    },
  );

  test('a key in the path is needed, is never a secret one, and is never logged (contract §4)', async () => {
    const closed = await startCompatService(['er-api'], {
      open: false,
      config: { logLevel: 'debug' },
    });
    const secret = await closed.keyFor('Gratis');
    const foreign = '1f5fa35e0aa344d4006c0162';
    for (const [path, type] of [
      [`/v6/${secret}/latest/USD`, 'invalid-key'],
      [`/v6/${foreign}/latest/USD`, 'invalid-key'],
      ['/v6/latest/USD', 'invalid-key'],
    ] as const) {
      const { status, json } = await closed.call(path);
      expect([status, json['error-type']]).toEqual([401, type]);
    }
    const logged = JSON.stringify(closed.log.lines);
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(foreign);
  });
});

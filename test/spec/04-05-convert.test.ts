import { describe, expect, test } from 'vitest';
import { fullMarket, iso, official, quote } from '../harness/make.ts';
import {
  fault,
  type Reply,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const SECOND = 1_000;

/** A service with the records, and a way to convert on a plan. */
async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return { service, key, convert: convertOn(service, key) };
}

function convertOn(service: TestService, key: string) {
  return (query: Record<string, string> | string): Promise<Reply> => {
    const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
    return service.call(`/v1/fx/convert?${text}`, { key });
  };
}

describe('§2.4 the conversion result', () => {
  test('§2.4 an official conversion has every field and the value date', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 889.5754 })], 'Gratis');
    const reply = await convert({ from: 'USD', to: 'VES', amount: '100' });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      from: { currency: 'USD', amount: 100 },
      to: { currency: 'VES', amount: 88957.54 },
      rate: 889.5754,
      market: 'reference',
      type: 'reference',
      updated_at: '2026-11-20T04:00:00.000Z',
      effective_date: '2026-11-20',
      staleness_sec: 32 * 3_600,
      stale: false,
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.4 a repeated conversion has the new age, and a new rate at once', async () => {
    const { service, convert } = await serving([quote('parallel', 850)]);
    const asked = { from: 'USD', to: 'VES', amount: '2', via: 'parallel' };
    const shown = async (query: Record<string, string> = asked) => {
      const { staleness_sec, stale, rate, to } = (await convert(query)).json;
      return [staleness_sec, stale, rate, to.amount];
    };
    expect(await shown()).toEqual([0, false, 850, 1700]);
    service.clock.advance(999);
    expect(await shown()).toEqual([0, false, 850, 1700]);
    service.clock.advance(1);
    expect(await shown()).toEqual([1, false, 850, 1700]);
    expect(await shown({ ...asked, amount: '2.0' })).toEqual([1, false, 850, 1700]);
    service.clock.advance(7_199 * SECOND);
    expect(await shown()).toEqual([7_200, false, 850, 1700]);
    service.clock.advance(SECOND);
    expect(await shown()).toEqual([7_201, true, 850, 1700]);
    const now = iso(service.clock.now());
    await service.push(quote('parallel', 860, { updated_at: now, captured_at: now }));
    expect(await shown()).toEqual([0, false, 860, 1720]);
    const back = { from: 'VES', to: 'USD', amount: '860', via: 'paralelo' };
    expect(await shown(back)).toEqual([0, false, 860, 1]);
  });

  test('§2.4 effective_date is absent where the rate has no value date', async () => {
    const { convert } = await serving([quote('binance', 850)], 'Gratis');
    const reply = await convert({ from: 'USD', to: 'VES', amount: '2', via: 'binance' });
    expect(reply.json).toEqual({
      from: { currency: 'USD', amount: 2 },
      to: { currency: 'VES', amount: 1700 },
      rate: 850,
      market: 'binance',
      type: 'p2p',
      updated_at: iso(START),
      staleness_sec: 0,
      stale: false,
    });
  });

  test('§2.4 the rate is the mid, not the ask or the bid', async () => {
    const { convert } = await serving([quote('parallel', 900, { ask: 910, bid: 880 })]);
    for (const [from, to] of [
      ['USD', 'VES'],
      ['VES', 'USD'],
    ] as const) {
      const { json } = await convert({ from, to, amount: '1', via: 'parallel' });
      expect(json.rate).toBe(900);
    }
  });

  test('§2.4 conversion to VES multiplies and from VES divides, for both currencies', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800, EUR: 1000 })]);
    const amounts = await Promise.all(
      [
        ['USD', 'VES', '2.5'],
        ['VES', 'USD', '2000'],
        ['EUR', 'VES', '2.5'],
        ['VES', 'EUR', '2000'],
      ].map(async ([from = '', to = '', amount = '']) => {
        const { json } = await convert({ from, to, amount });
        return [json.to.currency, json.to.amount, json.market];
      }),
    );
    expect(amounts).toEqual([
      ['VES', 2000, 'reference'],
      ['USD', 2.5, 'reference'],
      ['VES', 2500, 'eur_reference'],
      ['EUR', 2, 'eur_reference'],
    ]);
  });

  test('§2.4 a quote with a threshold of 900 s is stale at 901 s, not at 900 s', async () => {
    const { service, convert } = await serving([quote('binance', 850)]);
    const ask = async () => {
      const reply = await convert({ from: 'USD', to: 'VES', amount: '1', via: 'binance' });
      return [reply.json.staleness_sec, reply.json.stale];
    };
    service.clock.set(START + 899 * SECOND);
    expect(await ask()).toEqual([899, false]);
    service.clock.set(START + 900 * SECOND);
    expect(await ask()).toEqual([900, false]);
    service.clock.set(START + 901 * SECOND);
    expect(await ask()).toEqual([901, true]);
  });

  test('§2.4 each type of source has its own threshold, and only a greater age is stale', async () => {
    const thresholds: Record<string, number> = {
      reference: 475_200,
      eur_reference: 475_200,
      parallel: 7_200,
      saldo: 900,
      remittance_market_1: 21_600,
      extended_market_4: 21_600,
      extended_market_1: 21_600,
      cash: 86_400,
    };
    const { service, convert } = await serving(fullMarket());
    const found: Record<string, unknown[]> = {};
    for (const [via, threshold] of Object.entries(thresholds)) {
      const from = via === 'eur_reference' ? 'EUR' : 'USD';
      service.clock.set(START);
      const { json } = await convert({ from, to: 'VES', amount: '1', via });
      const updated = Date.parse(json.updated_at);
      const stale: boolean[] = [];
      for (const age of [threshold, threshold + 1]) {
        service.clock.set(updated + age * SECOND);
        const reply = await convert({ from, to: 'VES', amount: '1', via });
        expect(reply.json.staleness_sec).toBe(age);
        stale.push(reply.json.stale);
      }
      found[via] = stale;
    }
    expect(found).toEqual(
      Object.fromEntries(Object.keys(thresholds).map((market) => [market, [false, true]])),
    );
  });

  test('§2.4 a stale quote still converts', async () => {
    const { service, convert } = await serving([quote('parallel', 850)]);
    service.clock.advance(6 * 86_400 * SECOND);
    const reply = await convert({ from: 'USD', to: 'VES', amount: '1', via: 'parallel' });
    expect([reply.status, reply.json.to.amount, reply.json.stale]).toEqual([200, 850, true]);
  });
});

describe('exact decimal rounding', () => {
  test('contract §2 a product is rounded once, half away from zero', async () => {
    const { service, convert } = await serving([]);
    const cases: [amount: string, mid: number, result: number][] = [
      ['1.005', 1, 1.01],
      ['1.004', 1, 1],
      ['1.015', 1, 1.02],
      ['1.025', 1, 1.03],
      ['2.675', 1, 2.68],
      ['8.345', 1, 8.35],
      ['0.005', 1, 0.01],
      ['0.0049', 1, 0],
      ['1.00499999999999999999999999', 1, 1],
      ['1.00500000000000000000000001', 1, 1.01],
      ['0.1', 0.05, 0.01],
      ['0.1', 0.0499999, 0],
      ['1.1', 1.15, 1.27],
      ['3', 0.335, 1.01],
      ['1e-2', 889.5754, 8.9],
      ['123456789.12', 889.5754, 109824122564.14],
      ['1e12', 889.5754, 889575400000000],
    ];
    const found: unknown[] = [];
    for (const [position, [amount, mid]] of cases.entries()) {
      service.clock.set(START + position * SECOND);
      await service.push({ kind: 'quote', market: 'parallel', mid });
      const { json } = await convert({ from: 'USD', to: 'VES', amount, via: 'parallel' });
      found.push([amount, mid, json.to.amount]);
    }
    expect(found).toEqual(cases);
  });

  test('contract §2 a quotient is rounded once, half away from zero', async () => {
    const { service, convert } = await serving([]);
    const cases: [amount: string, mid: number, result: number][] = [
      ['1', 200, 0.01],
      ['0.99999999', 200, 0],
      ['10', 8, 1.25],
      ['1.005', 1, 1.01],
      ['8.04', 8, 1.01],
      ['8.0399999999999999999999', 8, 1],
      ['1', 3, 0.33],
      ['2', 3, 0.67],
      ['889.5754', 889.5754, 1],
      ['1e12', 889.5754, 1124131804.9],
      ['1e12', 0.00000001, 1e20],
    ];
    const found: unknown[] = [];
    for (const [position, [amount, mid]] of cases.entries()) {
      service.clock.set(START + position * SECOND);
      await service.push({ kind: 'quote', market: 'parallel', mid });
      const { json } = await convert({ from: 'VES', to: 'USD', amount, via: 'parallel' });
      found.push([amount, mid, json.to.amount]);
    }
    expect(found).toEqual(cases);
  });
});

describe('extreme rates', () => {
  test('§2.4 every accepted rate gives a conversion with a finite amount', async () => {
    for (const [mid, from, to] of [
      [1e308, 'USD', 'VES'],
      [1e-308, 'VES', 'USD'],
    ] as const) {
      const { service, convert } = await serving([]);
      // Refusing such a rate would also be right.
      await service.push(quote('parallel', mid)).catch(() => undefined);
      const { status, json } = await convert({ from, to, amount: '1e12', via: 'parallel' });
      if (status === 200) expect([mid, typeof json.to.amount]).toEqual([mid, 'number']);
      expect(status).toBeLessThan(500);
    }
  });
});

describe('§4.5 parameters', () => {
  test('§4.5 from, to and amount are required; an empty one counts as absent', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800 })], 'Gratis');
    const queries: Record<string, string> = {
      'to=VES&amount=1': 'from',
      'from=&to=VES&amount=1': 'from',
      'from=USD&amount=1': 'to',
      'from=USD&to=&amount=1': 'to',
      'from=USD&to=VES': 'amount',
      'from=USD&to=VES&amount=': 'amount',
    };
    const found: Record<string, unknown> = {};
    for (const query of Object.keys(queries)) found[query] = fault(await convert(query));
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(queries).map(([query, field]) => [query, [400, 'missing_field', field]]),
      ),
    );
  });

  test('contract §2 an amount follows the JSON number grammar exactly', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 1 })], 'Gratis');
    const accepted = ['1', '0.5', '1.50', '1e2', '1E2', '1e+2', '1e-2', '1000000', '0.000001'];
    const refused = [
      ...['0x10', '0b1', '0o7', ' 5', '5 ', '\t5', '5\n', '1,5', '1.000,5', '.5', '5.', '+5'],
      ...['-5', '-0', '0', '0.0', '0e5', '00', '01', '1_000', '1e', '1e1.5', '1.e5', '--1', 'e5'],
      ...['Infinity', '-Infinity', 'NaN', '1e400', '1e309', 'null', 'true', 'abc', '"5"', '[5]'],
      ...['٥', '５', '5\u0000', '½', '1 000', '5n', '$5', '%35'],
    ];
    const found: Record<string, unknown> = {};
    for (const amount of [...accepted, ...refused]) {
      const reply = await convert({ from: 'USD', to: 'VES', amount });
      found[amount] = reply.status === 200 ? reply.json.from.amount : fault(reply);
    }
    expect(found).toEqual({
      ...Object.fromEntries(accepted.map((amount) => [amount, Number(amount)])),
      ...Object.fromEntries(refused.map((amount) => [amount, [400, 'invalid_format', 'amount']])),
    });
  });

  test('§4.5 an amount is at most 1e12, however it is written', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 1 })], 'Gratis');
    const found: Record<string, number> = {};
    const cases: Record<string, number> = {
      '1e12': 200,
      '1000000000000': 200,
      '1000000000000.00': 200,
      '999999999999.99': 200,
      '10e11': 200,
      '1000000000000.01': 400,
      '1000000000000.0000000001': 400,
      '1000000000001': 400,
      '1.0000000000001e12': 400,
      '1e13': 400,
    };
    for (const amount of Object.keys(cases)) {
      found[amount] = (await convert({ from: 'USD', to: 'VES', amount })).status;
    }
    expect(found).toEqual(cases);
  });

  test('§4.5 an unknown parameter is reported before missing and invalid ones', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 1 })], 'Gratis');
    expect(fault(await convert('from=USD&to=VES&amount=1&country=VE'))).toEqual([
      400,
      'unknown_parameter',
      'country',
    ]);
    expect(fault(await convert('Amount=1'))).toEqual([400, 'unknown_parameter', 'Amount']);
    expect(fault(await convert('from=X&amount=x&to=VES&__proto__=1'))).toEqual([
      400,
      'unknown_parameter',
      '__proto__',
    ]);
    expect(fault(await convert('from=X&amount=x'))).toEqual([400, 'missing_field', 'to']);
  });

  test('contract §4 a parameter given twice is invalid, even with equal values', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 1 })], 'Gratis');
    const found: Record<string, unknown> = {};
    for (const name of ['from', 'to', 'amount', 'via', 'market', 'format']) {
      const value = { from: 'USD', to: 'VES', amount: '1', format: 'json' }[name] ?? 'reference';
      const base = new URLSearchParams({ from: 'USD', to: 'VES', amount: '1' });
      base.set(name, value);
      base.append(name, value);
      found[name] = fault(await convert(base.toString()));
    }
    expect(found).toEqual(
      Object.fromEntries(Object.keys(found).map((name) => [name, [400, 'invalid_format', name]])),
    );
  });

  test('contract §2 currency codes are read in any case and answered in upper case', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800, EUR: 900 })], 'Gratis');
    for (const [from, to] of [
      ['usd', 'ves'],
      ['Usd', 'vEs'],
      ['eur', 'VES'],
      ['ves', 'eUR'],
    ] as const) {
      const { status, json } = await convert({ from, to, amount: '1' });
      expect([status, json.from.currency, json.to.currency]).toEqual([
        200,
        from.toUpperCase(),
        to.toUpperCase(),
      ]);
    }
  });

  test('contract §2 the error of a wrong pair names the offending side', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800, EUR: 900 })], 'Gratis');
    const cases: [from: string, to: string, field: string][] = [
      ['USD', 'EUR', 'to'],
      ['EUR', 'USD', 'to'],
      ['USD', 'USD', 'to'],
      ['EUR', 'EUR', 'to'],
      ['VES', 'VES', 'to'],
      ['CNY', 'VES', 'from'],
      ['VES', 'CNY', 'to'],
      ['USD', 'COP', 'to'],
      ['COP', 'USD', 'from'],
      ['VEF', 'USD', 'from'],
      [' USD', 'VES', 'from'],
      ['USD', 'VES ', 'to'],
      ['US', 'VES', 'from'],
      ['__proto__', 'VES', 'from'],
    ];
    const found: unknown[] = [];
    for (const [from, to] of cases) {
      found.push([from, to, ...fault(await convert({ from, to, amount: '1' }))]);
    }
    expect(found).toEqual(
      cases.map(([from, to, field]) => [from, to, 400, 'invalid_format', field]),
    );
  });

  test('contract §2 a currency code with a non-ASCII letter is unsupported, even if it folds to ASCII', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800 })], 'Gratis');
    const found = [
      fault(await convert({ from: 'u\u017fd', to: 'VES', amount: '1' })),
      fault(await convert({ from: 'USD', to: 've\u017f', amount: '1' })),
      fault(await convert({ from: 'ＵＳＤ', to: 'VES', amount: '1' })),
    ];
    expect(found).toEqual([
      [400, 'invalid_format', 'from'],
      [400, 'invalid_format', 'to'],
      [400, 'invalid_format', 'from'],
    ]);
  });

  test('contract §4 format is lower case only, and must be in the plan', async () => {
    const { service, convert } = await serving([official('2026-11-20', { USD: 800 })], 'Gratis');
    const asked = { from: 'USD', to: 'VES', amount: '1' };
    expect((await convert({ ...asked, format: 'json' })).status).toBe(200);
    expect(fault(await convert({ ...asked, format: 'JSON' }))).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
    const refused = await convert({ ...asked, format: 'csv' });
    expect(fault(refused)).toEqual([402, 'feature_not_in_plan']);
    expect(refused.json.details).toEqual({
      feature: 'format_csv',
      current_plan: 'Gratis',
      required_plan: 'Inicio',
    });
    const rich = convertOn(service, await service.keyFor('Esencial'));
    const xml = await rich({ ...asked, format: 'xml' });
    expect([xml.status, xml.text.includes('<conversion>')]).toEqual([200, true]);
    const csv = await rich({ ...asked, format: 'csv' });
    expect(csv.status).toBe(200);
    expect(csv.text.split('\r\n')[0]).toContain('from_currency,from_amount');
  });
});

describe('§4.5 the market', () => {
  test('§4.5 without via the official rate is used, even if another market pays more', async () => {
    const { convert } = await serving(fullMarket(), 'Gratis');
    const chosen: unknown[] = [];
    for (const query of [
      'from=USD&to=VES',
      'from=VES&to=USD',
      'from=EUR&to=VES',
      'from=ves&to=eur',
    ]) {
      chosen.push((await convert(`${query}&amount=1`)).json.market);
    }
    expect(chosen).toEqual(['reference', 'reference', 'eur_reference', 'eur_reference']);
  });

  test('§4.5 market is an alias of via', async () => {
    const { convert } = await serving(fullMarket(), 'Gratis');
    const reply = await convert('from=USD&to=VES&amount=1&market=parallel');
    expect([reply.status, reply.json.market]).toEqual([200, 'parallel']);
  });

  test('§4.5 via wins over market when both have a value', async () => {
    const { convert } = await serving(fullMarket(), 'Gratis');
    const asked = 'from=USD&to=VES&amount=1';
    const first = await convert(`${asked}&market=binance&via=parallel`);
    expect(first.json.market).toBe('parallel');
    const ignored = await convert(`${asked}&via=parallel&market=no_such_market`);
    expect([ignored.status, ignored.json.market]).toEqual([200, 'parallel']);
    const wrong = await convert(`${asked}&via=no_such_market&market=parallel`);
    expect(fault(wrong)).toEqual([404, 'resource_not_found', 'via']);
  });

  test('contract §2 an empty via lets market decide; if both are empty, the official rate is used', async () => {
    const { convert } = await serving(fullMarket(), 'Gratis');
    const asked = 'from=USD&to=VES&amount=1';
    expect((await convert(`${asked}&via=&market=parallel`)).json.market).toBe('parallel');
    expect((await convert(`${asked}&via=parallel&market=`)).json.market).toBe('parallel');
    expect((await convert(`${asked}&via=&market=`)).json.market).toBe('reference');
  });

  test('contract §1 an alias is accepted and the answer carries the id', async () => {
    const { convert } = await serving(fullMarket(), 'Gratis');
    const aliases: Record<string, string> = {
      bcv: 'reference',
      oficial: 'reference',
      paralelo: 'parallel',
      p2p_market_1: 'binance',
      p2p_market_2: 'bingx',
      p2p_market_3: 'bitget',
      p2p_market_4: 'bybit',
      p2p_market_5: 'mexc',
      p2p_market_6: 'okx',
      p2p_market_7: 'saldo',
    };
    const found: Record<string, unknown> = {};
    for (const [position, alias] of Object.keys(aliases).entries()) {
      const name = position % 2 === 0 ? 'via' : 'market';
      found[alias] = (
        await convert({ from: 'USD', to: 'VES', amount: '1', [name]: alias })
      ).json.market;
    }
    expect(found).toEqual(aliases);
    for (const alias of ['bcv_eur', 'euro']) {
      const { json } = await convert({ from: 'EUR', to: 'VES', amount: '1', via: alias });
      expect(json.market).toBe('eur_reference');
    }
  });

  test('contract §1 a market name is matched byte for byte, and any other spelling is 404', async () => {
    const { convert } = await serving(fullMarket());
    for (const name of ['via', 'market']) {
      for (const value of [
        'Parallel',
        'PARALLEL',
        ' parallel',
        'parallel ',
        'ｐarallel',
        '__proto__',
      ]) {
        const reply = await convert({ from: 'USD', to: 'VES', amount: '1', [name]: value });
        expect([value, ...fault(reply)]).toEqual([value, 404, 'resource_not_found', name]);
      }
    }
    const twiceEncoded = await convert('from=USD&to=VES&amount=1&via=%2570arallel');
    expect(fault(twiceEncoded)).toEqual([404, 'resource_not_found', 'via']);
  });

  test('contract §2 a market of another base is refused with the field that named it, via or market', async () => {
    const { convert } = await serving(fullMarket());
    const cases: [query: string, field: string][] = [
      ['from=USD&to=VES&via=eur_reference', 'via'],
      ['from=USD&to=VES&market=eur_reference', 'market'],
      ['from=VES&to=USD&market=euro', 'market'],
      ['from=EUR&to=VES&via=reference', 'via'],
      ['from=EUR&to=VES&market=parallel', 'market'],
      ['from=VES&to=EUR&via=binance', 'via'],
      ['from=EUR&to=VES&via=cash&market=eur_reference', 'via'],
      ['from=EUR&to=VES&via=&market=cash', 'market'],
    ];
    const found: unknown[] = [];
    for (const [query] of cases) found.push([query, ...fault(await convert(`${query}&amount=1`))]);
    expect(found).toEqual(cases.map(([query, field]) => [query, 400, 'invalid_format', field]));
  });

  test('§4.5 a market of type remittance converts to VES only', async () => {
    const { convert } = await serving(fullMarket());
    for (const market of ['remittance_market_1', 'remittance_market_2', 'extended_market_4']) {
      const there = await convert({ from: 'USD', to: 'VES', amount: '1', via: market });
      expect([there.status, there.json.market, there.json.type]).toEqual([
        200,
        market,
        'remittance',
      ]);
      for (const name of ['via', 'market']) {
        const back = await convert({ from: 'VES', to: 'USD', amount: '1', [name]: market });
        expect(fault(back)).toEqual([400, 'invalid_format', name]);
      }
    }
  });

  test('§4.5 markets of every other type convert both ways', async () => {
    const { convert } = await serving(fullMarket());
    for (const market of ['reference', 'parallel', 'bitget', 'extended_market_1', 'cucuta']) {
      for (const [from, to] of [
        ['USD', 'VES'],
        ['VES', 'USD'],
      ] as const) {
        const reply = await convert({ from, to, amount: '1', via: market });
        expect([reply.status, reply.json.market]).toEqual([200, market]);
      }
    }
  });

  test('contract §2 a known market without a quote is 404 and is never replaced by another', async () => {
    const { convert } = await serving([quote('parallel', 850)]);
    for (const query of ['', '&via=binance', '&market=reference']) {
      const reply = await convert(`from=USD&to=VES&amount=1${query}`);
      expect(fault(reply).slice(0, 2)).toEqual([404, 'resource_not_found']);
    }
  });

  test('§7 the field of a missing quote is the parameter that named the market', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800 })]);
    for (const [query, field] of [
      ['via=parallel', 'via'],
      ['market=parallel', 'market'],
      ['via=parallel&market=reference', 'via'],
    ] as const) {
      const reply = await convert(`from=USD&to=VES&amount=1&${query}`);
      expect([query, ...fault(reply)]).toEqual([query, 404, 'resource_not_found', field]);
    }
  });

  test('contract §1 a quote exactly 7 days old converts; a millisecond older it is 404', async () => {
    const { service, convert } = await serving([quote('parallel', 850)]);
    service.clock.set(START + 7 * 86_400 * SECOND);
    const asked = 'from=USD&to=VES&amount=1&via=parallel';
    expect((await convert(asked)).status).toBe(200);
    service.clock.advance(1);
    expect((await convert(asked)).status).toBe(404);
  });

  test('§4.5 a market outside the plan is 402 with its required plan', async () => {
    const { service } = await serving(fullMarket());
    const cases: [market: string, plan: string, required: string][] = [
      ['remittance_market_1', 'Gratis', 'Esencial'],
      ['remittance_market_2', 'Inicio', 'Esencial'],
      ['extended_market_1', 'Esencial', 'Profesional'],
      ['extended_market_4', 'Esencial', 'Profesional'],
      ['cash', 'Profesional', 'Escala'],
      ['cucuta', 'Gratis', 'Escala'],
    ];
    for (const [market, plan, required] of cases) {
      const asked = { from: 'USD', to: 'VES', amount: '1', via: market };
      const refused = await convertOn(service, await service.keyFor(plan))(asked);
      expect(fault(refused)).toEqual([402, 'feature_not_in_plan']);
      expect(refused.json.details).toEqual({
        feature: `market:${market}`,
        current_plan: plan,
        required_plan: required,
      });
      const enough = await convertOn(service, await service.keyFor(required))(asked);
      expect([enough.status, enough.json.market]).toEqual([200, market]);
    }
  });

  test('contract §4 the checks come in order: parameters, market known, market in the plan', async () => {
    const { convert } = await serving([], 'Gratis');
    const asked = 'from=USD&to=VES';
    expect(fault(await convert(`${asked}&amount=0&via=no_such_market`))).toEqual([
      400,
      'invalid_format',
      'amount',
    ]);
    expect(fault(await convert('from=VES&to=USD&amount=1&via=remittance_market_1'))).toEqual([
      400,
      'invalid_format',
      'via',
    ]);
    expect(fault(await convert(`${asked}&amount=1&via=cash`)).slice(0, 1)).toEqual([402]);
    expect(fault(await convert(`${asked}&amount=1&via=nothing&format=csv`)).slice(0, 1)).toEqual([
      402,
    ]);
  });

  test('contract §3 an answered conversion costs a unit, an error nothing', async () => {
    const { convert } = await serving([official('2026-11-20', { USD: 800 })], 'Gratis');
    const left = (reply: Reply) => Number(reply.headers.get('x-ratelimit-remaining'));
    const first = await convert('from=USD&to=VES&amount=1');
    expect(left(first)).toBe(1_499);
    for (const query of [
      'amount=0',
      'amount=1&via=nothing',
      'amount=1&via=cash',
      'amount=1&via=parallel',
    ]) {
      const reply = await convert(`from=USD&to=VES&${query}`);
      expect([query, reply.status >= 400, left(reply)]).toEqual([query, true, 1_499]);
    }
    expect(left(await convert('from=USD&to=VES&amount=1'))).toBe(1_498);
  });

  test('contract §1 the rate in force changes at 00:00 in Caracas of the value date', async () => {
    const { service, convert } = await serving([
      official('2026-11-20', { USD: 800 }),
      official('2026-11-23', { USD: 810 }),
    ]);
    const midnight = Date.parse('2026-11-23T04:00:00Z');
    const ask = async () => {
      const { json } = await convert('from=USD&to=VES&amount=1');
      return [json.rate, json.effective_date, json.updated_at];
    };
    service.clock.set(midnight - 1);
    expect(await ask()).toEqual([800, '2026-11-20', '2026-11-20T04:00:00.000Z']);
    service.clock.set(midnight);
    expect(await ask()).toEqual([810, '2026-11-23', '2026-11-23T04:00:00.000Z']);
  });
});

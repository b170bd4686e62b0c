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

function spreadOn(service: TestService, key: string) {
  return (query = ''): Promise<Reply> => service.call(`/v1/fx/spread${query}`, { key });
}

async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  return { service, spread: spreadOn(service, await service.keyFor(plan)) };
}

describe('§2.11 the spread', () => {
  test('§2.11 a spread has every field, and compares with parallel by default', async () => {
    const { service, spread } = await serving([
      official('2026-11-20', { USD: 800 }),
      quote('parallel', 900, { ask: 950, bid: 850, updated_at: iso(START - 60 * SECOND) }),
    ]);
    service.clock.advance(SECOND);
    await service.push(quote('cash', 1));
    service.clock.advance(SECOND);
    const reply = await spread();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      reference: { market: 'reference', value: 800, updated_at: '2026-11-20T04:00:00.000Z' },
      compared: { market: 'parallel', value: 900, updated_at: iso(START - 60 * SECOND) },
      spread: { absolute: 100, percentage: 12.5, direction: 'higher' },
      fetched_at: iso(START + SECOND),
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.11 absolute is rounded to 4 decimals and percentage to 2, half away from zero', async () => {
    const cases: [reference: number, compared: number, spread: object][] = [
      [800, 900, { absolute: 100, percentage: 12.5, direction: 'higher' }],
      [900, 800, { absolute: -100, percentage: -11.11, direction: 'lower' }],
      [850, 850, { absolute: 0, percentage: 0, direction: 'equal' }],
      [3, 4, { absolute: 1, percentage: 33.33, direction: 'higher' }],
      [3, 5, { absolute: 2, percentage: 66.67, direction: 'higher' }],
      [1, 1.00005, { absolute: 0.0001, percentage: 0.01, direction: 'higher' }],
      [1, 0.99995, { absolute: -0.0001, percentage: -0.01, direction: 'lower' }],
      [1, 1.00125, { absolute: 0.0013, percentage: 0.13, direction: 'higher' }],
      [1, 1.01005, { absolute: 0.0101, percentage: 1.01, direction: 'higher' }],
      [1, 0.98995, { absolute: -0.0101, percentage: -1.01, direction: 'lower' }],
      [889.5754, 912.34567, { absolute: 22.7703, percentage: 2.56, direction: 'higher' }],
      // The absolute gap rounds to 0.0000, but the percentage comes from the gap before that.
      [0.0001, 0.00012, { absolute: 0, percentage: 20, direction: 'higher' }],
    ];
    const found: unknown[] = [];
    for (const [reference, compared] of cases) {
      const { spread } = await serving([
        official('2026-11-20', { USD: reference }),
        quote('parallel', compared),
      ]);
      found.push([reference, compared, (await spread()).json.spread]);
    }
    expect(found).toEqual(cases);
  });

  test('§4.9 every USD market of the plan can be compared, by id or alias', async () => {
    const { spread } = await serving(fullMarket());
    const markets: Record<string, string> = {
      parallel: 'parallel',
      paralelo: 'parallel',
      p2p_market_1: 'binance',
      saldo: 'saldo',
      remittance_market_1: 'remittance_market_1',
      extended_market_4: 'extended_market_4',
      extended_market_1: 'extended_market_1',
      cash: 'cash',
    };
    const found: Record<string, unknown> = {};
    for (const against of Object.keys(markets)) {
      found[against] = (await spread(`?against=${against}`)).json.compared?.market;
    }
    expect(found).toEqual(markets);
  });

  test('contract §1 the official side is the rate in force, not a later publication', async () => {
    const { service, spread } = await serving([
      official('2026-11-20', { USD: 800 }),
      official('2026-11-22', { USD: 810 }),
      quote('parallel', 900),
    ]);
    const midnight = Date.parse('2026-11-22T04:00:00Z');
    service.clock.set(midnight - 1);
    expect((await spread()).json.reference.value).toBe(800);
    service.clock.set(midnight);
    expect((await spread()).json.reference.value).toBe(810);
  });

  test('§2.11 a stale official rate is still compared', async () => {
    const { service, spread } = await serving([
      official('2026-11-10', { USD: 800 }),
      quote('parallel', 900),
    ]);
    service.clock.advance(SECOND);
    expect((await spread()).status).toBe(200);
  });
});

describe('§4.9 parameters', () => {
  test('§4.9 a base other than USD is invalid_base', async () => {
    const { spread } = await serving(fullMarket());
    for (const base of ['EUR', 'eur', 'VES', 'US', 'USDT', ' USD', '0']) {
      expect([base, ...fault(await spread(`?base=${base}`))]).toEqual([
        base,
        400,
        'invalid_base',
        'base',
      ]);
    }
    for (const base of ['USD', 'usd', 'Usd', '']) {
      expect([base, (await spread(`?base=${base}`)).status]).toEqual([base, 200]);
    }
  });

  test('contract §2 a base with a letter that only folds to an ASCII one is invalid_base', async () => {
    const { spread } = await serving(fullMarket());
    expect(fault(await spread('?base=u%C5%BFd'))).toEqual([400, 'invalid_base', 'base']);
  });

  test('§4.9 reference itself, an unknown market and a market of another base are invalid_against', async () => {
    const { spread } = await serving(fullMarket());
    for (const against of [
      ...['reference', 'bcv', 'oficial', 'eur_reference', 'euro', 'bcv_eur'],
      ...['nothing', 'Parallel', 'PARALELO', '%20parallel', 'parallel%20', '__proto__', '0'],
    ]) {
      expect([against, ...fault(await spread(`?against=${against}`))]).toEqual([
        against,
        400,
        'invalid_against',
        'against',
      ]);
    }
  });

  test('contract §2 an empty against counts as absent', async () => {
    const { spread } = await serving(fullMarket());
    expect((await spread('?against=&base=')).json.compared.market).toBe('parallel');
  });

  test('§4.9 only the documented parameters are accepted', async () => {
    const { spread } = await serving(fullMarket());
    for (const name of ['via', 'market', 'amount', 'from', 'Against', 'markup']) {
      expect(fault(await spread(`?base=EUR&${name}=parallel`))).toEqual([
        400,
        'unknown_parameter',
        name,
      ]);
    }
  });

  test('contract §4 a parameter given twice is invalid', async () => {
    const { spread } = await serving(fullMarket());
    for (const [name, value] of [
      ['against', 'parallel'],
      ['base', 'USD'],
      ['format', 'json'],
    ]) {
      expect(fault(await spread(`?${name}=${value}&${name}=${value}`))).toEqual([
        400,
        'invalid_format',
        name,
      ]);
    }
  });

  test('§4.9 a spread is available as CSV and XML', async () => {
    const { spread } = await serving([
      official('2026-11-20', { USD: 800 }),
      quote('parallel', 900),
    ]);
    const csv = await spread('?format=csv');
    expect(csv.text.split('\r\n')[0]).toBe(
      [
        'reference_market,reference_value,reference_updated_at',
        'compared_market,compared_value,compared_updated_at',
        'spread_absolute,spread_percentage,spread_direction,fetched_at',
      ].join(','),
    );
    const xml = await spread('?format=xml');
    expect(xml.text).toMatch(/<spread>\s*<absolute>100<\/absolute>/);
  });
});

describe('§4.9 errors', () => {
  test('§4.9 without an official rate a spread is 422 reference_unavailable', async () => {
    const { spread } = await serving([quote('parallel', 900)]);
    expect(fault(await spread()).slice(0, 2)).toEqual([422, 'reference_unavailable']);
    const euroOnly = await serving([official('2026-11-20', { EUR: 900 }), quote('parallel', 900)]);
    expect(fault(await euroOnly.spread()).slice(0, 2)).toEqual([422, 'reference_unavailable']);
    const later = await serving([official('2026-11-22', { USD: 800 }), quote('parallel', 900)]);
    expect(fault(await later.spread()).slice(0, 2)).toEqual([422, 'reference_unavailable']);
  });

  test('§4.9 a market that exists without a quote is 422 compared_unavailable', async () => {
    const { service, spread } = await serving([
      official('2026-11-20', { USD: 800 }),
      quote('cash', 900),
    ]);
    expect(fault(await spread()).slice(0, 2)).toEqual([422, 'compared_unavailable']);
    expect((await spread('?against=cash')).status).toBe(200);
    service.clock.set(START + 7 * 86_400 * SECOND + 1);
    expect(fault(await spread('?against=cash')).slice(0, 2)).toEqual([422, 'compared_unavailable']);
  });

  test('§4.9 Gratis and Inicio get 402 for a spread before their parameters are checked', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    for (const plan of ['Gratis', 'Inicio']) {
      const spread = spreadOn(service, await service.keyFor(plan));
      for (const query of ['', '?base=EUR', '?nothing=1', '?against=nothing']) {
        const reply = await spread(query);
        expect(fault(reply)).toEqual([402, 'feature_not_in_plan']);
        expect(reply.json.details).toEqual({
          feature: 'spread',
          current_plan: plan,
          required_plan: 'Esencial',
        });
      }
    }
    for (const plan of ['Esencial', 'Profesional', 'Escala']) {
      expect((await spreadOn(service, await service.keyFor(plan))()).status).toBe(200);
    }
  });

  test('§4.9 a market outside the plan is 402', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const spread = spreadOn(service, await service.keyFor('Esencial'));
    for (const [market, required] of [
      ['extended_market_1', 'Profesional'],
      ['extended_market_4', 'Profesional'],
      ['cucuta', 'Escala'],
    ]) {
      const reply = await spread(`?against=${market}`);
      expect(fault(reply)).toEqual([402, 'feature_not_in_plan']);
      expect(reply.json.details).toEqual({
        feature: `market:${market}`,
        current_plan: 'Esencial',
        required_plan: required,
      });
    }
    expect((await spread('?against=remittance_market_1')).status).toBe(200);
  });

  test('contract §3 an answered spread costs a unit, and a 400, 402 or 422 nothing', async () => {
    const { spread } = await serving([official('2026-11-20', { USD: 800 })], 'Esencial');
    for (const query of ['', '?base=EUR', '?against=cash', '?against=nothing']) {
      expect((await spread(query)).headers.get('x-ratelimit-remaining')).toBe('75000');
    }
    const good = await serving(fullMarket(), 'Esencial');
    expect((await good.spread()).headers.get('x-ratelimit-remaining')).toBe('74999');
  });
});

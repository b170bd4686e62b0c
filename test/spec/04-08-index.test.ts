import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/domain/time.ts';
import { iso, official, P2P, quote } from '../harness/make.ts';
import { type Reply, START, startTestService } from '../harness/service.ts';

const SECOND = 1_000;

async function serving(records: object[], plan = 'Gratis') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return { service, key, index: (): Promise<Reply> => service.call('/v1/fx/index', { key }) };
}

const OFFICIAL = official('2026-11-20', { USD: 800 });
const FREE = quote('parallel', 900);

/** P2P quotes of these rates, in the order of the markets. */
function p2p(...rates: number[]): object[] {
  return rates.map((mid, position) => quote(P2P[position] ?? '', mid));
}

describe('§2.10 the index', () => {
  test('§2.10 the index has every field, and flags is {} when none applies', async () => {
    const { service, index } = await serving([OFFICIAL, FREE, ...p2p(850, 860, 870, 880, 890)]);
    const reply = await index();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      value: 855,
      version: 'v1',
      as_of: iso(START),
      weights: { bcv: 0.3, paralelo: 0.2, p2p: 0.5 },
      components: { bcv: 800, paralelo: 900, p2p: 870 },
      p2p_median: 870,
      p2p_count: 5,
      flags: {},
      methodology_url: `${service.url}/methodology`,
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.10 value is rounded to 4 decimals, half away from zero', async () => {
    const { index } = await serving([
      official('2026-11-20', { USD: 889.5754 }),
      quote('parallel', 912.34567),
      ...p2p(901.11115, 901.11115, 901.11115, 901.11115),
    ]);
    // 266.87262 + 182.469134 + 450.555575 = 899.897329
    expect((await index()).json.value).toBe(899.8973);
    const half = await serving([
      official('2026-11-20', { USD: 1 }),
      quote('parallel', 1),
      ...p2p(1.0001, 1.0001, 1.0001, 1.0001),
    ]);
    // 0.3 + 0.2 + 0.50005 = 1.00005
    expect((await half.index()).json.value).toBe(1.0001);
  });

  test('§2.10 as_of is the time of the snapshot, not of the request', async () => {
    const { service, index } = await serving([OFFICIAL, FREE, ...p2p(850, 850, 850, 850)]);
    service.clock.advance(10 * SECOND);
    await service.push(quote('parallel', 901, { captured_at: iso(START + SECOND) }));
    service.clock.advance(HOUR_MS);
    expect((await index()).json.as_of).toBe(iso(START + 10 * SECOND));
  });

  test('§2.10 the median of an odd count is the middle quote, of an even count the mean of the middle two', async () => {
    const cases: [rates: number[], median: number][] = [
      [[855], 855],
      [[850, 861], 855.5],
      [[870, 850, 860], 860],
      [[880, 850, 870, 860], 865],
      [[850.0001, 850.0002, 850.0003, 850.0004], 850.00025],
      [[890, 850, 880, 860, 870], 870],
      [[853, 851, 852, 855, 854, 856], 853.5],
      [[857, 851, 853, 852, 854, 856, 855], 854],
    ];
    for (const [rates, median] of cases) {
      const { index } = await serving([OFFICIAL, FREE, ...p2p(...rates)]);
      const { json } = await index();
      expect([json.p2p_median, json.components.p2p, json.p2p_count]).toEqual([
        median,
        median,
        rates.length,
      ]);
    }
  });

  test('§2.10 only P2P markets count in the median', async () => {
    const { index } = await serving([
      OFFICIAL,
      FREE,
      ...p2p(850, 850, 850, 850),
      quote('cash', 5),
      quote('remittance_market_1', 6),
      quote('extended_market_1', 7),
    ]);
    const { json } = await index();
    expect([json.p2p_median, json.p2p_count, json.value]).toEqual([850, 4, 845]);
  });

  test('§2.10 the index is the same on every plan', async () => {
    const { service, index } = await serving([OFFICIAL, FREE, ...p2p(850, 851), quote('cash', 9)]);
    const { json } = await index();
    for (const plan of ['Inicio', 'Esencial', 'Profesional', 'Escala']) {
      const reply = await service.call('/v1/fx/index', { key: await service.keyFor(plan) });
      expect(reply.json).toEqual(json);
    }
  });
});

describe('§2.10 missing components', () => {
  const REST: Record<string, { records: object[]; weights: object; value: number }> = {
    bcv: {
      records: [FREE, ...p2p(850, 850, 850, 850)],
      weights: { bcv: 0, paralelo: 0.2 / 0.7, p2p: 0.5 / 0.7 },
      value: 864.2857,
    },
    paralelo: {
      records: [OFFICIAL, ...p2p(850, 850, 850, 850)],
      weights: { bcv: 0.375, paralelo: 0, p2p: 0.625 },
      value: 831.25,
    },
    p2p: {
      records: [OFFICIAL, FREE],
      weights: { bcv: 0.6, paralelo: 0.4, p2p: 0 },
      value: 840,
    },
    'bcv, paralelo': {
      records: p2p(850, 850, 850, 850),
      weights: { bcv: 0, paralelo: 0, p2p: 1 },
      value: 850,
    },
    'bcv, p2p': { records: [FREE], weights: { bcv: 0, paralelo: 1, p2p: 0 }, value: 900 },
    'paralelo, p2p': { records: [OFFICIAL], weights: { bcv: 1, paralelo: 0, p2p: 0 }, value: 800 },
  };

  test.each(Object.keys(REST))('§2.10 without %s the other weights add up to 1', async (names) => {
    const { records, weights, value } = REST[names] ?? { records: [], weights: {}, value: 0 };
    const missing = names.split(', ');
    const { index } = await serving(records);
    const { json } = await index();
    expect(Object.keys(json.weights)).toEqual(['bcv', 'paralelo', 'p2p']);
    for (const [name, weight] of Object.entries(weights)) {
      expect(json.weights[name]).toBeCloseTo(weight, 9);
    }
    const total = Object.values<number>(json.weights).reduce((sum, weight) => sum + weight, 0);
    expect(total).toBeCloseTo(1, 12);
    expect(json.value).toBe(value);
    expect(json.flags).toEqual({ missing_sources: missing });
    expect(Object.keys(json.components).sort()).toEqual(
      ['bcv', 'p2p', 'paralelo'].filter((name) => !missing.includes(name)),
    );
  });

  test('contract §2 p2p_median is absent when no P2P quote remains', async () => {
    const { index } = await serving([OFFICIAL, FREE]);
    const { json } = await index();
    expect([Object.hasOwn(json, 'p2p_median'), json.p2p_count]).toEqual([false, 0]);
    expect(json.flags).toEqual({ missing_sources: ['p2p'] });
  });

  test('§2.10 a publication of the euro alone leaves the official component missing', async () => {
    const { index } = await serving([official('2026-11-20', { EUR: 900 }), FREE]);
    expect((await index()).json.flags).toEqual({ missing_sources: ['bcv', 'p2p'] });
  });

  test('§4.8 without any usable component the index is 503 and costs nothing', async () => {
    const { service, index } = await serving([]);
    const reply = await index();
    expect([reply.status, reply.json.code]).toEqual([503, 'service_unavailable']);
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('1500');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    await service.push(quote('cash', 850), official('2026-11-20', { EUR: 900 }));
    expect((await index()).status).toBe(503);
  });

  test('§4.8 a stale official rate is not a usable component', async () => {
    const { service, key, index } = await serving([OFFICIAL]);
    service.clock.set(Date.parse('2026-11-20T04:00:00Z') + 132 * HOUR_MS);
    expect((await index()).status).toBe(200);
    service.clock.advance(SECOND);
    expect((await index()).status).toBe(503);
    const rates = await service.call('/v1/fx/rates', { key });
    expect([rates.status, rates.json.rates.length, rates.json.index]).toEqual([200, 1, undefined]);
  });

  test('§4.8 /rates has the index when it can be calculated and omits it otherwise', async () => {
    const { service, key, index } = await serving([quote('binance', 850)], 'Gratis');
    const rates = () => service.call('/v1/fx/rates', { key });
    expect((await rates()).json.index).toEqual((await index()).json);
    const other = await serving([official('2026-11-20', { EUR: 900 })]);
    const reply = await other.service.call('/v1/fx/rates', { key: other.key });
    expect(reply.status).toBe(200);
    expect(reply.json.rates.map(({ market }: { market: string }) => market)).toEqual([
      'eur_reference',
    ]);
    expect(Object.hasOwn(reply.json, 'index')).toBe(false);
  });

  test('contract §1 quotes older than 48 hours (P2P) and 7 days leave the index', async () => {
    const { service, index } = await serving([OFFICIAL, FREE, ...p2p(850, 850, 850, 850)]);
    service.clock.set(START + 48 * HOUR_MS);
    expect((await index()).json.flags).toEqual({});
    service.clock.advance(1);
    const old = { missing_sources: ['p2p'] };
    expect((await index()).json.flags).toEqual(old);
    service.clock.set(START + 7 * 24 * HOUR_MS);
    expect((await index()).json.flags).toEqual({ bcv_stale: true, ...old });
    service.clock.advance(1);
    expect((await index()).status).toBe(503);
  });
});

describe('§2.10 bcv_stale', () => {
  test('§2.10 an official rate 132 hours old counts, and a second later its weight is 0', async () => {
    const { service, index } = await serving([OFFICIAL, FREE]);
    const effect = Date.parse('2026-11-20T04:00:00Z');
    service.clock.set(effect + 132 * HOUR_MS);
    const now = { updated_at: undefined, captured_at: undefined };
    await service.push(...p2p(850, 850, 850, 850).map((one) => ({ ...one, ...now })));
    await service.push(quote('parallel', 900, { updated_at: iso(service.clock.now()) }));
    const fresh = (await index()).json;
    expect([fresh.flags, fresh.weights.bcv, fresh.value]).toEqual([{}, 0.3, 845]);
    service.clock.set(effect + 132 * HOUR_MS + SECOND);
    const old = (await index()).json;
    expect(old.flags).toEqual({ bcv_stale: true });
    expect([old.weights.bcv, old.value]).toEqual([0, 864.2857]);
    expect(old.weights.paralelo + old.weights.p2p).toBeCloseTo(1, 12);
    expect(old.components).toEqual({ paralelo: 900, p2p: 850 });
    // The hours are judged at the request, the snapshot is the same.
    expect(old.as_of).toBe(fresh.as_of);
  });

  test('§2.10 a newer value date ends bcv_stale', async () => {
    const { service, index } = await serving([
      OFFICIAL,
      official('2026-11-26', { USD: 810 }),
      FREE,
    ]);
    service.clock.set(Date.parse('2026-11-26T04:00:00Z') - 1);
    expect((await index()).json.flags.bcv_stale).toBe(true);
    service.clock.advance(1);
    const { json } = await index();
    expect([json.flags.bcv_stale, json.components.bcv]).toEqual([undefined, 810]);
  });
});

describe('§2.10 degraded', () => {
  test('§2.10 degraded is set with 1 to 3 P2P quotes, and not with 4 or none', async () => {
    const found: Record<number, unknown> = {};
    for (const count of [0, 1, 2, 3, 4, 7]) {
      const rates = Array.from({ length: count }, () => 850);
      const { index } = await serving([OFFICIAL, FREE, ...p2p(...rates)]);
      found[count] = (await index()).json.flags;
    }
    expect(found).toEqual({
      0: { missing_sources: ['p2p'] },
      1: { degraded: true },
      2: { degraded: true },
      3: { degraded: true },
      4: {},
      7: {},
    });
  });

  test('§2.10 degraded changes no weight', async () => {
    const { index } = await serving([OFFICIAL, FREE, ...p2p(850)]);
    const { json } = await index();
    expect(json.weights).toEqual({ bcv: 0.3, paralelo: 0.2, p2p: 0.5 });
    expect([json.value, json.p2p_count]).toEqual([845, 1]);
  });

  test('§2.10 degraded counts the P2P quotes that remain without outliers', async () => {
    const { index } = await serving([OFFICIAL, FREE, ...p2p(850, 850, 850, 5_000)]);
    const { json } = await index();
    expect(json.flags).toEqual({ degraded: true, outliers_excluded: ['bybit'] });
    expect([json.p2p_count, json.p2p_median]).toEqual([3, 850]);
  });
});

describe('§2.10 outliers', () => {
  test('§2.10 a deviation of exactly 50% stays, and a larger one is excluded, above and below', async () => {
    const cases: [rate: number, excluded: boolean][] = [
      [1200, false],
      [1200.0001, true],
      [400, false],
      [399.9999, true],
    ];
    for (const [rate, excluded] of cases) {
      const { index } = await serving([OFFICIAL, FREE, ...p2p(800, 800, 800, 800, rate)]);
      const { json } = await index();
      expect([rate, json.flags, json.p2p_count]).toEqual([
        ...[rate, excluded ? { outliers_excluded: ['mexc'] } : {}, excluded ? 4 : 5],
      ]);
    }
  });

  test('§2.10 deviations are from the first median, and the median is calculated again without outliers', async () => {
    const { index } = await serving([OFFICIAL, FREE, ...p2p(100, 800, 810, 820, 830, 840, 5_000)]);
    const { json } = await index();
    expect(json.flags).toEqual({ outliers_excluded: ['binance', 'saldo'] });
    expect([json.p2p_count, json.p2p_median]).toEqual([5, 820]);
    const even = await serving([OFFICIAL, FREE, ...p2p(800, 810, 820, 830, 5_000)]);
    expect((await even.index()).json.p2p_median).toBe(815);
  });

  test('§2.10 when every P2P quote is an outlier, P2P is missing and not degraded', async () => {
    const { index } = await serving([OFFICIAL, FREE, ...p2p(100, 1_000)]);
    const { json } = await index();
    expect(json.flags).toEqual({
      missing_sources: ['p2p'],
      outliers_excluded: ['binance', 'bingx'],
    });
    expect([json.p2p_count, json.weights.p2p, json.value]).toEqual([0, 0, 840]);
    expect(Object.hasOwn(json, 'p2p_median')).toBe(false);
  });
});

describe('§4.8 the request', () => {
  test('§4.8 the index has the formats of the plan', async () => {
    const { service, key } = await serving([OFFICIAL, FREE, ...p2p(850)]);
    const refused = await service.call('/v1/fx/index?format=csv', { key });
    expect([refused.status, refused.json.details.feature]).toEqual([402, 'format_csv']);
    const rich = await service.keyFor('Esencial');
    const csv = await service.call('/v1/fx/index?format=csv', { key: rich });
    expect([csv.status, csv.text.split('\r\n')[0]?.split(',')[0]]).toEqual([200, 'value']);
    const xml = await service.call('/v1/fx/index?format=xml', { key: rich });
    expect([xml.status, xml.text.includes('<value>845</value>')]).toEqual([200, true]);
    const wrong = await service.call('/v1/fx/index?format=CSV', { key: rich });
    expect([wrong.status, wrong.json.code, wrong.json.field]).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
  });

  test('contract §4 unknown parameters are ignored', async () => {
    const { service, key } = await serving([OFFICIAL]);
    expect((await service.call('/v1/fx/index?via=cash&x=', { key })).status).toBe(200);
  });

  test('§4.8 an answered index costs one unit', async () => {
    const { index } = await serving([OFFICIAL]);
    expect((await index()).headers.get('x-ratelimit-remaining')).toBe('1499');
    expect((await index()).headers.get('x-ratelimit-remaining')).toBe('1498');
  });
});

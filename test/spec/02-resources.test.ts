import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import {
  CASH,
  EXCHANGE_HOUSES,
  fullMarket,
  iso,
  official,
  P2P,
  quote,
  REMITTANCES,
} from '../harness/make.ts';
import {
  type Reply,
  START,
  serviceWith,
  startTestService,
  temporaryDir,
} from '../harness/service.ts';

const SECOND = 1_000;

const EVERY_MARKET = [
  'reference',
  'eur_reference',
  'parallel',
  ...P2P,
  ...REMITTANCES,
  ...EXCHANGE_HOUSES,
  ...CASH,
];

const ALIASES: readonly (readonly [alias: string, id: string])[] = [
  ['bcv', 'reference'],
  ['oficial', 'reference'],
  ['bcv_eur', 'eur_reference'],
  ['euro', 'eur_reference'],
  ['paralelo', 'parallel'],
  ['p2p_market_1', 'binance'],
  ['p2p_market_2', 'bingx'],
  ['p2p_market_3', 'bitget'],
  ['p2p_market_4', 'bybit'],
  ['p2p_market_5', 'mexc'],
  ['p2p_market_6', 'okx'],
  ['p2p_market_7', 'saldo'],
];

async function serving(records: object[], plan = 'Escala') {
  return serviceWith(records, { plan });
}

interface Row {
  readonly market: string;
  readonly mid: number;
}

const rowsOf = ({ json }: Reply): Row[] => json.rates;
const marketsOf = (reply: Reply): string[] => rowsOf(reply).map(({ market }) => market);

/** Every text of the answer that looks like a point in time. */
function instantsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(instantsIn);
}

describe('§2.1 markets', () => {
  test.each(ALIASES)(
    '§2.1 %s is accepted wherever a market is named and answered as %s',
    async (alias, id) => {
      const { service, key, get } = await serving(fullMarket());
      const foreign = id === 'eur_reference' ? 'EUR' : 'USD';
      const conversion = `from=${foreign}&to=VES&amount=1`;
      const replies = await Promise.all([
        get(`rates/${alias}`),
        get(`rates/${alias}/history`),
        get(`rates/${alias}/history?date=2026-11-21`),
        get(`convert?${conversion}&via=${alias}`),
        get(`convert?${conversion}&market=${alias}`),
      ]);
      expect(replies.map(({ status, json }) => [status, json.market])).toEqual(
        replies.map(() => [200, id]),
      );

      const bulk = await service.call('/v1/fx/bulk/convert', {
        key,
        method: 'POST',
        body: { from: 'USD', to: 'VES', amounts: [1], market: alias },
      });
      expect([bulk.status, bulk.json.market ?? bulk.json.field]).toEqual(
        foreign === 'EUR' ? [400, 'market'] : [200, id],
      );
      const spread = await get(`spread?against=${alias}`);
      expect([spread.status, spread.json.compared?.market ?? spread.json.code]).toEqual(
        id.endsWith('reference') ? [400, 'invalid_against'] : [200, id],
      );
    },
  );

  test('§2.1 an alias and the id get the same answer', async () => {
    const { get } = await serving(fullMarket());
    for (const [alias, id] of ALIASES) {
      const [byAlias, byId] = await Promise.all([get(`rates/${alias}`), get(`rates/${id}`)]);
      expect(byAlias.text).toBe(byId.text);
    }
  });

  test('contract §1 a name is matched byte for byte after one percent-decoding', async () => {
    const { get } = await serving(fullMarket());
    const accepted = ['%62cv', '%62%63%76', 'reference', 'p2p%5Fmarket_1'];
    const refused = [
      'BCV',
      'Reference',
      'REFERENCE',
      'bcv%20',
      '%20bcv',
      'bcv%00',
      '%2562cv',
      'p2p%255Fmarket_1',
      '%EF%BD%82cv',
      'bcv%E2%80%8B',
      'bc',
      'bcvv',
      '__proto__',
      'constructor',
      'toString',
    ];
    const statuses = async (names: string[]) =>
      Promise.all(names.map(async (name) => [name, (await get(`rates/${name}`)).status]));
    expect(await statuses(accepted)).toEqual(accepted.map((name) => [name, 200]));
    expect(await statuses(refused)).toEqual(refused.map((name) => [name, 404]));

    const inQuery = async (name: string) =>
      (await get(`convert?from=USD&to=VES&amount=1&via=${name}`)).status;
    expect(await Promise.all(accepted.map(inQuery))).toEqual(accepted.map(() => 200));
    expect(await Promise.all(refused.map(inQuery))).toEqual(refused.map(() => 404));
  });

  test('§2.1 rates come in the order of the catalogue, whatever the order of ingestion', async () => {
    const { get } = await serving(fullMarket().reverse());
    expect(marketsOf(await get('rates'))).toEqual(EVERY_MARKET);
    const { json } = await get('markets');
    expect(json.markets.map(({ id }: { id: string }) => id)).toEqual(EVERY_MARKET);
  });
});

describe('§2.2 a rate', () => {
  const records = [
    official('2026-11-20', { USD: 889.5754, EUR: 1012.34 }),
    quote('parallel', 912.5, { updated_at: iso(START - 2 * MINUTE_MS) }),
    quote('binance', 901.25, { ask: 902, bid: 900.5 }),
    quote('bingx', 902, { ask: 903.1 }),
    quote('cash', 880, { bid: 879 }),
  ];
  const expected = [
    {
      market: 'reference',
      type: 'reference',
      base: 'USD',
      mid: 889.5754,
      updated_at: '2026-11-20T04:00:00.000Z',
      effective_date: '2026-11-20',
      stale_after_sec: 475_200,
    },
    {
      market: 'eur_reference',
      type: 'reference',
      base: 'EUR',
      mid: 1012.34,
      updated_at: '2026-11-20T04:00:00.000Z',
      effective_date: '2026-11-20',
      stale_after_sec: 475_200,
    },
    {
      market: 'parallel',
      type: 'parallel',
      base: 'USD',
      mid: 912.5,
      updated_at: '2026-11-21T11:58:00.000Z',
      stale_after_sec: 7_200,
    },
    {
      market: 'binance',
      type: 'p2p',
      base: 'USD',
      mid: 901.25,
      ask: 902,
      bid: 900.5,
      updated_at: '2026-11-21T12:00:00.000Z',
      stale_after_sec: 900,
    },
    {
      market: 'bingx',
      type: 'p2p',
      base: 'USD',
      mid: 902,
      ask: 903.1,
      updated_at: '2026-11-21T12:00:00.000Z',
      stale_after_sec: 900,
    },
    {
      market: 'cash',
      type: 'cash',
      base: 'USD',
      mid: 880,
      bid: 879,
      updated_at: '2026-11-21T12:00:00.000Z',
      stale_after_sec: 86_400,
    },
  ];

  test('§2.2 a rate has the fields of §2.2, and optional fields without a value are absent', async () => {
    const { get } = await serving(records);
    expect((await get('rates')).json.rates).toEqual(expected);
  });

  test('§2.2 the rate of one market equals its row in the snapshot', async () => {
    const { get } = await serving(records);
    const single = await Promise.all(expected.map(({ market }) => get(`rates/${market}`)));
    expect(single.map(({ json }) => json)).toEqual(expected);
  });

  test('§2.2 type and threshold are those of each market', async () => {
    const { get } = await serving(fullMarket());
    const { json } = await get('rates');
    const found = json.rates.map(
      (row: { market: string; type: string; stale_after_sec: number }) =>
        [row.market, row.type, row.stale_after_sec] as const,
    );
    const all = (ids: readonly string[], type: string, sec: number) =>
      ids.map((id) => [id, type, sec]);
    expect(found).toEqual([
      ...all(['reference', 'eur_reference'], 'reference', 475_200),
      ...all(['parallel'], 'parallel', 7_200),
      ...all(P2P, 'p2p', 900),
      ...all(REMITTANCES, 'remittance', 21_600),
      ...all(EXCHANGE_HOUSES, 'exchange_house', 21_600),
      ...all(CASH, 'cash', 86_400),
    ]);
  });

  test('§2.2 only eur_reference has the base EUR, and only official rates have a value date', async () => {
    const { get } = await serving(fullMarket());
    const rows: { market: string; base: string; effective_date?: string }[] = (await get('rates'))
      .json.rates;
    expect(rows.filter(({ base }) => base === 'EUR').map(({ market }) => market)).toEqual([
      'eur_reference',
    ]);
    expect(rows.filter((row) => 'effective_date' in row).map(({ market }) => market)).toEqual([
      'reference',
      'eur_reference',
    ]);
  });

  test('§2.2 a new snapshot keeps the old updated_at of a source that did not change', async () => {
    const { service, get } = await serving([quote('parallel', 900), quote('cash', 880)]);
    service.clock.advance(DAY_MS);
    await service.push({ kind: 'quote', market: 'cash', mid: 881 });
    const { json } = await get('rates');
    expect(json.fetched_at).toBe(iso(START + DAY_MS));
    expect(json.rates.map(({ updated_at }: { updated_at: string }) => updated_at)).toEqual([
      iso(START),
      iso(START + DAY_MS),
    ]);
  });

  test('contract §1 every timestamp is ISO 8601 in UTC with milliseconds', async () => {
    const { get } = await serving([
      official('2026-11-20', { USD: 800, EUR: 920 }),
      quote('parallel', 900, { updated_at: '2026-11-21T07:59:58.123456-04:00' }),
      quote('binance', 900, { updated_at: '2026-11-21T11:59:58Z' }),
      quote('bingx', 900, { updated_at: '2026-11-21T17:29:58.5+05:30' }),
    ]);
    expect((await get('rates/parallel')).json.updated_at).toBe('2026-11-21T11:59:58.123Z');
    expect((await get('rates/binance')).json.updated_at).toBe('2026-11-21T11:59:58.000Z');
    expect((await get('rates/bingx')).json.updated_at).toBe('2026-11-21T11:59:58.500Z');
    const paths = [
      'rates',
      'rates/reference',
      'rates/parallel/history?granularity=raw',
      'convert?from=USD&to=VES&amount=1',
      'route?from=USD&to=VES&amount=1',
      'index',
      'spread',
      'bcv/currencies',
    ];
    for (const path of paths) {
      const instants = instantsIn((await get(path)).json);
      expect(instants.length, path).toBeGreaterThan(0);
      for (const instant of instants) {
        expect(instant, path).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    }
  });
});

describe('contract §1 precision', () => {
  test('contract §1 a rate is relayed with exactly the published digits', async () => {
    const rates = [
      889.57541234, // the eight decimals of the central bank
      123456789012345,
      123456.789012345,
      0.123456789012345,
      0.00000001,
      1e-15,
      1e15,
      1.1,
      889.5754,
      100,
    ];
    for (const mid of rates) {
      const { get } = await serving([
        official('2026-11-20', { USD: mid }),
        quote('binance', mid, { ask: mid, bid: mid }),
      ]);
      const { json } = await get('rates');
      expect(json.rates[0].mid).toBe(mid);
      expect([json.rates[1].mid, json.rates[1].ask, json.rates[1].bid]).toEqual([mid, mid, mid]);
      expect((await get('rates/reference')).text).toContain(`"mid":${JSON.stringify(mid)},`);
      expect((await get('rates/reference/history')).json.points[0].rate).toBe(mid);
    }
  });

  test('contract §1 the middle of two sides is rounded to 8 decimals, half away from zero', async () => {
    const cases: [ask: number, bid: number, mid: number][] = [
      [890.1, 889.06, 889.58],
      [0.2, 0.1, 0.15],
      [0.3, 0.1, 0.2],
      [1.00000002, 1.00000001, 1.00000002],
      [1.00000003, 1.00000002, 1.00000003],
      [1.000000004, 1.000000005, 1],
      [1.000000005, 1.000000005, 1.00000001],
      [900.123456789013, 900.123456789012, 900.12345679],
      [889, 890, 889.5],
      [1e15, 999999999999999, 999999999999999.5],
    ];
    const { service, get } = await serving([]);
    const found: unknown[] = [];
    for (const [ask, bid] of cases) {
      service.clock.advance(SECOND);
      await service.push({ kind: 'quote', market: 'parallel', ask, bid });
      const { json } = await get('rates/parallel');
      found.push([json.ask, json.bid, json.mid]);
    }
    expect(found).toEqual(cases);
  });

  test('contract §1 crossed sides and a mid outside them are relayed, never corrected', async () => {
    const { get } = await serving([
      quote('binance', 900, { ask: 890, bid: 910 }),
      quote('bingx', 1, { ask: 890, bid: 880 }),
    ]);
    const { json } = await get('rates');
    expect(json.rates.map(({ mid, ask, bid }: Record<string, number>) => [mid, ask, bid])).toEqual([
      [900, 890, 910],
      [1, 890, 880],
    ]);
  });
});

describe('§2.3 the snapshot', () => {
  test('§2.3 a snapshot has exactly the fields of §2.3, and its index equals that of /index', async () => {
    const { get } = await serving(fullMarket());
    const [{ json }, index] = await Promise.all([get('rates'), get('index')]);
    const { rates, ...envelope } = json;
    expect(rates).toHaveLength(EVERY_MARKET.length);
    expect(envelope).toEqual({
      country: 'VE',
      currency: 'VES',
      base: 'USD',
      index: index.json,
      fetched_at: iso(START),
    });
  });

  test('§2.3 the index is omitted when it cannot be calculated, and present with one component', async () => {
    const { service, get } = await serving([
      official('2026-11-20', { EUR: 1012.34 }),
      quote('cash', 880),
      quote('remittance_market_1', 870),
    ]);
    const without = await get('rates');
    expect(without.status).toBe(200);
    expect(without.json).not.toHaveProperty('index');
    expect(without.json.rates).toHaveLength(3);
    expect((await get('index')).status).toBe(503);

    await service.push(quote('saldo', 900));
    const { json } = await get('rates');
    expect(json.index.value).toBe(900);
    expect(json.index).toEqual((await get('index')).json);
  });

  test('§2.3 a market without a quote has no row', async () => {
    const { get } = await serving([quote('cash', 880), quote('bitget', 900)]);
    expect(marketsOf(await get('rates'))).toEqual(['bitget', 'cash']);
  });

  test('contract §1 rates, index, route and spread of one snapshot all have the time of the newest ingestion', async () => {
    const { service, get } = await serving(fullMarket());
    const times = async () => {
      const [rates, index, route, spread] = await Promise.all([
        get('rates'),
        get('index'),
        get('route?from=USD&to=VES&amount=1'),
        get('spread'),
      ]);
      return [
        rates.json.fetched_at,
        rates.json.index.as_of,
        index.json.as_of,
        route.json.fetched_at,
        spread.json.fetched_at,
      ];
    };
    const five = (instant: number) => Array.from({ length: 5 }, () => iso(instant));
    service.clock.advance(10 * SECOND);
    expect(await times()).toEqual(five(START));

    // The time of arrival counts, not of capture, even for records without a rate.
    await service.push(quote('cash', 1, { captured_at: iso(START - HOUR_MS) }));
    service.clock.advance(HOUR_MS);
    expect(await times()).toEqual(five(START + 10 * SECOND));
  });

  test('contract §1 fetched_at survives a restart', async () => {
    const dataDir = await temporaryDir();
    const first = await startTestService({ dataDir });
    await first.push(...fullMarket());
    await first.service.close();
    const second = await startTestService({ dataDir, start: START + HOUR_MS });
    const key = await second.keyFor('Escala');
    const { json } = await second.call('/v1/fx/rates', { key });
    expect(json.fetched_at).toBe(iso(START));
    expect(json.rates).toHaveLength(EVERY_MARKET.length);
  });

  test('contract §1 on an empty store /rates is 200 with no rows, and fetched_at is the start of the service', async () => {
    const { service, get } = await serving([]);
    for (const later of [0, HOUR_MS, 40 * DAY_MS]) {
      service.clock.set(START + later);
      const reply = await get('rates');
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        country: 'VE',
        currency: 'VES',
        base: 'USD',
        rates: [],
        fetched_at: iso(START),
      });
      expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
    }
  });

  test('contract §1 a restarted service without records reports its new start', async () => {
    const dataDir = await temporaryDir();
    const first = await startTestService({ dataDir });
    await first.service.close();
    const second = await startTestService({ dataDir, start: START + DAY_MS });
    const key = await second.keyFor('Gratis');
    second.clock.advance(MINUTE_MS);
    expect((await second.call('/v1/fx/rates', { key })).json.fetched_at).toBe(iso(START + DAY_MS));
  });
});

describe('contract §1 quotes that drop out', () => {
  test('contract §1 a quote exactly 48 hours (P2P) or 7 days old stays; a millisecond older it is dropped', async () => {
    const others = EVERY_MARKET.filter((id) => !id.endsWith('reference'));
    const slower = EVERY_MARKET.filter((id) => !P2P.includes(id));
    const { service, get } = await serving([
      official('2026-11-20', { USD: 800, EUR: 920 }),
      ...others.map((market) => quote(market, 850)),
    ]);
    service.clock.set(START + 2 * DAY_MS);
    expect(marketsOf(await get('rates'))).toEqual(EVERY_MARKET);
    service.clock.advance(1);
    expect(marketsOf(await get('rates'))).toEqual(slower);
    expect((await get('rates/binance')).status).toBe(404);

    service.clock.set(START + 7 * DAY_MS);
    expect(marketsOf(await get('rates'))).toEqual(slower);
    expect((await get('rates/cash')).status).toBe(200);

    service.clock.advance(1);
    expect(marketsOf(await get('rates'))).toEqual(['reference', 'eur_reference']);
  });

  test('contract §1 a dropped quote is absent everywhere except in history', async () => {
    const { service, get } = await serving([
      official('2026-11-20', { USD: 800 }),
      quote('parallel', 900),
      quote('cash', 880),
    ]);
    service.clock.set(START + 7 * DAY_MS + 1);
    expect((await get('rates/parallel')).json.code).toBe('resource_not_found');
    const convert = await get('convert?from=USD&to=VES&amount=1&via=parallel');
    expect([convert.status, convert.json.code]).toEqual([404, 'resource_not_found']);
    expect((await get('spread')).json.code).toBe('compared_unavailable');
    expect((await get('route?from=USD&to=VES&amount=1')).status).toBe(503);
    expect((await get('rates/parallel/history?date=2026-11-28')).json.rate).toBe(900);
  });

  test('contract §1 a dropped quote returns with a newer updated_at, not with a newer capture', async () => {
    const { service, get } = await serving([quote('parallel', 900)]);
    service.clock.set(START + 7 * DAY_MS + 1);
    await service.push(quote('parallel', 900, { captured_at: iso(START + 7 * DAY_MS + 1) }));
    expect(marketsOf(await get('rates'))).toEqual([]);
    await service.push({ kind: 'quote', market: 'parallel', mid: 901 });
    expect(marketsOf(await get('rates'))).toEqual(['parallel']);
  });

  test('contract §1 official quotes never drop', async () => {
    const { service, get } = await serving([official('2026-11-20', { USD: 800, EUR: 920 })]);
    service.clock.advance(1_000 * DAY_MS);
    expect(marketsOf(await get('rates'))).toEqual(['reference', 'eur_reference']);
  });
});

describe('contract §1 the rate in force', () => {
  const FRIDAY = official('2026-11-20', { USD: 800, EUR: 920 });
  const MONDAY = official('2026-11-23', { USD: 810, EUR: 930 });
  const EFFECT = Date.parse('2026-11-23T04:00:00.000Z');

  test('contract §1 a later value date takes effect at 00:00 in Caracas, not a millisecond earlier, without a restart', async () => {
    const { service, get } = await serving([FRIDAY, MONDAY, quote('parallel', 900)]);
    const seen = async () => {
      const [rates, usd, eur, usdSold, eurSold, spread] = await Promise.all([
        get('rates'),
        get('rates/reference'),
        get('rates/eur_reference'),
        get('convert?from=USD&to=VES&amount=1'),
        get('convert?from=EUR&to=VES&amount=1'),
        get('spread'),
      ]);
      return {
        rates: rowsOf(rates)
          .slice(0, 2)
          .map(({ mid }) => mid),
        usd: [usd.json.mid, usd.json.effective_date, usd.json.updated_at],
        eur: [eur.json.mid, eur.json.effective_date, eur.json.updated_at],
        convert: [usdSold.json.rate, eurSold.json.rate],
        index: rates.json.index.components.bcv,
        spread: spread.json.reference.value,
        fetched_at: rates.json.fetched_at,
      };
    };
    const friday = {
      rates: [800, 920],
      usd: [800, '2026-11-20', '2026-11-20T04:00:00.000Z'],
      eur: [920, '2026-11-20', '2026-11-20T04:00:00.000Z'],
      convert: [800, 920],
      index: 800,
      spread: 800,
      fetched_at: iso(START),
    };
    const monday = {
      rates: [810, 930],
      usd: [810, '2026-11-23', '2026-11-23T04:00:00.000Z'],
      eur: [930, '2026-11-23', '2026-11-23T04:00:00.000Z'],
      convert: [810, 930],
      index: 810,
      spread: 810,
      fetched_at: iso(START),
    };
    expect(await seen()).toEqual(friday);
    service.clock.set(EFFECT - 1);
    expect(await seen()).toEqual(friday);
    service.clock.set(EFFECT);
    expect(await seen()).toEqual(monday);
  });

  test('contract §1 each of several future value dates takes effect at its own midnight', async () => {
    const { service, get } = await serving([
      official('2026-11-25', { USD: 830 }),
      official('2026-11-24', { USD: 820 }),
      FRIDAY,
      MONDAY,
    ]);
    const found: unknown[] = [];
    for (const at of [
      EFFECT - 1,
      EFFECT,
      EFFECT + DAY_MS - 1,
      EFFECT + DAY_MS,
      EFFECT + 2 * DAY_MS,
    ]) {
      service.clock.set(at);
      found.push((await get('rates/reference')).json.mid);
    }
    expect(found).toEqual([800, 810, 810, 820, 830]);
  });

  test('contract §1 a future publication is not yet the quote, but /bcv/currencies shows it', async () => {
    const { service, get } = await serving([
      official('2026-11-23', { USD: 810, EUR: 930, CNY: 111 }),
    ]);
    expect(marketsOf(await get('rates'))).toEqual([]);
    expect((await get('rates/reference')).status).toBe(404);
    const currencies = await get('bcv/currencies');
    expect(currencies.json.reference_value_date).toBe('2026-11-23');
    expect(currencies.json.rates).toEqual({ EUR: 930, CNY: 111 });
    service.clock.set(EFFECT);
    expect(marketsOf(await get('rates'))).toEqual(['reference', 'eur_reference']);
  });

  test('contract §1 the newest value date wins, whatever the order of arrival', async () => {
    const { service, get } = await serving([FRIDAY]);
    service.clock.advance(SECOND);
    await service.push(
      official('2026-11-19', { USD: 790, EUR: 910 }, { captured_at: iso(START + SECOND) }),
    );
    expect((await get('rates')).json.rates.map(({ mid }: Row) => mid)).toEqual([800, 920]);
  });

  test('contract §1 of two publications for one value date, the one captured last counts', async () => {
    const { service, get } = await serving([FRIDAY]);
    service.clock.advance(2 * SECOND);
    await service.push(
      official('2026-11-20', { USD: 801 }, { captured_at: iso(START + 2 * SECOND) }),
      official('2026-11-20', { USD: 802 }, { captured_at: iso(START + SECOND) }),
    );
    // A correction of the dollar alone leaves the euro as it was.
    expect((await get('rates')).json.rates.map(({ mid }: Row) => mid)).toEqual([801, 920]);
  });

  test('contract §1 the day is that of Caracas: between 00:00 and 04:00 UTC it is the previous day', async () => {
    const { service, get } = await serving([FRIDAY, official('2026-11-22', { USD: 805 })]);
    const mid = async () => (await get('rates/reference')).json.mid;
    service.clock.set(Date.parse('2026-11-22T00:00:00.000Z'));
    expect(await mid()).toBe(800);
    service.clock.set(Date.parse('2026-11-22T03:59:59.999Z'));
    expect(await mid()).toBe(800);
    service.clock.set(Date.parse('2026-11-22T04:00:00.000Z'));
    expect(await mid()).toBe(805);
  });

  test('contract §1 a service that starts on stored records switches to the next rate at midnight', async () => {
    const dataDir = await temporaryDir();
    const first = await startTestService({ dataDir });
    await first.push(FRIDAY, MONDAY);
    await first.service.close();
    const second = await startTestService({ dataDir, start: EFFECT - 1 });
    const key = await second.keyFor('Gratis');
    const mid = async () => (await second.call('/v1/fx/rates/reference', { key })).json.mid;
    expect(await mid()).toBe(800);
    second.clock.advance(1);
    expect(await mid()).toBe(810);
  });
});

import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { catalogueWith } from '../harness/catalogue.ts';
import { iso, official, P2P, quote } from '../harness/make.ts';
import { type Reply, START, serviceWith, type TestService } from '../harness/service.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `stale_after_sec` of P2P and of the parallel market. */
const P2P_STALE = 900 * SECOND;
const PARALLEL_STALE = 7_200 * SECOND;

const OFFICIAL = official('2026-11-20', { USD: 800, EUR: 920 });
const MARKET = [
  OFFICIAL,
  quote('parallel', 900),
  quote('binance', 850),
  quote('bybit', 851),
  quote('cash', 870),
];
/** When the official rates of `MARKET` are stale. */
const OFFICIAL_STALE_FROM = Date.parse('2026-11-20T04:00:00Z') + 475_201 * SECOND;

const staleIn = ({ headers }: Reply) => headers.get('x-vesfx-stale');

describe('contract §1, §2: X-Vesfx-Stale names the stale quotes that an answer rests on', () => {
  const bulk = { from: 'USD', to: 'VES', amounts: [1] };

  async function all() {
    const { service, key, get } = await serviceWith(MARKET);
    const post = (body: object) =>
      service.call('/v1/fx/bulk/convert', { key, method: 'POST', body });
    const answers: Record<string, () => Promise<Reply>> = {
      rates: () => get('rates'),
      'rates as CSV': () => get('rates?format=csv'),
      rate: () => get('rates/binance'),
      'rate with details': () => get('rates/binance?details=true'),
      convert: () => get('convert?from=USD&to=VES&amount=1&via=binance'),
      bulk: () => post({ ...bulk, market: 'binance' }),
      route: () => get('route?from=USD&to=VES&amount=1'),
      spread: () => get('spread?against=binance'),
      index: () => get('index'),
      calculator: () => get('public/calculator?amount=1&from=USD&to=VES'),
    };
    const told = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(answers).map(async ([name, ask]) => {
            const reply = await ask();
            return [name, reply.status === 200 ? staleIn(reply) : reply.status] as const;
          }),
        ),
      );
    return { service, get, told };
  }

  test('it appears on each of them a second after the threshold, and not before', async () => {
    const { service, told } = await all();
    service.clock.set(START + P2P_STALE + SECOND - 1);
    expect(new Set(Object.values(await told()))).toEqual(new Set([null]));
    service.clock.advance(1);
    const both = 'binance,bybit';
    expect(await told()).toEqual({
      rates: both,
      'rates as CSV': both,
      rate: 'binance',
      'rate with details': 'binance',
      convert: 'binance',
      bulk: 'binance',
      route: both,
      spread: 'binance',
      index: both,
      calculator: both,
    });
  });

  test('it names every stale market of the answer in catalogue order, and only those', async () => {
    const { service, get, told } = await all();
    service.clock.set(START + PARALLEL_STALE + SECOND);
    expect(await told()).toMatchObject({
      rates: 'parallel,binance,bybit',
      index: 'parallel,binance,bybit',
      route: 'binance,bybit',
      calculator: 'parallel,binance,bybit',
    });
    expect(staleIn(await get('rates/cash'))).toBeNull();
    expect(staleIn(await get('convert?from=USD&to=VES&amount=1'))).toBeNull();
    expect(staleIn(await get('route?from=USD&to=VES&amount=1&max_staleness=0'))).toBe(
      'binance,bybit',
    );
    service.clock.set(OFFICIAL_STALE_FROM);
    expect(staleIn(await get('rates'))).toBe('reference,eur_reference,parallel,cash');
    expect(staleIn(await get('spread'))).toBe('reference,parallel');
    expect(staleIn(await get('convert?from=EUR&to=VES&amount=1'))).toBe('eur_reference');
    // The index leaves out an official rate of that age.
    expect(staleIn(await get('index'))).toBe('parallel');
  });

  test('a cached answer gets it at its instant, also with 304 and HEAD, and loses it with a new quote', async () => {
    const { service, key, get } = await serviceWith(MARKET);
    for (const path of ['rates/binance', 'spread?against=binance']) {
      await service.push(quote('binance', 850, { updated_at: iso(service.clock.now()) }));
      const first = await get(path);
      service.clock.advance(P2P_STALE + SECOND - 1);
      expect(staleIn(await get(path))).toBeNull();
      service.clock.advance(1);
      const late = await get(path);
      expect([staleIn(late), late.text]).toEqual(['binance', first.text]);
      const etag = String(first.headers.get('etag'));
      const headers = { 'If-None-Match': etag };
      const kept = await service.call(`/v1/fx/${path}`, { key, headers });
      expect([kept.status, staleIn(kept)]).toEqual([304, 'binance']);
      const head = await service.call(`/v1/fx/${path}`, { key, method: 'HEAD' });
      expect(staleIn(head)).toBe('binance');
      await service.push(quote('binance', 850, { updated_at: iso(service.clock.now()) }));
      expect(staleIn(await get(path))).toBeNull();
    }
  });

  test('it is not on past dates, and not on history', async () => {
    const { service, get } = await serviceWith([
      ...MARKET,
      quote('parallel', 890, { updated_at: iso(START - DAY_MS), captured_at: iso(START - DAY_MS) }),
    ]);
    service.clock.advance(PARALLEL_STALE + SECOND);
    expect(staleIn(await get('rates/parallel'))).toBe('parallel');
    for (const path of [
      'rates?date=2026-11-20',
      'rates/parallel?date=2026-11-20',
      'convert?from=USD&to=VES&amount=1&via=parallel&date=2026-11-20',
      'rates/parallel/history',
    ]) {
      const reply = await get(path);
      expect([path, reply.status, staleIn(reply)]).toEqual([path, 200, null]);
    }
  });

  test.each([20, 21])('it names at most 20 of %i markets', async (count) => {
    const row = { name: 'Casa', name_en: 'House', type: 'p2p', base: 'USD', aliases: [] };
    const ids = Array.from({ length: count }, (_, index) => `house_${index + 1}`);
    const age = { stale_after_sec: 900, drop_after_sec: 172_800, required_plan: null };
    const catalogueDir = await catalogueWith({
      markets: (markets) => markets.push(...ids.map((id) => ({ id, ...row, ...age }))),
    });
    const records = ids.map((id) => quote(id, 850));
    const { service, get } = await serviceWith(records, { config: { catalogueDir } });
    service.clock.advance(P2P_STALE + SECOND);
    expect(staleIn(await get('rates'))?.split(',')).toEqual(ids.slice(0, 20));
  });

  test('the plan limits the markets of rates', async () => {
    const { service, key } = await serviceWith(MARKET, { plan: 'Gratis' });
    service.clock.advance(2 * DAY_MS - SECOND);
    const reply = await service.call('/v1/fx/rates', { key });
    expect(staleIn(reply)).toBe('parallel,binance,bybit');
  });

  test('pages may read it', async () => {
    const { service } = await serviceWith(MARKET);
    const reply = await service.call('/v1/fx/public/calculator?amount=1&from=USD&to=VES');
    expect(reply.headers.get('access-control-expose-headers')?.split(', ')).toContain(
      'X-Vesfx-Stale',
    );
  });
});

describe('contract §1: details tell when a rate becomes stale', () => {
  test('stale_at is updated_at plus stale_after_sec, and stale follows a second later', async () => {
    const { service, get } = await serviceWith(MARKET);
    const path = 'rates/binance?details=true';
    service.clock.set(START + P2P_STALE + SECOND - 1);
    expect((await get(path)).json).toMatchObject({
      stale_after_sec: 900,
      stale_at: iso(START + P2P_STALE),
      stale: false,
    });
    const before = await get(path);
    service.clock.advance(1);
    const after = await get(path);
    expect(after.json.stale).toBe(true);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.headers.get('last-modified')).toBe(new Date(service.clock.now()).toUTCString());
    expect((await get('rates/reference?details=true')).json.stale_at).toBe(
      iso(Date.parse('2026-11-20T04:00:00Z') + 475_200 * SECOND),
    );
    expect((await get('rates/binance')).json.stale_at).toBeUndefined();
  });
});

describe('contract §2: who asks for the index learns which of its sources are stale', () => {
  const P2P_QUOTES = P2P.map((market, position) => quote(market, 850 + position));

  test('§2.10 the flags are four and no other; headers name what is stale', async () => {
    const { service, get } = await serviceWith([OFFICIAL, quote('parallel', 900), ...P2P_QUOTES]);
    const told = async () => {
      const [index, rates] = [await get('index'), await get('rates')];
      expect(rates.json.index).toEqual(index.json);
      return {
        flags: index.json.flags,
        stale: index.headers.get('x-vesfx-stale')?.split(',').length ?? 0,
      };
    };
    service.clock.set(START + P2P_STALE - 2 * SECOND);
    expect(await told()).toEqual({ flags: {}, stale: 0 });
    service.clock.set(START + P2P_STALE + SECOND);
    expect(await told()).toEqual({ flags: {}, stale: 7 });
    expect((await get('index')).headers.get('last-modified')).toBe(
      new Date(service.clock.now()).toUTCString(),
    );
    service.clock.set(START + PARALLEL_STALE + SECOND);
    expect(await told()).toEqual({ flags: {}, stale: 8 });
    await service.push(quote('saldo', 852, { updated_at: iso(service.clock.now()) }));
    expect(await told()).toEqual({ flags: {}, stale: 7 });
  });

  test('a fresh quote that is an outlier is not used, so it keeps nothing fresh', async () => {
    const { service, get } = await serviceWith([
      OFFICIAL,
      ...P2P_QUOTES.slice(0, 6),
      quote('saldo', 5_000),
    ]);
    service.clock.set(START + P2P_STALE + SECOND);
    await service.push(quote('saldo', 5_000, { updated_at: iso(service.clock.now()) }));
    const flags = { missing_sources: ['paralelo'], outliers_excluded: ['saldo'] };
    expect((await get('index')).json.flags).toEqual(flags);
  });

  test('a source that is not used is missing, not stale', async () => {
    const { service, get } = await serviceWith([OFFICIAL, ...P2P_QUOTES]);
    service.clock.set(START + PARALLEL_STALE + SECOND);
    const flags = { missing_sources: ['paralelo'] };
    expect((await get('index')).json.flags).toEqual(flags);
  });
});

describe('contract §10: no change is told of a quote that is older than the period', () => {
  test('a quote that is exactly as old as the period is compared, an older one is not', async () => {
    const { service, get } = await serviceWith(MARKET);
    const rows = async (query = '') =>
      Object.fromEntries(
        (await get(`changes${query}`)).json.changes.map((row: { market: string }) => [
          row.market,
          Object.keys(row).includes('before') || Object.keys(row).includes('change'),
        ]),
      );
    service.clock.set(START + DAY_MS);
    expect(await rows()).toMatchObject({ parallel: true, cash: true, reference: true });
    service.clock.advance(1);
    expect(await rows()).toMatchObject({ parallel: false, cash: false, reference: true });
    expect(await rows('?period=7d')).toMatchObject({ parallel: false });
  });
});

describe('contract §1: no answer shows an updated_at after the request', () => {
  const times = (text: string) =>
    [...text.matchAll(/"updated_at":"([^"]+)"/g)].map(([, time = '']) => Date.parse(time));
  const PATHS = [
    '/v1/fx/rates',
    '/v1/fx/rates/parallel',
    '/v1/fx/rates/parallel?details=true',
    '/v1/fx/rates/parallel?date=2026-11-21',
    '/v1/fx/rates/parallel/history?granularity=raw',
    '/v1/fx/rates/parallel/history',
    '/v1/fx/changes',
    '/v1/fx/convert?from=USD&to=VES&amount=1&via=parallel',
    '/v1/fx/spread',
    '/v1/fx/public/calculator?amount=1&from=USD&to=VES',
  ];

  async function allTimes(service: TestService, key: string) {
    const found: (readonly [string, number])[] = [];
    for (const path of PATHS) {
      const reply = await service.call(path, path.startsWith('/v1/fx') ? { key } : {});
      expect([path, reply.status]).toEqual([path, 200]);
      const shown = times(reply.text);
      expect(shown.length).toBeGreaterThan(0);
      const late = shown.filter((time) => time > service.clock.now());
      found.push(...late.map((time) => [path, time] as const));
      const modified = Date.parse(reply.headers.get('last-modified') ?? '');
      if (modified > service.clock.now()) found.push([path, modified]);
      const { fetched_at } = reply.json;
      if (Date.parse(fetched_at) > service.clock.now()) found.push([path, fetched_at]);
    }
    return found;
  }

  test('a quote that its source dates ahead counts as dated at its reading', async () => {
    const { service, key, get } = await serviceWith([OFFICIAL, quote('binance', 850)]);
    await service.push(quote('parallel', 900, { updated_at: iso(START + 4 * MINUTE) }));
    expect(await allTimes(service, key)).toEqual([]);
    const shown = async () => (await get('rates/parallel')).json.updated_at;
    expect(await shown()).toBe(iso(START));
    // The stated time means nothing, so the age does not start again when it comes.
    service.clock.advance(4 * MINUTE);
    await service.push(quote('binance', 851, { updated_at: iso(START + 4 * MINUTE) }));
    expect(await shown()).toBe(iso(START));
  });

  test('nor for a reading that is dated ahead, as long as it is', async () => {
    const { service, key, get } = await serviceWith([OFFICIAL, quote('parallel', 890)]);
    const ahead = { updated_at: iso(START + 4 * MINUTE), captured_at: iso(START + 5 * MINUTE) };
    await service.push(quote('parallel', 900, ahead));
    expect((await get('rates/parallel')).json).toMatchObject({ mid: 900, updated_at: iso(START) });
    expect(await allTimes(service, key)).toEqual([]);
  });

  test('nor after the clock was set back, or where the clock of another process is ahead', async () => {
    const early = { updated_at: iso(START - HOUR), captured_at: iso(START - HOUR) };
    const records = [OFFICIAL, quote('parallel', 890, early)];
    const { service, key, get } = await serviceWith(records);
    const minimal = { kind: 'quote', market: 'parallel' };
    await service.push({ ...minimal, mid: 900 });
    service.clock.set(START - 4 * MINUTE);
    expect(await allTimes(service, key)).toEqual([]);
    // A record without a time is captured now, and still follows the one before.
    await service.push({ ...minimal, mid: 901 });
    expect((await get('rates/parallel')).json).toMatchObject({
      mid: 901,
      updated_at: iso(START - 4 * MINUTE),
    });
    expect(await allTimes(service, key)).toEqual([]);
  });

  test('a rate that has not taken effect is dated at its reading', async () => {
    const publishedAt = '2026-11-20T21:00:00.000Z';
    const { service, key, get } = await serviceWith([
      OFFICIAL,
      official('2026-11-24', { USD: 810 }, { captured_at: publishedAt }),
    ]);
    const path = 'rates/reference?date=2026-11-21&rule=next_banking_day';
    expect((await get(path)).json).toMatchObject({
      mid: 810,
      updated_at: publishedAt,
      effective_date: '2026-11-24',
      as_of: { value_date: '2026-11-24', captured_at: publishedAt },
    });
    const body = { from: 'USD', to: 'VES', amounts: [1], date: '2026-11-21' };
    const asked = { key, method: 'POST', body: { ...body, rule: 'next_banking_day' } };
    const { json } = await service.call('/v1/fx/bulk/convert', asked);
    expect(json.updated_at).toBe(publishedAt);
    service.clock.set(Date.parse('2026-11-24T04:00:00Z'));
    expect((await get(path)).json).toMatchObject({
      updated_at: '2026-11-24T04:00:00.000Z',
      as_of: { captured_at: '2026-11-24T04:00:00.000Z' },
    });
  });
});

describe('contract §1, §9: captured_at of an official day is the same in history and in as_of', () => {
  test.each([
    ['read on its eve', '2026-11-18T21:00:00Z', '2026-11-19T04:00:00.000Z'],
    ['read on its day', '2026-11-19T15:00:00Z', '2026-11-19T15:00:00.000Z'],
    ['read when a newer one is in force', '2026-11-20T15:00:00Z', '2026-11-19T04:00:00.000Z'],
  ])('of a rate %s', async (_, captured_at, expected) => {
    const { get } = await serviceWith([
      official('2026-11-18', { USD: 798 }, { captured_at: '2026-11-17T21:00:00Z' }),
      official('2026-11-20', { USD: 800 }, { captured_at: '2026-11-19T21:00:00Z' }),
      official('2026-11-19', { USD: 799 }, { captured_at }),
    ]);
    const { points } = (await get('rates/reference/history?from=2026-11-19&to=2026-11-19')).json;
    const { as_of } = (await get('rates/reference?date=2026-11-19')).json;
    expect([points[0].rate, points[0].captured_at]).toEqual([799, expected]);
    expect(as_of.captured_at).toBe(expected);
    const all = (await get('rates?date=2026-11-19')).json;
    expect(all.rates[0].as_of.captured_at).toBe(expected);
  });
});

import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import { MIDNIGHT, REFORM_FACTOR, reformCatalogue } from '../harness/reform.ts';
import { START, serviceWith } from '../harness/service.ts';

/** A catalogue with the reform. */
const withReform = async (on?: string) => ({
  config: { catalogueDir: await reformCatalogue(on) },
});

const FRIDAY = '2026-11-20';

const RECORDS = [
  official('2026-11-19', { USD: 800, EUR: 920 }, { captured_at: iso(START - 2 * DAY_MS) }),
  official(FRIDAY, { USD: 801.2345, EUR: 921.42 }),
  bankTable(FRIDAY, [{ bank: 'Banesco', buy: 799.1, sell: 801.9 }]),
  quote('parallel', 950.55, { ask: 951.25, bid: 949.85 }),
  quote('binance', 940),
  quote('bybit', 944),
];

describe('the current figures at a redenomination (contract §1)', () => {
  test('are as they were until midnight in Caracas, and divided from then on', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    const parallel = async () => (await get('rates/parallel')).json;
    service.clock.set(MIDNIGHT - 1);
    const before = await get('rates/parallel');
    expect(before.json).toMatchObject({ mid: 950.55, ask: 951.25, bid: 949.85 });
    service.clock.set(MIDNIGHT);
    expect(await parallel()).toMatchObject({ mid: 0.95055, ask: 0.95125, bid: 0.94985 });
    // A cache must not go on showing the old unit.
    const again = await service.call('/v1/fx/rates/parallel', {
      key: await service.keyFor('Escala'),
      headers: { 'If-Modified-Since': before.headers.get('last-modified') ?? '' },
    });
    expect(again.status).toBe(200);
  });

  test('a quote of the new unit replaces a divided one as it is', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    service.clock.set(MIDNIGHT + MINUTE_MS);
    const now = iso(MIDNIGHT + MINUTE_MS);
    await service.push(quote('binance', 0.941, { updated_at: now, captured_at: now }));
    const { rates } = (await get('rates')).json;
    const mids = rates.map(({ market, mid }: { market: string; mid: number }) => [market, mid]);
    expect(Object.fromEntries(mids)).toEqual({
      reference: 0.8012345,
      eur_reference: 0.92142,
      parallel: 0.95055,
      binance: 0.941,
      bybit: 0.944,
    });
  });

  test('conversions, index, spread and route rest on the divided figures', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    const old = (await get('index')).json.value;
    service.clock.set(MIDNIGHT + HOUR_MS);
    const converted = (await get('convert?from=VES&to=USD&amount=801.2345')).json;
    expect(converted.to.amount).toBe(1_000);
    expect((await get('index')).json.value).toBeCloseTo(old / REFORM_FACTOR, 4);
    const spread = (await get('spread?against=parallel')).json;
    expect(spread).toMatchObject({ reference: { value: 0.8012345 }, compared: { value: 0.95055 } });
    const route = await get('route?from=USD&to=VES&amount=100&max_staleness=86400');
    expect(route.json.best).toMatchObject({ rate: 0.944, amount: 94.4 });
  });

  test('the official rates around today are in one unit, and the next in that of its day', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    await service.push(official('2026-11-23', { USD: 0.803, EUR: 0.9234 }));
    const usd = async () => (await get('official')).json.rates.USD;
    expect(await usd()).toMatchObject({
      previous: { rate: 800 },
      in_force: { rate: 801.2345, change: { amount: 1.2345 } },
      next: { rate: 0.803, change: { amount: 0.0017655, percent: 0.2203 } },
    });
    service.clock.set(MIDNIGHT);
    expect(await usd()).toMatchObject({
      previous: { rate: 0.8 },
      in_force: { rate: 0.8012345, change: { amount: 0.0012345, percent: 0.1543 } },
      next: { rate: 0.803 },
    });
    service.clock.set(MIDNIGHT + DAY_MS);
    expect(await usd()).toMatchObject({
      previous: { rate: 0.8012345 },
      in_force: { rate: 0.803, change: { amount: 0.0017655 } },
    });
  });

  test('a held rate of before today is in the unit of today, and one of a later day in its own', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    const held = [
      official('2026-11-21', { USD: 805, EUR: 925 }),
      official('2026-11-28', { USD: 0.806, EUR: 0.926 }),
    ];
    const lines = recordsIn(held.map((record) => JSON.stringify(record)));
    await service.service.ingest.ingest(lines, { source: 'bcv-official', isPage: true });
    await service.service.changePoller.poll();
    const inDoubt = async () =>
      (await get('official')).json.in_doubt.flatMap(
        ({ currency, value_date: date, rate }: Record<string, unknown>) =>
          currency === 'USD' ? [[date, rate]] : [],
      );
    service.clock.set(MIDNIGHT - 1);
    expect(await inDoubt()).toEqual([
      ['2026-11-21', 805],
      ['2026-11-28', 0.806],
    ]);
    service.clock.set(MIDNIGHT);
    expect(await inDoubt()).toEqual([
      ['2026-11-21', 0.805],
      ['2026-11-28', 0.806],
    ]);
  });

  test("the central bank's table and currencies are divided too", async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    service.clock.set(MIDNIGHT - 1);
    expect((await get('bcv/currencies')).json.rates).toEqual({ EUR: 921.42 });
    expect((await get('bcv/banks')).json.bank_rates[0]).toMatchObject({ buy: 799.1, sell: 801.9 });
    service.clock.set(MIDNIGHT);
    expect((await get('bcv/currencies')).json.rates).toEqual({ EUR: 0.92142 });
    expect((await get('bcv/banks')).json.bank_rates[0]).toMatchObject({
      buy: 0.7991,
      sell: 0.8019,
    });
  });

  test('a past day is in its own unit, and a rate carried into the new unit is divided', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform());
    service.clock.set(MIDNIGHT + HOUR_MS);
    expect((await get('rates/reference?date=2026-11-21')).json.mid).toBe(801.2345);
    expect((await get('rates/reference?date=2026-11-22')).json.mid).toBe(0.8012345);
    expect((await get('rates/parallel?date=2026-11-21')).json.mid).toBe(950.55);
  });

  test('a reform of before the stored figures changes nothing', async () => {
    const { service, get } = await serviceWith(RECORDS, await withReform('2021-10-01'));
    service.clock.set(MIDNIGHT);
    expect((await get('rates/parallel')).json.mid).toBe(950.55);
  });
});

const capture = (mid: number, at: number) =>
  quote('parallel', mid, { updated_at: iso(at), captured_at: iso(at) });

/** Two captures before midnight and two after it on the day of the change, and one on the next day. */
const SERIES = [
  capture(900, MIDNIGHT - 40 * HOUR_MS),
  capture(950, MIDNIGHT - 3 * HOUR_MS),
  capture(940, MIDNIGHT - HOUR_MS),
  capture(0.96, MIDNIGHT + HOUR_MS),
  capture(0.93, MIDNIGHT + 2 * HOUR_MS),
  capture(0.97, MIDNIGHT + DAY_MS),
];

const CHANGE = [{ on: '2026-11-22', factor: REFORM_FACTOR }];

async function withSeries() {
  const world = await serviceWith(SERIES, { ...(await withReform()), start: MIDNIGHT + DAY_MS });
  const range = 'from=2026-11-20&to=2026-11-23';
  const ask = async (path: string) => (await world.get(`rates/parallel/${path}`)).json;
  return { ...world, range, ask };
}

/** The rate of Friday was first read on a day of the new unit, at 12:00 UTC. */
async function withLateRate(readOn: string) {
  const start = Date.parse(`${readOn}T12:00:00Z`);
  const records = [
    official('2026-11-19', { USD: 800, EUR: 920 }, { captured_at: '2026-11-18T21:00:00Z' }),
    official(FRIDAY, { USD: 801.2345, EUR: 921.42 }, { captured_at: iso(start) }),
  ];
  const world = await serviceWith(records, { ...(await withReform()), start });
  const ask = async (path: string) => (await world.get(`rates/reference/${path}`)).json;
  return { ...world, ask };
}

describe('series over a redenomination (contract §10)', () => {
  const ratesIn = ({ points }: { points: { rate: number }[] }) => points.map(({ rate }) => rate);

  test('history is in the unit of each day and names the change; adjusted=true is in the newest', async () => {
    const { ask, range } = await withSeries();
    const series = await ask(`history?${range}`);
    expect(ratesIn(series)).toEqual([900, 0.93, 0.97]);
    expect(series.unit_changes).toEqual(CHANGE);
    const adjusted = await ask(`history?${range}&adjusted=true`);
    expect(ratesIn(adjusted)).toEqual([0.9, 0.93, 0.97]);
    expect(adjusted).not.toHaveProperty('unit_changes');
    expect(await ask(`history?${range}&adjusted=false`)).toEqual(series);
    const raw = await ask(`history?${range}&granularity=raw`);
    expect(ratesIn(raw)).toEqual([900, 950, 940, 0.96, 0.93, 0.97]);
    const rawAdjusted = await ask(`history?${range}&granularity=raw&adjusted=true`);
    expect(ratesIn(rawAdjusted)).toEqual([0.9, 0.95, 0.94, 0.96, 0.93, 0.97]);
  });

  test('a range names a change from its first day until today', async () => {
    const { ask } = await withSeries();
    const changesOf = async (range: string) => (await ask(`history?${range}`)).unit_changes;
    expect(await changesOf('from=2026-11-22&to=2026-11-23')).toEqual(CHANGE);
    expect(await changesOf('from=2026-11-20&to=2026-11-22')).toEqual(CHANGE);
    expect(await changesOf('from=2026-11-23&to=2026-11-23')).toBeUndefined();
    expect(await changesOf('from=2026-11-20&to=2026-11-21')).toEqual(CHANGE);
  });

  test('a point is in the unit in which its day ends', async () => {
    const { service, ask } = await withSeries();
    expect((await ask('history?date=2026-11-21')).rate).toBe(900);
    expect((await ask('history?date=2026-11-21&adjusted=true')).rate).toBe(0.9);
    expect((await ask('history?date=2026-11-22')).rate).toBe(0.93);
    service.clock.set(MIDNIGHT - 1);
    expect((await ask('history?date=2026-11-22')).rate).toBe(940);
    service.clock.set(MIDNIGHT);
    expect((await ask('history?date=2026-11-22')).rate).toBe(0.94);
  });

  test('candles of the day and of the week of the change are in the unit of their end', async () => {
    const { ask, range } = await withSeries();
    const days = await ask(`candles?${range}`);
    const figures = ({ open, high, low, close, captures }: Record<string, number>) => [
      ...[open, high, low, close, captures],
    ];
    expect(days.unit_changes).toEqual(CHANGE);
    expect(days.candles.map(figures)).toEqual([
      [900, 900, 900, 900, 1],
      [0.95, 0.96, 0.93, 0.93, 4],
      [0.97, 0.97, 0.97, 0.97, 1],
    ]);
    const adjusted = await ask(`candles?${range}&adjusted=true`);
    expect(adjusted).not.toHaveProperty('unit_changes');
    expect(adjusted.candles.map(figures)[0]).toEqual([0.9, 0.9, 0.9, 0.9, 1]);
    const weeks = await ask('candles?interval=week&from=2026-11-16&to=2026-11-22');
    expect(weeks.candles.map(figures)).toEqual([[0.9, 0.96, 0.9, 0.93, 5]]);
    const history = await ask('history?group=week&from=2026-11-16&to=2026-11-22');
    expect(ratesIn(history)).toEqual([0.93]);
  });

  test('a week that the range cuts before the change is in the unit in which the range ends', async () => {
    const { ask } = await withSeries();
    const cut = 'from=2026-11-16&to=2026-11-20';
    const candles = await ask(`candles?interval=week&${cut}`);
    expect(candles.unit_changes).toEqual(CHANGE);
    expect(candles.candles[0]).toMatchObject({ open: 900, high: 900, low: 900, close: 900 });
    expect(ratesIn(await ask(`history?group=week&${cut}`))).toEqual([900]);
    expect(ratesIn(await ask(`history?group=week&${cut}&adjusted=true`))).toEqual([0.9]);
  });

  test('the running candle of the last evening is in the old unit', async () => {
    const { service, ask } = await withSeries();
    service.clock.set(MIDNIGHT - 1);
    const { candles } = await ask('candles?from=2026-11-22&to=2026-11-22');
    expect(candles[0]).toMatchObject({ open: 950, high: 950, low: 940, close: 940 });
  });

  test('an official rate read late is in the unit of the day of its capture, everywhere', async () => {
    const { ask } = await withLateRate('2026-11-23');
    const range = 'from=2026-11-19&to=2026-11-23';
    for (const path of ['history?', 'history?granularity=raw&']) {
      const series = await ask(`${path}${range}`);
      expect(series.unit_changes).toEqual(CHANGE);
      expect(ratesIn(series)).toEqual([800, 0.8012345]);
      expect(ratesIn(await ask(`${path}${range}&adjusted=true`))).toEqual([0.8, 0.8012345]);
    }
    expect((await ask('history?date=2026-11-23')).rate).toBe(0.8012345);
    for (const from of ['2026-11-19', '2026-11-23']) {
      expect(ratesIn(await ask(`history?from=${from}&to=2026-11-23`)).at(-1)).toBe(0.8012345);
      const { open, high, low, close } = (await ask(`candles?from=${from}`)).candles.at(-1);
      expect([open, high, low, close]).toEqual(Array(4).fill(0.8012345));
    }
  });

  test('an official rate read late on the day of the change gives a candle in one unit', async () => {
    const { ask } = await withLateRate('2026-11-22');
    const [candle] = (await ask('candles?from=2026-11-22&to=2026-11-22')).candles;
    const { open, high, low, close } = candle;
    expect([open, high, low, close]).toEqual(Array(4).fill(0.8012345));
  });

  test('a change from an official rate read late is in one unit', async () => {
    const { service, get } = await withLateRate('2026-11-22');
    service.clock.set(MIDNIGHT + 2 * DAY_MS);
    const { changes, ...rest } = (await get('changes?markets=reference')).json;
    expect(rest).toEqual({ period: '1d' });
    expect(changes[0]).toMatchObject({ before: { rate: 0.8012345 }, change: { amount: 0 } });
  });

  test('a change across units is absent, and adjusted=true gives it', async () => {
    const { service, get } = await withSeries();
    const changes = async (more = '') => (await get(`changes?markets=parallel${more}`)).json;
    const before = { rate: 940, captured_at: iso(MIDNIGHT - HOUR_MS) };
    const row = { market: 'parallel', rate: 0.97, updated_at: iso(MIDNIGHT + DAY_MS) };
    expect(await changes()).toEqual({
      period: '1d',
      unit_changes: CHANGE,
      changes: [{ ...row, before }],
    });
    expect(await changes('&adjusted=true')).toEqual({
      period: '1d',
      changes: [
        {
          ...row,
          before: { ...before, rate: 0.94 },
          change: { amount: 0.03, percent: 3.1915 },
        },
      ],
    });
    service.clock.advance(2 * HOUR_MS);
    const later = await changes();
    expect(later).not.toHaveProperty('unit_changes');
    expect(later.changes[0].change.percent).toBe(4.3011);
  });

  test('every format names the change in a header, and no other answer has it', async () => {
    const { get, range } = await withSeries();
    for (const path of ['history', 'candles']) {
      for (const format of ['json', 'csv', 'xml']) {
        const reply = await get(`rates/parallel/${path}?${range}&format=${format}`);
        expect(reply.headers.get('X-Vesfx-Unit-Changes')).toBe('2026-11-22=1000');
      }
      const adjusted = await get(`rates/parallel/${path}?${range}&adjusted=true`);
      expect(adjusted.headers.get('X-Vesfx-Unit-Changes')).toBeNull();
    }
    const csv = await get('changes?markets=parallel&format=csv');
    expect(csv.headers.get('X-Vesfx-Unit-Changes')).toBe('2026-11-22=1000');
  });

  test('any other value of adjusted is refused', async () => {
    const { get } = await withSeries();
    for (const path of ['rates/parallel/history', 'rates/parallel/candles', 'changes']) {
      const reply = await get(`${path}?adjusted=yes`);
      expect([reply.status, reply.json.field]).toEqual([400, 'adjusted']);
    }
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import { START, serviceWith, temporaryDir } from '../harness/service.ts';

/** Midnight in Caracas before Sunday, when one new bolívar becomes a thousand old ones. */
const MIDNIGHT = Date.parse('2026-11-22T04:00:00Z');

const FACTOR = 1_000;

/** A catalogue with the reform. */
async function withReform(on = '2026-11-22') {
  const catalogueDir = await temporaryDir();
  const reforms = [{ on, factor: FACTOR, name: 'bolívar de prueba' }];
  await writeFile(join(catalogueDir, 'redenominations.json'), JSON.stringify(reforms));
  return { config: { catalogueDir } };
}

const FRIDAY = '2026-11-20';

const RECORDS = [
  official('2026-11-19', { USD: 800, EUR: 920 }, { captured_at: iso(START - 2 * DAY_MS) }),
  official(FRIDAY, { USD: 801.2345, EUR: 921.42 }),
  bankTable(FRIDAY, [{ bank: 'Banesco', buy: 799.1, sell: 801.9 }]),
  quote('parallel', 950.55, { ask: 951.25, bid: 949.85 }),
  quote('binance', 940),
  quote('bybit', 944),
];

describe('the current figures at a redenomination (decisions §1)', () => {
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
    expect((await get('index')).json.value).toBeCloseTo(old / FACTOR, 4);
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

import { describe, expect, test } from 'vitest';
import { prune } from '../../src/core/app/prune.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/domain/time.ts';
import { HELD, judging } from '../harness/judging.ts';
import { capture, iso, official, quote, quotesAt } from '../harness/make.ts';
import { ADMIN_TOKEN, START } from '../harness/service.ts';

/* Readings that arrive after later ones (contract §8, "Order"). */

const at = (mid: number, time: number) => capture(mid, iso(time));

/** A quote that is published until one of a minute before it arrives, and makes it a jump. */
const JUMP = START + 120 * SECOND_MS;
const late = at(770, JUMP - 60 * SECOND_MS);
const published = at(1_150, JUMP);

async function withReadings(readings: readonly object[]) {
  const market = await judging();
  market.service.clock.set(JUMP);
  const rate = official('2026-11-20', { USD: 800, EUR: 920 });
  await market.service.push(rate, ...readings);
  await market.ingestAll([published]);
  expect(await market.mid()).toBe(1_150);
  return market;
}

const candle = async ({ get }: Awaited<ReturnType<typeof judging>>, day: string) => {
  const { candles } = await get(`rates/parallel/candles?from=${day}&to=${day}`);
  return candles.map(({ open, high, low, close }: Record<string, number>) => ({
    ...{ open, high, low, close },
  }));
};

describe('a late reading that makes a published quote doubtful (contract §8)', () => {
  test('withdraws it from a day with any number of captures', async () => {
    const readings = Array.from({ length: 7_000 }, (_, place) =>
      at(900 + (place % 7), START - place * SECOND_MS),
    );
    const market = await withReadings(readings);
    expect(await market.ingestAll([late])).toMatchObject({ accepted: 1 });
    expect(await market.mid()).toBe(770);
    expect(await candle(market, '2026-11-21')).toEqual([
      { open: 900 + (6_999 % 7), high: 906, low: 770, close: 770 },
    ]);
  });

  test('leaves the candle of a thinned day as it was', async () => {
    const market = await withReadings([
      ...[at(900, START - 240_000), at(1_160, START - 180_000), at(820, START - 120_000)],
      at(910, START),
    ]);
    market.service.clock.set(START + 2 * DAY_MS);
    const { markets } = await prune(market.store, { before: JUMP });
    expect(markets.some(({ thinned }) => thinned > 0)).toBe(true);
    expect(await market.ingestAll([late])).toMatchObject({ accepted: 1 });
    expect(await candle(market, '2026-11-21')).toEqual([
      { open: 900, high: 1_160, low: 770, close: 770 },
    ]);
  });
});

/** Pushes a record to a process that has judged nothing yet. */
async function pushed({ service }: Awaited<ReturnType<typeof judging>>, record: object) {
  const headers = { 'X-Admin-Token': ADMIN_TOKEN, 'Content-Type': 'application/x-ndjson' };
  const body = JSON.stringify(record);
  const { json } = await service.call('/v1/admin/records', { method: 'POST', headers, body });
  return json;
}

describe('a late reading beside readings of days before and after (contract §8)', () => {
  test('is what the next reading is compared with, however much later that was read', async () => {
    const market = await judging();
    const daysLater = (days: number) => START + days * DAY_MS;
    await market.service.push(official('2026-11-20', { USD: 800, EUR: 920 }), at(900, START));
    market.service.clock.set(daysLater(8));
    for (const mid of [1_150, 1_160]) await market.ingestAll([at(mid, daysLater(8) + mid)]);
    expect(await market.mid()).toBe(1_160);
    expect(await pushed(market, at(770, daysLater(2)))).toMatchObject({ accepted: 1 });
    expect(await market.reasons()).toEqual(['moved', 'moved']);
    const { corrections } = await market.get('corrections');
    expect(corrections).toHaveLength(2);
  });

  test('leaves the time since which an unchanged quote is the same', async () => {
    const market = await judging();
    await market.service.push(official('2026-11-20', { USD: 800, EUR: 920 }));
    for (let hours = 0; hours <= 9 * 24; hours += 1) {
      const time = START + hours * HOUR_MS;
      market.service.clock.set(time);
      await market.ingestAll([at(900, time)]);
    }
    const details = () => market.get('rates/parallel?details=true');
    expect(await details()).toMatchObject({ unchanged_since: iso(START), frozen: true });
    const time = START + 9 * DAY_MS - 90_000;
    const other = quote('cash', 910, { captured_at: iso(time), updated_at: iso(time) });
    expect(await pushed(market, other)).toMatchObject({ accepted: 1 });
    expect(await details()).toMatchObject({ unchanged_since: iso(START), frozen: true });
  });
});

describe('batches that arrive at once (contract §8)', () => {
  test('are judged like those that arrive one after another', async () => {
    const market = await judging();
    const times = [0, 200, 400, 600].map((sec) => START + sec * SECOND_MS);
    market.service.clock.set(times.at(-1) ?? START);
    const rate = official('2026-11-20', { USD: 800, EUR: 920 });
    await market.service.push(rate, at(900, START - SECOND_MS));
    const counts = await Promise.all(times.map((time) => market.ingestAll([at(1_300, time)])));
    expect(counts.map(({ held }) => held)).toEqual([1, 1, 1, 0]);
    expect(await market.reasons()).toEqual([]);
    expect(await market.mid()).toBe(1_300);
  });
});

describe('a reading that a batch has twice (contract §8)', () => {
  test('counts once among what the others show', async () => {
    const { ingestAll } = await judging();
    const two = quotesAt(START, { binance: 900, okx: 900 });
    const between = () => [200, 3_000] as const;
    expect(await ingestAll([...two, ...two], { between })).toEqual({
      ...HELD,
      held: 2,
      duplicate: 2,
    });
  });
});

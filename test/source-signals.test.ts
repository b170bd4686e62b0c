import { describe, expect, test } from 'vitest';
import { caracasDayOf, DAY_MS, MINUTE_MS } from '../src/core/domain/time.ts';
import { collecting, testSource } from './harness/collecting.ts';

/** The health of a source after repeated readings. */

const START = Date.parse('2026-11-20T16:00:00Z');
const quote = (market: string, mid: number) => ({ kind: 'quote', market, mid });
const published = (valueDate: string, usd: number) => [
  { kind: 'official', value_date: valueDate, rates: { USD: usd, EUR: usd * 1.2 } },
];

describe('the health of a source that was read', () => {
  test('contract §8: names a market without a quote for 30 minutes', async () => {
    const feed = await testSource('feed', { markets: ['parallel', 'cash'] });
    feed.upstream.says([quote('parallel', 900), quote('cash', 905)]);
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.says([quote('parallel', 900)]);
    const health = async () => (await site.watch.health()).sources[0];
    for (let minute = 1; minute <= 30; minute += 1) await site.at(START + minute * MINUTE_MS);
    expect(await health()).toMatchObject({ condition: 'ok' });
    await site.at(START + 31 * MINUTE_MS);
    expect(await health()).toMatchObject({ condition: 'incomplete', missingMarkets: ['cash'] });
    feed.upstream.says([quote('parallel', 900), quote('cash', 906)]);
    await site.at(START + 32 * MINUTE_MS);
    expect(await health()).toMatchObject({ condition: 'ok' });
  });

  test('contract §8: reports that a page went back, and rates stay at the newest publication', async () => {
    const bank = await testSource('bank');
    const site = await collecting([bank]);
    const read = async (minute: number, records: readonly object[]) => {
      bank.upstream.says(records);
      await site.at(START + minute * MINUTE_MS);
      return (await site.watch.health()).sources[0];
    };
    expect((await read(0, published('2026-11-20', 880)))?.pageWentBack).toBeUndefined();
    expect((await read(1, published('2026-11-24', 881)))?.pageWentBack).toBeUndefined();
    expect(await read(2, published('2026-11-20', 880))).toMatchObject({ pageWentBack: true });
    const { quotes } = await site.store.currentRecords(caracasDayOf(START + 4 * DAY_MS));
    expect(quotes.filter(({ market }) => market === 'reference').at(-1)).toMatchObject({
      mid: 881,
    });
    expect((await read(3, published('2026-11-24', 881)))?.pageWentBack).toBeUndefined();
  });
});

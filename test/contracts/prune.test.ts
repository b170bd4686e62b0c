import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestOf } from '../../faults/replay/desk.ts';
import { LeaseLost } from '../../src/core/app/failures.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { MAX_FUTURE_MS } from '../../src/core/app/ingest/record-entry.ts';
import type { StoredQuote } from '../../src/core/app/ports/quotes.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { prune, rawKeptFrom } from '../../src/core/app/prune.ts';
import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { plans as plansOf } from '../../src/core/domain/plans.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { day } from '../../testkit/day.ts';
import { capture, official } from '../harness/make.ts';
import { append, ENGINES, quote, quoteEntry, type Site, storeForEachTest, yes } from './engines.ts';

const MARKETS = ['parallel', 'reference'];
const DATES = ['2026-11-20', '2026-11-23'];
const FIRST_DAY = -2;
const LAST_DAY = 4;

/** Few distinct values around midnights, before and after 1970, so that ties are common. */
const storedQuote: fc.Arbitrary<StoredQuote> = fc
  .record({
    market: fc.constantFrom(...MARKETS),
    mid: fc.integer({ min: 1, max: 4 }),
    updatedAt: fc.integer({ min: 0, max: 3 }),
    capturedAt: fc
      .tuple(
        fc.integer({ min: FIRST_DAY + 1, max: LAST_DAY }),
        fc.constantFrom(-1, 0, 1, DAY_MS / 2),
      )
      .map(([days, offset]) => days * DAY_MS + offset),
    effectiveDate: fc.option(fc.constantFrom(...DATES), { nil: undefined }),
  })
  .map(({ effectiveDate, market, ...rest }) => ({
    ...rest,
    market,
    // Only official markets have value dates.
    ...(market === 'reference' && { effectiveDate: day(effectiveDate ?? '2026-11-19') }),
  }));
const batches = fc.array(fc.array(storedQuote, { maxLength: 25 }), { maxLength: 4 });

describe.each(ENGINES)('pruning on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  const all = { start: FIRST_DAY * DAY_MS, end: (LAST_DAY + 2) * DAY_MS };

  /** Every answer that thinning must leave as it is. */
  async function answers(before: number) {
    const days = Array.from({ length: LAST_DAY - FIRST_DAY + 2 }, (_, n) => FIRST_DAY + n);
    const ofMarkets = MARKETS.map(async (market) => ({
      daily: await store.lastCaptureOfEachDay(market, all.start, all.end),
      points: await Promise.all(
        days.map((at) => store.lastCaptureBefore(market, (at + 1) * DAY_MS)),
      ),
      raw: await store.latestCaptures(market, { ...all, start: before }, 1_000),
      official: await Promise.all(DATES.map((date) => store.officialRateUpTo(market, day(date)))),
    }));
    return {
      markets: await Promise.all(ofMarkets),
      current: await store.currentRecords(day('2026-11-21')),
      standing: (await store.standingQuotes('test')).map(({ market }) => market),
      newest: await store.lastBatchOf('test'),
    };
  }

  test('§4.3 pruning changes no daily, point or raw answer within retention and no official rate', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: -2, max: 5 }), async (given, firstShown) => {
        site = create();
        store = await site.open();
        for (const [at, quotes] of given.entries()) {
          // No capture time exceeds its batch's arrival by more than the allowed future.
          const received = quotes.map(({ capturedAt }) => capturedAt - MAX_FUTURE_MS);
          await append(store, quotes.map(quoteEntry), Math.max(at, ...received));
        }
        const before = firstShown * DAY_MS;
        const was = await answers(before);
        const counted = await prune(store, { before, dryRun: true });
        expect(await answers(before)).toEqual(was);
        const { markets } = await prune(store, { before });
        expect(markets).toEqual(counted.markets);
        expect(await answers(before)).toEqual(was);
        // Each day and value date has one capture left, so nothing remains to be removed.
        const again = await prune(store, { before });
        expect(again.markets.map(({ thinned }) => thinned)).toEqual(again.markets.map(() => 0));
        await site.close();
      }),
      { numRuns: 6 },
    );
    site = create();
    store = await site.open();
  });

  test('a day with more captures than one transaction, many of one instant, keeps its last', async () => {
    const at = (n: number) => (n < 1_500 ? n : n < 2_800 ? 1_500 : n);
    const many = Array.from({ length: 3_000 }, (_, n) =>
      quoteEntry({ mid: n + 1, updatedAt: n, capturedAt: at(n) }),
    );
    await append(store, many);
    await append(store, [quoteEntry({ capturedAt: DAY_MS })]);
    const { markets } = await prune(store, { before: 2 * DAY_MS });
    expect(markets).toEqual([{ market: 'parallel', captures: 3_001, thinned: 2_999 }]);
    const left = await store.latestCaptures('parallel', { start: 0, end: 3 * DAY_MS }, 10);
    expect(left.map(({ mid }) => mid)).toEqual([3_000, 900]);
  });

  test('a capture just before the limit is thinned, and one exactly at it is kept', async () => {
    const before = DAY_MS;
    await append(store, [
      quoteEntry({ mid: 1, capturedAt: before - 2 }),
      quoteEntry({ mid: 2, capturedAt: before - 1 }),
      quoteEntry({ mid: 3, capturedAt: before }),
      quoteEntry({ mid: 4, capturedAt: before + 1 }),
    ]);
    await prune(store, { before });
    const left = await store.latestCaptures('parallel', { start: 0, end: 2 * DAY_MS }, 10);
    expect(left.map(({ mid }) => mid)).toEqual([2, 3, 4]);
  });

  test('every value date of an official rate keeps its last capture of a day', async () => {
    const rate = (date: string, mid: number, capturedAt: number) =>
      quoteEntry({ market: 'reference', effectiveDate: day(date), mid, capturedAt });
    await append(store, [
      rate('2026-11-20', 1, 10),
      rate('2026-11-20', 2, 20),
      rate('2026-11-23', 3, 30),
    ]);
    await prune(store, { before: DAY_MS });
    const left = await store.latestCaptures('reference', { start: 0, end: DAY_MS }, 10);
    expect(left.map(({ mid }) => mid)).toEqual([2, 3]);
  });

  test('an empty batch is deleted, except the newest of its source', async () => {
    const batch = (source: string, mid: number, receivedAt: number) =>
      store.appendBatch({ source, receivedAt }, [quoteEntry({ mid, capturedAt: receivedAt })], yes);
    await batch('yadio', 1, 100);
    await batch('criptoya', 2, 200);
    await batch('criptoya', 3, 300);
    await batch('criptoya', 4, 5 * DAY_MS);
    const { batches: forgotten } = await prune(store, { before: 3 * DAY_MS });
    // The first is the newest of its source, the third has the last capture of its day.
    expect(forgotten).toBe(1);
    expect(await store.lastBatchOf('yadio')).toBe(100);
    expect(await store.standingQuotes('criptoya')).toHaveLength(1);
    expect((await prune(store, { before: 3 * DAY_MS })).batches).toBe(0);
  });

  test.each([0, 1])(
    'a late reading is judged as without pruning where plans show %d days (contract §8)',
    async (historyDays) => {
      const now = Date.parse('2026-11-22T00:30:00Z');
      const { plans } = loadCatalogue(PACKAGED_CATALOGUE);
      const shown = plansOf(plans.list.map((plan) => ({ ...plan, historyDays })));
      const push = (record: object, more: object = {}) =>
        ingestOf(store, () => now).ingest(recordsIn([JSON.stringify(record)]), {
          ...{ source: 'test', ...more },
        });
      const read = (market: string, mid: number, at: string) =>
        push(capture(mid, `2026-11-${at}:00Z`, { market }));
      await push(official('2026-11-20', { USD: 800, EUR: 920 }), { trust: true });
      await read('cash', 1_000, '20T23:00');
      await read('cash', 1_200, '20T23:10');
      for (const at of ['20T23:20', '20T23:50', '21T23:50']) await read('cash', 1_310, at);
      await read('parallel', 1_000, '22T00:25');
      await prune(store, { before: rawKeptFrom(shown, now) ?? 0 });
      expect(await read('cash', 1_000, '22T00:20')).toMatchObject({ accepted: 1, held: 0 });
    },
  );

  test('a process that lost the lease removes nothing', async () => {
    const lost = await store.takeLease('a', 1_000, 2_000);
    if (lost === undefined) throw new Error('The lease was free.');
    await append(
      store,
      [quote({ mid: 1, capturedAt: 1 }), quote({ mid: 2, capturedAt: 2 })].map(quoteEntry),
    );
    await store.takeLease('b', 2_000, 9_000);
    await expect(prune(store, { before: DAY_MS, lease: lost })).rejects.toThrow(LeaseLost);
    const stretch = { after: 0, before: DAY_MS, keep: new Set<number>(), lease: lost };
    await expect(store.forgetBatches(stretch)).rejects.toThrow(LeaseLost);
    expect(await store.latestCaptures('parallel', { start: 0, end: DAY_MS }, 10)).toHaveLength(2);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredQuote } from '../../src/core/app/ports/quotes.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { prune } from '../../src/core/app/prune.ts';
import type { DayCandle } from '../../src/core/domain/history/candles.ts';
import { DAY_MS, utcDayOf } from '../../src/core/domain/time.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quoteEntry, type Site, storeForEachTest } from './engines.ts';

const MARKETS = ['parallel', 'reference'];
const DAYS = { start: -9 * DAY_MS, end: 9 * DAY_MS };

/** Few distinct values around midnights, before and after 1970, so that ties are common. */
const storedQuote: fc.Arbitrary<StoredQuote> = fc
  .record({
    market: fc.constantFrom(...MARKETS),
    mid: fc.integer({ min: 1, max: 4 }),
    updatedAt: fc.integer({ min: 0, max: 3 }),
    capturedAt: fc
      .tuple(fc.integer({ min: -2, max: 3 }), fc.constantFrom(-1, 0, 1, DAY_MS / 2))
      .map(([days, offset]) => days * DAY_MS + offset),
    observedAt: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ observedAt, ...rest }) => ({
    ...rest,
    // Only official rates are read again before they take effect.
    ...(rest.market === 'reference' && { effectiveDate: day('2026-11-20'), observedAt }),
  }));
const batches = fc.array(fc.array(storedQuote, { maxLength: 25 }), { maxLength: 4 });

/** The candles of captures in order, calculated from a plain list. */
function candlesOf(captures: readonly { mid: number; capturedAt: number }[]): DayCandle[] {
  const days = Map.groupBy(captures, ({ capturedAt }) => utcDayOf(capturedAt));
  return [...days].map(([of, within]) => {
    const mids = within.map(({ mid }) => mid);
    return {
      day: of,
      open: mids[0] ?? Number.NaN,
      high: Math.max(...mids),
      low: Math.min(...mids),
      close: mids.at(-1) ?? Number.NaN,
      captures: mids.length,
      openedAt: within[0]?.capturedAt ?? Number.NaN,
      closedAt: within.at(-1)?.capturedAt ?? Number.NaN,
    };
  });
}

describe.each(ENGINES)('contract §10: the candles of days on $name', ({ name, create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  const candles = (from: Store, market = 'parallel', { start, end } = DAYS) =>
    from.dayCandles(market, start, end);
  const at = (days: number, mid: number, more: Partial<StoredQuote> = {}) =>
    quoteEntry({ capturedAt: days * DAY_MS, mid, updatedAt: 1, ...more });
  const shown = async (from: Store, market?: string) =>
    (await candles(from, market)).map(({ open, high, low, close, captures }) => [
      open,
      high,
      low,
      close,
      captures,
    ]);

  test('contract §10: agree with all captures and close with the daily point', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: -3, max: 4 }), async (given, last) => {
        const fresh = create();
        try {
          const own = await fresh.open();
          for (const quotes of given) await append(own, quotes.map(quoteEntry));
          for (const market of MARKETS) {
            // A range may end within a day; later captures are not in its candle.
            for (const end of [DAYS.end, last * DAY_MS + 1, last * DAY_MS]) {
              const all = await own.latestCaptures(market, { start: DAYS.start, end }, 1_000);
              const found = await own.dayCandles(market, DAYS.start, end);
              expect(found).toEqual(candlesOf(all));
              const daily = await own.lastCaptureOfEachDay(market, DAYS.start, end);
              expect(found.map(({ close, closedAt }) => [close, closedAt])).toEqual(
                daily.map(({ mid, capturedAt }) => [mid, capturedAt]),
              );
            }
          }
          expect(await own.check()).toEqual([]);
        } finally {
          await fresh.close();
        }
      }),
      { numRuns: name === 'SQLite' ? 60 : 20 },
    );
  });

  test('contract §10: include late and unordered captures, in small and large batches', async () => {
    await append(store, [at(0.5, 5)]);
    await append(store, [at(0.25, 3), at(0.75, 4)]);
    await append(store, [at(0.1, 9)]);
    expect(await shown(store)).toEqual([[9, 9, 3, 4, 4]]);
    const many = Array.from({ length: 2_500 }, (_, index) =>
      at(1, 10 + (index % 97), { capturedAt: DAY_MS + ((index * 7_919) % 2_500) * 1_000 }),
    );
    await append(store, many);
    const all = await store.latestCaptures('parallel', DAYS, 5_000);
    expect(await candles(store)).toEqual(candlesOf(all));
    expect(await store.check()).toEqual([]);
  });

  test('contract §10: count a repeated capture once', async () => {
    await append(store, [at(0, 5), at(0.5, 6)]);
    await append(store, [at(0, 5), at(0.5, 6), at(0.5, 6)]);
    expect(await shown(store)).toEqual([[5, 6, 5, 6, 2]]);
  });

  test('contract §10: open with the rate read first, even if it is read again', async () => {
    const rate = (mid: number, observedAt: number) =>
      at(3, mid, { market: 'reference', effectiveDate: day('2026-11-23'), observedAt });
    await append(store, [rate(810, 1)]);
    await append(store, [rate(811, 2)]);
    expect(await shown(store, 'reference')).toEqual([[810, 811, 810, 811, 2]]);
    await append(store, [rate(810, 3)]);
    expect(await shown(store, 'reference')).toEqual([[811, 811, 810, 810, 2]]);
  });

  test('contract §10: survive thinning', async () => {
    await append(store, [at(0, 3), at(0.2, 9), at(0.4, 1), at(0.9, 5), at(2, 4)], DAY_MS);
    const whole = [
      [3, 9, 1, 5, 4],
      [4, 4, 4, 4, 1],
    ];
    await prune(store, { before: 2 * DAY_MS });
    expect(await store.latestCaptures('parallel', DAYS, 10)).toHaveLength(2);
    expect(await shown(store)).toEqual(whole);
    expect(await store.check()).toEqual([]);
  });

  test('include captures that other statements store', async () => {
    await append(store, [at(0, 1)]);
    await site.run(`
      insert into capture (market, captured_at, updated_at, mid, ask, bid, effective_date,
        observed_at, batch, line)
      select market, captured_at + 1, updated_at, 3, 0, 0, '', 0, batch, line from capture`);
    expect(await shown(store)).toEqual([[1, 3, 1, 3, 2]]);
  });

  test.each([
    ['a high that was never captured', 'update capture_day set high = 9'],
    ['a low that was never captured', 'update capture_day set low = 0.5'],
    ['an open of another instant', 'update capture_day set open_at = open_at - 1'],
    ['fewer captures than there are', 'update capture_day set captures = 1'],
  ])('are reported by a check when they have %s', async (_, statement) => {
    await append(store, [at(0, 2), at(0.5, 1)]);
    expect(await store.check()).toEqual([]);
    await site.run(statement);
    expect(await store.check()).toEqual(['days with a wrong candle: 1']);
  });

  test('a market without captures has none', async () => {
    expect(await candles(store, 'nowhere')).toEqual([]);
  });
});

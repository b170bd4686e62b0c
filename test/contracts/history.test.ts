import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredQuote } from '../../src/core/app/ports/quotes.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { Capture } from '../../src/core/domain/history/history.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quote, quoteEntry, storeForEachTest } from './engines.ts';

const MARKETS = ['parallel', 'reference'];

/** Few distinct values, so that ties and duplicates are common. */
const storedQuote: fc.Arbitrary<StoredQuote> = fc
  .record({
    market: fc.constantFrom(...MARKETS),
    mid: fc.integer({ min: 1, max: 4 }),
    updatedAt: fc.integer({ min: 0, max: 3 }),
    // Around midnights, before and after 1970.
    capturedAt: fc
      .tuple(fc.integer({ min: -2, max: 3 }), fc.constantFrom(-1, 0, 1, DAY_MS / 2))
      .map(([days, offset]) => days * DAY_MS + offset),
    dated: fc.boolean(),
  })
  .map(({ dated, ...rest }) => ({ ...rest, ...(dated && { effectiveDate: day('2026-11-20') }) }));

const batches = fc.array(fc.array(storedQuote, { maxLength: 25 }), { maxLength: 4 });
const instant = fc
  .tuple(fc.integer({ min: -3, max: 4 }), fc.constantFrom(-1, 0, 1, 7))
  .map(([days, offset]) => days * DAY_MS + offset);

/** Captures in order, each once, kept in a plain list. */
function inOrder(stored: readonly (readonly StoredQuote[])[], market: string): Capture[] {
  const seen = new Set<string>();
  const kept = stored.flat().filter((one) => {
    const identity = JSON.stringify([one, one.effectiveDate]);
    if (one.market !== market || seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
  // The sort is stable, so captures of one instant stay as they arrived.
  return kept
    .sort((a, b) => a.capturedAt - b.capturedAt || a.updatedAt - b.updatedAt)
    .map(({ mid, updatedAt, capturedAt }) => ({ mid, updatedAt, capturedAt }));
}

describe.each(ENGINES)('history on $name', ({ name, create }) => {
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ store } = opened);
  });

  test.each([
    ['of one time', () => 0],
    ['of times of their own', (index: number) => index],
    // The oldest requested capture, with 1,200, and earlier ones are of one instant.
    ['of which some share theirs', (index: number) => Math.max(index, 2_002)],
  ])(
    'a long series with many captures of one instant is read whole and in order, %s',
    async (_, time) => {
      // More than two reads, with many captures of one instant across both ends.
      const instants = [
        ...Array(800).fill(1),
        ...Array(1_800).fill(2),
        3,
        4,
        ...Array(600).fill(5),
      ];
      // Descending, so that the order of arrival differs from the key's.
      const mids = instants.map((_, index) => 5_000 - index);
      await append(
        store,
        instants.map((capturedAt, index) =>
          quoteEntry({ mid: mids[index] ?? 0, capturedAt, updatedAt: time(index) }),
        ),
      );
      const midsOf = async (limit: number, end = 10) => {
        const found = await store.latestCaptures('parallel', { start: 0, end }, limit);
        return found.map(({ mid }) => mid);
      };
      expect(await midsOf(5_000)).toEqual(mids);
      for (const limit of [3_201, 1_200, 1_199, 1_001, 1_000]) {
        expect(await midsOf(limit)).toEqual(mids.slice(-limit));
      }
      expect(await midsOf(5_000, 3)).toEqual(mids.slice(0, 2_600));
    },
  );

  test('every reading agrees with a plain list', async () => {
    await fc.assert(
      fc.asyncProperty(batches, instant, instant, fc.nat(6), async (given, one, two, most) => {
        const fresh = create();
        try {
          const own = await fresh.open();
          for (const quotes of given) {
            await append(
              own,
              quotes.map((captured) => ({ captures: [captured] })),
            );
          }
          const [start, end] = one <= two ? [one, two] : [two, one];
          for (const market of MARKETS) {
            const all = inOrder(given, market);
            const inRange = all.filter((c) => c.capturedAt >= start && c.capturedAt < end);
            const limit = most + 1;
            expect(await own.latestCaptures(market, { start, end }, limit)).toEqual(
              inRange.slice(-limit),
            );
            expect(await own.lastCaptureBefore(market, end)).toEqual(
              all.findLast((c) => c.capturedAt < end),
            );
            const [last] = await own.lastQuotesBefore([market, 'nowhere'], end);
            const { mid, updatedAt, capturedAt } = last ?? {};
            expect(last === undefined ? undefined : { mid, updatedAt, capturedAt }).toEqual(
              all.findLast((c) => c.capturedAt < end),
            );
            const dayOf = (c: Capture) => Math.floor(c.capturedAt / DAY_MS);
            expect(await own.lastCaptureOfEachDay(market, start, end)).toEqual(
              inRange.filter((c, index) => {
                const next = inRange[index + 1];
                return next === undefined || dayOf(next) !== dayOf(c);
              }),
            );
          }
        } finally {
          await fresh.close();
        }
      }),
      // Emptying a database on a server is slow.
      { numRuns: name === 'SQLite' ? 60 : 20 },
    );
  });

  test('contract §9: the last quote of each market before an instant has its sides', async () => {
    await append(store, [
      quoteEntry({ capturedAt: 1, mid: 900, ask: 901, bid: 899 }),
      quoteEntry({ capturedAt: 5, mid: 910 }),
      quoteEntry({ market: 'binance', capturedAt: 2, mid: 920 }),
    ]);
    const found = await store.lastQuotesBefore(['parallel', 'binance', 'cash'], 5);
    expect(found.map(({ market, mid, ask, bid }) => [market, mid, ask, bid]).toSorted()).toEqual([
      ['binance', 920, undefined, undefined],
      ['parallel', 900, 901, 899],
    ]);
  });

  test('a market without captures has no history', async () => {
    await append(store, [quoteEntry()]);
    expect(await store.lastQuotesBefore(['nowhere'], 1e13)).toEqual([]);
    expect(await store.lastCaptureBefore('nowhere', 1e13)).toBeUndefined();
    expect(await store.lastCaptureOfEachDay('nowhere', 0, 1e13)).toEqual([]);
    expect(await store.latestCaptures('nowhere', { start: 0, end: 1e13 }, 10)).toEqual([]);
  });

  test('a range includes its start and excludes its end', async () => {
    await append(store, [
      quoteEntry({ capturedAt: DAY_MS }),
      quoteEntry({ capturedAt: 2 * DAY_MS }),
    ]);
    const range = { start: DAY_MS, end: 2 * DAY_MS };
    const { mid, updatedAt } = quote();
    const expected = [{ mid, updatedAt, capturedAt: DAY_MS }];
    expect(await store.latestCaptures('parallel', range, 10)).toEqual(expected);
    expect(await store.lastCaptureOfEachDay('parallel', range.start, range.end)).toEqual(expected);
    expect(await store.lastCaptureBefore('parallel', range.end)).toEqual(expected[0]);
    expect(await store.lastCaptureBefore('parallel', range.start)).toBeUndefined();
  });

  test('a range of a century reads only days with captures', async () => {
    await append(store, [
      quoteEntry({ capturedAt: 5 }),
      quoteEntry({ capturedAt: 36_000 * DAY_MS }),
    ]);
    const daily = await store.lastCaptureOfEachDay('parallel', 0, 40_000 * DAY_MS);
    expect(daily.map((one) => one.capturedAt)).toEqual([5, 36_000 * DAY_MS]);
  });

  test('one large batch and several small ones give the same history', async () => {
    const quotes = Array.from({ length: 2_500 }, (_, index) =>
      quote({ mid: 1 + ((index * 7919) % 50), capturedAt: ((index * 31) % 97) * 3_600_000 }),
    );
    await append(
      store,
      quotes.map((one) => ({ captures: [one] })),
    );
    const small = create();
    try {
      const other = await small.open();
      for (let start = 0; start < quotes.length; start += 500) {
        const part = quotes.slice(start, start + 500);
        await append(
          other,
          part.map((one) => ({ captures: [one] })),
        );
      }
      const range = { start: 0, end: 1e12 };
      expect(await store.latestCaptures('parallel', range, 9_999)).toEqual(
        await other.latestCaptures('parallel', range, 9_999),
      );
      expect(await store.lastCaptureOfEachDay('parallel', 0, 1e12)).toEqual(
        await other.lastCaptureOfEachDay('parallel', 0, 1e12),
      );
    } finally {
      await small.close();
    }
  });
});

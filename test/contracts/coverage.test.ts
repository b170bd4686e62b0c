import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import { DAY_MS, parseUtcDay, type UtcDay } from '../../src/core/domain/time.ts';
import { append, ENGINES, quoteEntry, storeForEachTest } from './engines.ts';

const START = Date.UTC(2026, 10, 1);

function utc(text: string): UtcDay {
  const parsed = parseUtcDay(text);
  if (parsed === undefined) throw new Error(`${text} is not a day.`);
  return parsed;
}

/** Captures on days of November, two on each. */
const captured = (days: readonly number[], market = 'parallel') =>
  days.flatMap((date) =>
    [0, DAY_MS - 1].map((after) =>
      quoteEntry({ market, mid: 900, capturedAt: START + (date - 1) * DAY_MS + after }),
    ),
  );

describe.each(ENGINES)('days with captures on $name', ({ create }) => {
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ store } = opened);
  });

  const runs = async (since: string) =>
    (await store.daysWithCaptures('parallel', utc(since))).map(({ from, to }) => [
      Number(from.slice(-2)),
      Number(to.slice(-2)),
    ]);

  test('contract §21: the days of a market in runs, whatever the order of the captures', async () => {
    await append(store, captured([9, 4, 5, 6, 2, 10]));
    await append(store, captured([1, 3, 7], 'cash'));
    expect(await runs('2026-11-01')).toEqual([
      [2, 2],
      [4, 6],
      [9, 10],
    ]);
  });

  test('the last day before the first is told, and no day before that one', async () => {
    await append(store, captured([1, 2, 5, 6, 9]));
    expect(await runs('2026-11-08')).toEqual([
      [6, 6],
      [9, 9],
    ]);
    expect(await runs('2026-11-06')).toEqual([
      [5, 6],
      [9, 9],
    ]);
    expect(await runs('2026-11-10')).toEqual([[9, 9]]);
    expect(await store.daysWithCaptures('nowhere', utc('2026-11-01'))).toEqual([]);
  });

  test('the first capture of a market is told, whatever came in first', async () => {
    const at = (time: number, market = 'parallel') => quoteEntry({ market, capturedAt: time });
    await append(store, [at(700), at(300), at(500), at(100, 'cash')]);
    expect(await store.firstCaptureAt('parallel')).toBe(300);
    expect(await store.firstCaptureAt('cash')).toBe(100);
    expect(await store.firstCaptureAt('nowhere')).toBeUndefined();
  });

  test('a day of before 1970 is a day like any other', async () => {
    const at = (days: number) => quoteEntry({ capturedAt: days * DAY_MS + 1 });
    await append(store, [at(-3), at(-1), at(0), at(1)]);
    expect(await store.daysWithCaptures('parallel', utc('1969-12-01'))).toEqual([
      { from: '1969-12-29', to: '1969-12-29' },
      { from: '1969-12-31', to: '1970-01-02' },
    ]);
  });

  test('thinning the captures of a day keeps the day', async () => {
    await append(store, captured([2, 3]));
    await store.thinCaptures(
      { market: 'parallel', from: 0, before: Number.MAX_SAFE_INTEGER },
      { dryRun: false },
    );
    expect(await runs('2026-11-01')).toEqual([[2, 3]]);
  });
});

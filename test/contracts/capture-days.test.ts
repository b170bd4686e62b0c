import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quoteEntry, type Site, storeForEachTest } from './engines.ts';

describe.each(ENGINES)('§4.3 the last captures of the days on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  const midsOf = async (from: Store, market = 'parallel') => {
    const found = await from.lastCaptureOfEachDay(market, -9 * DAY_MS, 9 * DAY_MS);
    return found.map(({ mid }) => mid);
  };
  const at = (days: number, mid: number, updatedAt = 1) =>
    quoteEntry({ capturedAt: days * DAY_MS, mid, updatedAt });

  test('include captures that other statements store', async () => {
    await append(store, [at(0, 1), at(1, 2)]);
    await site.run(`
      insert into capture (market, captured_at, updated_at, mid, ask, bid, effective_date,
        observed_at, batch, line)
      select market, captured_at + 1, updated_at, 3, 0, 0, '', 0, batch, line
      from capture where mid = 2`);
    expect(await midsOf(store)).toEqual([1, 3]);
  });

  test('are, of captures of one instant, the one read last', async () => {
    const rate = (mid: number, observedAt: number) =>
      quoteEntry({
        effectiveDate: day('2026-11-23'),
        mid,
        capturedAt: 9,
        updatedAt: 9,
        observedAt,
      });
    await append(store, [rate(810, 1)]);
    await append(store, [rate(811, 2)]);
    expect(await midsOf(store)).toEqual([811]);
    await append(store, [rate(810, 3)]);
    expect(await midsOf(store)).toEqual([810]);
    // Read before: neither a new capture nor a later one.
    await append(store, [rate(811, 1)]);
    expect(await midsOf(store)).toEqual([810]);
  });

  test.each([
    ['a figure that is not the capture’s', 'update capture_day set mid = 9 where mid = 1'],
    ['a capture that is not the last', 'update capture_day set captured_at = 1 where mid = 1'],
    ['none that is stored', 'delete from capture where mid = 1'],
  ])('are reported by a check when they have %s', async (_, statement) => {
    await append(store, [at(0, 2), at(0.5, 1), at(1, 3)]);
    expect(await store.check()).toEqual([]);
    await site.run(statement);
    expect(await store.check()).toEqual(['days with a wrong last capture: 1']);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Entry } from '../../src/core/app/ports/records.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { HOUR_MS } from '../../src/core/domain/time.ts';
import { MAX_GATHERED_ENTRIES } from '../../src/core/storage/gathered-entries.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quote, quoteEntry, type Site } from './engines.ts';

const effectOf = (date: string) => Date.parse(`${date}T04:00:00Z`);

/** A rate read so many hours after it took effect; negative is before that. */
function rate(date: string, mid: number, hours: number): Entry {
  const readAt = effectOf(date) + hours * HOUR_MS;
  const capturedAt = Math.max(readAt, effectOf(date));
  const times = { updatedAt: effectOf(date), capturedAt, observedAt: readAt };
  return {
    captures: [{ ...quote({ market: 'reference', mid, ...times }), effectiveDate: day(date) }],
  };
}

const MONDAY = rate('2026-11-16', 1, -7);
const TUESDAY_READ_ON_THURSDAY = rate('2026-11-17', 2, 50);
const WEDNESDAY = rate('2026-11-18', 3, -7);
const FRIDAY = rate('2026-11-20', 4, -7);

describe.each(ENGINES)('late official rates on $name (contract §1)', ({ create }) => {
  let site: Site;
  let store: Store;

  beforeEach(async () => {
    site = create();
    store = await site.open();
  });

  afterEach(() => site.close());

  async function stood() {
    const range = { start: 0, end: effectOf('2026-11-21') };
    const captures = await store.latestCaptures('reference', range, 10);
    return captures.map(({ mid, capturedAt }) => [mid, capturedAt]);
  }

  async function days() {
    const end = effectOf('2026-11-20') - 4 * HOUR_MS;
    const captures = await store.lastCaptureOfEachDay('reference', 0, end);
    const candles = await store.dayCandles('reference', 0, end);
    return {
      lasts: captures.map(({ mid, capturedAt }) => [mid, capturedAt]),
      candles: candles.map(({ open, close, captures: count }) => [open, close, count]),
    };
  }

  const IN_ORDER = [
    [1, effectOf('2026-11-16')],
    [2, effectOf('2026-11-17')],
    [3, effectOf('2026-11-18')],
    [4, effectOf('2026-11-20')],
  ];

  const filler = Array.from({ length: MAX_GATHERED_ENTRIES }, (_, index) =>
    quoteEntry({ market: 'filler', mid: index + 1, capturedAt: 1 + index }),
  );

  test.each([
    ['with it', [[MONDAY, TUESDAY_READ_ON_THURSDAY, WEDNESDAY, FRIDAY]]],
    ['in later batches', [[MONDAY, TUESDAY_READ_ON_THURSDAY], [WEDNESDAY], [FRIDAY]]],
    ['with the newest first', [[TUESDAY_READ_ON_THURSDAY], [FRIDAY], [WEDNESDAY], [MONDAY]]],
    ['in a large batch', [[TUESDAY_READ_ON_THURSDAY, ...filler, MONDAY, WEDNESDAY, FRIDAY]]],
    [
      'in a large batch after it',
      [[TUESDAY_READ_ON_THURSDAY], [...filler, WEDNESDAY, MONDAY, FRIDAY]],
    ],
  ])('a late rate stands at its effect when a newer one comes %s', async (_, batches) => {
    for (const entries of batches) await append(store, entries);
    expect(await stood()).toEqual(IN_ORDER);
    expect(await days()).toEqual({
      lasts: IN_ORDER.slice(0, 3),
      candles: [1, 2, 3].map((mid) => [mid, mid, 1]),
    });
    const known = await store.officialRateUpTo('reference', day('2026-11-17'));
    expect([known?.mid, known?.capturedAt]).toEqual([2, effectOf('2026-11-17')]);
  });

  test('a rate read before the newer one was known stays at its reading', async () => {
    const late = rate('2026-11-17', 2, 10);
    await append(store, [late, rate('2026-11-18', 3, 0)]);
    await append(store, [rate('2026-11-16', 1, 80)]);
    expect(await stood()).toEqual([
      [1, effectOf('2026-11-16')],
      [2, effectOf('2026-11-17') + 10 * HOUR_MS],
      [3, effectOf('2026-11-18')],
    ]);
  });
});

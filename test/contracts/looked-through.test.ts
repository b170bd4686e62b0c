import { describe, expect, test } from 'vitest';
import { thresholds } from '../../faults/replay/desk.ts';
import { endedSince, windowStart } from '../../src/core/app/ingest/quotes/window-start.ts';
import type { Suspect } from '../../src/core/app/ports/held.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { NO_REDENOMINATIONS } from '../../src/core/domain/redenomination.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/domain/time.ts';
import { append, ENGINES, quoteEntry, storeForEachTest } from './engines.ts';

const LIMIT = 1_000;

describe.each(ENGINES)('what a late reading is judged by, on $name (contract §8)', ({ create }) => {
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ store } = opened);
  });

  test.each([
    ['at most', LIMIT, true],
    ['over', LIMIT + 1, false],
  ])(
    'a jump of the last minutes is found among %s 1,000 quotes of them: of %d',
    async (_, count, isFound) => {
      const last = 100 * MINUTE_MS;
      const [first, jump] = [last - 11 * MINUTE_MS, last - 9 * MINUTE_MS];
      const of = (mid: number, at: number) =>
        quoteEntry({ market: 'cash', mid, capturedAt: at, updatedAt: at, observedAt: at });
      const others = Array.from({ length: count - 1 }, (_one, place) =>
        of(900, last - place * (SECOND_MS / 2)),
      );
      await append(store, [of(900, first), of(1_500, jump), ...others], last);
      const context = { store, thresholds, redenominations: NO_REDENOMINATIONS.stored };
      const from = last + 1;
      expect(await windowStart(['cash'], from, context)).toBe(isFound ? first + 1 : from);
    },
  );

  test.each([
    ['at most', LIMIT, true],
    ['over', LIMIT + 1, false],
  ])(
    'a held reading that ended counts again among %s 1,000 held ones: of %d',
    async (_, count, isFound) => {
      const heldAt = (at: number): Suspect => ({
        ...{ subject: 'cash', capturedAt: at, reason: 'moved', message: 'too far' },
        record: {
          kind: 'quote',
          market: 'cash',
          mid: 1_500,
          captured_at: new Date(at).toISOString(),
        },
        counts: false,
      });
      const ends = Array.from({ length: count }, (_one, place) => heldAt((place + 1) * SECOND_MS));
      const batch = { source: 'test', receivedAt: count * SECOND_MS };
      await store.appendBatch(batch, [], () => ({ hold: ends }));
      const memories = new Map();
      const found = await endedSince(2 * SECOND_MS, { store, memories });
      expect(found.map(({ capturedAt }) => capturedAt)).toEqual(isFound ? [SECOND_MS] : []);
    },
  );
});

import { expect, test } from 'vitest';
import { MemoryStore } from '../../../faults/replay/memory-store.ts';
import { thresholds } from '../../../test/harness/collecting.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { replacedBy } from './replaced-quote.ts';

const market = 'parallel';
const NOW = Date.parse('2026-11-23T12:00:00Z');

/** One quote a second. Those of 200 were stored in a later batch than those of 300 after them. */
const captures = [100, ...Array<number>(39).fill(200), ...Array<number>(20).fill(300)].map(
  (mid, place) => {
    const capturedAt = NOW + place * SECOND_MS;
    return { quote: { market, mid, updatedAt: capturedAt, capturedAt }, mid, line: place };
  },
);

class LateReports extends MemoryStore {
  asked = 0;

  override async latestCaptures() {
    return captures.map(({ quote }) => quote);
  }

  override async lastCaptureBefore() {
    return undefined;
  }

  override async capturesAt(_: string, capturedAt: number) {
    this.asked += 1;
    return captures
      .filter(({ quote }) => quote.capturedAt === capturedAt)
      .map(({ quote, mid, line }) => ({ quote, line, batch: mid === 200 ? 2 : 1 }));
  }
}

test('the search passes late reports over and asks the store once for each quote (decisions §8)', async () => {
  const store = new LateReports();
  const instant = NOW + captures.length * SECOND_MS;
  expect(await replacedBy(market, instant, { store, thresholds, accepted: [] })).toBe(100);
  expect(store.asked).toBeLessThanOrEqual(captures.length);
});

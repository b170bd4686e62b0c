import { describe, expect, test } from 'vitest';
import type { Suspect } from '../../src/core/app/ports/held.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { DAY_MS, HOUR_MS, type Instant, isoInstant } from '../../src/core/domain/time.ts';
import { ENGINES, storeForEachTest } from './engines.ts';

/* What judgement knew at some instants is kept, and late readings are judged from it (contract §8, "Order"). */

const DAY = 20_000 * DAY_MS;
const NEWEST = DAY + 6 * HOUR_MS;
const at = (instant: Instant) => ({ at: instant, markets: '[]' });

describe.each(ENGINES)('checkpoints of judgement, on $name (contract §8)', ({ create }) => {
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ store } = opened);
  });

  const keep = (instants: readonly Instant[], outdated?: readonly [Instant, Instant]) =>
    store.appendBatch({ source: 'test', receivedAt: NEWEST }, [], () => ({
      checkpoints: instants.map(at),
      ...(outdated && { outdated }),
    }));
  const kept = async () => {
    const found: Instant[] = [];
    let last = await store.checkpointBefore(NEWEST + 1);
    for (; last !== undefined; last = await store.checkpointBefore(last.at)) found.push(last.at);
    return found.reverse();
  };

  test('all of a day are kept, of before it the last of each UTC day', async () => {
    const dayAgo = NEWEST - DAY_MS;
    const stay = [dayAgo - 1 - DAY_MS, dayAgo, dayAgo + 1, DAY - 1, DAY, NEWEST];
    await keep([...stay, dayAgo - 1].sort((a, b) => a - b));
    expect(await kept()).toEqual(stay);
  });

  test.each([
    ['30 days', 0, true],
    ['a millisecond more', 1, false],
  ])('one of %s before the newest: whether it is kept', async (_, more, isKept) => {
    await keep([NEWEST - 30 * DAY_MS - more, NEWEST]);
    expect(await kept()).toHaveLength(isKept ? 2 : 1);
  });

  test('those of a time of which readings came, both ends included, are no longer there', async () => {
    await keep([1, 2, 3, 4]);
    await keep([], [2, 3]);
    expect(await kept()).toEqual([1, 4]);
    await keep([3], [3, 9]);
    expect(await kept()).toEqual([1, 3]);
  });

  test('those that know a reading that an operator rejects are no longer there', async () => {
    const held: Suspect = {
      ...{ subject: 'cash', capturedAt: 2, reason: 'moved', message: 'too far', counts: true },
      record: { kind: 'quote', market: 'cash', mid: 1_500, captured_at: isoInstant(2) },
    };
    await store.appendBatch({ source: 'test', receivedAt: 2 }, [], () => ({ hold: [held] }));
    await keep([1, 2, 3]);
    const [{ id } = { id: '' }] = await store.listHeld('held', 1);
    expect(await store.rejectHeld(id)).toBe(true);
    expect(await kept()).toEqual([1]);
  });
});

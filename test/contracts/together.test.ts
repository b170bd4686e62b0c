import { describe, expect, test } from 'vitest';
import { actingAs } from '../../src/core/app/audit/author.ts';
import type { Suspect } from '../../src/core/app/ports/held.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quoteEntry, type Site, storeForEachTest, yes } from './engines.ts';

const TODAY = day('2026-11-20');
const NOTHING = {};
const origin = { source: 'test', receivedAt: 20_000 };

const suspect: Suspect = {
  subject: 'parallel',
  record: { kind: 'quote', market: 'parallel', mid: 5_000 },
  capturedAt: 2_000,
  ...{ reason: 'moved', message: 'moved', counts: true },
};

/** What judgement reads and stores as one (contract §8). */
describe.each(ENGINES)('judged records on $name (contract §8)', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  const judged = async () => (await store.currentRecords(TODAY)).judged;
  const current = async () => (await store.currentRecords(TODAY)).quotes.map(({ mid }) => mid);

  test('everything that judgement is made from raises its version, and nothing else does', async () => {
    const steps: [number, () => Promise<unknown>][] = [
      [1, () => append(store, [quoteEntry()])],
      [1, () => append(store, [quoteEntry()])],
      [1, () => store.appendBatch(origin, [], () => NOTHING)],
      [2, () => store.appendBatch(origin, [], () => ({ ...NOTHING, hold: [suspect] }))],
      [3, async () => store.rejectHeld((await store.listHeld('held', 1))[0]?.id ?? '')],
      [3, () => store.rejectHeld('unknown')],
      [
        4,
        () =>
          store.keepWitnessReading({
            ...{ source: 'relay', valueDate: TODAY, capturedAt: 1, rates: { USD: 800 } },
          }),
      ],
    ];
    for (const [version, step] of steps) {
      await step();
      expect(await judged()).toBe(version);
    }
  });

  test('a batch is confirmed by the version of before it, also one with nothing new', async () => {
    const other = await site.open();
    await append(store, [quoteEntry()]);
    const seen: number[] = [];
    const confirm = (version: number) => {
      seen.push(version);
      return {};
    };
    await append(other, [quoteEntry({ mid: 901 })]);
    await store.appendBatch(origin, [quoteEntry({ mid: 902 })], confirm);
    await store.appendBatch(origin, [quoteEntry({ mid: 902 })], confirm);
    expect(seen).toEqual([2, 3]);
  });

  test.each([
    ['with something new', 902],
    ['with nothing new', 900],
  ])('what follows a batch %s sees it, and is stored with it or not at all', async (_, mid) => {
    await append(store, [quoteEntry()]);
    const entries = [quoteEntry({ mid })];
    const follow = async (end: () => void) => {
      const made = store.appendBatch(origin, entries, yes, async (within) => {
        expect((await within.currentRecords(TODAY)).quotes).toMatchObject([{ mid }]);
        const next = [quoteEntry({ mid: 950, capturedAt: 3_000 })];
        const { stored } = await within.appendBatch(origin, next, yes);
        expect(stored).toBe(1);
        end();
      });
      return made;
    };
    const failing = follow(() => {
      throw new Error('torn');
    });
    await expect(failing).rejects.toThrow('torn');
    expect(await current()).toEqual([900]);
    await follow(() => undefined);
    expect(await current()).toEqual([950]);
  });

  test('of a write of several batches, one with nothing new leaves nothing, and the others are stored', async () => {
    const counts = await store.writeTogether(undefined, async (within) => {
      await within.appendBatch(origin, [quoteEntry()], yes);
      const same = await within.appendBatch(origin, [quoteEntry()], yes);
      await within.appendBatch(origin, [quoteEntry({ mid: 910, capturedAt: 3_000 })], yes);
      return same;
    });
    expect(counts).toMatchObject({ stored: 0, duplicate: 1 });
    expect(await current()).toEqual([910]);
    expect(await store.versions()).toMatchObject({ records: 2 });
  });

  test('nobody else stores records during such a write, and readers do not wait for it', async () => {
    const other = await site.open();
    const order: string[] = [];
    let later: Promise<unknown> = Promise.resolve();
    await store.writeTogether(undefined, async (within) => {
      await within.appendBatch(origin, [quoteEntry()], yes);
      later = append(other, [quoteEntry({ mid: 930, capturedAt: 3_000 })]).then(() =>
        order.push('other'),
      );
      expect((await other.currentRecords(TODAY)).quotes).toEqual([]);
      expect((await store.currentRecords(TODAY)).quotes).toEqual([]);
      order.push('own');
    });
    await later;
    expect(order).toEqual(['own', 'other']);
    expect(await current()).toEqual([930]);
  });

  test('what is stored within a write is recorded under the name of who began it', async () => {
    const author = { kind: 'command', via: 'rate', actor: 'ana', now: () => 1 } as const;
    await actingAs(author, () =>
      store.appendBatch(origin, [], yes, async (within) => {
        await within.appendBatch(origin, [quoteEntry()], yes);
      }),
    );
    await store.writeTogether(undefined, async (within) => {
      await within.appendBatch(origin, [quoteEntry({ mid: 901 })], yes);
    });
    const rows = await site.ask('select actor from audit');
    expect(rows).toEqual([{ actor: 'ana' }]);
  });
});

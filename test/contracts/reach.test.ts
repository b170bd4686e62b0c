import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { MAX_GATHERED_ENTRIES } from '../../src/core/storage/gathered-entries.ts';
import { day } from '../../testkit/day.ts';
import { stopwatch } from '../harness/stopwatch.ts';
import {
  account,
  append,
  ENGINES,
  quoteEntry,
  type Site,
  sqliteSite,
  storeForEachTest,
} from './engines.ts';

const TODAY = day('2026-11-20');

describe.each(ENGINES)('waiting for the store on $name', ({ create, shortWaitMs }) => {
  let site: Site;
  let store: Store;

  const keep = (opened: { site: Site; store: Store }) => {
    ({ site, store } = opened);
  };
  storeForEachTest(create, keep, { waitMs: shortWaitMs });

  test.each([
    ['a small batch', [quoteEntry()]],
    [
      'a large batch',
      Array.from({ length: MAX_GATHERED_ENTRIES + 1 }, (_, mid) => quoteEntry({ mid: mid + 1 })),
    ],
  ])('%s fails in time and stores nothing if the store is locked', async (_, entries) => {
    const release = await site.holdLock();
    const started = performance.now();
    const waited = stopwatch();
    await expect(append(store, entries)).rejects.toThrow(StoreUnavailable);
    expect(performance.now() - started).toBeGreaterThanOrEqual(shortWaitMs - 1);
    expect(waited()).toBeLessThan(shortWaitMs + 2_000);
    release();
    expect(await store.currentRecords(TODAY)).toMatchObject({ version: 0, quotes: [] });
    expect(await append(store, entries)).toMatchObject({ stored: entries.length });
  });

  test('a locked store can be read', async () => {
    await append(store, [quoteEntry()]);
    const release = await site.holdLock();
    expect((await store.currentRecords(TODAY)).quotes).toHaveLength(1);
    release();
  });

  test('a waiting writer does not block the process, and writes when it can', async () => {
    const patient = await site.open({ waitMs: 10_000 });
    const release = await site.holdLock();
    const writing = patient.createAccount(account());
    const turns = await new Promise<number>((resolve) => {
      let seen = 0;
      const turn = setInterval(() => {
        seen += 1;
        if (seen < 5) return;
        clearInterval(turn);
        resolve(seen);
      }, 5);
    });
    expect(turns).toBe(5);
    expect(await store.findAccount('acc-1')).toBeUndefined();
    release();
    await writing;
    expect(await store.findAccount('acc-1')).toEqual(account());
  });

  test('callers in a queue wait no longer than one caller', async () => {
    const release = await site.holdLock();
    const waited = stopwatch();
    const asked = Array.from({ length: 50 }, (_, n) =>
      store.createAccount(account({ id: `a${n}` })),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(waited()).toBeLessThan(shortWaitMs + 2_000);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    release();
    // On a busy machine the database may count as down, and is probed first.
    const listed = () => store.listAccounts().catch(() => undefined);
    await expect.poll(listed).toEqual([]);
  });

  test('a closing store finishes started calls and refuses new ones', async () => {
    const asked = store.createAccount(account());
    const closing = store.close();
    await expect(store.listAccounts()).rejects.toThrow(StoreUnavailable);
    await expect(append(store, [quoteEntry()])).rejects.toThrow(StoreUnavailable);
    await Promise.all([asked, closing]);
    const again = await site.open();
    expect(await again.listAccounts()).toEqual([account()]);
  });

  test('closing twice has no further effect', async () => {
    await store.close();
    await store.close();
    const again = await site.open();
    expect(await again.check()).toEqual([]);
  });
});

test('on the embedded database a call reads after one look of an account that writes a lot', async () => {
  const site = sqliteSite();
  const store = await site.open();
  const done: string[] = [];
  const rule = { tag: 'a', kind: 'percent', value: 1, markets: [], active: true } as const;
  // Without room for a rule each is refused by its look, before it writes.
  const looks = Array.from({ length: 20 }, (_, n) =>
    store.saveMarkup('busy', rule, 'create', 0).then(() => done.push(`look-${n}`)),
  );
  const read = store.findAccount('other').then(() => done.push('other'));
  await Promise.all([...looks, read]);
  expect(done.indexOf('other')).toBe(2);
  await site.close();
});

import { describe, expect, test } from 'vitest';
import { ENGINES, type Site, storeForEachTest } from '../../../../../test/contracts/engines.ts';
import { PLACES_SILENT_MS } from '../../limits.ts';
import { type PlaceStore, placeStore } from '../../place-store.ts';

const NOW = 1_000_000_000;
const claim = (open: number, wanted: number, max: number | null = 3) => [
  { accountId: 'a', open, wanted, max },
];

describe.each(ENGINES)('places of streams on $name (contract §23)', ({ create }) => {
  let site: Site;
  let store: PlaceStore;

  storeForEachTest(create, (opened) => {
    site = opened.site;
    store = placeStore(opened.store.engine);
  });

  test('two processes that ask at once get as many as there are, and not one more', async () => {
    const other = placeStore((await site.open()).engine);
    const granted = await Promise.all(
      [store, other].map((one, n) => one.claim(`process-${n}`, claim(0, 2), NOW)),
    );
    const numbers = granted.map((one) => one.get('a') ?? 0);
    expect(numbers.toSorted()).toEqual([1, 2]);
    expect((await store.claim('third', claim(0, 1), NOW)).get('a')).toBe(0);
  });

  test('what a process gives back is free for others at once', async () => {
    await store.claim('one', claim(0, 3), NOW);
    expect((await store.claim('two', claim(0, 3), NOW)).get('a')).toBe(0);
    await store.claim('one', claim(1, 0), NOW);
    expect((await store.claim('two', claim(0, 3), NOW)).get('a')).toBe(2);
    await store.claim('one', claim(0, 0), NOW);
    expect((await store.claim('two', claim(2, 3), NOW)).get('a')).toBe(1);
  });

  test('a process that is silent for 60 s no longer counts, and one that spoke before does', async () => {
    await store.claim('killed', claim(0, 3), NOW);
    const after = NOW + PLACES_SILENT_MS;
    expect((await store.claim('two', claim(0, 1), after - 1)).get('a')).toBe(0);
    expect((await store.claim('two', claim(0, 1), after)).get('a')).toBe(1);
  });

  test('a process that was silent learns how many others have taken meanwhile', async () => {
    await store.claim('paused', claim(0, 3), NOW);
    const after = NOW + PLACES_SILENT_MS;
    await store.claim('two', claim(0, 2), after);
    expect((await store.claim('paused', claim(3, 1), after)).get('a')).toBe(-2);
    expect((await store.claim('two', claim(2, 1), after)).get('a')).toBe(0);
  });

  test('a plan without a limit grants everything', async () => {
    expect((await store.claim('one', claim(0, 600, null), NOW)).get('a')).toBe(600);
  });

  test('what a killed process left is removed in the end', async () => {
    await store.claim('killed', claim(0, 3), NOW);
    await store.sweep(NOW + 10 * PLACES_SILENT_MS);
    expect(await site.ask('select holder from open_stream')).toHaveLength(1);
    await store.sweep(NOW + 10 * PLACES_SILENT_MS + 1);
    expect(await site.ask('select holder from open_stream')).toEqual([]);
  });
});

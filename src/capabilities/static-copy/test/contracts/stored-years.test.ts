import { describe, expect, test } from 'vitest';
import {
  append,
  ENGINES,
  quoteEntry,
  type Site,
  storeForEachTest,
} from '../../../../../test/contracts/engines.ts';
import { day } from '../../../../../testkit/day.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import type { StoredYears } from '../../copy-types.ts';
import { storedYears } from '../../stored-years.ts';

const NEW_YEAR = Date.UTC(2026, 0);

describe.each(ENGINES)('the static copy on $name', ({ create }) => {
  let site: Site;
  let store: OpenedStore;
  let stored: StoredYears;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
    stored = storedYears(store.engine);
  });

  test('the lease to export is not the one to collect', async () => {
    const other = await site.open();
    const exporter = await store.takeLease('a', 1_000, 31_000, 'exporter');
    expect(exporter).toEqual({ holder: 'a', token: 1 });
    expect(await other.takeLease('b', 2_000, 32_000, 'exporter')).toBeUndefined();
    expect(await other.takeLease('b', 2_000, 32_000)).toEqual({ holder: 'b', token: 1 });
    if (exporter !== undefined) await store.dropLease(exporter, 3_000, 'exporter');
    expect(await other.takeLease('b', 3_001, 33_000, 'exporter')).toEqual({
      holder: 'b',
      token: 2,
    });
    expect(await store.leaseEnd()).toBe(32_000);
  });

  test('the digest of a UTC year changes with any of its daily figures, and with no other', async () => {
    const at = (time: string, mid: number) => {
      const instant = Date.parse(time);
      return quoteEntry({ capturedAt: instant, updatedAt: instant, mid });
    };
    await append(store, [at('2024-05-05T12:00:00Z', 50), at('2025-12-31T23:59:59Z', 300)]);
    const years = async () => {
      const found = await stored.captureYears('parallel', NEW_YEAR + 1);
      return new Map(found.map(({ year, digest }) => [year, digest]));
    };
    const before = await years();
    expect([...before.keys()]).toEqual([2024, 2025]);
    await append(store, [at('2026-01-01T00:00:00Z', 301), at('2025-03-01T12:00:00Z', 100)]);
    const after = await years();
    expect([...after.keys()]).toEqual([2024, 2025, 2026]);
    expect(after.get(2024)).toBe(before.get(2024));
    expect(after.get(2025)).not.toBe(before.get(2025));
    // A later figure of the same day replaces the earlier one.
    await append(store, [at('2024-05-05T13:00:00Z', 51)]);
    expect((await years()).get(2024)).not.toBe(before.get(2024));
    expect(await stored.captureYears('cash', NEW_YEAR)).toEqual([]);
  });

  test('the digest of a year of value dates changes with any rate of that currency, and with no other', async () => {
    const rate = (market: string, date: string, mid: number, observedAt: number) =>
      quoteEntry({ market, effectiveDate: day(date), mid, capturedAt: observedAt, observedAt });
    await append(store, [
      rate('reference', '2024-12-30', 50, 1),
      rate('reference', '2025-01-02', 51, 2),
      rate('CNY', '2025-01-02', 7, 2),
    ]);
    const before = await stored.officialYears();
    expect(before.map(({ name, year, first }) => [name, year, first])).toEqual([
      ['CNY', 2025, '2025-01-02'],
      ['reference', 2024, '2024-12-30'],
      ['reference', 2025, '2025-01-02'],
    ]);
    await append(store, [rate('reference', '2025-01-02', 52, 3)]);
    const after = await stored.officialYears();
    const changed = after.filter(({ digest }, place) => digest !== before[place]?.digest);
    expect(changed.map(({ name, year }) => [name, year])).toEqual([['reference', 2025]]);
    // A correction to the figure of before has a later reading.
    await append(store, [rate('reference', '2025-01-02', 51, 4)]);
    expect((await stored.officialYears())[2]?.digest).not.toBe(before[2]?.digest);
  });
});

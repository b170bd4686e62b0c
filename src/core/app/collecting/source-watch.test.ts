import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { loadHolidays } from '../../catalogue/holidays.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import { bankCalendar } from '../../domain/calendar.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Store } from '../ports/store.ts';
import { HEALTH_KEPT_MS, HEALTH_WAIT_MS, MAX_SLOW_CHECK_MS, SourceWatch } from './source-watch.ts';

const { markets } = loadCatalogue('catalog');
const calendar = bankCalendar(loadHolidays('catalog'));
const { thresholds } = loadJudgement('catalog');

/** A watch of a store whose answers take as long as `answer` does. */
function watchOf(answer: () => Promise<void>): SourceWatch {
  const store: Partial<Store> = {
    sourceStates: async () => {
      await answer();
      return [];
    },
    currentRecords: async () => ({
      version: 1,
      judged: 0,
      fetchedAt: undefined,
      quotes: [],
      publication: undefined,
      bankTable: undefined,
      memories: [],
      days: [],
    }),
    countHeld: async () => new Map(),
    listHeld: async () => [],
    lastBatchOf: async () => undefined,
    standingQuotes: async () => [],
    sourceDays: async () => [],
    officialRates: async () => [],
    leaseEnd: async () => 0,
  };
  const clock = { now: () => Date.now() };
  return new SourceWatch({
    store: store as Store,
    sources: [],
    clock,
    markets,
    calendar,
    thresholds,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is known after the longest wait. */
async function lastKnown(watch: SourceWatch) {
  const known = watch.lastKnown();
  await vi.advanceTimersByTimeAsync(HEALTH_WAIT_MS);
  return known;
}

const never = () => new Promise<void>(() => {});
const fails = () => Promise.reject(new StoreUnavailable('locked'));

describe('the last known health while the store is slow', () => {
  test('one slow check is not taken for a store that does not answer (§8)', async () => {
    let answer: () => Promise<void> = async () => {};
    const watch = watchOf(() => answer());
    const first = await lastKnown(watch);
    expect(first.isCurrent).toBe(true);
    answer = never;
    await vi.advanceTimersByTimeAsync(HEALTH_KEPT_MS);
    expect(await lastKnown(watch)).toEqual(first);
    await vi.advanceTimersByTimeAsync(MAX_SLOW_CHECK_MS - 2 * HEALTH_WAIT_MS - 1);
    expect((await lastKnown(watch)).isCurrent).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await lastKnown(watch)).toEqual({ ...first, isCurrent: false });
  });

  test('a failed check counts at once, and slow ones after it until one succeeds (§8)', async () => {
    let answer: () => Promise<void> = async () => {};
    const watch = watchOf(() => answer());
    await lastKnown(watch);
    await vi.advanceTimersByTimeAsync(HEALTH_KEPT_MS);
    answer = fails;
    expect((await lastKnown(watch)).isCurrent).toBe(false);
    const slow = Promise.withResolvers<void>();
    answer = () => slow.promise;
    expect((await lastKnown(watch)).isCurrent).toBe(false);
    slow.resolve();
    expect((await lastKnown(watch)).isCurrent).toBe(true);
  });

  test('is an error when no check has ever succeeded', async () => {
    const known = watchOf(never).lastKnown();
    const refused = expect(known).rejects.toBeInstanceOf(StoreUnavailable);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    await refused;
  });
});

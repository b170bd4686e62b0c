import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreBusy } from '../src/core/app/failures.ts';
import type { Store } from '../src/core/app/ports/store.ts';
import {
  EMPTY_KEPT_MS,
  IDLE_MS,
  SWEEP_MS,
  UNITS_WAIT_MS,
} from '../src/core/app/quota/block-limits.ts';
import { Quota } from '../src/core/app/quota/quota.ts';
import { openStore } from '../src/core/storage/store.ts';
import { type ManualClock, manualClock, recordedLog } from './harness/service.ts';

const ACCOUNT = 'acc-1';
/** More than a call asks in vain before a test ends it. */
const MAX_ASKS = 20;

/** A database so far away that much happens while one transaction is on its way. */
describe('units of a database that is far away (contract §3)', () => {
  let dataDir: string;
  let clock: ManualClock;
  let store: Store;
  let quota: Quota;
  let asks: number;
  let returns: number;
  let reads: number;
  let mostReadsAtOnce: number;
  let onTheWay: () => void | Promise<void>;
  let arrived: Promise<void>;
  let arrive: () => void;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'vesfx-far-'));
    clock = manualClock();
    store = await openStore({ dataDir, waitMs: 10_000 });
    asks = 0;
    returns = 0;
    reads = 0;
    mostReadsAtOnce = 0;
    onTheWay = () => undefined;
    ({ promise: arrived, resolve: arrive } = Promise.withResolvers<void>());
    const far: Store = Object.create(store, {
      takeUnits: {
        value: async (...given: Parameters<Store['takeUnits']>) => {
          asks += 1;
          if (asks > MAX_ASKS) throw new Error('The call asks again and again.');
          await onTheWay();
          return store.takeUnits(...given);
        },
      },
      returnUnits: {
        value: (...given: Parameters<Store['returnUnits']>) => {
          returns += 1;
          return store.returnUnits(...given);
        },
      },
      monthUsage: {
        value: async (...given: Parameters<Store['monthUsage']>) => {
          reads += 1;
          mostReadsAtOnce = Math.max(mostReadsAtOnce, reads);
          try {
            return await store.monthUsage(...given);
          } finally {
            reads -= 1;
          }
        },
      },
    });
    quota = new Quota({ store: far, clock, log: recordedLog() });
  });

  afterEach(async () => {
    arrive();
    asks = Number.NEGATIVE_INFINITY;
    await quota.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  const taken = async () => (await store.monthUsage(ACCOUNT, clock.now())).taken;

  test('units that come for a call of an idle account do not go back before it has its own', async () => {
    const limits = { minute: 100, month: 1_000 };
    await quota.reserve(ACCOUNT, limits);
    clock.advance(IDLE_MS);
    await quota.tend(clock.now());
    asks = 0;
    onTheWay = () => {
      clock.advance(SWEEP_MS);
      void quota.tend(clock.now());
    };
    await quota.reserve(ACCOUNT, limits);
    expect(asks).toBe(1);
  });

  test.each([EMPTY_KEPT_MS - 1, EMPTY_KEPT_MS, 4 * EMPTY_KEPT_MS])(
    'a call over the plan is refused by one answer, also after %i ms',
    async (milliseconds) => {
      onTheWay = () => clock.advance(milliseconds);
      await quota.reserve(ACCOUNT, { month: 1 });
      clock.advance(EMPTY_KEPT_MS);
      asks = 0;
      await expect(quota.reserve(ACCOUNT, { month: 1 })).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
      expect(asks).toBe(1);
    },
  );

  test('a call that waits too long for a unit is refused, and the unit goes back', async () => {
    onTheWay = () => arrived;
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    try {
      const settled = vi.fn();
      const reserving = Promise.resolve(quota.reserve(ACCOUNT, { month: 1 }));
      reserving.catch(() => undefined).finally(settled);
      await vi.advanceTimersByTimeAsync(UNITS_WAIT_MS - 1);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await expect(reserving).rejects.toThrow(StoreBusy);
    } finally {
      vi.useRealTimers();
    }
    arrive();
    await expect.poll(async () => [asks, await taken()]).toEqual([1, 0]);
    await quota.reserve(ACCOUNT, { month: 1 });
  });

  test('looks at many accounts share a turn, and so do units that go back', async () => {
    const limits = { month: 20 };
    const accounts = Array.from({ length: 10 }, (_, place) => `other-${place}`);
    const reservations = await Promise.all(accounts.map(async (id) => quota.reserve(id, limits)));
    asks = 0;
    onTheWay = () => arrived;
    const reserving = quota.reserve(ACCOUNT, limits);
    await expect.poll(() => asks).toBe(1);
    const done = [
      ...accounts.map((id) => quota.learn(`new-${id}`)),
      ...reservations.map((reservation) => quota.refund(reservation)),
    ];
    arrive();
    await Promise.all([...done, reserving]);
    expect({ mostReadsAtOnce, returns }).toEqual({ mostReadsAtOnce: 10, returns: 1 });
    expect(await quota.countedThisMonth('other-0')).toBe(0);
  });
});

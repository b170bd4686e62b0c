import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreBusy, StoreUnavailable } from '../src/core/app/failures.ts';
import type { Store } from '../src/core/app/ports/store.ts';
import {
  BLOCK_LASTS_MS,
  BLOCK_SHARE,
  COMES_BACK_RETRY_MS,
  EMPTY_KEPT_MS,
  FORGOTTEN_MS,
  GATHER_MS,
  IDLE_MS,
  MAY_COME_BACK_MS,
  MIN_BLOCK_UNITS,
  SWEEP_MS,
} from '../src/core/app/quota/block-limits.ts';
import { Quota } from '../src/core/app/quota/quota.ts';
import type { WindowLimits } from '../src/core/app/quota/windows.ts';
import { ApiError } from '../src/core/domain/errors.ts';
import { MINUTE_MS, SECOND_MS, utcMonthOf } from '../src/core/domain/time.ts';
import { openStore } from '../src/core/storage/store.ts';
import { type ManualClock, manualClock, recordedLog, START } from './harness/service.ts';

const ACCOUNT = 'acc-1';
const MONTHLY = (month: number): WindowLimits => ({ month });
const BLOCK = MIN_BLOCK_UNITS.month;
const MONTH_END = utcMonthOf(START).end;

/** How the store treats a process: `deaf` does everything, and the process gets no receipt. */
type Answering = 'well' | 'away' | 'busy' | 'read_only' | 'deaf';

/** A process that shares the store with others. */
interface Process {
  readonly quota: Quota;
  /** How the store answers it from now on. */
  store: Answering;
  /** Seconds to wait, of every call refused by a limit. */
  readonly waits: number[];
  /** @returns how many of so many calls at once were admitted. */
  call(calls: number, limits: WindowLimits): Promise<number>;
}

describe('units in several processes (contract §3)', () => {
  let dataDir: string;
  let clock: ManualClock;
  let stores: Store[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'vesfx-units-'));
    clock = manualClock();
    stores = [];
  });

  afterEach(async () => {
    for (const store of stores) await store.close();
    rmSync(dataDir, { recursive: true });
  });

  async function start(): Promise<Process> {
    const store = await openStore({ dataDir, waitMs: 10_000 });
    stores.push(store);
    const guarded = new Proxy(store, {
      get(target, name, receiver) {
        const asked = Reflect.get(target, name, receiver);
        switch (process.store) {
          case 'well':
            return asked;
          case 'away':
            return () => Promise.reject(new StoreUnavailable('out of reach'));
          case 'busy':
            return () => Promise.reject(new StoreBusy('locked'));
          case 'read_only':
            return () =>
              Promise.reject(new StoreUnavailable('refused', { writeFailure: 'read_only' }));
          default:
            return async (...given: readonly unknown[]) => {
              await asked.apply(target, given);
              throw new StoreUnavailable('the answer is lost');
            };
        }
      },
    });
    const quota = new Quota({ store: guarded, clock, log: recordedLog() });
    const process: Process = {
      quota,
      store: 'well',
      waits: [],
      async call(calls, limits) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: calls }, async () => quota.reserve(ACCOUNT, limits)),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue;
          const { reason } = outcome;
          if (reason instanceof ApiError) process.waits.push(reason.options.retryAfterSec ?? 0);
          else if (!(reason instanceof StoreUnavailable)) throw reason;
        }
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      },
    };
    return process;
  }

  /** Regular care of the processes that live, for so long. */
  async function pass(milliseconds: number, ...living: readonly Process[]) {
    for (let left = milliseconds; left > 0; left -= SWEEP_MS) {
      clock.advance(Math.min(left, SWEEP_MS));
      for (const { quota } of living) await quota.tend(clock.now());
    }
  }

  /** Units that the database counts as spent. */
  async function taken(): Promise<number> {
    const [store] = stores;
    if (store === undefined) throw new Error('There is no process.');
    return (await store.monthUsage(ACCOUNT, clock.now())).taken;
  }

  /** Calls one after another. @returns how many needed the store. */
  async function callEach(one: Process, calls: number, limits: WindowLimits): Promise<number> {
    let waited = 0;
    for (let call = 0; call < calls; call += 1) {
      const reserved = one.quota.reserve(ACCOUNT, limits);
      if (reserved instanceof Promise) waited += 1;
      await reserved;
    }
    return waited;
  }

  /** A second of an account with so many calls, in which the next block can be taken. */
  async function secondOf(one: Process, calls: number, limits: WindowLimits): Promise<number> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const admitted = await one.call(calls, limits);
      await vi.advanceTimersByTimeAsync(GATHER_MS);
      await one.quota.countedThisMonth(ACCOUNT);
      clock.advance(SECOND_MS);
      await one.quota.tend(clock.now());
      return admitted;
    } finally {
      vi.useRealTimers();
    }
  }

  test('a call that no window limits is admitted, also when the store does not answer (§6)', async () => {
    const one = await start();
    one.store = 'away';
    expect(await one.call(3, {})).toBe(3);
  });

  test('a block of 20 is counted as spent when it is taken, and only that is spent', async () => {
    const one = await start();
    await callEach(one, 1, MONTHLY(1_000));
    expect(await taken()).toBe(BLOCK);
    one.store = 'away';
    expect(await one.call(BLOCK, MONTHLY(1_000))).toBe(BLOCK - 1);
    expect(await taken()).toBe(BLOCK);
  });

  test('the next block is taken when half of one is spent, so that no call waits', async () => {
    const one = await start();
    expect(await callEach(one, BLOCK / 2 - 1, MONTHLY(1_000))).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await taken()).toBe(BLOCK);
    await callEach(one, 1, MONTHLY(1_000));
    await expect.poll(taken).toBe(BLOCK + BLOCK / 2);
    expect(await callEach(one, BLOCK, MONTHLY(1_000))).toBe(0);
  });

  test('a block is what the account used in the past minute, and no more is ever held', async () => {
    const limits = MONTHLY(1_000_000);
    const one = await start();
    let answered = 0;
    for (let seconds = 0; seconds < 120; seconds += 1) {
      answered += await secondOf(one, 10, limits);
      // A minute that begins and ends with calls has those of 61 seconds.
      expect((await taken()) - answered).toBeLessThanOrEqual(610);
    }
    expect((await taken()) - answered).toBeGreaterThanOrEqual(300);
    // The account now calls every two seconds: the large block goes back.
    for (let passed = 0; passed < 2 * BLOCK_LASTS_MS; passed += 2 * SECOND_MS) {
      answered += await one.call(1, limits);
      await pass(2 * SECOND_MS, one);
    }
    expect((await taken()) - answered).toBeLessThanOrEqual(60);
  });

  test('a process that is killed costs the account one block at most', async () => {
    const limits = MONTHLY(1_000);
    const [killed, other] = [await start(), await start()];
    const answered = await killed.call(30, limits);
    const rest = await other.call(1_000, limits);
    expect(answered + rest).toBeLessThanOrEqual(1_000);
    expect(answered + rest).toBeGreaterThanOrEqual(1_000 - 30);
    expect(await other.quota.countedThisMonth(ACCOUNT)).toBe(1_000);
  });

  test('a process that stops gives everything back, and takes nothing more', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start(), await start()];
    await callEach(one, BLOCK / 2, limits);
    await callEach(two, 5, limits);
    // The next block of the first is asked for, and not yet taken.
    await one.quota.close();
    await two.quota.close();
    expect(await taken()).toBe(BLOCK / 2 + 5);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await taken()).toBe(BLOCK / 2 + 5);
  });

  test('units go back 5 s after the last call, not earlier, and the account is forgotten later', async () => {
    const one = await start();
    await callEach(one, 3, MONTHLY(1_000));
    await pass(IDLE_MS - SWEEP_MS, one);
    expect(await taken()).toBe(BLOCK);
    await pass(SWEEP_MS, one);
    expect(await taken()).toBe(3);
    expect(one.quota.monthUsage(ACCOUNT, clock.now()).used).toBe(3);
    clock.advance(FORGOTTEN_MS - IDLE_MS - 1);
    expect(await one.quota.tend(clock.now())).toEqual([]);
    clock.advance(SWEEP_MS);
    expect(await one.quota.tend(clock.now())).toEqual([ACCOUNT]);
  });

  test('units that others may give back are waited for shortly, spent ones until the month ends', async () => {
    const limits = MONTHLY(1_000);
    const [idle, other] = [await start(), await start()];
    await callEach(idle, 1, limits);
    expect(await other.call(1_000, limits)).toBe(1_000 - BLOCK);
    expect(new Set(other.waits)).toEqual(new Set([COMES_BACK_RETRY_MS / SECOND_MS]));
    await pass(IDLE_MS, idle, other);
    other.waits.length = 0;
    expect(await other.call(BLOCK, limits)).toBe(BLOCK - 1);
    expect(other.waits).toEqual([Math.ceil((MONTH_END - clock.now()) / SECOND_MS)]);
  });

  test('what a killed process had is waited for shortly for 70 s at most, then until the month ends', async () => {
    const limits = MONTHLY(1_000);
    const [killed, other] = [await start(), await start()];
    await callEach(killed, 1, limits);
    await other.call(1_000, limits);
    clock.advance(MAY_COME_BACK_MS - 1);
    other.waits.length = 0;
    await other.call(1, limits);
    clock.advance(1 + EMPTY_KEPT_MS);
    await other.call(1, limits);
    const untilEnd = Math.ceil((MONTH_END - clock.now()) / SECOND_MS);
    expect(other.waits).toEqual([COMES_BACK_RETRY_MS / SECOND_MS, untilEnd]);
  });

  test('usage is what the database counts, less what this process has not spent: exact in one', async () => {
    const limits = MONTHLY(1_500);
    const [one, two] = [await start(), await start()];
    for (let calls = 1; calls <= 60; calls += 1) {
      await callEach(one, 1, limits);
      expect(await one.quota.countedThisMonth(ACCOUNT)).toBe(calls);
      expect(one.quota.monthUsage(ACCOUNT, clock.now()).used).toBe(calls);
    }
    expect(await two.quota.countedThisMonth(ACCOUNT)).toBe(await taken());
  });

  test.each([1, 10, 300])(
    'of a limit of %i exactly that many calls are admitted, of a minute too',
    async (limit) => {
      const processes = [await start(), await start(), await start()];
      for (const limits of [{ minute: limit, month: 1_000_000 }, MONTHLY(limit)]) {
        clock.advance(MINUTE_MS);
        for (const { quota } of processes) await quota.tend(clock.now());
        const before = limits.minute === undefined ? await taken() : 0;
        const month = limits.month === undefined ? undefined : limits.month + before;
        const admitted = await Promise.all(
          processes.map((one) => one.call(limit, { ...limits, month })),
        );
        expect(admitted.reduce((sum, one) => sum + one, 0)).toBe(limit);
      }
    },
  );

  test('a unit taken back at the limit is there at once for every process', async () => {
    const limits = MONTHLY(20);
    const [one, two] = [await start(), await start()];
    const last = await one.quota.reserve(ACCOUNT, limits);
    expect(await one.call(20, limits)).toBe(19);
    await one.quota.refund(last);
    expect(await two.call(2, limits)).toBe(1);
  });

  test('a unit taken back after its month has ended belongs to that month', async () => {
    const limits = MONTHLY(20);
    const [one, two] = [await start(), await start()];
    clock.set(MONTH_END - 1);
    const last = await one.quota.reserve(ACCOUNT, limits);
    clock.advance(SWEEP_MS);
    await one.call(1, limits);
    await one.quota.refund(last);
    await one.quota.tend(clock.now());
    expect(await two.quota.countedThisMonth(ACCOUNT)).toBe(1);
    clock.set(MONTH_END - 1);
    expect(await two.call(21, limits)).toBe(20);
  });

  test('a block of the old month goes back to it, and is not spent in the next', async () => {
    const limits = MONTHLY(1_000);
    const [one, behind] = [await start(), await start()];
    clock.set(MONTH_END - 1);
    await callEach(one, 1, limits);
    clock.set(MONTH_END);
    await callEach(one, 2, limits);
    await one.quota.tend(clock.now());
    expect(await taken()).toBe(BLOCK);
    expect(await one.quota.countedThisMonth(ACCOUNT)).toBe(2);
    clock.set(MONTH_END - 1);
    expect(await behind.call(1_000, limits)).toBe(999);
  });

  test('a block of a larger plan is not spent beyond a smaller one', async () => {
    const one = await start();
    const smaller = MONTHLY(20);
    await one.call(15, MONTHLY(100_000));
    // This call began before the change.
    const late = one.call(1, MONTHLY(100_000));
    const admitted = await one.call(100, smaller);
    expect(15 + (await late) + admitted).toBe(20);
    expect(await one.call(1, MONTHLY(30))).toBe(1);
  });

  test('a clock that jumps ahead or back admits none too many', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start(), await start()];
    let admitted = (await one.call(5, limits)) + (await two.call(5, limits));
    for (const at of [START + 120 * MINUTE_MS, START - 120 * MINUTE_MS, START]) {
      clock.set(at);
      admitted += (await two.call(100, limits)) + (await one.call(100, limits));
      await one.quota.tend(clock.now());
      await two.quota.tend(clock.now());
    }
    await pass(IDLE_MS, one, two);
    admitted += (await one.call(600, limits)) + (await two.call(600, limits));
    expect(admitted).toBe(1_000);
  });

  describe('when the store does not answer', () => {
    test('a process spends its block, then no call is admitted until it is back', async () => {
      const limits = MONTHLY(1_000);
      const one = await start();
      let admitted = await one.call(1, limits);
      one.store = 'away';
      clock.advance(IDLE_MS);
      for (let round = 0; round < 3; round += 1) admitted += await one.call(BLOCK, limits);
      expect(admitted).toBe(BLOCK);
      expect(one.waits).toEqual([]);
      one.store = 'well';
      await one.quota.tend(clock.now());
      admitted += await one.call(1_000, limits);
      expect(admitted).toBe(1_000);
    });

    test('half a minute of use is there at least', async () => {
      const limits: WindowLimits = { minute: 1_200, month: 1_000_000 };
      const one = await start();
      for (let seconds = 0; seconds < 90; seconds += 1) await secondOf(one, 10, limits);
      one.store = 'away';
      let admitted = 0;
      for (let seconds = 0; seconds < 30; seconds += 1) {
        admitted += await one.call(10, limits);
        clock.advance(SECOND_MS);
      }
      expect(admitted).toBe(300);
    });

    test.each<WindowLimits>([{ minute: 10, month: 100_000 }, { account: 10 }])(
      'one process counts the minute exactly, and the store learns of it: %o',
      async (limits) => {
        const one = await start();
        await one.call(10, limits);
        await one.quota.tend(clock.now());
        clock.advance(MINUTE_MS);
        one.store = 'away';
        expect(await one.call(11, limits)).toBe(10);
        one.store = 'well';
        clock.advance(MINUTE_MS - SWEEP_MS);
        await one.quota.tend(clock.now());
        expect(await one.call(1, limits)).toBe(0);
        expect(one.waits).toEqual([SWEEP_MS / SECOND_MS]);
        clock.advance(SWEEP_MS);
        expect(await one.call(11, limits)).toBe(10);
      },
    );

    test('each minute of an outage admits what it may, as long as the block lasts', async () => {
      const limits: WindowLimits = { minute: 6, month: 100_000 };
      const one = await start();
      await one.call(6, limits);
      one.store = 'away';
      for (let minutes = 0; minutes < 2; minutes += 1) {
        clock.advance(MINUTE_MS);
        expect(await one.call(7, limits)).toBe(6);
      }
    });

    test('the minute that was open goes on too, and counts once', async () => {
      const limits: WindowLimits = { minute: 30, month: 100_000 };
      const one = await start();
      expect(await one.call(15, limits)).toBe(15);
      one.store = 'away';
      expect(await one.call(30, limits)).toBe(BLOCK - 15);
      one.store = 'well';
      await one.quota.tend(clock.now());
      expect(await one.call(30, limits)).toBe(10);
    });

    test('several processes have the parts of a minute that they had before', async () => {
      const limits: WindowLimits = { minute: 40, month: 100_000 };
      const [one, two] = [await start(), await start()];
      for (const [process, calls] of [
        [one, 10],
        [two, 10],
      ] as const) {
        expect(await process.call(calls, limits)).toBe(calls);
      }
      await one.call(2, limits);
      clock.advance(MINUTE_MS);
      one.store = 'away';
      two.store = 'away';
      const admitted = (await one.call(40, limits)) + (await two.call(40, limits));
      expect(admitted).toBeGreaterThan(0);
      expect(admitted).toBeLessThanOrEqual(40);
    });

    test('an account that this process does not know has no units', async () => {
      const one = await start();
      one.store = 'away';
      expect(await one.call(1, MONTHLY(1_000))).toBe(0);
    });

    test('units that it does not take back can still be spent', async () => {
      const limits = MONTHLY(1_000);
      const one = await start();
      await one.call(1, limits);
      for (const how of ['read_only', 'busy'] as const) {
        one.store = how;
        clock.advance(IDLE_MS);
        await expect(one.quota.tend(clock.now())).rejects.toThrow();
      }
      expect(await one.call(BLOCK, limits)).toBe(BLOCK - 1);
    });

    test('when its answers are lost, no unit is spent twice, and little is lost', async () => {
      const limits = MONTHLY(1_000);
      const [one, two] = [await start(), await start()];
      let admitted = await one.call(5, limits);
      one.store = 'deaf';
      admitted += await one.call(30, limits);
      clock.advance(IDLE_MS);
      await one.quota.tend(clock.now()).catch(() => undefined);
      one.store = 'well';
      await one.quota.tend(clock.now());
      admitted += await two.call(1_000, limits);
      await pass(IDLE_MS, one, two);
      admitted += await one.call(1_000, limits);
      expect(admitted).toBeLessThanOrEqual(1_000);
      // Three answers: the block, what calls waited for, and what went back.
      expect(admitted).toBeGreaterThanOrEqual(1_000 - 3 * 30);
    });
  });

  test('a block near the limit is a share of what remains', async () => {
    const limits = MONTHLY(BLOCK_SHARE * 10);
    const one = await start();
    await callEach(one, 1, limits);
    expect(await taken()).toBe(10);
  });
});

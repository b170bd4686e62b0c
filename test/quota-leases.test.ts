import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreBusy, StoreUnavailable } from '../src/app/failures.ts';
import type { Store } from '../src/app/ports/store.ts';
import {
  HEARTBEAT_MS,
  LEASED_RETRY_MS,
  MAX_BUSY_MS,
  MIN_ALLOWANCE_UNITS,
  RECLAIM_PAUSE_MS,
  UNITS_LEASE_MS,
} from '../src/app/quota/lease-limits.ts';
import { IDLE_MS, QuotaLeases, RECALL_WAIT_MS } from '../src/app/quota/quota-leases.ts';
import type { WindowLimits } from '../src/app/quota/windows.ts';
import { ApiError } from '../src/domain/errors.ts';
import { MINUTE_MS, SECOND_MS, utcMonthOf } from '../src/domain/time.ts';
import { openStore } from '../src/storage/store.ts';
import { type ManualClock, manualClock, recordedLog, START } from './harness/service.ts';

const ACCOUNT = 'acc-1';
const MONTHLY = (month: number): WindowLimits => ({ minute: undefined, hour: undefined, month });

/** How the store treats a process: `deaf` does everything, and the process gets no receipt. */
type Answering = 'well' | 'away' | 'busy' | 'read_only' | 'deaf';

/** A process that shares the store with others. */
interface Process {
  readonly quotaLeases: QuotaLeases;
  /** How the store answers it from now on. */
  store: Answering;
  /** Seconds to wait, of every call refused by a limit. */
  readonly waits: number[];
  /** @returns how many of so many calls at once were admitted. */
  call(calls: number, limits: WindowLimits): Promise<number>;
}

describe('units in several processes', () => {
  let dataDir: string;
  let clock: ManualClock;
  let stores: Map<string, Store>;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'vesfx-units-'));
    clock = manualClock();
    stores = new Map();
  });

  afterEach(async () => {
    for (const store of stores.values()) await store.close();
    rmSync(dataDir, { recursive: true });
  });

  async function start(holder: string): Promise<Process> {
    const store = await openStore({ dataDir, waitMs: 10_000 });
    stores.set(holder, store);
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
    const quotaLeases = new QuotaLeases({ store: guarded, clock, log: recordedLog(), holder });
    const process: Process = {
      quotaLeases,
      store: 'well',
      waits: [],
      async call(calls, limits) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: calls }, async () => quotaLeases.reserve(ACCOUNT, limits)),
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

  /** Time passes while calls wait: a tenth of a second every few milliseconds. */
  async function whileTimePasses<T>(work: () => Promise<T>): Promise<T> {
    const ticking = setInterval(() => clock.advance(SECOND_MS / 10), 5);
    try {
      return await work();
    } finally {
      clearInterval(ticking);
    }
  }

  /** Regular care of the processes that live, for so long. */
  async function pass(milliseconds: number, ...living: readonly Process[]) {
    for (let left = milliseconds; left > 0; left -= HEARTBEAT_MS) {
      clock.advance(Math.min(left, HEARTBEAT_MS));
      for (const { quotaLeases } of living) await quotaLeases.tend(clock.now());
    }
  }

  /** Units that the account would lose if the process `holder` were killed now. */
  async function costOfDeath(holder: string, answered: number): Promise<number> {
    const { taken, reserve } = await storeOf(holder).monthUsage(holder, ACCOUNT, clock.now());
    return taken - reserve - answered;
  }

  function storeOf(holder: string): Store {
    const store = stores.get(holder);
    if (store === undefined) throw new Error(`There is no process ${holder}.`);
    return store;
  }

  /** Remaining units, requested whole by a process that does not wait. */
  async function rest(limits: WindowLimits): Promise<number> {
    const last = await start('last');
    return last.call((limits.month ?? 0) + 1, limits);
  }

  test('a process that stops returns its units without loss (decisions §3)', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start('one'), await start('two')];
    const spent = (await one.call(7, limits)) + (await two.call(5, limits));
    await one.quotaLeases.close();
    await two.quotaLeases.close();
    expect(spent).toBe(12);
    expect(await rest(limits)).toBe(988);
  });

  test('a call that no window limits is admitted, also when the store does not answer (§6)', async () => {
    const one = await start('one');
    one.store = 'away';
    expect(await one.call(3, { minute: undefined, month: undefined })).toBe(3);
  });

  test('a process that is killed costs 20 units at most, and the rest is free within 10 s (decisions §3)', async () => {
    const limits = MONTHLY(1_000);
    const [killed, other] = [await start('killed'), await start('other')];
    const answered = (await killed.call(30, limits)) + (await other.call(1, limits));
    expect(answered).toBe(31);
    await pass(UNITS_LEASE_MS, other);
    const admitted = answered + (await other.call(1_000, limits));
    expect(admitted).toBeLessThanOrEqual(1_000);
    expect(admitted).toBeGreaterThanOrEqual(1_000 - MIN_ALLOWANCE_UNITS);
    expect(await other.quotaLeases.countedThisMonth(ACCOUNT)).toBe(1_000);
  });

  test('units that are only leased are waited for shortly, spent ones until the month ends (decisions §3)', async () => {
    const limits = MONTHLY(1_000);
    const [killed, other] = [await start('killed'), await start('other')];
    await killed.call(1, limits);
    await whileTimePasses(() => other.call(1_000, limits));
    expect(other.waits.length).toBeGreaterThan(0);
    expect(Math.max(...other.waits)).toBeLessThanOrEqual(LEASED_RETRY_MS / SECOND_MS);
    await pass(LEASED_RETRY_MS, other);
    other.waits.length = 0;
    await other.call(1_000, limits);
    const untilEnd = Math.ceil((utcMonthOf(clock.now()).end - clock.now()) / SECOND_MS);
    expect(new Set(other.waits)).toEqual(new Set([untilEnd]));
  });

  test.each([
    { perMinute: 4_800, most: 20 },
    { perMinute: 24_000, most: 100 },
  ])(
    'at $perMinute calls a minute a death costs $most units at most',
    async ({ perMinute, most }) => {
      const limits: WindowLimits = { minute: perMinute, month: 10_000 };
      const [killed, other] = [await start('killed'), await start('other')];
      await killed.call(500, limits);
      await pass(UNITS_LEASE_MS, other);
      const counted = await other.quotaLeases.countedThisMonth(ACCOUNT);
      expect(counted).toBeGreaterThanOrEqual(500);
      expect(counted).toBeLessThanOrEqual(500 + most);
    },
  );

  test('without a minute limit a death costs a quarter of a second at the present rate', async () => {
    const limits = MONTHLY(1_000_000);
    const [killed, other] = [await start('killed'), await start('other')];
    let answered = 0;
    for (let tenths = 0; tenths < 40; tenths += 1) {
      answered += await killed.call(100, limits);
      clock.advance(SECOND_MS / 10);
      await killed.quotaLeases.tend(clock.now());
    }
    expect(answered).toBe(4_000);
    const cost = await costOfDeath('killed', answered);
    expect(cost).toBeGreaterThan(MIN_ALLOWANCE_UNITS);
    expect(cost).toBeLessThanOrEqual(250);
    // It shrinks with the rate.
    await pass(3 * HEARTBEAT_MS, killed);
    expect(await costOfDeath('killed', answered)).toBeLessThanOrEqual(MIN_ALLOWANCE_UNITS);
    await pass(UNITS_LEASE_MS, other);
    const counted = await other.quotaLeases.countedThisMonth(ACCOUNT);
    expect(counted).toBeGreaterThanOrEqual(answered);
    expect(counted).toBeLessThanOrEqual(answered + MIN_ALLOWANCE_UNITS);
  });

  test('a process paused beyond its lease spends no unit that went to others', async () => {
    const limits = MONTHLY(1_000);
    const [paused, other] = [await start('paused'), await start('other')];
    let admitted = (await paused.call(3, limits)) + (await other.call(1, limits));
    await pass(UNITS_LEASE_MS, other);
    admitted += await other.call(1_000, limits);
    admitted += await paused.call(50, limits);
    expect(admitted).toBe(1_000);
  });

  test('a store that is only busy is waited for: nobody spends what it would not know (decisions §3)', async () => {
    const limits = MONTHLY(1_000);
    const one = await start('one');
    await one.call(1, limits);
    one.store = 'busy';
    const waiting = async () => {
      let spent = 0;
      for (;;) {
        const reserved = one.quotaLeases.reserve(ACCOUNT, limits);
        if (reserved instanceof Promise) return { spent, reserved };
        spent += 1;
      }
    };
    const first = await waiting();
    expect(first.spent).toBe(MIN_ALLOWANCE_UNITS - 1);
    clock.advance(MAX_BUSY_MS - 1);
    await new Promise(setImmediate);
    expect(await costOfDeath('one', 20)).toBe(0);
    one.store = 'well';
    await first.reserved;
    // A store that stays busy is out of reach.
    one.store = 'busy';
    const second = await waiting();
    await whileTimePasses(() => second.reserved);
    expect(await one.call(10, limits)).toBe(10);
  });

  test('units that a read-only store does not take back can still be spent (decisions §4)', async () => {
    const limits = MONTHLY(1_000);
    const one = await start('one');
    await one.call(1, limits);
    one.store = 'read_only';
    for (let poll = 0; poll < 3; poll += 1) {
      await expect(one.quotaLeases.release(ACCOUNT)).rejects.toThrow('refused');
    }
    expect(await one.call(MIN_ALLOWANCE_UNITS, limits)).toBe(MIN_ALLOWANCE_UNITS);
  });

  test('when an answer of the store is lost, no unit is spent twice (decisions §3)', async () => {
    const limits = MONTHLY(300);
    const [one, two] = [await start('one'), await start('two')];
    let admitted = await one.call(5, limits);
    one.store = 'deaf';
    admitted += await one.call(30, limits);
    await one.quotaLeases.release(ACCOUNT).catch(() => undefined);
    one.store = 'well';
    await one.quotaLeases.tend(clock.now());
    const care = setInterval(() => void one.quotaLeases.tend(clock.now()), 5);
    admitted += await whileTimePasses(() => two.call(300, limits));
    admitted += await whileTimePasses(() => one.call(300, limits));
    clearInterval(care);
    expect(admitted).toBeLessThanOrEqual(300);
    expect(admitted).toBeGreaterThanOrEqual(300 - 2 * MIN_ALLOWANCE_UNITS);
  });

  test('a process paused for less than its lease keeps spending its units', async () => {
    const limits = MONTHLY(1_000);
    const [paused, other] = [await start('paused'), await start('other')];
    await paused.call(3, limits);
    await other.call(1, limits);
    await pass(UNITS_LEASE_MS - HEARTBEAT_MS - 1, other);
    paused.store = 'away';
    expect(await paused.call(20, limits)).toBe(20);
  });

  test('without the store, known accounts can spend their leased units, and no more', async () => {
    const limits: WindowLimits = { minute: 120, hour: undefined, month: 1_500 };
    const [one, two] = [await start('one'), await start('two')];
    let admitted = (await one.call(1, limits)) + (await two.call(1, limits));
    await pass(HEARTBEAT_MS, one, two);
    one.store = 'away';
    two.store = 'away';
    for (let minutes = 0; minutes < 5; minutes += 1) {
      clock.advance(MINUTE_MS);
      // Each of two processes has half of a minute.
      const [ofOne, ofTwo] = [await one.call(61, limits), await two.call(61, limits)];
      expect(ofOne).toBeLessThanOrEqual(60);
      expect(ofTwo).toBeLessThanOrEqual(60);
      if (minutes === 0) expect([ofOne, ofTwo]).toEqual([60, 60]);
      admitted += ofOne + ofTwo;
    }
    expect(admitted).toBeGreaterThan(122);
    one.store = 'well';
    two.store = 'well';
    clock.advance(MINUTE_MS);
    await one.quotaLeases.tend(clock.now());
    await two.quotaLeases.tend(clock.now());
    await one.quotaLeases.close();
    await two.quotaLeases.close();
    expect(await rest(MONTHLY(1_500))).toBe(1_500 - admitted);
  });

  test('after an outage a process leases again what the next one may need (decisions §4)', async () => {
    const limits = MONTHLY(1_000_000);
    const one = await start('one');
    await one.call(1, limits);
    for (let outage = 0; outage < 5; outage += 1) {
      one.store = 'away';
      expect(await one.call(700, limits)).toBe(700);
      one.store = 'well';
      clock.advance(HEARTBEAT_MS);
      await one.quotaLeases.tend(clock.now());
    }
  });

  test('without the store an unknown account has no units', async () => {
    const limits = MONTHLY(1_000);
    const one = await start('one');
    one.store = 'away';
    expect(await one.call(1, limits)).toBe(0);
  });

  test.each<WindowLimits>([{ minute: 10, hour: undefined, month: 100_000 }, { account: 10 }])(
    'a minute that opened without the store counts when it is back (decisions §3): %o',
    async (limits) => {
      const one = await start('one');
      await one.call(1, limits);
      await one.quotaLeases.tend(clock.now());
      clock.advance(MINUTE_MS);
      one.store = 'away';
      expect(await one.call(10, limits)).toBe(10);
      one.store = 'well';
      clock.advance(MINUTE_MS - 1);
      expect(await one.call(1, limits)).toBe(0);
      clock.advance(1);
      expect(await one.call(11, limits)).toBe(10);
    },
  );

  test('an outage does not reassign the units of processes that could not send heartbeats', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start('one'), await start('two')];
    let admitted = (await one.call(1, limits)) + (await two.call(1, limits));
    await pass(HEARTBEAT_MS, one, two);
    one.store = 'away';
    two.store = 'away';
    clock.advance(10 * UNITS_LEASE_MS);
    admitted += (await one.call(30, limits)) + (await two.call(30, limits));
    expect(admitted).toBe(62);
    // The store is back; one requests everything before the other's heartbeat.
    one.store = 'well';
    await one.quotaLeases.tend(clock.now());
    const everything = one.call(1_000, limits);
    clock.advance(RECLAIM_PAUSE_MS - 1);
    await one.quotaLeases.tend(clock.now());
    two.store = 'well';
    await two.quotaLeases.tend(clock.now());
    const care = setInterval(() => void two.quotaLeases.tend(clock.now()), 5);
    admitted += await whileTimePasses(() => everything);
    clearInterval(care);
    admitted += await whileTimePasses(() => two.call(1_000, limits));
    expect(admitted).toBe(1_000);
  });

  test('idle units are returned, and their account is removed from memory', async () => {
    const limits = MONTHLY(1_000);
    const one = await start('one');
    await one.call(1, limits);
    await pass(IDLE_MS - HEARTBEAT_MS, one);
    clock.advance(HEARTBEAT_MS);
    expect(await one.quotaLeases.tend(clock.now())).toEqual([ACCOUNT]);
    expect(await rest(limits)).toBe(999);
  });

  test('usage counts spent units, not leased ones (§2.12)', async () => {
    const limits = MONTHLY(1_500);
    const [one, two] = [await start('one'), await start('two')];
    await one.call(3, limits);
    await two.call(4, limits);
    await pass(HEARTBEAT_MS, one, two);
    expect(await one.quotaLeases.countedThisMonth(ACCOUNT)).toBe(7);
    expect(await two.quotaLeases.countedThisMonth(ACCOUNT)).toBe(7);
    expect(one.quotaLeases.monthUsage(ACCOUNT, clock.now()).used).toBe(7);
  });

  test.each([1, 10, 300])(
    'of a limit of %i exactly that many calls are admitted',
    async (limit) => {
      const limits: WindowLimits = { minute: limit, hour: undefined, month: 1_000_000 };
      const processes = [await start('one'), await start('two'), await start('three')];
      const care = setInterval(() => {
        for (const { quotaLeases } of processes) void quotaLeases.tend(clock.now());
      }, 20);
      const admitted = await Promise.all(processes.map((one) => one.call(limit, limits)));
      clearInterval(care);
      expect(admitted.reduce((sum, one) => sum + one, 0)).toBe(limit);
    },
  );

  test('a unit refunded at the limit is available at once to every process (decisions §3)', async () => {
    const limits = MONTHLY(20);
    const [one, two] = [await start('one'), await start('two')];
    const last = await one.quotaLeases.reserve(ACCOUNT, limits);
    expect(await one.call(20, limits)).toBe(19);
    await one.quotaLeases.refund(last);
    const care = setInterval(() => void one.quotaLeases.tend(clock.now()), 5);
    expect(await two.call(2, limits)).toBe(1);
    clearInterval(care);
  });

  test('a clock that jumps ahead takes no units from live processes', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start('one'), await start('two')];
    let admitted = (await one.call(5, limits)) + (await two.call(5, limits));
    clock.set(START + 2 * 60 * MINUTE_MS);
    admitted += await two.call(500, limits);
    const care = setInterval(() => void two.quotaLeases.tend(clock.now()), 5);
    admitted += await whileTimePasses(() => one.call(600, limits));
    clearInterval(care);
    expect(admitted).toBe(1_000);
  });

  test('RECALL_WAIT_MS bounds the wait for units that never come back', async () => {
    const limits = MONTHLY(32);
    const [stuck, other] = [await start('stuck'), await start('other')];
    await stuck.call(1, limits);
    const startedAt = clock.now();
    const admitted = await whileTimePasses(() => other.call(32, limits));
    expect(clock.now() - startedAt).toBeLessThan(2 * RECALL_WAIT_MS);
    expect(admitted).toBeGreaterThanOrEqual(29);
    expect(admitted).toBeLessThan(32);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../src/app/failures.ts';
import type { Store } from '../src/app/ports/store.ts';
import { HEARTBEAT_MS } from '../src/app/quota/holder-link.ts';
import { EMPTY_KEPT_MS, UNITS_LEASE_MS } from '../src/app/quota/lease-limits.ts';
import { IDLE_MS, QuotaLeases, RECALL_WAIT_MS } from '../src/app/quota/quota-leases.ts';
import type { WindowLimits } from '../src/app/quota/window-limits.ts';
import { ApiError } from '../src/domain/errors.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import { openStore } from '../src/storage/store.ts';
import { type ManualClock, manualClock, recordedLog, START } from './harness/service.ts';

const ACCOUNT = 'acc-1';
const MONTHLY = (month: number): WindowLimits => ({ minute: undefined, hour: undefined, month });

/** A process that shares the store with others. */
interface Process {
  readonly quotaLeases: QuotaLeases;
  /** Puts the store out of its reach, or back. */
  reach(isReachable: boolean): void;
  /** @returns how many of so many calls at once were admitted. */
  call(calls: number, limits: WindowLimits): Promise<number>;
}

describe('units in several processes', () => {
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

  async function start(holder: string): Promise<Process> {
    const store = await openStore({ dataDir, waitMs: 10_000 });
    stores.push(store);
    let isReachable = true;
    const guarded = new Proxy(store, {
      get(target, name, receiver) {
        if (!isReachable) return () => Promise.reject(new StoreUnavailable('out of reach'));
        return Reflect.get(target, name, receiver);
      },
    });
    const quotaLeases = new QuotaLeases({ store: guarded, clock, log: recordedLog(), holder });
    return {
      quotaLeases,
      reach: (reachable) => {
        isReachable = reachable;
      },
      async call(calls, limits) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: calls }, async () => quotaLeases.reserve(ACCOUNT, limits)),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue;
          const { reason } = outcome;
          if (!(reason instanceof ApiError || reason instanceof StoreUnavailable)) throw reason;
        }
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      },
    };
  }

  /** Regular care of the processes that live, for so long. */
  async function pass(milliseconds: number, ...living: readonly Process[]) {
    for (let left = milliseconds; left > 0; left -= HEARTBEAT_MS) {
      clock.advance(Math.min(left, HEARTBEAT_MS));
      for (const { quotaLeases } of living) await quotaLeases.tend(clock.now());
    }
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
    one.reach(false);
    expect(await one.call(3, { minute: undefined, month: undefined })).toBe(3);
  });

  test('units of a killed process return after 60 s (decisions §3)', async () => {
    const limits = MONTHLY(1_000);
    const killed = await start('killed');
    await killed.call(1, limits);
    const other = await start('other');
    await other.call(1, limits);
    await pass(UNITS_LEASE_MS - 1, other);
    // Others do not wait for a process that is silent for this long.
    const before = await other.call(1_000, limits);
    expect(before).toBeLessThan(999);
    // An empty month is not requested again for a second.
    clock.advance(EMPTY_KEPT_MS);
    expect(await other.call(1_000, limits)).toBe(998 - before);
  });

  test('a process paused beyond its lease renews it before it spends', async () => {
    const limits = MONTHLY(1_000);
    const [paused, other] = [await start('paused'), await start('other')];
    let admitted = (await paused.call(3, limits)) + (await other.call(1, limits));
    await pass(UNITS_LEASE_MS, other);
    admitted += await other.call(1_000, limits);
    expect(admitted).toBe(1_000);
    expect(await paused.call(50, limits)).toBe(0);
  });

  test('a process paused for less than its lease keeps spending its units', async () => {
    const limits = MONTHLY(1_000);
    const [paused, other] = [await start('paused'), await start('other')];
    await paused.call(3, limits);
    await other.call(1, limits);
    await pass(UNITS_LEASE_MS - HEARTBEAT_MS - 1, other);
    paused.reach(false);
    expect(await paused.call(20, limits)).toBe(20);
  });

  test('without the store, known accounts can spend their leased units, and no more', async () => {
    const limits: WindowLimits = { minute: 120, hour: undefined, month: 1_500 };
    const [one, two] = [await start('one'), await start('two')];
    let admitted = (await one.call(1, limits)) + (await two.call(1, limits));
    await pass(HEARTBEAT_MS, one, two);
    one.reach(false);
    two.reach(false);
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
    one.reach(true);
    two.reach(true);
    clock.advance(MINUTE_MS);
    await one.quotaLeases.tend(clock.now());
    await two.quotaLeases.tend(clock.now());
    await one.quotaLeases.close();
    await two.quotaLeases.close();
    expect(await rest(MONTHLY(1_500))).toBe(1_500 - admitted);
  });

  test('without the store an unknown account has no units', async () => {
    const limits = MONTHLY(1_000);
    const one = await start('one');
    one.reach(false);
    expect(await one.call(1, limits)).toBe(0);
  });

  test('a minute that opened without the store counts when it is back (decisions §3)', async () => {
    const limits: WindowLimits = { minute: 10, hour: undefined, month: 100_000 };
    const one = await start('one');
    await one.call(1, limits);
    await one.quotaLeases.tend(clock.now());
    clock.advance(MINUTE_MS);
    one.reach(false);
    expect(await one.call(10, limits)).toBe(10);
    one.reach(true);
    clock.advance(MINUTE_MS - 1);
    expect(await one.call(1, limits)).toBe(0);
    clock.advance(1);
    expect(await one.call(11, limits)).toBe(10);
  });

  test('an outage does not reassign the units of processes that could not send heartbeats', async () => {
    const limits = MONTHLY(1_000);
    const [one, two] = [await start('one'), await start('two')];
    let admitted = (await one.call(1, limits)) + (await two.call(1, limits));
    await pass(HEARTBEAT_MS, one, two);
    one.reach(false);
    two.reach(false);
    clock.advance(10 * UNITS_LEASE_MS);
    admitted += (await one.call(30, limits)) + (await two.call(30, limits));
    expect(admitted).toBe(62);
    // The store is back; one requests everything before the other's heartbeat.
    one.reach(true);
    await one.quotaLeases.tend(clock.now());
    admitted += await one.call(1_000, limits);
    two.reach(true);
    await two.quotaLeases.tend(clock.now());
    admitted += await two.call(1_000, limits);
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
    admitted += await one.call(600, limits);
    admitted += await two.call(600, limits);
    expect(admitted).toBe(1_000);
  });

  test('RECALL_WAIT_MS bounds the wait for units that never come back', async () => {
    const limits = MONTHLY(32);
    const [stuck, other] = [await start('stuck'), await start('other')];
    await stuck.call(1, limits);
    const waiting = other.call(32, limits);
    const ticking = setInterval(() => clock.advance(RECALL_WAIT_MS / 10), 5);
    const admitted = await waiting;
    clearInterval(ticking);
    expect(admitted).toBeGreaterThanOrEqual(29);
    expect(admitted).toBeLessThan(32);
  });
});

import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { CountedCalls } from '../../src/core/app/ports/usage.ts';
import { MAX_WAITING_COUNTS, UsageDays } from '../../src/core/app/quota/usage-days.ts';
import { DAY_MS, parseUtcDay, type UtcDay } from '../../src/core/domain/time.ts';
import { manualClock, recordedLog } from '../harness/service.ts';
import { account, ENGINES, type Site, storeForEachTest } from './engines.ts';

function utcDay(text: string): UtcDay {
  const parsed = parseUtcDay(text);
  if (parsed === undefined) throw new Error(`${text} is not a day.`);
  return parsed;
}

const TODAY = utcDay('2026-11-21');
const RATES = { method: 'GET', path: '/v1/fx/rates' };
const ALWAYS = { from: utcDay('2026-01-01'), to: utcDay('2026-12-31') };

const HOLDER = { account: { id: 'acc-1' }, key: { id: 'key-1' } };
const KEYS_MAX = 3;

function counted(given: Partial<CountedCalls> = {}): CountedCalls {
  return {
    accountId: 'acc-1',
    keyId: 'key-1',
    day: TODAY,
    endpoint: 'GET /v1/fx/rates',
    calls: 3,
    units: 2,
    clientErrors: 1,
    serverErrors: 0,
    ...given,
  };
}

describe.each(ENGINES)('usage by day on $name', ({ create, shortWaitMs }) => {
  let site: Site;
  let store: Store;

  const keep = (opened: { site: Site; store: Store }) => {
    ({ site, store } = opened);
  };
  storeForEachTest(create, keep, { waitMs: shortWaitMs });

  test('counts of many stores add up without loss', async () => {
    const stores = [store, await site.open(), await site.open()];
    const endpoints = ['GET /c', 'GET /a', 'GET /b'];
    await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        (stores[turn % 3] ?? store).addUsageDays(
          // In a different order each time, like several processes.
          [0, 1, 2].map((place) => counted({ endpoint: endpoints[(place + turn) % 3] ?? '' })),
        ),
      ),
    );
    const ofEach = { calls: 36, units: 24, clientErrors: 12 };
    expect(await store.usageDays('acc-1', ALWAYS, KEYS_MAX)).toEqual({
      days: ['GET /a', 'GET /b', 'GET /c'].map((endpoint) => {
        const { keyId, ...day } = counted({ endpoint, ...ofEach });
        return day;
      }),
      keys: [{ keyId: 'key-1', calls: 108, units: 72 }],
    });
  });

  test('calls of one day and endpoint with two keys are one row by endpoint, and two by key', async () => {
    await store.addUsageDays([
      counted({ keyId: 'key-1', calls: 5, units: 4 }),
      counted({ keyId: 'key-2', calls: 7, units: 7, clientErrors: 0 }),
    ]);
    const { days, keys } = await store.usageDays('acc-1', ALWAYS, KEYS_MAX);
    expect(days).toMatchObject([{ calls: 12, units: 11, clientErrors: 1 }]);
    expect(keys).toEqual([
      { keyId: 'key-2', calls: 7, units: 7 },
      { keyId: 'key-1', calls: 5, units: 4 },
    ]);
  });

  test('an answer has at most so many keys as were asked for, the most used', async () => {
    const ids = Array.from({ length: KEYS_MAX + 1 }, (_, place) => `key-${place}`);
    await store.addUsageDays(ids.map((keyId, place) => counted({ keyId, calls: place + 3 })));
    const { keys } = await store.usageDays('acc-1', ALWAYS, KEYS_MAX);
    expect(keys.map(({ keyId }) => keyId)).toEqual(ids.toReversed().slice(0, KEYS_MAX));
  });

  test('a range has its days by endpoint, including both ends', async () => {
    const days = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'].map(utcDay);
    await store.addUsageDays(days.toReversed().map((day) => counted({ day })));
    await store.addUsageDays([counted({ accountId: 'acc-2' })]);
    const [, from, to] = days;
    if (from === undefined || to === undefined) throw new Error('no range');
    const { days: found, keys } = await store.usageDays('acc-1', { from, to }, KEYS_MAX);
    expect(found.map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20']);
    expect(keys).toEqual([{ keyId: 'key-1', calls: 6, units: 4 }]);
  });

  test('the counts of a large service are added in one write', async () => {
    const many = Array.from({ length: 1_234 }, (_, place) =>
      counted({ accountId: `acc-${place}` }),
    );
    await store.addUsageDays(many);
    expect((await store.usageDays('acc-1233', ALWAYS, KEYS_MAX)).days).toHaveLength(1);
    await store.addUsageDays([]);
  });

  test('days before the first are deleted, for every account', async () => {
    const days = ['2026-08-22', '2026-08-23', '2026-11-21'].map(utcDay);
    const accounts = ['acc-1', 'acc-2'];
    await store.addUsageDays(
      days.flatMap((day) => accounts.map((accountId) => counted({ day, accountId }))),
    );
    await store.forgetUsageDaysBefore(utcDay('2026-08-23'));
    for (const accountId of accounts) {
      const { days: found, keys } = await store.usageDays(accountId, ALWAYS, KEYS_MAX);
      expect(found.map(({ day }) => day)).toEqual(['2026-08-23', '2026-11-21']);
      expect(keys).toMatchObject([{ calls: 6 }]);
    }
  });

  test('the usage of an account is deleted with it', async () => {
    await store.createAccount(account());
    await store.addUsageDays([counted()]);
    await store.deleteAccount('acc-1');
    expect(await store.usageDays('acc-1', ALWAYS, KEYS_MAX)).toEqual({ days: [], keys: [] });
  });

  test('counts that could not be written wait, even past midnight, and count once', async () => {
    const clock = manualClock();
    const log = recordedLog();
    const usageDays = new UsageDays({ store, clock, log });
    const call = (status: number) =>
      usageDays.count(HOLDER, RATES, { status, units: status < 400 ? 1 : 0, now: clock.now() });
    const shown = async () =>
      (await usageDays.of('acc-1', ALWAYS)).days.map(({ day, calls, units }) => [
        day,
        calls,
        units,
      ]);
    call(200);
    expect(await shown()).toEqual([['2026-11-21', 1, 1]]);
    const release = await site.holdLock();
    call(200);
    call(404);
    expect(await shown()).toEqual([['2026-11-21', 1, 1]]);
    clock.advance(DAY_MS);
    call(304);
    release();
    await usageDays.close();
    expect(await shown()).toEqual([
      ['2026-11-21', 3, 2],
      ['2026-11-22', 1, 1],
    ]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  test('new counts beyond the limit are dropped, and waiting ones keep counting', async () => {
    const clock = manualClock();
    const usageDays = new UsageDays({ store, clock, log: recordedLog() });
    const call = (place: number) =>
      usageDays.count({ account: { id: `acc-${place}` }, key: { id: `key-${place}` } }, RATES, {
        ...{ status: 200, units: 1, now: clock.now() },
      });
    const daysOf = async (place: number) => (await usageDays.of(`acc-${place}`, ALWAYS)).days;
    for (let place = 0; place <= MAX_WAITING_COUNTS; place += 1) call(place);
    call(0);
    expect(await daysOf(0)).toMatchObject([{ calls: 2 }]);
    expect(await daysOf(MAX_WAITING_COUNTS - 1)).toHaveLength(1);
    expect(await daysOf(MAX_WAITING_COUNTS)).toEqual([]);
    call(MAX_WAITING_COUNTS);
    expect(await daysOf(MAX_WAITING_COUNTS)).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { UsageDay } from '../../src/core/app/ports/usage.ts';
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

function counted(given: Partial<UsageDay> = {}): UsageDay {
  return {
    accountId: 'acc-1',
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
    expect(await store.usageDays('acc-1', ALWAYS)).toEqual(
      ['GET /a', 'GET /b', 'GET /c'].map((endpoint) =>
        counted({ endpoint, calls: 36, units: 24, clientErrors: 12 }),
      ),
    );
  });

  test('a range has its days by endpoint, including both ends', async () => {
    const days = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'].map(utcDay);
    await store.addUsageDays(days.toReversed().map((day) => counted({ day })));
    await store.addUsageDays([counted({ accountId: 'acc-2' })]);
    const [, from, to] = days;
    if (from === undefined || to === undefined) throw new Error('no range');
    const found = await store.usageDays('acc-1', { from, to });
    expect(found.map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20']);
  });

  test('the counts of a large service are added in one write', async () => {
    const many = Array.from({ length: 1_234 }, (_, place) =>
      counted({ accountId: `acc-${place}` }),
    );
    await store.addUsageDays(many);
    expect(await store.usageDays('acc-1233', ALWAYS)).toHaveLength(1);
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
      const found = await store.usageDays(accountId, ALWAYS);
      expect(found.map(({ day }) => day)).toEqual(['2026-08-23', '2026-11-21']);
    }
  });

  test('the usage of an account is deleted with it', async () => {
    await store.createAccount(account());
    await store.addUsageDays([counted()]);
    await store.deleteAccount('acc-1');
    expect(await store.usageDays('acc-1', ALWAYS)).toEqual([]);
  });

  test('counts that could not be written wait, even past midnight, and count once', async () => {
    const clock = manualClock();
    const log = recordedLog();
    const usageDays = new UsageDays({ store, clock, log });
    const call = (status: number) =>
      usageDays.count('acc-1', RATES, { status, units: status < 400 ? 1 : 0, now: clock.now() });
    const shown = async () =>
      (await usageDays.of('acc-1', ALWAYS)).map(({ day, calls, units }) => [day, calls, units]);
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
    const call = (accountId: string) =>
      usageDays.count(accountId, RATES, { status: 200, units: 1, now: clock.now() });
    for (let place = 0; place <= MAX_WAITING_COUNTS; place += 1) call(`acc-${place}`);
    call('acc-0');
    expect(await usageDays.of('acc-0', ALWAYS)).toMatchObject([{ calls: 2 }]);
    expect(await usageDays.of(`acc-${MAX_WAITING_COUNTS - 1}`, ALWAYS)).toHaveLength(1);
    expect(await usageDays.of(`acc-${MAX_WAITING_COUNTS}`, ALWAYS)).toEqual([]);
    call(`acc-${MAX_WAITING_COUNTS}`);
    expect(await usageDays.of(`acc-${MAX_WAITING_COUNTS}`, ALWAYS)).toHaveLength(1);
  });
});

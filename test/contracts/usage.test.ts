import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { UnitsAsk, UnitsGrant, UsageWindow } from '../../src/core/app/ports/usage.ts';
import { BLOCK_SHARE, MAY_COME_BACK_MS } from '../../src/core/app/quota/block-limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { ENGINES, type Site, storeForEachTest } from './engines.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MONTH = Date.UTC(2026, 10, 1);

/** Asks for units that calls wait for. */
function ask({ need = 4, ...given }: Partial<UnitsAsk> = {}): UnitsAsk {
  return { accountId: 'acc-1', window: 'minute', limit: 10, need, want: need, ...given };
}

/** A limit at which a block of 10 is granted. */
const PLENTY = 1_000;

/** Asks for a block in advance. */
function block(want: number, given: Partial<UnitsAsk> = {}): UnitsAsk {
  return ask({ limit: PLENTY, need: 0, want, ...given });
}

/** What a process has of a window that it got a grant for. */
const held = ({ openedAt, spare }: UnitsGrant, units: number) => ({ openedAt, units, spare });

describe.each(ENGINES)('usage on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  async function takeAsked(asked: UnitsAsk, now = NOW) {
    const [grant] = await store.takeUnits([asked], now);
    if (grant === undefined) throw new Error('No grant.');
    return grant;
  }

  const take = (given: Partial<UnitsAsk> = {}, now = NOW) => takeAsked(ask(given), now);

  function giveBack(grant: UnitsGrant, units: number, window: UsageWindow = 'minute') {
    return store.returnUnits([{ accountId: 'acc-1', window, ...held(grant, units) }]);
  }

  const taken = async (now = NOW) => (await store.monthUsage('acc-1', now)).taken;

  test('units are granted while they remain, then the remainder, then none', async () => {
    const grants = [await take(), await take(), await take(), await take()];
    expect(grants.map(({ granted, taken }) => [granted, taken])).toEqual([
      [4, 4],
      [4, 8],
      [2, 10],
      [0, 10],
    ]);
    expect(grants.every(({ openedAt }) => openedAt === NOW)).toBe(true);
  });

  test('a limit lowered below the taken units grants none', async () => {
    await take({ need: 9 });
    expect(await take({ limit: 5 })).toMatchObject({ granted: 0, taken: 9 });
  });

  test('several windows are charged at once, each with its own count', async () => {
    const grants = await store.takeUnits(
      [ask(), ask({ window: 'hour', need: 1 }), ask({ window: 'month', limit: 2 })],
      NOW,
    );
    const none = { spare: 0, mayComeBack: false };
    expect(grants).toEqual([
      { openedAt: NOW, granted: 4, taken: 4, ...none },
      { openedAt: NOW, granted: 1, taken: 1, ...none },
      { openedAt: MONTH, granted: 2, taken: 2, ...none },
    ]);
  });

  test('accounts do not share units', async () => {
    await take({ need: 10 });
    expect(await take({ accountId: 'acc-2' })).toMatchObject({ granted: 4, mayComeBack: false });
  });

  test.each([
    { window: 'minute', length: MINUTE_MS },
    { window: 'hour', length: HOUR_MS },
  ] as const)('a $window stays open for its length and not a millisecond longer', async (row) => {
    const { window, length } = row;
    await take({ window, need: 10 });
    const last = await take({ window }, NOW + length - 1);
    expect(last).toMatchObject({ openedAt: NOW, granted: 0, taken: 10 });
    const next = await take({ window }, NOW + length);
    expect(next).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 4 });
    const after = await take({ window }, NOW + length + 1);
    expect(after).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 8 });
  });

  test('a clock set back by less than a window opens no second window', async () => {
    await take({ need: 10 });
    const back = await take({}, NOW - MINUTE_MS + 1);
    expect(back).toMatchObject({ openedAt: NOW, granted: 0 });
    const farBack = await take({}, NOW - MINUTE_MS);
    expect(farBack).toMatchObject({ openedAt: NOW - MINUTE_MS, granted: 4, taken: 4 });
    // A window from the future is discarded.
    expect(await take({}, NOW)).toMatchObject({ openedAt: NOW, granted: 4, taken: 4 });
  });

  test('a month ends with its last millisecond in UTC', async () => {
    const next = Date.UTC(2026, 11, 1);
    const month = { window: 'month', need: 10 } as const;
    await take(month);
    expect(await take(month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
    expect(await take(month, next)).toMatchObject({ openedAt: next, granted: 10 });
    expect(await store.monthUsage('acc-1', next)).toEqual({ openedAt: next, taken: 10 });
    // A past month keeps its count for clocks that are set back.
    expect(await store.monthUsage('acc-1', next - 1)).toEqual({ openedAt: MONTH, taken: 10 });
    expect(await take(month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
  });

  test('units of the old month go back to it, also after the next has begun', async () => {
    const next = Date.UTC(2026, 11, 1);
    const month = { window: 'month', limit: PLENTY } as const;
    const behind = await takeAsked(block(10, month), next - 1);
    await take({ ...month, need: 1 }, next);
    expect(await take({ ...month, need: PLENTY }, next - 1)).toMatchObject({
      openedAt: MONTH,
      granted: PLENTY - 10,
      mayComeBack: true,
    });
    await giveBack(behind, 7, 'month');
    expect(await take({ ...month, need: 20 }, next - 1)).toMatchObject({ granted: 7 });
    expect(await take({ ...month, need: 1 }, next)).toMatchObject({ taken: 2 });
  });

  test('the usage of a month without calls is none', async () => {
    expect(await store.monthUsage('acc-1', NOW)).toEqual({ openedAt: MONTH, taken: 0 });
  });

  test('returned units can be taken again', async () => {
    const grant = await take({ need: 10 });
    await giveBack(grant, 3);
    expect(await take({ need: 10 })).toMatchObject({ granted: 3, taken: 10 });
  });

  test('several returns of one window count together', async () => {
    const grant = await take({ need: 10 });
    const back = { accountId: 'acc-1', window: 'minute', ...held(grant, 2) } as const;
    await store.returnUnits([back, back, { ...back, units: 1 }]);
    expect(await take({ need: 10 })).toMatchObject({ granted: 5, taken: 10 });
  });

  test('no return makes the count negative', async () => {
    const grant = await take();
    await giveBack(grant, 50);
    expect(await take({ need: 50 })).toMatchObject({ granted: 10, taken: 10 });
  });

  test('units of an ended window are not added to the next', async () => {
    const old = await take({ need: 10 });
    await take({ need: 10 }, NOW + MINUTE_MS);
    await giveBack(old, 10);
    expect(await take({}, NOW + MINUTE_MS)).toMatchObject({ granted: 0, taken: 10 });
  });

  test.each(['minute', 'month'] as const)(
    'a block of a %s is at most a share of what remains, with the calls that wait (contract §3)',
    async (window) => {
      const limit = 10 * BLOCK_SHARE;
      const asked = (want: number, need = 0) => takeAsked(block(want, { window, limit, need }));
      expect(await asked(11)).toMatchObject({ granted: 10, spare: 10 });
      expect(await asked(9, 1)).toMatchObject({ granted: 9, spare: 8 });
      expect(await asked(4)).toMatchObject({ granted: 4, spare: 4 });
      expect(await asked(11, 11)).toMatchObject({ granted: 11, spare: 0 });
    },
  );

  test('a block replaces what the process still has: it never holds more than one (contract §3)', async () => {
    const grant = await takeAsked(block(20));
    expect(await takeAsked(block(20, { held: held(grant, 9) }))).toMatchObject({
      granted: 11,
      spare: 20,
      taken: 31,
    });
    expect(await takeAsked(block(5, { held: held(grant, 9) }))).toMatchObject({ granted: 0 });
  });

  test('near the limit a block is one unit, for a call that waits (contract §3)', async () => {
    const nearly = 2 * BLOCK_SHARE;
    const near = (remaining: number, need: number) =>
      takeAsked(block(20, { limit: PLENTY, need, accountId: `with-${remaining}-${need}` }));
    for (const [remaining, need, granted] of [
      [nearly, 1, 2],
      [nearly - 1, 1, 1],
      [nearly - 1, 0, 0],
      [1, 1, 1],
      [0, 1, 0],
    ] as const) {
      const accountId = `with-${remaining}-${need}`;
      await take({ accountId, limit: PLENTY, need: PLENTY - remaining });
      expect([remaining, need, (await near(remaining, need)).granted]).toEqual([
        remaining,
        need,
        granted,
      ]);
    }
  });

  test('others may give units back until their blocks are a minute old, and not when they did', async () => {
    const all = { limit: PLENTY, need: PLENTY };
    const month = { window: 'month', ...all } as const;
    const grant = await takeAsked(block(10, { window: 'month' }));
    expect(await take(month)).toMatchObject({ granted: PLENTY - 10, mayComeBack: true });
    expect(await take(month, NOW + MAY_COME_BACK_MS - 1)).toMatchObject({ mayComeBack: true });
    expect(await take(month, NOW + MAY_COME_BACK_MS)).toMatchObject({ mayComeBack: false });
    // A clock that was far ahead says as little as an old one.
    expect(await take(month, NOW - MAY_COME_BACK_MS)).toMatchObject({ mayComeBack: false });
    await giveBack(grant, 0, 'month');
    expect(await take(month)).toMatchObject({ granted: 0, mayComeBack: false });
  });

  test('what a process has itself does not come back from others', async () => {
    const grant = await takeAsked(block(10));
    const rest = await take({ limit: PLENTY, need: PLENTY, held: held(grant, 0) });
    expect(rest).toMatchObject({ granted: PLENTY - 10, mayComeBack: false });
  });

  test('units spent without the store count in the window in which they were spent', async () => {
    const since = NOW - 20_000;
    const debt = (openedAt: number, units: number) => ({ openedAt, units: -units, spare: 0 });
    expect(await take({ held: debt(since, 3) })).toMatchObject({
      openedAt: since,
      granted: 4,
      taken: 7,
    });
    // A second process counted that minute alone too.
    expect(await take({ held: debt(NOW, 2) })).toMatchObject({
      openedAt: since,
      granted: 1,
      taken: 10,
    });
    // What was spent counts, whatever the limit is.
    expect(await take({ held: debt(since, 2) })).toMatchObject({ granted: 0, taken: 12 });
  });

  test('minutes and hours that are over leave no row, and months stay', async () => {
    const windows = ['minute', 'account', 'hour', 'month'] as const;
    for (const now of [NOW, NOW + MINUTE_MS, NOW + HOUR_MS, NOW + 30 * DAY_MS]) {
      await store.takeUnits(
        windows.map((window) => ask({ window })),
        now,
      );
      const rows = await site.ask(
        `select "window" from usage where "window" <> 'month' and opened_at <= ${now}`,
      );
      expect(rows).toHaveLength(3);
    }
    expect(await site.ask(`select opened_at from usage where "window" = 'month'`)).toHaveLength(2);
  });

  test('many windows are counted in one transaction', async () => {
    const many = Array.from({ length: 1_201 }, (_, at) => ask({ accountId: `acc-${at}` }));
    const grants = await store.takeUnits(many, NOW);
    expect(grants.map(({ granted }) => granted)).toEqual(many.map(() => 4));
    const returns = many.map(({ accountId, window }) => ({
      ...{ accountId, window, openedAt: NOW, spare: 0, units: 1 },
    }));
    await store.returnUnits(returns);
    expect(await take({ accountId: 'acc-1200', need: 10 })).toMatchObject({ granted: 7 });
  });

  test('a migration gives back what killed processes of the version before had leased', async () => {
    await take({ window: 'month', limit: PLENTY, need: 100 });
    await take({ window: 'month', limit: PLENTY, need: 7, accountId: 'acc-2' });
    await site.run(`
      delete from migration where name = '009-unit-blocks';
      alter table usage drop column spare;
      alter table usage drop column spare_at;
      insert into lease (holder, account_id, "window", opened_at, units, allowance)
        values ('a', 'acc-1', 'month', ${MONTH}, 30, 5), ('b', 'acc-1', 'month', ${MONTH}, 8, 0);`);
    const next = await site.open();
    expect((await next.monthUsage('acc-1', NOW)).taken).toBe(62);
    expect((await next.monthUsage('acc-2', NOW)).taken).toBe(7);
    expect(await site.ask('select * from lease')).toEqual([]);
  });

  test('stores that race for the last units grant exactly the limit', async () => {
    // Hundreds of transactions on one row: on a busy machine the last waits for seconds.
    const open = () => site.open({ waitMs: 20_000 });
    const stores = [await open(), await open(), await open()];
    const limit = 300;
    const racers = stores.flatMap((racer) => Array.from({ length: 4 }, () => racer));
    const spent = await Promise.all(
      racers.map(async (one) => {
        let own = 0;
        for (;;) {
          const asked = ask({ window: 'month', limit, need: 3 });
          const [grant] = await one.takeUnits([asked], NOW);
          if (grant === undefined || grant.granted === 0) return own;
          // One of three is unspent, and is returned while others take units.
          own += grant.granted === 3 ? 2 : grant.granted;
          if (grant.granted < 3) continue;
          const back = { accountId: 'acc-1', window: 'month', ...held(grant, 1) } as const;
          await one.returnUnits([back]);
        }
      }),
    );
    const total = spent.reduce((sum, own) => sum + own, 0);
    expect(total).toBe(await taken());
    expect(total).toBeLessThanOrEqual(limit);
    expect(await take({ window: 'month', limit, need: limit })).toMatchObject({
      granted: limit - total,
    });
  });

  test('any sequence of grants and returns keeps the units that are out within the limit', async () => {
    const step = fc.record({
      want: fc.nat(6),
      back: fc.nat(6),
      later: fc.constantFrom(0, 1, 20_000, MINUTE_MS - 1, MINUTE_MS),
    });
    let account = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        account += 1;
        const accountId = `acc-${account}`;
        let now = NOW;
        let out = { openedAt: 0, units: 0 };
        for (const { want, back, later } of steps) {
          now += later;
          const grant = await take({ accountId, need: want }, now);
          if (grant.openedAt !== out.openedAt) {
            expect(now - out.openedAt).toBeGreaterThanOrEqual(MINUTE_MS);
            out = { openedAt: grant.openedAt, units: 0 };
          }
          out.units += grant.granted;
          expect(out.units).toBeLessThanOrEqual(10);
          expect(grant.taken).toBe(out.units);
          expect(grant.granted === want || out.units === 10).toBe(true);
          const units = Math.min(back, grant.granted);
          await store.returnUnits([{ accountId, window: 'minute', ...held(grant, units) }]);
          out.units -= units;
        }
      }),
      { numRuns: 50 },
    );
  });
});

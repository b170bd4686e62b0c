import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/app/ports/store.ts';
import type { UnitsAsk, UnitsGrant } from '../../src/app/ports/usage.ts';
import { BLOCK_SHARE, UNITS_LEASE_MS } from '../../src/app/quota/lease-limits.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { ENGINES, type Site, storeForEachTest } from './engines.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MONTH = Date.UTC(2026, 10, 1);

/** Asks for units that calls wait for. */
function ask({ need = 4, ...given }: Partial<UnitsAsk> = {}): UnitsAsk {
  return {
    accountId: 'acc-1',
    window: 'minute',
    limit: 10,
    need,
    want: need,
    most: need,
    ...given,
  };
}

/** A limit at which a block of 10 is granted. */
const PLENTY = 1_000;

/** Asks for a block in advance. */
function block(want: number, given: Partial<UnitsAsk> = {}): UnitsAsk {
  return ask({ limit: PLENTY, need: 0, want, most: 0, ...given });
}

describe.each(ENGINES)('usage on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  async function takeAsked(holder: string, asked: UnitsAsk, now = NOW) {
    const [grant] = await store.takeUnits(holder, [asked], { now, reclaim: true });
    if (grant === undefined) throw new Error('No grant.');
    return grant;
  }

  const take = (holder: string, given: Partial<UnitsAsk> = {}, now = NOW) =>
    takeAsked(holder, ask(given), now);

  /** Returns the reserve, and so many units of the allowance. */
  function giveBack(holder: string, { openedAt }: UnitsGrant, allowance: number) {
    const back = { accountId: 'acc-1', window: 'minute', openedAt, allowance } as const;
    return store.returnUnits(holder, [back]);
  }

  test('units are granted while they remain, then the remainder, then none', async () => {
    const grants = [await take('a'), await take('a'), await take('a'), await take('a')];
    expect(grants.map(({ granted, taken }) => [granted, taken])).toEqual([
      [4, 4],
      [4, 8],
      [2, 10],
      [0, 10],
    ]);
    expect(grants.every(({ openedAt }) => openedAt === NOW)).toBe(true);
  });

  test('a limit lowered below the taken units grants none', async () => {
    await take('a', { need: 9 });
    expect(await take('a', { limit: 5 })).toMatchObject({ granted: 0, taken: 9 });
  });

  test('several windows are charged at once, each with its own count', async () => {
    const grants = await store.takeUnits(
      'a',
      [ask(), ask({ window: 'hour', need: 1 }), ask({ window: 'month', limit: 2 })],
      { now: NOW, reclaim: true },
    );
    const alone = { reserve: 0, isListed: false, heldElsewhere: 0, mayComeBack: false };
    expect(grants).toEqual([
      { openedAt: NOW, granted: 4, allowance: 4, taken: 4, ...alone },
      { openedAt: NOW, granted: 1, allowance: 1, taken: 1, ...alone },
      { openedAt: MONTH, granted: 2, allowance: 2, taken: 2, ...alone },
    ]);
  });

  test('accounts do not share units', async () => {
    await take('a', { need: 10 });
    expect(await take('a', { accountId: 'acc-2' })).toMatchObject({ granted: 4, heldElsewhere: 0 });
  });

  test.each([
    { window: 'minute', length: MINUTE_MS },
    { window: 'hour', length: HOUR_MS },
  ] as const)('a $window stays open for its length and not a millisecond longer', async (row) => {
    const { window, length } = row;
    await take('a', { window, need: 10 });
    const last = await take('a', { window }, NOW + length - 1);
    expect(last).toMatchObject({ openedAt: NOW, granted: 0, taken: 10 });
    const next = await take('a', { window }, NOW + length);
    expect(next).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 4 });
    const after = await take('a', { window }, NOW + length + 1);
    expect(after).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 8 });
  });

  test('a clock set back by less than a window opens no second window', async () => {
    await take('a', { need: 10 });
    const back = await take('a', {}, NOW - MINUTE_MS + 1);
    expect(back).toMatchObject({ openedAt: NOW, granted: 0 });
    const farBack = await take('a', {}, NOW - MINUTE_MS);
    expect(farBack).toMatchObject({ openedAt: NOW - MINUTE_MS, granted: 4, taken: 4 });
    // A window from the future is discarded.
    expect(await take('a', {}, NOW)).toMatchObject({ openedAt: NOW, granted: 4, taken: 4 });
  });

  test('a month ends with its last millisecond in UTC', async () => {
    const next = Date.UTC(2026, 11, 1);
    const month = { window: 'month', need: 10 } as const;
    await take('a', month);
    expect(await take('a', month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
    expect(await take('a', month, next)).toMatchObject({ openedAt: next, granted: 10 });
    expect(await store.monthUsage('a', 'acc-1', next)).toEqual({
      openedAt: next,
      taken: 10,
      heldElsewhere: 0,
      reserve: 0,
    });
    // A past month keeps its count for clocks that are set back.
    expect(await store.monthUsage('a', 'acc-1', next - 1)).toEqual({
      openedAt: MONTH,
      taken: 10,
      heldElsewhere: 0,
      reserve: 0,
    });
    expect(await take('a', month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
  });

  test('a process whose clock is behind can spend the units of the old month', async () => {
    const next = Date.UTC(2026, 11, 1);
    const month = { window: 'month', limit: PLENTY } as const;
    await takeAsked('behind', block(10, month), next - 1);
    await take('ahead', { ...month, need: 1 }, next);
    // The lease is still known, so the units can be recalled and are returned whole.
    expect(await take('third', { ...month, need: PLENTY }, next - 1)).toMatchObject({
      openedAt: MONTH,
      granted: PLENTY - 10,
      heldElsewhere: 10,
    });
    const back = { accountId: 'acc-1', window: 'month', openedAt: MONTH } as const;
    await store.returnUnits('behind', [{ ...back, allowance: 0 }]);
    expect(await take('third', { ...month, need: 20 }, next - 1)).toMatchObject({ granted: 10 });
    expect(await take('third', { ...month, need: 1 }, next)).toMatchObject({ taken: 2 });
  });

  test('leases of a month are deleted two months later', async () => {
    await takeAsked('gone', block(10, { window: 'month' }), MONTH);
    await take('a', { window: 'month' }, Date.UTC(2027, 0, 1));
    expect(await store.monthUsage('a', 'acc-1', MONTH)).toMatchObject({ heldElsewhere: 0 });
  });

  test('the usage of a month without calls is none', async () => {
    expect(await store.monthUsage('a', 'acc-1', NOW)).toEqual({
      openedAt: MONTH,
      taken: 0,
      heldElsewhere: 0,
      reserve: 0,
    });
  });

  test('returned units can be taken again', async () => {
    const grant = await take('a', { need: 10 });
    await giveBack('a', grant, 3);
    expect(await take('b', { need: 10 })).toMatchObject({ granted: 3, taken: 10 });
  });

  test('units returned by a holder without leased units still count', async () => {
    const grant = await take('a', { need: 10 });
    await giveBack('a', grant, 0);
    await giveBack('a', grant, 2);
    expect(await take('b', { need: 10 })).toMatchObject({ granted: 2, heldElsewhere: 0 });
  });

  test('no return makes the count negative', async () => {
    const grant = await take('a');
    await giveBack('a', grant, 50);
    expect(await take('a', { need: 50 })).toMatchObject({ granted: 10, taken: 10 });
  });

  test('units of an ended window are not added to the next', async () => {
    const old = await take('a', { need: 10 });
    await take('b', { need: 10 }, NOW + MINUTE_MS);
    await giveBack('a', old, 10);
    expect(await take('a', {}, NOW + MINUTE_MS)).toMatchObject({ granted: 0, taken: 10 });
  });

  test.each(['minute', 'month'] as const)(
    'a block is at most a share of the remaining units of a %s, and waiting calls come first',
    async (window) => {
      const share = BLOCK_SHARE[window];
      const limit = 10 * share;
      const next = Math.floor((limit - 10) / share);
      const asked = (want: number, more: object) => block(want, { window, limit, ...more });
      expect(await takeAsked('a', asked(11, {}))).toMatchObject({ granted: 10, reserve: 10 });
      expect(await takeAsked('b', asked(11, {}))).toMatchObject({ granted: next, reserve: next });
      expect(await takeAsked('c', asked(11, { need: 11, most: 11 }))).toMatchObject({
        granted: 11,
        isListed: false,
      });
      const taken = 21 + next;
      const nearTheEnd = { limit: taken + share - 1, need: 1 };
      expect(await takeAsked('c', asked(9, nearTheEnd))).toMatchObject({
        granted: 1,
        taken: taken + 1,
      });
    },
  );

  test('units of other holders are reported, and the allowances of the dead count as spent', async () => {
    await takeAsked('a', block(3, { most: 2 }));
    await takeAsked('b', block(4));
    expect(await take('c', {}, NOW)).toMatchObject({ heldElsewhere: 7, mayComeBack: true });
    const end = NOW + UNITS_LEASE_MS;
    await store.renewHolder('b', [], NOW + 1);
    const notReclaimed = async (now: number) =>
      store.takeUnits('c', [ask()], { now, reclaim: false });
    expect(await notReclaimed(end - 1)).toMatchObject([{ heldElsewhere: 7, mayComeBack: true }]);
    expect(await notReclaimed(end)).toMatchObject([{ heldElsewhere: 5, mayComeBack: true }]);
    expect(await take('c', {}, end)).toMatchObject({ heldElsewhere: 4, mayComeBack: true });
    expect(await take('c', {}, end + 1)).toMatchObject({ heldElsewhere: 0, mayComeBack: false });
  });

  test('units of a month leased by other holders do not count as used', async () => {
    await takeAsked('a', block(30, { window: 'month', need: 1, most: 5 }));
    await takeAsked('b', block(20, { window: 'month', need: 2, most: 5 }));
    const usage = { openedAt: MONTH, taken: 50 };
    const shares = { a: { heldElsewhere: 18, reserve: 25 }, c: { heldElsewhere: 47, reserve: 0 } };
    expect(await store.monthUsage('a', 'acc-1', NOW)).toEqual({ ...usage, ...shares.a });
    expect(await store.monthUsage('c', 'acc-1', NOW)).toEqual({ ...usage, ...shares.c });
  });

  test('the reserve of a dead process goes to others after 8 s, not earlier; its allowance never', async () => {
    const month = { window: 'month', limit: 160 } as const;
    await takeAsked('dead', block(10, { ...month, most: 3 }));
    const rest = { ...month, need: 160 };
    expect(await take('b', rest, NOW + UNITS_LEASE_MS - 1)).toMatchObject({ granted: 150 });
    expect(await take('b', rest, NOW + UNITS_LEASE_MS)).toMatchObject({
      granted: 7,
      taken: 160,
      heldElsewhere: 0,
    });
  });

  test('a process whose heartbeat is of the future is dead: the clock was set back', async () => {
    const month = { window: 'month', limit: 160 } as const;
    await takeAsked('dead', block(10, month));
    const rest = { ...month, need: 160 };
    expect(await take('b', rest, NOW - UNITS_LEASE_MS + 1)).toMatchObject({ granted: 150 });
    expect(await take('b', rest, NOW - UNITS_LEASE_MS)).toMatchObject({ granted: 10 });
  });

  test('a heartbeat keeps the units, and divides them into allowance and reserve', async () => {
    const month = { window: 'month', limit: 160 } as const;
    const { openedAt } = await takeAsked('a', block(10, { ...month, most: 3 }));
    const later = NOW + UNITS_LEASE_MS - 1;
    const held = { accountId: 'acc-1', window: 'month', openedAt, allowance: 1, most: 4 } as const;
    expect(await store.renewHolder('a', [held], later)).toEqual({
      holders: 1,
      shares: [{ allowance: 4, reserve: 4 }],
    });
    // Units of the reserve were spent while the store was away.
    expect(await store.renewHolder('a', [{ ...held, allowance: -2 }], later)).toMatchObject({
      shares: [{ allowance: 2, reserve: 0 }],
    });
    expect(await take('b', { ...month, need: 160 }, later + UNITS_LEASE_MS - 1)).toMatchObject({
      granted: 150,
      heldElsewhere: 2,
      mayComeBack: true,
    });
  });

  test('after an outage, units of silent holders are not reclaimed before their time', async () => {
    const month = { window: 'month', limit: 160, need: 160 } as const;
    await takeAsked('a', block(10, { ...month, need: 0 }));
    const asked = [ask(month)];
    const now = NOW + UNITS_LEASE_MS;
    const [grant] = await store.takeUnits('b', asked, { now, reclaim: false });
    expect(grant).toMatchObject({ granted: 150, heldElsewhere: 10 });
  });

  test('after missed heartbeats the units spent from the reserve count, and the allowance is kept', async () => {
    const month = { window: 'month', limit: 160 } as const;
    const now = NOW + UNITS_LEASE_MS;
    for (const [accountId, allowance, taken] of [
      ['acc-1', 3, 160],
      ['acc-2', -2, 162],
    ] as const) {
      const { openedAt } = await takeAsked('a', block(10, { ...month, accountId, most: 3 }));
      await take('b', { ...month, accountId, need: 160 }, now);
      const report = { accountId, window: 'month', openedAt, allowance, most: 3 } as const;
      expect(await store.renewHolder('a', [report], now)).toEqual({
        holders: 2,
        shares: [undefined],
      });
      const held = { openedAt, allowance };
      expect(
        await takeAsked('a', block(0, { ...month, accountId, most: 3, held }), now),
      ).toMatchObject({ granted: 0, allowance: Math.max(0, allowance), reserve: 0, taken });
    }
  });

  test('units returned after missed heartbeats are not returned twice', async () => {
    const month = { window: 'month', limit: PLENTY } as const;
    const { openedAt } = await takeAsked('a', block(10, { ...month, most: 6 }));
    await take('b', { ...month, need: 1 }, NOW + UNITS_LEASE_MS);
    await store.returnUnits('a', [{ accountId: 'acc-1', window: 'month', openedAt, allowance: 2 }]);
    // One process spent four of the ten units, and the other one.
    expect(await store.monthUsage('b', 'acc-1', NOW)).toMatchObject({ taken: 5 });
  });

  test('after a lost answer the reserve is what the store recorded', async () => {
    const { openedAt } = await takeAsked('a', block(10, { most: 4 }));
    const held = { openedAt, allowance: 0 };
    // It never heard of the first grant.
    expect(await takeAsked('a', block(0, { most: 4, held }))).toMatchObject({
      granted: 0,
      allowance: 4,
      reserve: 2,
      taken: 10,
    });
  });

  test('units spent without the store count in the window in which they were spent', async () => {
    const since = NOW - 20_000;
    const owed = { since, units: 3 };
    expect(await take('a', { owed })).toMatchObject({ openedAt: since, granted: 4, taken: 7 });
    // A second process had its own share of that minute.
    expect(await take('b', { owed: { since: NOW, units: 2 } })).toMatchObject({
      openedAt: since,
      granted: 1,
      taken: 10,
    });
  });

  test('units are recalled only when none remain and other holders have some', async () => {
    const limit = 7 * BLOCK_SHARE.minute;
    const grant = await takeAsked('a', block(7, { limit }));
    const all = { limit, need: limit };
    await take('b', all);
    expect(await store.wantedFrom('a')).toEqual([]);
    await takeAsked('b', block(1, { limit }));
    expect(await store.wantedFrom('a')).toEqual([]);
    expect(await take('b', all)).toMatchObject({ granted: 0, heldElsewhere: 7 });
    expect(await store.wantedFrom('a')).toEqual([{ accountId: 'acc-1', window: 'minute' }]);
    expect(await store.wantedFrom('c')).toEqual([]);
    await giveBack('a', grant, -2);
    expect(await store.wantedFrom('a')).toEqual([]);
    expect(await take('b', all)).toMatchObject({ granted: 5, heldElsewhere: 0 });
  });

  test('nothing is recalled when all units are spent', async () => {
    await take('a', { need: 10 });
    expect(await take('b')).toMatchObject({ granted: 0, heldElsewhere: 0 });
    expect(await store.wantedFrom('a')).toEqual([]);
  });

  test('a recall of one window does not apply to the next', async () => {
    const limit = BLOCK_SHARE.minute;
    await takeAsked('a', block(1, { limit }));
    await take('b', { limit, need: limit });
    await take('b', { limit });
    expect(await store.wantedFrom('a')).toHaveLength(1);
    await take('a', { need: 1 }, NOW + MINUTE_MS);
    expect(await store.wantedFrom('a')).toEqual([]);
  });

  test('stores that race for the last units grant exactly the limit', async () => {
    // Hundreds of transactions on one row: on a busy machine the last waits for seconds.
    const open = () => site.open({ waitMs: 20_000 });
    const stores = [await open(), await open(), await open()].map((one, index) => ({
      holder: `holder-${index}`,
      one,
    }));
    const limit = 300;
    const racers = stores.flatMap((racer) => Array.from({ length: 4 }, () => racer));
    const spent = await Promise.all(
      racers.map(async ({ holder, one }) => {
        let own = 0;
        for (;;) {
          const asked = ask({ window: 'month', limit, need: 3 });
          const [grant] = await one.takeUnits(holder, [asked], { now: NOW, reclaim: true });
          if (grant === undefined || grant.granted === 0) return own;
          // One of three is unspent, and is returned while others take units.
          own += grant.granted === 3 ? 2 : grant.granted;
          if (grant.granted < 3) continue;
          const back = { accountId: 'acc-1', window: 'month', openedAt: grant.openedAt } as const;
          await one.returnUnits(holder, [{ ...back, allowance: 1 }]);
        }
      }),
    );
    const total = spent.reduce((sum, own) => sum + own, 0);
    const { taken } = await store.monthUsage('last', 'acc-1', NOW);
    expect(total).toBe(taken);
    expect(total).toBeLessThanOrEqual(limit);
    expect(await take('last', { window: 'month', limit, need: limit })).toMatchObject({
      granted: limit - total,
    });
  });

  test('any sequence of leases and returns keeps leased units within the limit', async () => {
    const step = fc.record({
      holder: fc.constantFrom('a', 'b'),
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
        for (const { holder, want, back, later } of steps) {
          now += later;
          const [grant] = await store.takeUnits(holder, [ask({ accountId, need: want })], {
            now,
            reclaim: true,
          });
          if (grant === undefined) throw new Error('No grant.');
          if (grant.openedAt !== out.openedAt) {
            expect(now - out.openedAt).toBeGreaterThanOrEqual(MINUTE_MS);
            out = { openedAt: grant.openedAt, units: 0 };
          }
          out.units += grant.granted;
          expect(out.units).toBeLessThanOrEqual(10);
          expect(grant.taken).toBe(out.units);
          expect(grant.granted === want || out.units === 10).toBe(true);
          const units = Math.min(back, grant.granted);
          const { openedAt } = grant;
          await store.returnUnits(holder, [
            { accountId, window: 'minute', openedAt, allowance: units },
          ]);
          out.units -= units;
        }
      }),
      { numRuns: 50 },
    );
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNITS_LEASE_MS } from '../../src/app/allowances.ts';
import type { Store, UnitsAsk, UnitsGrant } from '../../src/app/ports.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { ENGINES, type Site } from './engines.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MONTH = Date.UTC(2026, 10, 1);

function ask(given: Partial<UnitsAsk> = {}): UnitsAsk {
  return { accountId: 'acc-1', window: 'minute', limit: 10, want: 4, ...given };
}

describe.each(ENGINES)('usage on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  beforeEach(async () => {
    site = create();
    store = await site.open();
  });

  afterEach(() => site.close());

  async function take(holder: string, given: Partial<UnitsAsk> = {}, now = NOW) {
    const [grant] = await store.takeUnits(holder, [ask(given)], now);
    if (grant === undefined) throw new Error('No grant.');
    return grant;
  }

  function giveBack(holder: string, { openedAt }: UnitsGrant, units: number) {
    return store.returnUnits(holder, [{ accountId: 'acc-1', window: 'minute', openedAt, units }]);
  }

  test('units are granted while they remain, then the rest, then none', async () => {
    const grants = [await take('a'), await take('a'), await take('a'), await take('a')];
    expect(grants.map(({ granted, taken }) => [granted, taken])).toEqual([
      [4, 4],
      [4, 8],
      [2, 10],
      [0, 10],
    ]);
    expect(grants.every(({ openedAt }) => openedAt === NOW)).toBe(true);
  });

  test('a limit that was lowered below what is taken grants none', async () => {
    await take('a', { want: 9 });
    expect(await take('a', { limit: 5 })).toMatchObject({ granted: 0, taken: 9 });
  });

  test('several windows are taken from at once, each in its own count', async () => {
    const grants = await store.takeUnits(
      'a',
      [ask(), ask({ window: 'hour', want: 1 }), ask({ window: 'month', limit: 2 })],
      NOW,
    );
    expect(grants).toEqual([
      { openedAt: NOW, granted: 4, taken: 4, heldElsewhere: 0 },
      { openedAt: NOW, granted: 1, taken: 1, heldElsewhere: 0 },
      { openedAt: MONTH, granted: 2, taken: 2, heldElsewhere: 0 },
    ]);
  });

  test('accounts do not share units', async () => {
    await take('a', { want: 10 });
    expect(await take('a', { accountId: 'acc-2' })).toMatchObject({ granted: 4, heldElsewhere: 0 });
  });

  test.each([
    { window: 'minute', length: MINUTE_MS },
    { window: 'hour', length: HOUR_MS },
  ] as const)('a $window stays open for its length and not a millisecond longer', async (row) => {
    const { window, length } = row;
    await take('a', { window, want: 10 });
    const last = await take('a', { window }, NOW + length - 1);
    expect(last).toMatchObject({ openedAt: NOW, granted: 0, taken: 10 });
    const next = await take('a', { window }, NOW + length);
    expect(next).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 4 });
    const after = await take('a', { window }, NOW + length + 1);
    expect(after).toMatchObject({ openedAt: NOW + length, granted: 4, taken: 8 });
  });

  test('a clock set back by less than a window opens no second one', async () => {
    await take('a', { want: 10 });
    const back = await take('a', {}, NOW - MINUTE_MS + 1);
    expect(back).toMatchObject({ openedAt: NOW, granted: 0 });
    const farBack = await take('a', {}, NOW - MINUTE_MS);
    expect(farBack).toMatchObject({ openedAt: NOW - MINUTE_MS, granted: 4, taken: 4 });
    // The window from the future is void, not waiting.
    expect(await take('a', {}, NOW)).toMatchObject({ openedAt: NOW, granted: 4, taken: 4 });
  });

  test('a month ends with its last millisecond in UTC', async () => {
    const next = Date.UTC(2026, 11, 1);
    const month = { window: 'month', want: 10 } as const;
    await take('a', month);
    expect(await take('a', month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
    expect(await take('a', month, next)).toMatchObject({ openedAt: next, granted: 10 });
    expect(await store.monthUsage('acc-1', next)).toEqual({ openedAt: next, taken: 10 });
    // A month that is over keeps its count, and a clock set back finds it.
    expect(await store.monthUsage('acc-1', next - 1)).toEqual({ openedAt: MONTH, taken: 10 });
    expect(await take('a', month, next - 1)).toMatchObject({ openedAt: MONTH, granted: 0 });
  });

  test('the usage of a month without calls is none', async () => {
    expect(await store.monthUsage('acc-1', NOW)).toEqual({ openedAt: MONTH, taken: 0 });
  });

  test('returned units can be taken again', async () => {
    const grant = await take('a', { want: 10 });
    await giveBack('a', grant, 3);
    expect(await take('b', { want: 10 })).toMatchObject({ granted: 3, taken: 10 });
  });

  test('units returned after the holder has none of record still count', async () => {
    const grant = await take('a', { want: 10 });
    await giveBack('a', grant, 0);
    await giveBack('a', grant, 2);
    expect(await take('b', { want: 10 })).toMatchObject({ granted: 2, heldElsewhere: 0 });
  });

  test('no return brings the count below zero', async () => {
    const grant = await take('a');
    await giveBack('a', grant, 50);
    expect(await take('a', { want: 50 })).toMatchObject({ granted: 10, taken: 10 });
  });

  test('units of a window that is over are not added to the next', async () => {
    const old = await take('a', { want: 10 });
    await take('b', { want: 10 }, NOW + MINUTE_MS);
    await giveBack('a', old, 10);
    expect(await take('a', {}, NOW + MINUTE_MS)).toMatchObject({ granted: 0, heldElsewhere: 10 });
  });

  test('units that others hold are told until their lease ends', async () => {
    await take('a', { window: 'hour', want: 3 });
    await take('b', { window: 'hour', want: 4 });
    const hour = { window: 'hour', want: 1 } as const;
    expect(await take('c', hour, NOW + 1)).toMatchObject({ heldElsewhere: 7 });
    expect(await take('c', hour, NOW + UNITS_LEASE_MS - 1)).toMatchObject({ heldElsewhere: 7 });
    expect(await take('c', hour, NOW + UNITS_LEASE_MS)).toMatchObject({ heldElsewhere: 0 });
  });

  test('a take replaces what its holder had, for that was spent', async () => {
    await take('a', { want: 3 });
    await take('a', { want: 2 });
    expect(await take('b', { want: 1 })).toMatchObject({ heldElsewhere: 2 });
  });

  test('units are asked for only when none remain and others have some', async () => {
    const grant = await take('a', { want: 7 });
    await take('b', { want: 4 });
    expect(await store.wantedFrom('a')).toEqual([]);
    await take('b', { want: 0 });
    expect(await store.wantedFrom('a')).toEqual([]);
    expect(await take('b', { want: 1 })).toMatchObject({ granted: 0, heldElsewhere: 7 });
    expect(await store.wantedFrom('a')).toEqual([{ accountId: 'acc-1', window: 'minute' }]);
    expect(await store.wantedFrom('c')).toEqual([]);
    await giveBack('a', grant, 5);
    expect(await store.wantedFrom('a')).toEqual([]);
    expect(await take('b', { want: 9 })).toMatchObject({ granted: 5, heldElsewhere: 0 });
  });

  test('nobody is asked when the units are spent', async () => {
    const grant = await take('a', { want: 10 });
    await giveBack('a', grant, 0);
    expect(await take('b')).toMatchObject({ granted: 0, heldElsewhere: 0 });
    expect(await store.wantedFrom('a')).toEqual([]);
  });

  test('what was wanted of a window is not wanted of the next', async () => {
    await take('a', { want: 10 });
    await take('b');
    await take('a', { want: 1 }, NOW + MINUTE_MS);
    expect(await store.wantedFrom('a')).toEqual([]);
  });

  test('stores that race for a limit hand out exactly that many', async () => {
    const stores = [store, await site.open(), await site.open()].map((one, index) => ({
      holder: `holder-${index}`,
      one,
    }));
    const limit = 300;
    const racers = stores.flatMap((racer) => Array.from({ length: 4 }, () => racer));
    const spent = await Promise.all(
      racers.map(async ({ holder, one }) => {
        let own = 0;
        for (;;) {
          const asked = ask({ window: 'month', limit, want: 3 });
          const [grant] = await one.takeUnits(holder, [asked], NOW);
          if (grant === undefined || grant.granted === 0) return own;
          // One of three goes unspent, and comes back while others are taking.
          own += grant.granted === 3 ? 2 : grant.granted;
          if (grant.granted < 3) continue;
          const back = { accountId: 'acc-1', window: 'month', openedAt: grant.openedAt } as const;
          await one.returnUnits(holder, [{ ...back, units: 1 }]);
        }
      }),
    );
    const total = spent.reduce((sum, own) => sum + own, 0);
    const { taken } = await store.monthUsage('acc-1', NOW);
    expect(total).toBe(taken);
    expect(total).toBeLessThanOrEqual(limit);
    expect(await take('last', { window: 'month', limit, want: limit })).toMatchObject({
      granted: limit - total,
    });
  });

  test('whatever is taken and returned, the units out never exceed the limit', async () => {
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
          const [grant] = await store.takeUnits(holder, [ask({ accountId, want })], now);
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
          await store.returnUnits(holder, [{ accountId, window: 'minute', openedAt, units }]);
          out.units -= units;
        }
      }),
      { numRuns: 50 },
    );
  });
});

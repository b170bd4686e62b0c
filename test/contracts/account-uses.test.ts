import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import { account, apiKey, ENGINES, type Site, storeForEachTest } from './engines.ts';

/** What accounts use, as an operator sees it, and accounts that are made together (contract §28). */

const NOON = Date.parse('2026-11-21T12:00:00Z');
const LIMITS = { maxLive: null, maxPerDay: null };

describe.each(ENGINES)('the use of accounts on $name', ({ create, shortWaitMs }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(
    create,
    (opened) => {
      ({ site, store } = opened);
    },
    { waitMs: shortWaitMs },
  );

  const take = (accountId: string, need: number, want = need) =>
    store.takeUnits([{ accountId, window: 'month', limit: 10_000, need, want }], NOON);
  const usesOf = async (now = NOON) =>
    (await store.accountUses({ now })).map(
      ({ accountId, unitsUsed }) => `${accountId} ${unitsUsed}`,
    );

  test('has the units of the month that are spent, most first, and none of a deleted account', async () => {
    for (const id of ['acc-1', 'acc-2', 'acc-3', 'acc-4'])
      await store.createAccount(account({ id }));
    await take('acc-2', 7);
    await take('acc-1', 3);
    await take('acc-4', 9);
    await store.deleteAccount('acc-4');
    expect(await usesOf()).toEqual(['acc-2 7', 'acc-1 3', 'acc-3 0']);
    expect(await store.accountUses({ now: NOON, limit: 1 })).toMatchObject([
      { accountId: 'acc-2' },
    ]);
    expect(await store.accountUses({ now: NOON, id: 'acc-1' })).toMatchObject([{ unitsUsed: 3 }]);
    expect(await store.accountUses({ now: NOON, id: 'none' })).toEqual([]);
    const next = Date.parse('2026-12-01T00:00:00Z');
    expect(await usesOf(next - 1)).toEqual(['acc-2 7', 'acc-1 3', 'acc-3 0']);
    expect(await usesOf(next)).toEqual(['acc-1 0', 'acc-2 0', 'acc-3 0']);
  });

  test('counts the units of a block until they come back', async () => {
    await store.createAccount(account());
    const [grant] = await take('acc-1', 2, 20);
    expect(await usesOf()).toEqual(['acc-1 20']);
    const { openedAt = 0, spare = 0 } = grant ?? {};
    const back = { accountId: 'acc-1', window: 'month', openedAt, spare } as const;
    await store.returnUnits([{ ...back, units: 17 }]);
    expect(await usesOf()).toEqual(['acc-1 3']);
  });

  test('counts the keys that work, and has the last use of any', async () => {
    await store.createAccount(account());
    const key = (id: string, more: object = {}) =>
      store.createKey(apiKey({ id, digest: id.padEnd(64, '0'), ...more }), NOON, LIMITS);
    await key('key-1');
    await key('key-2', { expiresAt: NOON + 1 });
    await key('key-3');
    const use = async (now: number) => (await store.accountUses({ now }))[0];
    expect(await use(NOON)).toEqual({ accountId: 'acc-1', unitsUsed: 0, liveKeys: 3 });
    await store.revokeKey('key-3', NOON);
    expect((await use(NOON))?.liveKeys).toBe(2);
    expect((await use(NOON + 1))?.liveKeys).toBe(1);
    await store.noteKeyUse(['key-1'], NOON);
    await store.noteKeyUse(['key-3'], NOON + 60_000);
    expect((await use(NOON))?.lastUsedAt).toBe(NOON + 60_000);
  });

  test('accounts that are made together are all there with their keys, or none is', async () => {
    const made = Array.from({ length: 600 }, (_, at) => {
      const id = `acc-${String(at).padStart(3, '0')}`;
      const digest = `${at}`.padStart(64, '0');
      return {
        account: account({ id }),
        record: apiKey({ id: `key-${at}`, accountId: id, digest }),
      };
    });
    const before = await store.versions();
    const failing = store.createAccounts(made, async () => {
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await store.listAccounts()).toEqual([]);
    expect(await store.findKey('key-0')).toBeUndefined();

    const other = await site.open();
    await store.createAccounts(made, async () => {
      expect(await other.findKey('key-0')).toBeUndefined();
    });
    expect(await store.listAccounts()).toHaveLength(600);
    expect((await store.findKeyHolder(made[599]?.record.digest ?? ''))?.account.id).toBe('acc-599');
    expect(await store.accountsChangedSince(before.access)).toHaveLength(600);
  });

  test('of two that make accounts of the same names at once, one makes none', async () => {
    const other = await site.open({ waitMs: 30_000 });
    const patient = await site.open({ waitMs: 30_000 });
    let named = 0;
    const make = (by: Store, suffix: string, names: readonly string[]) =>
      by.createAccounts(
        names.map((name) => ({
          account: account({ id: `${name}-${suffix}`, name }),
          record: apiKey({
            id: `key-${name}-${suffix}`,
            accountId: `${name}-${suffix}`,
            digest: `${name}-${suffix}`.padEnd(64, '0'),
          }),
        })),
        async () => {
          named += 1;
        },
      );
    const taken = await Promise.all([
      make(patient, '1', ['Tienda', 'Kiosko']),
      make(other, '2', ['Kiosko', 'Bodega']),
    ]);
    const first = taken[0].length === 0;
    expect(named).toBe(1);
    expect((await store.listAccounts()).map(({ id }) => id).toSorted()).toEqual(
      first ? ['Kiosko-1', 'Tienda-1'] : ['Bodega-2', 'Kiosko-2'],
    );
    expect(taken.map((list) => list.map(({ id }) => id))).toEqual(
      first ? [[], ['Kiosko-1']] : [['Kiosko-2'], []],
    );
    // As a person reads it, and not that of a deleted account.
    expect(await make(store, '3', ['  KIOSKO '])).toMatchObject([{ name: 'Kiosko' }]);
    await store.deleteAccount(first ? 'Kiosko-1' : 'Kiosko-2');
    expect(await make(store, '4', ['Kiosko'])).toEqual([]);
  });
});

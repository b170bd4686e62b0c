import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../src/core/app/ports/accounts.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import type { MarkupRule } from '../../src/core/domain/markup.ts';
import type { KeptPlan } from '../../src/core/domain/plans.ts';
import { MAX_CLOCK_STEP_MS } from '../../src/core/domain/time.ts';
import { account, apiKey, ENGINES, type Site, storeForEachTest } from './engines.ts';

const NOW = 1_000_000;

const byPrice = (one: KeptPlan, other: KeptPlan) => one.cheaper.length - other.cheaper.length;

/** A rotation by the operator. */
const FREELY = { maxLive: null, maxPerDay: null };
const atMost = (maxLive: number) => ({ maxLive, maxPerDay: null });

function rule(given: Partial<MarkupRule> = {}): MarkupRule {
  return { tag: 'shop', kind: 'percent', value: 2.5, markets: [], active: true, ...given };
}

describe.each(ENGINES)('accounts on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, async (opened) => {
    ({ site, store } = opened);
    await store.createAccount(account());
  });

  async function keysOf(accountId: string, now = NOW): Promise<readonly ApiKey[]> {
    return (await store.listKeys(accountId, { now, limit: 1_000 }))?.keys ?? [];
  }

  test('an account is found and listed as it was created, oldest first', async () => {
    const older = account({ id: 'acc-0', createdAt: 500, status: 'suspended' });
    await store.createAccount(older);
    expect(await store.findAccount('acc-1')).toEqual(account());
    expect(await store.findAccount('acc-2')).toBeUndefined();
    expect(await store.listAccounts()).toEqual([older, account()]);
  });

  test('a name that no database can store is not found', async () => {
    // PostgreSQL refuses a text with a zero byte, even in a query.
    expect(await store.findKey('key-\0')).toBeUndefined();
    expect(await store.listKeys('acc-1', { now: NOW, limit: 1, after: '\0' })).toBeUndefined();
    expect(await store.deleteMarkup('acc-1', 'shop\0')).toBe(false);
    expect(await store.findAccount('acc-1\0')).toBeUndefined();
  });

  test('an id in use is refused', async () => {
    await expect(store.createAccount(account({ name: 'Other' }))).rejects.toThrow('already');
    expect(await store.findAccount('acc-1')).toEqual(account());
  });

  test('an update changes only its own fields', async () => {
    expect(await store.updateAccount('acc-1', { plan: 'Escala' })).toBe(true);
    expect(await store.updateAccount('acc-1', { status: 'suspended' })).toBe(true);
    const expected = account({ plan: 'Escala', status: 'suspended' });
    expect(await store.findAccount('acc-1')).toEqual(expected);
    expect(await store.updateAccount('acc-2', { plan: 'Escala' })).toBe(false);
  });

  test('plans of services are kept while an account has or had them, and an update remembers the last such plan', async () => {
    const { kept } = loadCatalogue(PACKAGED_CATALOGUE).plans;
    const named = async () => (await store.keptPlans()).map(({ plan }) => plan.name);
    await store.keepPlans(kept);
    expect((await store.keptPlans()).toSorted(byPrice)).toEqual(kept);
    const { plan: first } = account();
    await store.updateAccount('acc-1', { plan: 'Unknown' });
    expect(await store.findAccount('acc-1')).toEqual(
      account({ plan: 'Unknown', formerPlan: first }),
    );
    await store.updateAccount('acc-1', { plan: 'Other' });
    expect((await store.findAccount('acc-1'))?.formerPlan).toBe(first);
    const [cheapest] = kept;
    if (cheapest === undefined) throw new Error('there is no plan');
    await store.keepPlans([{ ...cheapest, cheaper: ['none'] }]);
    expect(await named()).toEqual([...new Set([first, cheapest.plan.name])].sort());
  });

  test('accounts are counted by plan, without deleted accounts', async () => {
    for (const [id, plan] of [
      ['acc-2', 'Inicio'],
      ['acc-3', 'Escala'],
      ['acc-4', 'Gratis'],
    ] as const) {
      await store.createAccount(account({ id, plan }));
    }
    await store.deleteAccount('acc-4');
    expect([...(await store.countAccounts())]).toEqual([
      ['Escala', 1],
      ['Inicio', 2],
    ]);
  });

  test('keys are listed in pages, live keys first, then ended ones, each by age', async () => {
    const key = (id: string, createdAt: number, change: Partial<ApiKey> = {}) =>
      apiKey({ id, digest: id, createdAt, ...change });
    const live = [key('l1', 2), key('l2', 4, { expiresAt: NOW + 1 }), key('l3', 4)];
    const dead = [key('d1', 1, { revokedAt: 9 }), key('d2', 3, { expiresAt: NOW })];
    const all = [...live, ...dead];
    for (const one of all.toReversed()) await store.createKey(one, NOW, FREELY);
    for (const limit of [1, 2, 4, 5]) {
      const seen: ApiKey[] = [];
      let after: string | undefined;
      do {
        const from = after === undefined ? {} : { after };
        const page = await store.listKeys('acc-1', { now: NOW, limit, ...from });
        expect(page?.keys.length).toBeLessThanOrEqual(limit);
        seen.push(...(page?.keys ?? []));
        after = page?.next;
      } while (after !== undefined);
      expect(seen).toEqual(all);
    }
    expect(await store.listKeys('acc-1', { now: NOW, limit: 1, after: 'gone' })).toBeUndefined();
  });

  test('an account has one limit of key rotations per UTC day over all processes (contract §4)', async () => {
    const second = await site.open();
    const day = 24 * 3_600_000;
    await store.createKey(apiKey(), NOW, FREELY);
    const rotate = (position: number, createdAt: number) => {
      const next = apiKey({ id: `next-${position}`, digest: `next-${position}`, createdAt });
      const limits = { maxLive: null, maxPerDay: 10 };
      const at = [store, second][position % 2] ?? store;
      return at.rotateKey('key-1', 100 * day, next, limits);
    };
    const outcomes: string[] = [];
    for (let turn = 0; turn < 14; turn += 2) {
      outcomes.push(...(await Promise.all([rotate(turn, NOW), rotate(turn + 1, NOW)])));
    }
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'too_many_today')).toHaveLength(4);
    expect(await rotate(20, day - 1)).toBe('too_many_today');
    // An operator's rotation is neither refused nor counted.
    const byOperator = apiKey({ id: 'operator', digest: 'operator', createdAt: NOW });
    expect(await store.rotateKey('key-1', 100 * day, byOperator, FREELY)).toBe('rotated');
    expect(await rotate(21, day)).toBe('rotated');
    // A process whose clock is behind is still in the previous day, which is used up.
    expect(await rotate(22, day - 1)).toBe('too_many_today');
  });

  test('keys that ended before a time are removed, and all others stay', async () => {
    const key = (id: string, change: Partial<ApiKey>) => apiKey({ id, digest: id, ...change });
    await store.createKey(key('live', {}), NOW, FREELY);
    await store.createKey(key('later', { expiresAt: NOW + 9 }), NOW, FREELY);
    await store.createKey(key('revoked', { revokedAt: NOW - 1 }), NOW, FREELY);
    await store.createKey(key('expired', { expiresAt: NOW - 1 }), NOW, FREELY);
    await store.createKey(key('just-revoked', { revokedAt: NOW }), NOW, FREELY);
    expect(await store.forgetDeadKeys(NOW)).toBe(2);
    expect(await store.forgetDeadKeys(NOW)).toBe(0);
    const left = (await keysOf('acc-1')).map(({ id }) => id).sort();
    expect(left).toEqual(['just-revoked', 'later', 'live']);
  });

  test('a deleted account is gone with its keys and rules, and its id is free', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    await store.saveMarkup('acc-1', rule(), 'create', null);
    expect(await store.deleteAccount('acc-1')).toBe(true);
    expect(await store.findAccount('acc-1')).toBeUndefined();
    expect(await store.listAccounts()).toEqual([]);
    expect(await store.findKey('key-1')).toBeUndefined();
    expect(await store.findKeyHolder('digest-1')).toBeUndefined();
    expect(await keysOf('acc-1')).toEqual([]);
    expect(await store.listMarkups('acc-1')).toEqual([]);
    expect(await store.deleteAccount('acc-1')).toBe(false);
    expect(await store.updateAccount('acc-1', { plan: 'Escala' })).toBe(false);
    await store.createAccount(account({ name: 'Again' }));
    expect(await store.listAccounts()).toEqual([account({ name: 'Again' })]);
  });

  test('keys and rules need an account', async () => {
    const orphan = apiKey({ accountId: 'acc-2' });
    await expect(store.createKey(orphan, NOW, FREELY)).rejects.toThrow('no account');
    await expect(store.saveMarkup('acc-2', rule(), 'either', null)).rejects.toThrow('no account');
    await store.deleteAccount('acc-1');
    await expect(store.createKey(apiKey(), NOW, FREELY)).rejects.toThrow('no account');
    expect(await store.findKey('key-1')).toBeUndefined();
  });

  test('a key opens its account and rules, whatever state it is in', async () => {
    const key = apiKey({ expiresAt: 5, revokedAt: 4 });
    await store.createKey(key, NOW, FREELY);
    await store.saveMarkup(
      'acc-1',
      rule({ tag: 'b', markets: ['cash', 'cucuta'] }),
      'create',
      null,
    );
    await store.saveMarkup('acc-1', rule({ tag: 'a', active: false }), 'create', null);
    await store.updateAccount('acc-1', { status: 'suspended' });
    expect(await store.findKeyHolder('digest-1')).toEqual({
      key,
      account: account({ status: 'suspended' }),
      // Oldest first, whatever their tags.
      markups: [rule({ tag: 'b', markets: ['cash', 'cucuta'] }), rule({ tag: 'a', active: false })],
    });
    expect(await store.findKeyHolder('digest-2')).toBeUndefined();
  });

  test("an account's keys are listed oldest first, without those of others", async () => {
    await store.createAccount(account({ id: 'acc-2' }));
    const newer = apiKey({ createdAt: 2_000 });
    const older = apiKey({ id: 'key-2', digest: 'digest-2' });
    await store.createKey(newer, NOW, FREELY);
    await store.createKey(older, NOW, FREELY);
    const other = apiKey({ id: 'key-3', digest: 'digest-3', accountId: 'acc-2' });
    await store.createKey(other, NOW, FREELY);
    expect(await keysOf('acc-1')).toEqual([older, newer]);
    expect(await store.findKey('key-3')).toEqual(other);
  });

  test('two keys never share a digest', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    await expect(store.createKey(apiKey({ id: 'key-2' }), NOW, FREELY)).rejects.toThrow();
    expect(await keysOf('acc-1')).toHaveLength(1);
  });

  test('the maximum counts live keys only', async () => {
    const key = (id: string, given = {}) => apiKey({ id, digest: id, ...given });
    await store.createKey(key('expired', { expiresAt: NOW }), NOW, FREELY);
    await store.createKey(key('revoked', { revokedAt: 1 }), NOW, FREELY);
    await store.createKey(key('expiring', { expiresAt: NOW + 1 }), NOW, FREELY);
    expect(await store.createKey(key('second'), NOW, atMost(1))).toBe('too_many_keys');
    expect(await store.findKey('second')).toBeUndefined();
    expect(await store.createKey(key('second'), NOW, atMost(2))).toBe('created');
    expect(await store.createKey(key('third'), NOW, atMost(2))).toBe('too_many_keys');
    expect(await store.createKey(key('third'), NOW + 1, atMost(2))).toBe('created');
    expect(await store.createKey(key('fourth'), NOW, atMost(0))).toBe('too_many_keys');
  });

  test('keys created at once never exceed the maximum', async () => {
    const second = await site.open({ waitMs: 10_000 });
    const stores = [store, second];
    const created = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const key = apiKey({ id: `k${index}`, digest: `d${index}` });
        return (stores[index % 2] ?? store).createKey(key, NOW, atMost(3));
      }),
    );
    expect(created.filter((outcome) => outcome === 'created')).toHaveLength(3);
    expect(await keysOf('acc-1')).toHaveLength(3);
  });

  test('revoking keeps the first time', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    expect(await store.revokeKey('key-1', 5)).toBe(true);
    expect(await store.revokeKey('key-1', 9)).toBe(true);
    expect((await store.findKey('key-1'))?.revokedAt).toBe(5);
    expect(await store.revokeKey('key-2', 5)).toBe(false);
  });

  test('a rotation adds the next key and lets the old one expire', async () => {
    await store.createKey(apiKey(), NOW, atMost(1));
    const next = apiKey({ id: 'key-2', digest: 'digest-2', createdAt: 3_000 });
    await store.rotateKey('key-1', NOW + 60_000, next, FREELY);
    expect(await keysOf('acc-1')).toEqual([apiKey({ expiresAt: NOW + 60_000 }), next]);
  });

  test('a rotation never prolongs the old key', async () => {
    await store.createKey(apiKey({ expiresAt: NOW }), NOW, atMost(1));
    await store.rotateKey('key-1', NOW + 1, apiKey({ id: 'key-2', digest: 'digest-2' }), FREELY);
    expect((await store.findKey('key-1'))?.expiresAt).toBe(NOW);
  });

  test.each([
    { what: 'revoked', change: { revokedAt: 1 } },
    { what: 'expired', change: { expiresAt: 1_000 } },
  ])('a key that is $what is not rotated', async ({ change }) => {
    await store.createKey(apiKey(change), NOW, FREELY);
    const next = apiKey({ id: 'key-2', digest: 'digest-2', createdAt: 1_000 });
    expect(await store.rotateKey('key-1', NOW, next, FREELY)).toBe('dead');
    expect(await keysOf('acc-1')).toEqual([apiKey(change)]);
  });

  test('one of several simultaneous rotations of a key without a grace period succeeds', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    const stores = [store, await site.open()];
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const next = apiKey({ id: `k${index}`, digest: `d${index}`, createdAt: NOW });
        return (stores[index % 2] ?? store).rotateKey('key-1', NOW, next, FREELY);
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    expect(await keysOf('acc-1')).toHaveLength(2);
  });

  test('a rotated key has ended for a process whose clock is behind too', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    const next = (id: string, createdAt: number) => apiKey({ id, digest: id, createdAt });
    expect(await store.rotateKey('key-1', NOW, next('key-2', NOW), FREELY)).toBe('rotated');
    for (const behind of [1, 5_000, MAX_CLOCK_STEP_MS]) {
      const at = NOW - behind;
      expect(await store.rotateKey('key-1', at, next('key-3', at), FREELY)).toBe('dead');
    }
    expect(await keysOf('acc-1')).toHaveLength(2);
    // Beyond a step of that size the clock is trusted, because it was wrong before.
    const later = NOW - MAX_CLOCK_STEP_MS - 1;
    expect(await store.rotateKey('key-1', later, next('key-4', later), FREELY)).toBe('rotated');
  });

  test('a rotation beyond the maximum of live keys is refused', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    const next = (id: string) => apiKey({ id, digest: id, createdAt: NOW });
    expect(await store.rotateKey('key-1', NOW + 1, next('key-2'), atMost(0))).toBe('too_many_keys');
    expect(await store.rotateKey('key-1', NOW + 1, next('key-2'), atMost(1))).toBe('rotated');
    expect(await store.rotateKey('key-2', NOW + 1, next('key-3'), atMost(1))).toBe('too_many_keys');
    expect(await keysOf('acc-1')).toHaveLength(2);
  });

  test('a key in its grace period is rotated only if its plan has room for its successors', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    const next = (id: string) => apiKey({ id, digest: id, createdAt: NOW });
    expect(await store.rotateKey('key-1', NOW + 9, next('key-2'), atMost(1))).toBe('rotated');
    expect(await store.rotateKey('key-1', NOW, next('key-3'), atMost(1))).toBe('too_many_keys');
    expect(await store.rotateKey('key-1', NOW, next('key-3'), atMost(2))).toBe('rotated');
    // The number of keys stays the same, even if it is over the plan.
    expect(await store.rotateKey('key-2', NOW, next('key-4'), atMost(1))).toBe('rotated');
  });

  test('a refused rotation changes nothing', async () => {
    await store.createAccount(account({ id: 'acc-2' }));
    await store.createKey(apiKey(), NOW, atMost(1));
    const next = apiKey({ id: 'key-2', digest: 'digest-2' });
    await expect(store.rotateKey('key-9', NOW, next, FREELY)).rejects.toThrow('no key');
    const sameDigest = { ...next, digest: 'digest-1' };
    await expect(store.rotateKey('key-1', NOW, sameDigest, FREELY)).rejects.toThrow();
    const elsewhere = { ...next, accountId: 'acc-2' };
    await expect(store.rotateKey('key-1', NOW, elsewhere, FREELY)).rejects.toThrow('same account');
    expect(await keysOf('acc-1')).toEqual([apiKey()]);
  });

  test.each([
    { mode: 'create', exists: false, answer: 'saved' },
    { mode: 'create', exists: true, answer: 'exists' },
    { mode: 'replace', exists: false, answer: 'missing' },
    { mode: 'replace', exists: true, answer: 'saved' },
    { mode: 'either', exists: false, answer: 'saved' },
    { mode: 'either', exists: true, answer: 'saved' },
  ] as const)('$mode of a rule when exists is $exists: $answer', async (row) => {
    if (row.exists) await store.saveMarkup('acc-1', rule(), 'create', null);
    const next = rule({ kind: 'fixed', value: -3, markets: ['cash'], active: false });
    expect(await store.saveMarkup('acc-1', next, row.mode, 1)).toBe(row.answer);
    const expected = row.answer === 'saved' ? [next] : row.exists ? [rule()] : [];
    expect(await store.listMarkups('acc-1')).toEqual(expected);
  });

  test('a replaced rule keeps its age, and a rule created again is the youngest', async () => {
    await store.createKey(apiKey(), NOW, FREELY);
    for (const tag of ['c', 'a', 'b']) {
      await store.saveMarkup('acc-1', rule({ tag }), 'create', null);
    }
    const byAge = async () =>
      (await store.findKeyHolder('digest-1'))?.markups.map(({ tag }) => tag);
    await store.saveMarkup('acc-1', rule({ tag: 'c', value: 9 }), 'replace', null);
    expect(await byAge()).toEqual(['c', 'a', 'b']);
    await store.deleteMarkup('acc-1', 'c');
    await store.saveMarkup('acc-1', rule({ tag: 'c' }), 'create', null);
    expect(await byAge()).toEqual(['a', 'b', 'c']);
    expect((await store.listMarkups('acc-1')).map(({ tag }) => tag)).toEqual(['a', 'b', 'c']);
  });

  test('an account at its maximum accepts no further rule but allows a replacement', async () => {
    expect(await store.saveMarkup('acc-1', rule(), 'create', 0)).toBe('full');
    expect(await store.saveMarkup('acc-1', rule(), 'create', 1)).toBe('saved');
    expect(await store.saveMarkup('acc-1', rule({ tag: 'b' }), 'either', 1)).toBe('full');
    expect(await store.saveMarkup('acc-1', rule({ value: 9 }), 'either', 1)).toBe('saved');
    expect(await store.saveMarkup('acc-1', rule({ tag: 'b' }), 'either', null)).toBe('saved');
    expect(await store.deleteMarkup('acc-1', 'shop')).toBe(true);
    expect(await store.deleteMarkup('acc-1', 'shop')).toBe(false);
    expect(await store.listMarkups('acc-1')).toEqual([rule({ tag: 'b' })]);
  });

  test('every change raises the version of access and names the account', async () => {
    await store.createAccount(account({ id: 'acc-2' }));
    await store.createKey(apiKey(), NOW, FREELY);
    await store.saveMarkup('acc-1', rule(), 'create', null);
    const changes: [string, () => Promise<unknown>][] = [
      ['update', () => store.updateAccount('acc-1', { plan: 'Escala' })],
      ['key', () => store.createKey(apiKey({ id: 'key-2', digest: 'two' }), NOW, FREELY)],
      ['revoke', () => store.revokeKey('key-2', NOW)],
      [
        'rotate',
        () => store.rotateKey('key-1', NOW, apiKey({ id: 'key-3', digest: 'three' }), FREELY),
      ],
      ['rule', () => store.saveMarkup('acc-1', rule({ tag: 'b' }), 'either', null)],
      ['rule away', () => store.deleteMarkup('acc-1', 'b')],
      ['delete', () => store.deleteAccount('acc-1')],
      ['create', () => store.createAccount(account())],
    ];
    for (const [name, change] of changes) {
      const before = (await store.versions()).access;
      await change();
      expect((await store.versions()).access, name).toBe(before + 1);
      expect(await store.accountsChangedSince(before), name).toEqual(['acc-1']);
      expect(await store.accountsChangedSince(before + 1), name).toEqual([]);
    }
    expect((await store.accountsChangedSince(0)).toSorted()).toEqual(['acc-1', 'acc-2']);
    expect((await store.versions()).records).toBe(0);
  });

  test('an update without a change raises no version', async () => {
    await store.createKey(apiKey({ revokedAt: 1 }), NOW, FREELY);
    await store.saveMarkup('acc-1', rule(), 'create', null);
    const before = await store.versions();
    await store.updateAccount('acc-1', {});
    await store.updateAccount('acc-9', { plan: 'Escala' });
    await store.revokeKey('key-1', 2);
    await store.createKey(apiKey({ id: 'key-2', digest: 'two' }), NOW, atMost(0));
    await store.saveMarkup('acc-1', rule(), 'create', null);
    await store.deleteMarkup('acc-1', 'none');
    await store.deleteAccount('acc-9');
    expect(await store.versions()).toEqual(before);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newKey } from '../../src/core/app/access/keys.ts';
import { AUDIT_KEPT_MS } from '../../src/core/app/access/retention.ts';
import { actingAs } from '../../src/core/app/audit/author.ts';
import type { Author } from '../../src/core/app/ports/audit.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import {
  account,
  apiKey,
  append,
  ENGINES,
  quoteEntry,
  type Site,
  storeForEachTest,
} from './engines.ts';

/** What every store keeps of who changed what (contract §28). */

const NOON = Date.parse('2026-11-21T12:00:00Z');
const LIMITS = { maxLive: null, maxPerDay: null };

/** What the log is about, by its word there: id, account and all that a call can change. */
const AUDITED_TABLES: Readonly<Record<string, string>> = {
  account: 'select id, id as account, name, plan, status from account where deleted = 0',
  key: 'select id, account_id, label, kind, scopes, expires_at, revoked_at from api_key',
  markup: 'select tag, account_id, kind, value, markets, active from markup',
};

function author(given: Partial<Author> = {}): Author {
  return { kind: 'command', via: 'vesfx test', actor: 'ana@host', now: () => NOON, ...given };
}

describe.each(ENGINES)('the audit log on $name', ({ create, shortWaitMs }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(
    create,
    (opened) => {
      ({ site, store } = opened);
    },
    { waitMs: shortWaitMs },
  );

  const all = async (since = 0) =>
    (await store.auditPage({ since, after: undefined, limit: 1_000 })).changes;
  const asAna = <T>(work: () => Promise<T>) => actingAs(author(), work);

  test('has every change of accounts, keys and rules with its author, before and after (contract §28)', async () => {
    let tick = 0;
    const now = () => NOON + tick++;
    await actingAs(author({ now }), async () => {
      await store.createAccount(account({ name: 'Tienda', plan: 'Gratis' }));
      await store.updateAccount('acc-1', { plan: 'Escala' });
      await store.createKey(apiKey({ label: 'caja' }), NOON, LIMITS);
      await store.changeKey('key-1', { label: 'web' }, NOON);
      const next = apiKey({ id: 'key-2', digest: '2'.padEnd(64, '0'), label: 'web' });
      await store.rotateKey('key-1', NOON + 1_000, next, LIMITS);
      await store.revokeKey('key-2', NOON);
      const rule = { tag: 'fee', kind: 'fixed', value: 5, markets: [], active: true } as const;
      await store.saveMarkup('acc-1', rule, 'either', null);
      await store.saveMarkup('acc-1', { ...rule, value: 6 }, 'either', null);
      await store.deleteMarkup('acc-1', 'fee');
      await store.saveMarkup('acc-1', { ...rule, tag: 'left' }, 'either', null);
      await store.deleteAccount('acc-1');
    });
    const changes = await all();
    const told = changes.map(({ what, id, accountId, before, after }) => [
      `${what} ${id} of ${accountId}`,
      before,
      after,
    ]);
    const rule = { tag: 'fee', kind: 'fixed', markets: [], active: true };
    const key = { kind: 'full', scopes: null, expires_at: null, revoked_at: null };
    const [at, soon] = ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:01.000Z'];
    const expected = [
      ['account acc-1 of acc-1', null, { name: 'Tienda', plan: 'Gratis', status: 'active' }],
      ['account acc-1 of acc-1', { plan: 'Gratis' }, { plan: 'Escala' }],
      ['key key-1 of acc-1', null, { ...key, label: 'caja' }],
      ['key key-1 of acc-1', { label: 'caja' }, { label: 'web' }],
      ['key key-1 of acc-1', { expires_at: null }, { expires_at: soon }],
      ['key key-2 of acc-1', null, { ...key, label: 'web', replaces: 'key-1' }],
      ['key key-2 of acc-1', { revoked_at: null }, { revoked_at: at }],
      ['markup fee of acc-1', null, { ...rule, value: 5 }],
      ['markup fee of acc-1', { ...rule, value: 5 }, { ...rule, value: 6 }],
      ['markup fee of acc-1', { ...rule, value: 6 }, null],
      ['markup left of acc-1', null, { ...rule, tag: 'left', value: 5 }],
      // What goes with the account has rows of its own.
      ['key key-1 of acc-1', { ...key, label: 'web', expires_at: soon }, null],
      ['key key-2 of acc-1', { ...key, label: 'web', revoked_at: at }, null],
      ['markup left of acc-1', { ...rule, tag: 'left', value: 5 }, null],
      ['account acc-1 of acc-1', { name: 'Tienda', plan: 'Escala', status: 'active' }, null],
    ];
    expect(told).toEqual(expected);
    expect(new Set(changes.map(({ kind, via, actor }) => `${kind} ${via} ${actor}`))).toEqual(
      new Set(['command vesfx test ana@host']),
    );
  });

  test('has a row of each account, key and rule that a call changes, and of no other (contract §28)', async () => {
    const ids = fc.constantFrom('1', '2');
    const call = fc.oneof(
      fc.tuple(fc.constant('account'), ids, fc.constantFrom('Gratis', 'Escala')),
      fc.tuple(fc.constant('key'), ids, fc.constantFrom('3', '4')),
      fc.tuple(fc.constantFrom('label', 'rotate', 'revoke'), fc.constantFrom('3', '4'), ids),
      fc.tuple(fc.constantFrom('rule', 'no rule'), ids, fc.constantFrom('a', 'b')),
      fc.tuple(fc.constantFrom('plan', 'status', 'delete'), ids, ids),
    );
    const key = (id: string, accountId: string) =>
      apiKey({ id, accountId, digest: id.padEnd(64, '0') });
    let made = 0;
    const perform = async ([name, id, other]: readonly [string, string, string]) => {
      switch (name) {
        case 'account':
          return store.createAccount(account({ id, plan: other }));
        case 'key':
          return store.createKey(key(other, id), NOON, LIMITS);
        case 'label':
          return store.changeKey(id, { label: other }, NOON);
        case 'rotate':
          made += 1;
          return store.rotateKey(id, NOON, key(`next-${made}`, other), LIMITS);
        case 'revoke':
          return store.revokeKey(id, NOON);
        case 'rule': {
          const rule = { tag: other, kind: 'fixed', value: 5, markets: [], active: true } as const;
          return store.saveMarkup(id, rule, 'either', null);
        }
        case 'no rule':
          return store.deleteMarkup(id, other);
        case 'plan':
          return store.updateAccount(id, { plan: other === '1' ? 'Gratis' : 'Escala' });
        case 'status':
          return store.updateAccount(id, { status: other === '1' ? 'active' : 'suspended' });
        default:
          return store.deleteAccount(id);
      }
    };
    const stored = async () =>
      new Map<string, string>(
        await Promise.all(
          Object.entries(AUDITED_TABLES).map(async ([what, query]) =>
            (await site.ask(query)).map((row) => {
              const [id, accountId] = Object.values(row);
              return [`${what} ${id} of ${accountId}`, JSON.stringify(row)] as const;
            }),
          ),
        ).then((lists) => lists.flat()),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 10 }), async (calls) => {
        await site.run('delete from api_key; delete from markup; update account set deleted = 1');
        for (const id of ['1', '2']) {
          await perform(['account', id, 'Gratis']);
          await perform(['key', id, id === '1' ? '3' : '4']);
          await perform(['rule', id, 'a']);
        }
        for (const one of calls) {
          const before = await stored();
          await site.run('delete from audit');
          await asAna(async () => perform(one)).catch(() => undefined);
          const after = await stored();
          const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
            (name) => before.get(name) !== after.get(name),
          );
          const rows = (await all()).map((row) => `${row.what} ${row.id} of ${row.accountId}`);
          expect(rows.toSorted(), one.join(' ')).toEqual(changed.toSorted());
        }
      }),
      { numRuns: 10 },
    );
  });

  test('has no row of what changes nothing, is refused, or the service does by itself (contract §28)', async () => {
    await store.createAccount(account({ plan: 'Gratis' }));
    await append(store, [quoteEntry()]);
    await asAna(async () => {
      await store.updateAccount('acc-1', { plan: 'Gratis' });
      await store.updateAccount('acc-none', { plan: 'Escala' });
      await store.createKey(apiKey(), NOON, { ...LIMITS, maxLive: 0 });
      await store.revokeKey('key-none', NOON);
      await store.deleteMarkup('acc-1', 'none');
      await store.deleteAccount('acc-none');
      await store.rejectHeld('none');
      await append(store, [quoteEntry()]);
      await expect(store.createAccount(account())).rejects.toThrow('There is an account');
    });
    expect(await all()).toEqual([]);
  });

  test('stands with its change or not at all (contract §28)', async () => {
    const failing = author({
      now: () => {
        throw new Error('no clock');
      },
    });
    const create = () => store.createAccount(account());
    await expect(actingAs(failing, create)).rejects.toThrow('no clock');
    expect(await store.findAccount('acc-1')).toBeUndefined();

    const change = { what: 'source', id: 'feed', before: null, after: {} } as const;
    const apply = () => {
      throw new Error('the disk is full');
    };
    await expect(asAna(() => store.noteChange(change, apply))).rejects.toThrow('the disk is full');
    expect(await all()).toEqual([]);
    await asAna(() => store.noteChange(change, () => undefined));
    expect(await all()).toHaveLength(1);
  });

  test('names the author at the call, whoever shares the queue of the database (contract §28)', async () => {
    const patient = await site.open({ waitMs: 30_000 });
    const names = Array.from({ length: 20 }, (_, index) => `acc-${index}`);
    await Promise.all(
      names.map((id) =>
        actingAs(author({ actor: `who-${id}` }), () => patient.createAccount(account({ id }))),
      ),
    );
    const changes = await all();
    expect(changes.map(({ id, actor }) => [id, actor]).sort()).toEqual(
      names.map((id) => [id, `who-${id}`]).sort(),
    );
  });

  test('is read in pages, each change once, oldest first, from an instant on (contract §28)', async () => {
    const change = (id: string) => ({ what: 'source', id, before: null, after: null }) as const;
    for (let index = 0; index < 7; index += 1) {
      // Three share an instant.
      const now = () => NOON + Math.floor(index / 3);
      await actingAs(author({ now }), () => store.noteChange(change(`${index}`), () => undefined));
    }
    const seen: string[] = [];
    let after: Awaited<ReturnType<Store['auditPage']>>['next'];
    do {
      const page = await store.auditPage({ since: NOON, after, limit: 2 });
      expect(page.changes.length).toBeLessThanOrEqual(2);
      seen.push(...page.changes.map(({ id, at }) => `${at - NOON} ${id}`));
      after = page.next;
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(['0 0', '0 1', '0 2', '1 3', '1 4', '1 5', '2 6']);
    expect(seen.map((one) => one[0])).toEqual([...'0001112']);
    expect((await all(NOON + 2)).map(({ id }) => id)).toEqual(['6']);
    expect(await all(NOON + 3)).toEqual([]);
  });

  test('keeps a change for 400 days (contract §28)', async () => {
    const change = { what: 'source', id: 'feed', before: null, after: null } as const;
    await asAna(() => store.noteChange(change, () => undefined));
    const forget = (now: number) => store.forgetAudit(now - AUDIT_KEPT_MS);
    expect(AUDIT_KEPT_MS).toBe(400 * 86_400_000);
    expect(await forget(NOON + AUDIT_KEPT_MS)).toBe(0);
    expect(await forget(NOON + AUDIT_KEPT_MS + 1)).toBe(1);
    expect(await all()).toEqual([]);
  });

  test('has one row of a reload that several processes of a machine obey (contract §28)', async () => {
    const other = await site.open();
    const change = (after: string) =>
      ({ what: 'settings', id: '', before: { a: '0' }, after: { a: after } }) as const;
    const note = (by: Store, after: string, actor = 'ana@host') =>
      actingAs(author({ actor }), () => by.noteSettings(change(after), { since: NOON - 1, actor }));
    await Promise.all([note(store, '1'), note(other, '1'), note(store, '1')]);
    expect(await all()).toHaveLength(1);
    await note(store, '1', 'ana@other');
    expect(await all()).toHaveLength(2);
  });

  test('never has a key, whatever is typed where (contract §28)', async () => {
    const kinds = fc.constantFrom('full', 'restricted', 'publishable' as const);
    const around = fc.string({ maxLength: 10 }).map((text) => text.replaceAll('\0', ''));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(kinds, around, around, async (kind, before, behind) => {
        count += 1;
        const id = `acc-${count}`;
        const key = newKey(kind);
        const typed = `${before} ${key} ${behind}`;
        await asAna(async () => {
          await store.createAccount(account({ id, name: typed }));
          const record = apiKey({ id: `key-${count}`, accountId: id, label: typed });
          await store.createKey({ ...record, digest: `${count}`.padStart(64, '0') }, NOON, LIMITS);
          await store.changeKey(`key-${count}`, { label: key }, NOON);
          await store.noteChange(
            { what: 'source', id: typed, before: { typed }, after: { typed: [typed] } },
            () => undefined,
          );
          await store.deleteAccount(id);
        });
        const rows = JSON.stringify(await site.ask('select * from audit'));
        const secret = key.slice(-38);
        expect(rows).not.toContain(secret);
        expect(rows).not.toContain(secret.slice(0, 12));
        expect(rows).not.toContain(`${count}`.padStart(64, '0'));
        await site.run('delete from audit');
      }),
      { numRuns: 15 },
    );
  });
});

import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreBusy } from '../../src/core/app/failures.ts';
import type { ApiKey } from '../../src/core/app/ports/accounts.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { MAX_QUEUED_PER_ACCOUNT } from '../../src/core/storage/fair-queue.ts';
import { LOCK_TABLE } from '../../src/core/storage/postgres/row-locks.ts';
import { account, append, type PostgresSite, postgresSite, quoteEntry } from './engines.ts';

/** Writers of one row lock on PostgreSQL, which would otherwise hold every connection. */

const ACCESS_ROW = 1;
const RECORDS_ROW = 2;
const NO_LIMITS = { maxLive: null, maxPerDay: null };
const WAITS_FOR_LOCK =
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

function key(id: string, accountId: string): ApiKey {
  return { id, accountId, digest: `digest of ${id}`, createdAt: 2_000, grant: { kind: 'full' } };
}

describe('writes that wait for another process on PostgreSQL', () => {
  let site: PostgresSite;
  let store: Store;

  beforeEach(async () => {
    site = postgresSite();
    // Long, so that nothing here ends by time.
    store = await site.open({ waitMs: 20_000 });
    await store.createAccount(account({ id: 'busy' }));
    await store.createAccount(account({ id: 'other' }));
  });

  afterEach(() => site.close());

  /** Locks a row like a transaction of another process. @returns a function that ends it. */
  async function holdRow(row: number): Promise<() => Promise<void>> {
    const other = new pg.Client({ connectionString: await site.url() });
    await other.connect();
    await other.query(`begin; select id from ${LOCK_TABLE} where id = ${row} for update`);
    return async () => {
      await other.query('rollback');
      await other.end();
    };
  }

  /** Resolves when one write waits for the row with a connection, and so many without: no call is on its way. */
  async function queued(waiting: number): Promise<void> {
    await expect.poll(() => site.ask(WAITS_FOR_LOCK)).toHaveLength(1);
    await expect.poll(() => store.load()).toMatchObject({ inUse: 1, waiting });
  }

  test('hold one connection: 40 writes of one account leave the others to everybody else', async () => {
    const release = await holdRow(ACCESS_ROW);
    const writes = Array.from({ length: 40 }, (_, n) =>
      store.createKey(key(`key-${n}`, 'busy'), 3_000, NO_LIMITS),
    );
    await queued(39);
    const reads = Array.from({ length: 20 }, () => store.findAccount('other'));
    expect(await Promise.all(reads)).toHaveLength(20);
    await release();
    expect(await Promise.all(writes)).toEqual(Array(40).fill('created'));
    expect(store.load()).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test('take turns by account: one write of another account waits for one of the busy one', async () => {
    const release = await holdRow(ACCESS_ROW);
    const done: string[] = [];
    const write = (id: string, accountId: string) =>
      store.createKey(key(id, accountId), 3_000, NO_LIMITS).then(() => done.push(id));
    const busy = Array.from({ length: 20 }, (_, n) => write(`busy-${n}`, 'busy'));
    await queued(19);
    const late = write('other', 'other');
    await queued(20);
    await release();
    await Promise.all([...busy, late]);
    expect(done.indexOf('other')).toBeLessThanOrEqual(2);
  });

  test('of every kind take part: keys, rotations, changes, revocations and rules', async () => {
    for (const id of ['rotated', 'changed', 'revoked']) {
      await store.createKey(key(id, 'busy'), 3_000, NO_LIMITS);
    }
    const rule = { tag: 'a', kind: 'percent', value: 1, markets: [], active: true } as const;
    await store.saveMarkup('busy', { ...rule, tag: 'deleted' }, 'create', null);
    const release = await holdRow(ACCESS_ROW);
    const writes = [
      store.createKey(key('created', 'busy'), 3_000, NO_LIMITS),
      store.rotateKey('rotated', 9_000, key('next', 'busy'), NO_LIMITS),
      store.changeKey('changed', { label: 'new' }, 3_000),
      store.revokeKey('revoked', 3_000),
      store.saveMarkup('busy', rule, 'create', null),
      store.deleteMarkup('busy', 'deleted'),
      store.noteKeyUse(['created'], 3_000),
      store.updateAccount('busy', { status: 'suspended' }),
    ];
    await queued(writes.length - 1);
    await release();
    await Promise.all(writes);
  });

  test('beyond what an account may queue are refused at once, those of others are not', async () => {
    const release = await holdRow(ACCESS_ROW);
    const write = (n: number, accountId: string) =>
      store.createKey(key(`${accountId}-${n}`, accountId), 3_000, NO_LIMITS);
    const all = Array.from({ length: MAX_QUEUED_PER_ACCOUNT + 1 }, (_, n) => write(n, 'busy'));
    await queued(MAX_QUEUED_PER_ACCOUNT);
    await expect(write(999, 'busy')).rejects.toThrow(StoreBusy);
    const other = write(1, 'other');
    await release();
    expect(await Promise.all([...all, other])).toEqual(Array(all.length + 1).fill('created'));
  });

  test('look at the limits before the lock: what is refused waits for nobody', async () => {
    await store.createKey(key('only', 'busy'), 3_000, NO_LIMITS);
    const rule = { tag: 'a', kind: 'percent', value: 1, markets: [], active: true } as const;
    await store.saveMarkup('busy', rule, 'create', null);
    await store.rotateKey('only', 1_500, key('next', 'busy'), { maxLive: null, maxPerDay: 1 });
    const release = await holdRow(ACCESS_ROW);
    const refused = await Promise.all([
      store.createKey(key('more', 'busy'), 3_000, { maxLive: 1, maxPerDay: null }),
      store.createKey(key('more', 'busy'), 3_000, { maxLive: null, maxPerDay: 1 }),
      store.rotateKey('only', 9_000, key('dead', 'busy'), NO_LIMITS),
      store.rotateKey('next', 9_000, key('again', 'busy'), { maxLive: null, maxPerDay: 1 }),
      store.changeKey('only', { label: 'new' }, 3_000),
      store.revokeKey('nobody', 3_000),
      store.saveMarkup('busy', rule, 'create', null),
      store.saveMarkup('busy', { ...rule, tag: 'b' }, 'replace', null),
      store.saveMarkup('busy', { ...rule, tag: 'c' }, 'create', 1),
      store.deleteMarkup('busy', 'nothing'),
    ]);
    expect(refused).toEqual([
      ...['too_many_keys', 'too_many_today', 'dead', 'too_many_today', false, false],
      ...['exists', 'missing', 'full', false],
    ]);
    await release();
  });

  test('of records hold one connection too: 40 pushes leave the others to everybody else', async () => {
    const release = await holdRow(RECORDS_ROW);
    const pushes = Array.from({ length: 40 }, (_, n) =>
      append(store, [quoteEntry({ capturedAt: 2_000 + n })]),
    );
    await queued(39);
    expect(await store.findAccount('other')).toBeDefined();
    await release();
    await Promise.all(pushes);
  });
});

test('a write that does not get its turn in time is refused', async () => {
  const site = postgresSite();
  const store = await site.open({ waitMs: 400 });
  await store.createAccount(account({ id: 'busy' }));
  const other = new pg.Client({ connectionString: await site.url() });
  await other.connect();
  await other.query(`begin; select id from ${LOCK_TABLE} where id = ${ACCESS_ROW} for update`);
  const writes = Array.from({ length: 30 }, (_, n) =>
    store.createKey(key(`key-${n}`, 'busy'), 3_000, NO_LIMITS),
  );
  const ended = await Promise.allSettled(writes);
  expect(ended.map(({ status }) => status)).toEqual(Array(30).fill('rejected'));
  for (const one of ended) {
    expect(one.status === 'rejected' && one.reason).toBeInstanceOf(StoreBusy);
  }
  await other.query('rollback');
  await other.end();
  expect(await store.createKey(key('after', 'busy'), 3_000, NO_LIMITS)).toBe('created');
  await site.close();
});

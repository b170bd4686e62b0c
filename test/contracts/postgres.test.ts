import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { DevelopmentDatabase, NewerDatabase } from '../../src/core/storage/migrate.ts';
import { readPostgresUrl } from '../../src/core/storage/postgres/url.ts';
import { MIGRATIONS } from '../../src/core/storage/schema.ts';
import { openStore, storeExists } from '../../src/core/storage/store.ts';
import { day } from '../../testkit/day.ts';
import {
  addressOf,
  asSuperuser,
  createDatabase,
  postgresPort,
  postgresProxy,
} from '../harness/postgres.ts';
import {
  GUARDED_PASSWORD,
  GUARDED_USER,
  startServer,
  stopServer,
} from '../harness/postgres-server.ts';
import { stopwatch } from '../harness/stopwatch.ts';
import type { TcpProxy } from '../harness/tcp-proxy.ts';
import { account, append, type PostgresSite, postgresSite, quoteEntry } from './engines.ts';

const TODAY = day('2026-11-20');

/** As it is sent: the level of isolation has the word in it too. */
const COMMIT = 'commit\0';

/** The statements that a refusal for the setting recommends. */
async function adviceOf(opening: Promise<Store>, setting: string): Promise<string[]> {
  const refusal = await opening.then(
    () => 'opened',
    (error: unknown) => String(error),
  );
  expect(refusal).toContain(`cannot be used: ${setting} is off`);
  return [...refusal.matchAll(/`([^`]+)`/g)].map(([, statement = '']) => statement);
}

describe('a PostgreSQL database', () => {
  let database: string;
  const stores: Store[] = [];

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  const place = async () => ({
    dataDir: '/nowhere',
    postgres: readPostgresUrl(addressOf(await postgresPort(), database)),
  });

  async function open(): Promise<Store> {
    const store = await openStore({ ...(await place()), waitMs: 10_000 });
    stores.push(store);
    return store;
  }

  const ask = <T>(text: string) =>
    asSuperuser(database, async (client): Promise<T[]> => (await client.query(text)).rows);

  test('is created once by several processes that start at the same time', async () => {
    expect(await storeExists(await place())).toBe(false);
    const opened = await Promise.all([open(), open(), open(), open()]);
    expect(await storeExists(await place())).toBe(true);
    await Promise.all(opened.map((store, n) => store.createAccount(account({ id: `a${n}` }))));
    expect(await opened[0]?.listAccounts()).toHaveLength(4);
    const applied = await ask<{ name: string }>('select name from migration order by name');
    expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  test('of a newer version is refused', async () => {
    await open();
    await ask("insert into migration (name) values ('999-later')");
    await expect(open()).rejects.toThrow(NewerDatabase);
  });

  test('of a version from before the first release is refused', async () => {
    await open();
    await ask("update migration set name = '001-first' where name like '001-%'");
    await expect(open()).rejects.toThrow(DevelopmentDatabase);
  });

  test('with foreign tables of the same names is refused and left unchanged', async () => {
    await ask('create table account (id integer); create table usage (id integer)');
    await expect(open()).rejects.toThrow(
      /it has tables \(account, usage\) that vesfx did not make/,
    );
    const tables = await ask("select 1 from pg_tables where schemaname = 'public'");
    expect(tables).toHaveLength(2);
  });

  test('that may lose acknowledged writes in a power cut is refused', async () => {
    await ask(`alter database ${database} set synchronous_commit = off`);
    const advice = await adviceOf(open(), 'synchronous_commit');
    expect(advice).toHaveLength(1);
    for (const statement of advice) await ask(statement.replace('NAME', database));
    await open();
    await ask(`alter database ${database} set synchronous_commit = local`);
    await open();
  });

  test('of a server without fsync is refused, with advice that works', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vesfx-fsync-'));
    onTestFinished(async () => {
      await stopServer(folder);
      rmSync(folder, { recursive: true });
    });
    const port = await startServer(folder);
    const superuser = new pg.Client({ connectionString: addressOf(port, 'postgres', 'postgres') });
    await superuser.connect();
    onTestFinished(() => superuser.end());
    const run = async (...statements: string[]) => {
      for (const statement of statements) await superuser.query(statement);
      const isOff = statements.some((statement) => statement.endsWith('off'));
      // The server reads its settings a moment after it was told to.
      await vi.waitFor(async () => {
        const { rows } = await superuser.query('show fsync');
        expect(rows).toEqual([{ fsync: isOff ? 'off' : 'on' }]);
      });
    };
    await superuser.query('create database durable owner vesfx');
    await run('alter system set fsync = off', 'select pg_reload_conf()');
    const postgres = readPostgresUrl(addressOf(port, 'durable'));
    const advice = await adviceOf(openStore({ dataDir: '', postgres }), 'fsync');
    expect(advice).toHaveLength(2);
    await run(...advice);
    await (await openStore({ dataDir: '', postgres })).close();
  });

  test('of another encoding is refused', async () => {
    const other = `latin_${database}`;
    await ask(`create database ${other} template template0 encoding 'LATIN1' owner vesfx
      locale_provider libc locale 'C'`);
    const postgres = readPostgresUrl(addressOf(await postgresPort(), other));
    await expect(openStore({ dataDir: '', postgres })).rejects.toThrow(/encoding is LATIN1/);
  });

  test('is reported in a sentence without the password', async () => {
    const wrong = 'wrong-secret-1';
    const port = await postgresPort();
    const url = (password: string) =>
      `postgres://${GUARDED_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
    const refused = await openStore({ dataDir: '', postgres: readPostgresUrl(url(wrong)) }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(String(refused)).toMatch(/cannot be reached: password authentication failed/);
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain(wrong);
    await ask(`grant all on schema public to ${GUARDED_USER}`);
    const let_in = await openStore({
      dataDir: '',
      postgres: readPostgresUrl(url(GUARDED_PASSWORD)),
    });
    stores.push(let_in);
  });

  test('is opened with the password of the environment if its address has none', async () => {
    vi.stubEnv('PGPASSWORD', GUARDED_PASSWORD);
    onTestFinished(() => void vi.unstubAllEnvs());
    await ask(`grant all on schema public to ${GUARDED_USER}`);
    const url = addressOf(await postgresPort(), database, GUARDED_USER);
    stores.push(await openStore({ dataDir: '', postgres: readPostgresUrl(url) }));
  });

  test('without TLS is refused when TLS is required', async () => {
    const url = `${addressOf(await postgresPort(), database)}?sslmode=require`;
    const opening = openStore({ dataDir: '', postgres: readPostgresUrl(url) });
    await expect(opening).rejects.toThrow(StoreUnavailable);
  });

  test('whose server closes connections is reached by new ones', async () => {
    const store = await open();
    await store.createAccount(account());
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${database}' and usename = 'vesfx'`);
    expect(await store.findAccount('acc-1')).toEqual(account());
  });

  test('in a state that no write leaves is reported by check', async () => {
    const store = await open();
    await append(store, [quoteEntry()]);
    expect(await store.check()).toEqual([]);
    await ask('delete from batch; update version set seq = 0');
    expect(await store.check()).toEqual(['captures of a missing batch: 1']);
  });

  test('grants units of many accounts exactly, to concurrent requests in any order', async () => {
    const store = await open();
    const ids = Array.from({ length: 12 }, (_, n) => `acc-${n}`);
    const asks = (list: readonly string[]) =>
      list.map((accountId) => ({
        accountId,
        window: 'hour' as const,
        limit: 4,
        need: 1,
        want: 1,
      }));
    const now = Date.UTC(2026, 10, 20);
    const takes = Array.from({ length: 6 }, (_, turn) =>
      store.takeUnits(asks(turn % 2 === 0 ? ids : ids.toReversed()), now),
    );
    const granted = (await Promise.all(takes))
      .flat()
      .reduce((sum, grant) => sum + grant.granted, 0);
    expect(granted).toBe(ids.length * 4);
  });

  test('keeps no session state: locks, tables and settings end with their transaction', async () => {
    const store = await open();
    const many = Array.from({ length: 1_500 }, (_, mid) => quoteEntry({ mid: mid + 1 }));
    await append(store, many);
    await store.createAccount(account());
    const left = await ask(`select 1 from pg_locks where locktype = 'advisory'
      union all select 1 from pg_prepared_xacts
      union all select 1 from pg_tables where schemaname like 'pg_temp%'`);
    expect(left).toEqual([]);
  });
});

describe('a PostgreSQL server that fails', () => {
  const WAIT_MS = 600;
  /** Total wait of a request. */
  const PROMISED_MS = 1_000;
  let site: PostgresSite;
  let proxy: TcpProxy;
  let store: Store;

  beforeEach(async () => {
    site = postgresSite();
    await (await site.open()).createAccount(account());
    proxy = await postgresProxy();
    store = await through(WAIT_MS);
  });

  /** A store that reaches the server through the proxy, and waits so long for it. */
  async function through(waitMs: number): Promise<Store> {
    const url = (await site.url()).replace(/:\d+\//, `:${proxy.port}/`);
    return openStore({ dataDir: '', postgres: readPostgresUrl(url), waitMs });
  }

  afterEach(async () => {
    proxy.resume();
    await store.close();
    await site.close();
  });

  async function failure(work: () => Promise<unknown>): Promise<number> {
    const waited = stopwatch();
    await expect(work()).rejects.toThrow(StoreUnavailable);
    return waited();
  }

  /** Asks until it is answered, as callers do. */
  async function recovered(): Promise<void> {
    await expect.poll(() => store.findAccount('acc-1').catch(() => undefined)).toEqual(account());
  }

  test.each(['hang', 'stop'] as const)(
    '(%s) delays every caller by at most a second',
    async (how) => {
      proxy[how]();
      const waits = await Promise.all(
        Array.from({ length: 30 }, () => failure(() => store.findAccount('acc-1'))),
      );
      expect(Math.max(...waits)).toBeLessThan(PROMISED_MS);
      // The failure is known now, so no caller waits.
      expect(await failure(() => store.createAccount(account({ id: 'a2' })))).toBeLessThan(100);
      proxy.resume();
      await recovered();
    },
  );

  test('is noticed by a new connection too', async () => {
    proxy.hang();
    expect(await failure(() => through(WAIT_MS))).toBeLessThan(PROMISED_MS);
  });

  test.each([
    { when: 'after', stored: 2 },
    { when: 'before', stored: 1 },
  ] as const)(
    '$when it receives a commit has applied it once or not at all, and the caller knows',
    async (row) => {
      const commits = proxy.sent(COMMIT);
      proxy.breakAt(COMMIT, row.when);
      await failure(() => store.createAccount(account({ id: 'a2' })));
      expect(proxy.sent(COMMIT)).toBe(commits + 1);
      await recovered();
      expect(await store.listAccounts()).toHaveLength(row.stored);
    },
  );

  test('is asked for units in four round trips, because it may be far away', async () => {
    const ask = { accountId: 'acc-1', window: 'month', limit: 100, need: 1, want: 20 } as const;
    const patient = await through(60_000);
    try {
      // The first call makes the connection and the row.
      await patient.takeUnits([ask], 0);
      const before = proxy.sent('');
      await patient.takeUnits([ask], 0);
      expect(proxy.sent('') - before).toBe(4);
    } finally {
      await patient.close();
    }
  });

  test('in the middle of a batch stores none of it', async () => {
    const many = Array.from({ length: 1_500 }, (_, mid) => quoteEntry({ mid: mid + 1 }));
    proxy.breakAt('insert into "capture"', 'after');
    await failure(() => append(store, many));
    await recovered();
    expect(await store.currentRecords(TODAY)).toMatchObject({ version: 0, quotes: [] });
    expect(await append(store, many)).toMatchObject({ stored: 1_500 });
  });

  test('closes within its time', async () => {
    proxy.hang();
    const waited = stopwatch();
    await store.close();
    expect(waited()).toBeLessThan(PROMISED_MS);
  });

  test('that is only locked does not count as down', async () => {
    const release = await site.holdLock();
    try {
      await failure(() => store.createAccount(account({ id: 'a2' })));
      expect(await store.findAccount('acc-1')).toEqual(account());
    } finally {
      release();
    }
  });
});

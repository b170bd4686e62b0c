import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/core/app/ports/store.ts';
import { csvRows } from '../../src/core/cli/csv-rows.ts';
import { openToolbox } from '../../src/core/compose.ts';
import { readConfig } from '../../src/core/config.ts';
import { LOCK_TABLE } from '../../src/core/storage/postgres/row-locks.ts';
import { addressOf, createDatabase, postgresPort, postgresProxy } from '../harness/postgres.ts';
import { type Installation, install } from '../harness/processes.ts';

/** `vesfx account create --from` beside others, and killed at each moment (contract §28). */

const ABORT = fileURLToPath(new URL('../../faults/preload/abort.ts', import.meta.url));
const NAMES = ['Dos, C.A.', 'Tienda Uno'];

interface Made {
  readonly site: Installation;
  create(keysFile: string, env?: NodeJS.ProcessEnv): ReturnType<Installation['begin']>;
  /** Names of the accounts, in order. */
  accounts(): Promise<readonly string[]>;
  /** Removes all accounts and files of keys. */
  clear(): Promise<void>;
  keys(keysFile: string): readonly string[];
}

async function siteWithFile(env: NodeJS.ProcessEnv = {}): Promise<Made> {
  const site = await install(env);
  const shops = join(site.folder, 'shops.csv');
  writeFileSync(shops, `name,plan,label\n${NAMES.map((name) => `"${name}",gratis,\n`).join('')}`);
  await site.json(['migrate']);
  /** Looks at the accounts in this process, because starting one takes longer. */
  const beside = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const { store } = await openToolbox(readConfig({}, site.env));
    return work(store).finally(() => store.close());
  };
  return {
    site,
    create: (keysFile, more) =>
      site.begin(
        ['account', 'create', '--from', shops, '--keys', join(site.folder, keysFile)],
        more,
      ),
    accounts: () =>
      beside(async (store) => (await store.listAccounts()).map(({ name }) => name).toSorted()),
    clear: () =>
      beside(async (store) => {
        for (const { id } of await store.listAccounts()) await store.deleteAccount(id);
        for (const name of readdirSync(site.folder)) {
          if (name.includes('.csv') && name !== 'shops.csv') rmSync(join(site.folder, name));
        }
      }),
    keys: (keysFile) =>
      csvRows(readFileSync(join(site.folder, keysFile), 'utf8'))
        .slice(1)
        .map(({ cells }) => cells.at(-1) ?? ''),
  };
}

async function postgresUrl(): Promise<string> {
  return addressOf(await postgresPort(), await createDatabase());
}

/** Takes the lock that new accounts need, like another process. @returns what releases it. */
async function holdAccounts({ env, folder }: Installation): Promise<() => Promise<void>> {
  const url = env['VESFX_DATABASE_URL'];
  if (url === undefined) {
    const other = new DatabaseSync(join(folder, 'data', 'vesfx.db'));
    other.exec('begin immediate');
    return async () => other.close();
  }
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`begin; select id from ${LOCK_TABLE} for update`);
  return () => other.end();
}

const started = ({ folder }: Installation) =>
  readdirSync(folder).filter((name) => name.endsWith('.new')).length;

describe.each([
  { name: 'SQLite', url: async () => undefined },
  { name: 'PostgreSQL', url: postgresUrl },
])('account create --from on $name (contract §28)', ({ url }) => {
  test('run twice at once with keys in different files makes every account once', async () => {
    const address = await url();
    const made = await siteWithFile(address === undefined ? {} : { VESFX_DATABASE_URL: address });
    const { site } = made;
    const release = await holdAccounts(site);
    const files = ['one.csv', 'other.csv'];
    const running = files.map((file) => made.create(file));
    // Both have looked at the names, and wait for their turn.
    await expect.poll(() => started(site)).toBe(2);
    await release();
    const ended = await Promise.all(running.map((one) => one.ended));
    expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(await made.accounts()).toEqual(NAMES);
    const winner = ended.findIndex(({ code }) => code === 0);
    expect(files.filter((file) => existsSync(join(site.folder, file)))).toEqual([files[winner]]);
    expect(started(site)).toBe(0);
    expect(await site.json(['audit'])).toHaveLength(2 * NAMES.length);
    const { err, out } = ended[1 - winner] ?? { err: '', out: '' };
    expect(JSON.parse(out)).toMatchObject({
      accounts: [],
      errors: [
        {
          line: 2,
          reason: expect.stringMatching(/^the account acc_\w+ has the name .* already$/),
        },
        { line: 3 },
      ],
      keys_file: null,
    });
    expect(err).toContain('line 2: the account acc_');
  });
});

test('account create --from, killed at any statement, leaves all accounts and their keys, or no account (contract §28)', async () => {
  const { site, create, accounts, keys, clear } = await siteWithFile();
  const shifted = { NODE_OPTIONS: `--import=${pathToFileURL(ABORT).href}` };
  const count = join(site.folder, 'count');
  const whole = await create('whole.csv', { ...shifted, ABORT_COUNT: count }).ended;
  expect(whole.code).toBe(0);
  await clear();
  const statements = Number(readFileSync(count, 'utf8'));
  const seen = new Set<string>();
  // From the end: before the file is begun, nothing is left in any case.
  for (let at = statements; !seen.has('nothing'); at -= 1) {
    const { signal } = await create('keys.csv', { ...shifted, ABORT_AT: String(at) }).ended;
    expect(signal).toBe('SIGKILL');
    const files = readdirSync(site.folder).filter((name) => name.startsWith('keys.csv'));
    for (const name of files) expect(statSync(join(site.folder, name)).mode & 0o777).toBe(0o600);
    const found = await accounts();
    const isNamed = files.includes('keys.csv');
    if (found.length > 0) {
      expect(found).toEqual(NAMES);
      expect(isNamed).toBe(true);
    }
    if (isNamed) expect(new Set(keys('keys.csv')).size).toBe(NAMES.length);
    seen.add(found.length > 0 ? 'accounts' : isNamed ? 'keys' : (files[0] && 'begun') || 'nothing');
    // Whoever starts it again is told what to do, and has the accounts afterwards.
    const again = await create('keys.csv').ended;
    expect(again.code).toBe(isNamed ? 2 : 0);
    if (isNamed) {
      expect(again.err).toContain('exists already');
      expect(again.err).toContain('vesfx account list');
      rmSync(join(site.folder, 'keys.csv'));
      expect((await create('keys.csv').ended).code).toBe(found.length > 0 ? 1 : 0);
    }
    expect(await accounts()).toEqual(NAMES);
    await clear();
  }
  expect([...seen]).toEqual(['accounts', 'keys', 'begun', 'nothing']);
});

describe('account create --from while PostgreSQL is cut off at the commit (contract §28)', () => {
  /** The commit of the accounts, and no other, waits until nobody else holds the gate. */
  const WAIT_AT_COMMIT = `
    create function wait_at_commit() returns trigger language plpgsql as $$ begin
      while not pg_try_advisory_xact_lock(1) loop perform pg_sleep(0.02); end loop; return null;
    end $$;
    create constraint trigger slow after insert on account deferrable initially deferred
      for each row when (new.name = 'Tienda Uno') execute function wait_at_commit()`;
  const SESSIONS = 'select 1 from pg_stat_activity where datname = current_database() and';

  async function siteBehindProxy() {
    const proxy = await postgresProxy();
    const database = await createDatabase();
    const made = await siteWithFile({ VESFX_DATABASE_URL: addressOf(proxy.port, database) });
    // Beside the proxy.
    const direct = new pg.Client({
      connectionString: addressOf(await postgresPort(), database, 'postgres'),
    });
    await direct.connect();
    onTestFinished(async () => {
      proxy.resume();
      await direct.end();
    });
    /** How many sessions of the database are in this state. */
    const sessions = async (state: string) =>
      (await direct.query(`${SESSIONS} ${state}`)).rows.length;
    return { proxy, ...made, direct, sessions };
  }

  test.each([
    ['before', 1, []],
    ['after', 0, NAMES],
  ] as const)('cut %s the server has it: exit code %s', async (when, code, names) => {
    const { proxy, create, accounts, keys, site } = await siteBehindProxy();
    const release = await holdAccounts(site);
    const running = create('keys.csv');
    await expect.poll(() => started(site)).toBe(1);
    proxy.breakAt('commit', when);
    await release();
    const ended = await running.ended;
    expect([ended.code, await accounts()], ended.err).toEqual([code, names]);
    expect(existsSync(join(site.folder, 'keys.csv'))).toBe(code === 0);
    if (code === 0) expect(keys('keys.csv')).toHaveLength(NAMES.length);
  });

  test('a commit that goes on without its connection is waited for: the keys stay with the accounts', async () => {
    const { proxy, create, accounts, keys, direct, sessions } = await siteBehindProxy();
    await direct.query(`${WAIT_AT_COMMIT}; select pg_advisory_lock(1)`);
    const running = create('keys.csv');
    // The server is at the commit.
    await expect.poll(() => sessions("wait_event = 'PgSleep'")).toBe(1);
    proxy.stop();
    proxy.resume();
    // The command has come again, and waits for what the commit holds.
    await expect.poll(() => sessions("wait_event_type = 'Lock'")).toBe(1);
    await direct.query('select pg_advisory_unlock(1)');
    const ended = await running.ended;
    expect([ended.code, await accounts()], ended.err).toEqual([0, NAMES]);
    expect(keys('keys.csv')).toHaveLength(NAMES.length);
  });
});

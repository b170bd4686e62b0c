import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  account,
  apiKey,
  append,
  bankTable,
  publication,
  quoteEntry,
} from '../../../../../test/contracts/engines.ts';
import {
  addressOf,
  asSuperuser,
  createDatabase,
  postgresPort,
  postgresProxy,
} from '../../../../../test/harness/postgres.ts';
import { temporaryDir } from '../../../../../test/harness/service.ts';
import { day } from '../../../../../testkit/day.ts';
import { LAUNCHER } from '../../../../../testkit/vesfx-process.ts';
import type { Store } from '../../../../core/app/ports/store.ts';
import { readPostgresUrl } from '../../../../core/storage/postgres/url.ts';
import { DATABASE_FILE, openStore } from '../../../../core/storage/store.ts';
import { moveToPostgres } from '../../move.ts';

const TODAY = day('2026-11-20');
/** More than two pieces of the largest table. */
const CAPTURES = 12_000;
const NOW = Date.UTC(2026, 10, 20, 12);

describe('vesfx move', () => {
  let dataDir: string;
  let database: string;
  let url: string;

  beforeEach(async () => {
    dataDir = await temporaryDir();
    database = await createDatabase();
    url = addressOf(await postgresPort(), database);
    filled ??= makeFilled();
    await copyFile(join(await filled, DATABASE_FILE), join(dataDir, DATABASE_FILE));
  });

  /** A folder with some of everything, which each test gets a copy of. */
  let filled: Promise<string> | undefined;

  async function makeFilled(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'vesfx-filled-'));
    const store = await openStore({ dataDir: folder });
    await fill(store);
    await store.close();
    return folder;
  }

  async function fill(store: Store): Promise<void> {
    const quotes = Array.from({ length: CAPTURES }, (_, n) =>
      quoteEntry({ mid: 900 + n / 1e3, updatedAt: n, capturedAt: n * 60_000 }),
    );
    await append(store, quotes);
    await append(store, [
      { captures: [], publication: publication() },
      { captures: [], bankTable: bankTable() },
      quoteEntry({ market: 'bcv-usd', effectiveDate: TODAY, observedAt: 7 }),
    ]);
    await append(store, [
      quoteEntry({ market: 'bcv-usd', effectiveDate: TODAY, observedAt: 8, mid: 901 }),
    ]);
    await store.createAccount(account({ name: 'Ñandú "S\\A"\n' }));
    await store.createKey(apiKey({ expiresAt: 9_000 }), 0, { maxLive: null, maxPerDay: null });
    const rule = {
      tag: 'shop',
      kind: 'percent',
      value: 0.0125,
      markets: [],
      active: true,
    } as const;
    await store.saveMarkup('acc-1', rule, 'create', null);
    const ask = {
      accountId: 'acc-1',
      window: 'month',
      limit: 10,
      need: 4,
      want: 4,
    } as const;
    await store.takeUnits([ask], NOW);
    const body = { url: 'https://a.example', bytes: Buffer.from([0, 1, 92, 34, 255]) };
    await store.keepReading({ source: 's', readAt: 5, bodies: [body] });
    await store.takeLease('h', 1, 2);
  }

  /** The command as an operator runs it. */
  function start(to: string, ...flags: string[]): ChildProcess {
    const args = [LAUNCHER, 'move', '--data', dataDir, '--to', to, ...flags];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async function run(...flags: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = start(url, ...flags);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr?.on('data', (bytes) => {
      err += bytes;
    });
    const [code] = await once(child, 'close');
    return { code, out, err };
  }

  /** The same without a process of its own; `until` breaks it off after so many rows. */
  function move({ until = Number.POSITIVE_INFINITY } = {}) {
    let done = 0;
    return moveToPostgres({
      dataDir,
      to: readPostgresUrl(url),
      onStart: async () => undefined,
      onProgress: (rows) => {
        done += rows;
        if (done > until) throw new Error('far enough');
      },
    });
  }

  async function moved(): Promise<Store> {
    const store = await openStore({ dataDir, postgres: readPostgresUrl(url), waitMs: 10_000 });
    onTestFinished(() => store.close());
    return store;
  }

  const ask = (text: string) =>
    asSuperuser(database, async (client) => (await client.query(text)).rows);

  test('moves everything, and reports it table by table', async () => {
    const { code, out, err } = await run('--json');
    expect([code, err]).toEqual([0, '']);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ from: dataDir, to: url, resumed: false });
    const rows = new Map(
      told.tables.map((one: { table: string; rows: number }) => [one.table, one.rows]),
    );
    expect(rows.get('capture')).toBe(CAPTURES + 2);
    const single = ['publication', 'bank_table', 'correction'];
    for (const table of [...single, 'account', 'api_key', 'markup', 'usage']) {
      expect([table, rows.get(table)]).toEqual([table, 1]);
    }
    const there = await moved();
    const here = await openStore({ dataDir });
    onTestFinished(() => here.close());
    const ALL = { start: 0, end: CAPTURES * 60_000 };
    const views = (store: Store) =>
      Promise.all([
        store.currentRecords(TODAY),
        store.latestCaptures('parallel', ALL, CAPTURES),
        store.corrections({ since: 0, markets: ['bcv-usd'], limit: 10 }),
        store.listAccounts(),
        store.findKeyHolder('digest-1'),
        store.monthUsage('acc-1', NOW),
        store.keptReading('s', 5),
        store.versions(),
      ]);
    expect(await views(there)).toEqual(await views(here));
    // A later holder has a greater token than any before the move.
    expect(await there.takeLease('next', 100, 200)).toEqual({ holder: 'next', token: 2 });
    expect(await append(there, [quoteEntry({ mid: 1 })])).toMatchObject({ stored: 1 });
  });

  test('continues after a kill, and no service uses the database until it is done', async () => {
    const proxy = await postgresProxy();
    const child = start(url.replace(/:\d+\//, `:${proxy.port}/`));
    const pieces = () => proxy.sent('insert into "capture"');
    await expect.poll(pieces).toBeGreaterThan(1);
    proxy.hang();
    child.kill('SIGKILL');
    await once(child, 'close');
    proxy.stop();
    await expect(moved()).rejects.toThrow(/a move into it is not finished/);
    const { code, out, err } = await run('--json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ resumed: true });
    expect((await (await moved()).currentRecords(TODAY)).quotes).toHaveLength(2);
  });

  test('names differences, and starts again after them', async () => {
    await expect(move({ until: CAPTURES / 2 })).rejects.toThrow('far enough');
    await ask("update market set id = 'other' where id = 'parallel'");
    await expect(move()).rejects.toThrow(
      /^The copy is not the same \(market: 2 rows here, 2 there\)\. Run the command again/,
    );
    expect(await move()).toMatchObject({ resumed: false });
  });

  test('starts again when the folder has changed', async () => {
    await expect(move({ until: CAPTURES / 2 })).rejects.toThrow('far enough');
    const store = await openStore({ dataDir });
    await store.updateAccount('acc-1', { status: 'suspended' });
    await store.close();
    expect(await move()).toMatchObject({ resumed: false });
    expect(await (await moved()).findAccount('acc-1')).toMatchObject({ status: 'suspended' });
  });

  test('refuses a database that is not empty, and changes nothing', async () => {
    const store = await moved();
    await store.createAccount(account({ id: 'other' }));
    await expect(move()).rejects.toThrow(
      /^The database holds something already \(account 1\)\. Nothing was changed\./,
    );
    expect(await store.listAccounts()).toHaveLength(1);
  });

  test('refuses a folder in use, one without a database and a wrong address', async () => {
    const store = await openStore({ dataDir });
    await expect(move()).rejects.toThrow(/is in use\. Stop every vesfx that uses it first/);
    await store.close();
    dataDir = await temporaryDir();
    await expect(move()).rejects.toThrow(/There is no database .* to move/);
    url = 'postgres://u:secret-1@h/d?sslmode=maybe';
    const { code, err } = await run('--json');
    expect(code).toBe(2);
    expect(JSON.parse(err).error.message).toMatch(/^--to: sslmode is/);
    expect(err).not.toContain('secret-1');
  });
});

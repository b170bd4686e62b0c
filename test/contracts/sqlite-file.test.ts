import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { MAX_GATHERED_ENTRIES } from '../../src/core/storage/gathered-entries.ts';
import { DevelopmentDatabase, NewerDatabase } from '../../src/core/storage/migrate.ts';
import { DamagedDatabase, MAX_WHOLE_CHECK_BYTES } from '../../src/core/storage/sqlite/file.ts';
import { DATABASE_FILE, openStore, restoreStore } from '../../src/core/storage/store.ts';
import { day } from '../../testkit/day.ts';
import { account, append, bankTable, publication, quoteEntry } from './engines.ts';

const TODAY = day('2026-11-20');
const STORE_MODULE = new URL('../../src/core/storage/store.ts', import.meta.url).href;
const run = promisify(execFile);

describe('the SQLite file', () => {
  let dir: string;
  let dataDir: string;
  let file: string;
  let opened: Store[];

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'vesfx-file-'));
    dataDir = join(dir, 'data');
    file = join(dataDir, DATABASE_FILE);
    opened = [];
  });

  afterEach(async () => {
    for (const store of opened) await store.close();
    rmSync(dir, { recursive: true });
  });

  async function open(): Promise<Store> {
    const store = await openStore({ dataDir });
    opened.push(store);
    return store;
  }

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** A closed database of some pages. */
  async function createFilled(): Promise<void> {
    await withStore(async (store) => {
      const quotes = Array.from({ length: 900 }, (_, index) => quoteEntry({ mid: index + 1 }));
      await append(store, [
        ...quotes,
        { captures: [], publication: publication(), bankTable: bankTable() },
      ]);
      await store.createAccount(account());
    });
  }

  function overwrite(target: string, bytes: Uint8Array, offset: number): void {
    const descriptor = openSync(target, 'r+');
    writeSync(descriptor, bytes, 0, bytes.length, offset);
    closeSync(descriptor);
  }

  /** Opens the file, expects a refusal, and that nothing in the directory has changed. */
  async function expectRefused(problem: RegExp): Promise<void> {
    const before = readFileSync(file);
    const names = readdirSync(dataDir);
    const error = await openStore({ dataDir }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DamagedDatabase);
    expect(String(error)).toMatch(problem);
    expect(String(error)).toContain(file);
    expect(String(error)).toContain('vesfx restore FILE');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dataDir)).toEqual(names);
  }

  describe('an open database', () => {
    test.each([
      ['is removed', () => undefined],
      ['is replaced by an equal file', () => copyFileSync(`${file}.away`, file)],
    ])('whose file %s is unavailable until the file is back', async (_, replace) => {
      const store = await open();
      await store.createAccount(account({ id: 'acc-1' }));
      renameSync(file, `${file}.away`);
      replace();
      const names = readdirSync(dataDir);
      const unavailable = { name: 'StoreUnavailable', writeFailure: undefined };
      await expect(store.listAccounts()).rejects.toMatchObject(unavailable);
      await expect(store.tryWrite({ really: true })).rejects.toMatchObject(unavailable);
      // So many are gathered on a connection of their own, which would create the missing file.
      const many = Array.from({ length: MAX_GATHERED_ENTRIES + 1 }, () => quoteEntry());
      await expect(append(store, many)).rejects.toMatchObject(unavailable);
      expect(readdirSync(dataDir)).toEqual(names);
      renameSync(`${file}.away`, file);
      await store.tryWrite({ really: true });
      expect(await store.listAccounts()).toHaveLength(1);
    });
  });

  test('a database in a read-only folder is refused with that reason', async () => {
    await createFilled();
    // Root may write everywhere.
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (other.uid !== undefined) {
      for (const path of [dir, dataDir, file]) chownSync(path, other.uid, other.gid);
    }
    chmodSync(dataDir, 0o500);
    const code = `
      const { openStore } = await import(${JSON.stringify(STORE_MODULE)});
      await openStore({ dataDir: ${JSON.stringify(dataDir)} }).catch(
        ({ message, writeFailure }) => console.log(JSON.stringify({ message, writeFailure })));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], other);
    chmodSync(dataDir, 0o700);
    expect(JSON.parse(stdout)).toEqual({
      message: expect.stringMatching(/^The database cannot be written: .*read-?only/),
      writeFailure: 'read_only',
    });
  });

  describe('a new database', () => {
    test('is created whole and readable by its owner only', async () => {
      await open();
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(dataDir)) {
        expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
      }
    });

    test('is alone in its folder once it is closed', async () => {
      await withStore((store) => append(store, [quoteEntry()]));
      expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
    });

    test('is created once by several stores of one process', async () => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      for (const [index, store] of stores.entries()) {
        await store.createAccount(account({ id: `acc-${index}` }));
      }
      expect(await stores[0]?.listAccounts()).toHaveLength(4);
      expect(readdirSync(dataDir).filter((name) => name.includes('.new'))).toEqual([]);
    });

    test('is created once by several processes', async () => {
      const code = (id: string) => `
        const { openStore } = await import(${JSON.stringify(STORE_MODULE)});
        const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, waitMs: 15000 });
        await store.createAccount(${JSON.stringify(account({ id }))});
        await store.close();`;
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((id) =>
          run(process.execPath, ['--input-type=module', '-e', code(id)]),
        ),
      );
      const store = await open();
      expect((await store.listAccounts()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
      expect(await store.check()).toEqual([]);
      expect(readdirSync(dataDir).filter((name) => name.includes('.new'))).toEqual([]);
    });

    test('is unavailable in a folder without write permission', async () => {
      writeFileSync(dataDir, 'a file in the way');
      await expect(openStore({ dataDir })).rejects.toThrow(StoreUnavailable);
    });
  });

  describe('an unsound or foreign database', () => {
    test('is refused when it is empty', async () => {
      mkdirSync(dataDir);
      writeFileSync(file, '');
      await expectRefused(/is empty/);
    });

    test.each([
      ['short text', 'hello'],
      ['long text', 'hello '.repeat(10_000)],
      ['a header and nothing else', 'SQLite format 3\0'],
    ])('is refused when it is %s', async (_, content) => {
      mkdirSync(dataDir);
      writeFileSync(file, content);
      await expectRefused(/is not a SQLite database/);
    });

    test('is refused when another program wrote it', async () => {
      mkdirSync(dataDir);
      const other = new DatabaseSync(file);
      other.exec('CREATE TABLE capture (id INTEGER); PRAGMA application_id=7');
      other.close();
      await expectRefused(/was not written by vesfx/);
    });

    test.each([1, 4096, 3 * 4096 + 17])(
      'is refused when its last %i bytes are cut',
      async (cut) => {
        await createFilled();
        const descriptor = openSync(file, 'r+');
        ftruncateSync(descriptor, statSync(file).size - cut);
        closeSync(descriptor);
        await expectRefused(/is cut short/);
      },
    );

    test('is refused when any page but the first is overwritten', async () => {
      await createFilled();
      const whole = readFileSync(file);
      const pages = whole.length / 4096;
      expect(pages).toBeGreaterThan(20);
      for (let page = 1; page < pages; page += 1) {
        overwrite(file, Buffer.alloc(4096, 0xa5), page * 4096);
        await expectRefused(/is damaged/);
        overwrite(file, whole.subarray(page * 4096, (page + 1) * 4096), page * 4096);
      }
      expect(await (await open()).check()).toEqual([]);
    });

    /** A database of a size of which only the small tables are read at start. */
    async function createLarge(change: (db: DatabaseSync) => void): Promise<void> {
      await createFilled();
      const db = new DatabaseSync(file);
      change(db);
      db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE padding (bytes BLOB);
        INSERT INTO padding VALUES (zeroblob(${MAX_WHOLE_CHECK_BYTES})); DROP TABLE padding`);
      db.close();
      expect(statSync(file).size).toBeGreaterThan(MAX_WHOLE_CHECK_BYTES);
    }

    test.each(['held', 'usage_day'])(
      'is refused when it is large and its table "%s" is overwritten',
      async (table) => {
        let page = 0;
        await createLarge((db) => {
          const root = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table);
          page = Number(root?.['rootpage']);
        });
        overwrite(file, Buffer.alloc(4096, 0xa5), (page - 1) * 4096);
        await expectRefused(/is damaged/);
      },
    );

    test('is refused when a plan that it keeps is not JSON', async () => {
      await createFilled();
      const db = new DatabaseSync(file);
      db.exec(`INSERT INTO kept_plan (name, plan) VALUES ('gratis', '{"limits": {')`);
      db.close();
      await expectRefused(/is damaged \(the kept plan gratis is not JSON\)/);
    });

    test('is refused when its schema is overwritten', async () => {
      await createFilled();
      overwrite(file, Buffer.alloc(3996, 0xa5), 100);
      await expectRefused(/is damaged/);
    });

    test('is refused when a newer version wrote it', async () => {
      await createFilled();
      const newer = new DatabaseSync(file);
      newer.exec("INSERT INTO migration VALUES ('999-later')");
      newer.close();
      await expect(openStore({ dataDir })).rejects.toThrow(NewerDatabase);
      await expect(openStore({ dataDir })).rejects.toThrow(/newer version of vesfx.*999-later/);
    });

    test('is refused when a version from before the first release wrote it', async () => {
      await createFilled();
      const before = new DatabaseSync(file);
      before.exec(
        "DELETE FROM migration; INSERT INTO migration VALUES ('001-first'), ('019-plans')",
      );
      before.close();
      await expect(openStore({ dataDir })).rejects.toThrow(DevelopmentDatabase);
      await expect(openStore({ dataDir })).rejects.toThrow(/019-plans.*CHANGELOG\.md says how/);
      const elsewhere = join(dir, 'elsewhere');
      await expect(restoreStore({ from: file, dataDir: elsewhere })).rejects.toThrow(
        DevelopmentDatabase,
      );
      expect(readdirSync(elsewhere)).toEqual([]);
    });

    test('is refused when it is a folder', async () => {
      mkdirSync(file, { recursive: true });
      await expect(openStore({ dataDir })).rejects.toThrow(/is not a file/);
    });
  });

  test('is opened with every acknowledged write after its process was killed', async () => {
    const code = `
      const { openStore } = await import(${JSON.stringify(STORE_MODULE)});
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)} });
      await store.createAccount(${JSON.stringify(account())});
      process.kill(process.pid, 'SIGKILL');`;
    await expect(run(process.execPath, ['--input-type=module', '-e', code])).rejects.toThrow();
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(await (await open()).listAccounts()).toEqual([account()]);
  });

  describe('a backup', () => {
    test('has everything while the store is in use, and can be restored', async () => {
      const backup = join(dir, 'backup.db');
      await createFilled();
      const before = await withStore(async (store) => {
        await store.backup(backup);
        const current = await store.currentRecords(TODAY);
        await append(store, [quoteEntry({ mid: 5, capturedAt: 9_999 })]);
        await store.deleteAccount('acc-1');
        return current;
      });
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      expect(readdirSync(dir).sort()).toEqual(['backup.db', 'data']);
      const kept = readFileSync(backup);
      await restoreStore({ from: backup, dataDir });
      expect(readFileSync(backup).equals(kept)).toBe(true);
      expect(readdirSync(dir).sort()).toEqual(['backup.db', 'data']);
      expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
      const store = await open();
      expect(await store.currentRecords(TODAY)).toEqual(before);
      expect(await store.listAccounts()).toEqual([account()]);
      expect(await store.check()).toEqual([]);
    });

    test('never replaces a file', async () => {
      const backup = join(dir, 'backup.db');
      writeFileSync(backup, 'precious');
      const store = await open();
      await expect(store.backup(backup)).rejects.toThrow('exists already');
      expect(readFileSync(backup, 'utf8')).toBe('precious');
    });

    test('fails if its folder does not exist', async () => {
      const store = await open();
      const backup = store.backup(join(dir, 'no', 'b.db'));
      await expect(backup).rejects.toThrow('The backup cannot be written: ENOENT');
      expect(await store.check()).toEqual([]);
    });
  });

  describe('a restore', () => {
    const mids = async (store: Store) =>
      (await store.latestCaptures('parallel', { start: 0, end: 1e13 }, 10)).map(({ mid }) => mid);

    test('fills an empty folder', async () => {
      await createFilled();
      const elsewhere = join(dir, 'elsewhere');
      await restoreStore({ from: file, dataDir: elsewhere });
      const store = await openStore({ dataDir: elsewhere });
      opened.push(store);
      expect(await store.listAccounts()).toEqual([account()]);
      expect(statSync(elsewhere).mode & 0o777).toBe(0o700);
      expect(statSync(join(elsewhere, DATABASE_FILE)).mode & 0o777).toBe(0o600);
    });

    test.each([
      ['text', (target: string) => writeFileSync(target, 'not a database '.repeat(99))],
      ['empty', (target: string) => writeFileSync(target, '')],
      ['damaged', (target: string) => overwrite(target, Buffer.alloc(4096, 0xa5), 4096 * 2)],
    ])('refuses a backup that is %s and leaves the database unchanged', async (_, spoil) => {
      await createFilled();
      const backup = join(dir, 'backup.db');
      copyFileSync(file, backup);
      spoil(backup);
      const before = readFileSync(file);
      const restoring = restoreStore({ from: backup, dataDir });
      await expect(restoring).rejects.toThrow(DamagedDatabase);
      await expect(restoring).rejects.toThrow(/nothing was replaced/);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
    });

    test('refuses a missing backup', async () => {
      await createFilled();
      const restoring = restoreStore({ from: join(dir, 'none.db'), dataDir });
      await expect(restoring).rejects.toThrow(/none\.db/);
      expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
    });

    test('refuses to replace a database that is in use', async () => {
      const backup = join(dir, 'backup.db');
      const store = await open();
      await store.backup(backup);
      await append(store, [quoteEntry({ mid: 7 })]);
      await expect(restoreStore({ from: backup, dataDir })).rejects.toThrow(/is in use/);
      expect(await mids(store)).toEqual([7]);
      expect(await append(store, [quoteEntry({ mid: 8 })])).toEqual({ stored: 1, duplicate: 0 });
    });

    test('replaces a damaged database and the log beside it', async () => {
      const backup = join(dir, 'backup.db');
      await withStore(async (store) => {
        await append(store, [quoteEntry({ mid: 1 })]);
        await store.backup(backup);
        await append(store, [quoteEntry({ mid: 2 })]);
        // After a crash the newest rows are only in the log.
        for (const suffix of ['', '-wal'])
          copyFileSync(`${file}${suffix}`, join(dir, `old${suffix}`));
      });
      copyFileSync(join(dir, 'old'), file);
      copyFileSync(join(dir, 'old-wal'), `${file}-wal`);
      overwrite(file, Buffer.from('no longer a database'), 0);
      await restoreStore({ from: backup, dataDir });
      expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
      expect(await mids(await open())).toEqual([1]);
    });

    test('takes a copied database together with the log beside it', async () => {
      const copy = join(dir, 'copy.db');
      await withStore(async (store) => {
        await append(store, [quoteEntry({ mid: 1 })]);
        for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
        await append(store, [quoteEntry({ mid: 2 })]);
      });
      await restoreStore({ from: copy, dataDir });
      expect(await mids(await open())).toEqual([1]);
    });
  });

  test('of a file damaged while it is open is reported by a check', async () => {
    await createFilled();
    const store = await open();
    overwrite(file, Buffer.alloc(4096, 0xa5), 4096 * 2);
    expect(await store.check()).not.toEqual([]);
  });
});

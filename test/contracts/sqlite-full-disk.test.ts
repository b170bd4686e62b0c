import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test as plainTest } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import { DATABASE_FILE, openStore, restoreStore } from '../../src/core/storage/store.ts';
import { account } from './engines.ts';

/** A database file that is made, or replaced, on a disk that becomes full meanwhile. */

const KIB = 1024;
const FILLER = 'filler';

/** A small disk; undefined where it cannot be mounted. */
function smallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'vesfx-full-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const disk = join(dir, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  return disk;
}

function leave(disk: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, FILLER), Buffer.alloc(bavail * bsize - bytes));
}

const test = plainTest.extend<{ disk: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names in the pattern.
  disk: async ({}, use) => {
    const disk = smallDisk();
    await use(disk ?? '');
  },
});

const diskIsFull = (error: unknown) =>
  error instanceof StoreUnavailable && error.writeFailure === 'disk_full';

test('a database that does not fit on the disk is not made, and nothing is left of it', async ({
  disk,
  skip,
  expect,
}) => {
  if (disk === '') skip('only root may mount a file system');
  const dataDir = join(disk, 'data');
  // Its log fits, but not the file that the log is merged into.
  leave(disk, 600 * KIB);
  await expect(openStore({ dataDir })).rejects.toSatisfy(diskIsFull);
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(join(disk, FILLER));
  const store = await openStore({ dataDir });
  expect(await store.check()).toEqual([]);
  await store.close();
});

test('a backup that does not fit on the disk is not restored: the database stays as it was', async ({
  disk,
  skip,
  expect,
}) => {
  if (disk === '') skip('only root may mount a file system');
  const dataDir = join(disk, 'data');
  const before = await openStore({ dataDir });
  await before.createAccount(account({ id: 'acc-before' }));
  await before.close();
  const source = mkdtempSync(join(tmpdir(), 'vesfx-full-source-'));
  onTestFinished(() => rmSync(source, { recursive: true }));
  const newer = await openStore({ dataDir: source });
  for (let n = 0; n < 30; n += 1) {
    await newer.createAccount(account({ id: `acc-${n}`, name: 'x'.repeat(20 * KIB) }));
  }
  const from = join(source, DATABASE_FILE);
  const log = statSync(`${from}-wal`).size;
  // Room for the copy with its log, and for what SQLite keeps in memory, not for merging them.
  leave(disk, statSync(from).size + log + 200 * KIB);
  await expect(restoreStore({ from, dataDir })).rejects.toSatisfy(diskIsFull);
  await newer.close();
  expect(readdirSync(dataDir)).toEqual([DATABASE_FILE]);
  expect(existsSync(join(disk, FILLER))).toBe(true);
  rmSync(join(disk, FILLER));
  const after = await openStore({ dataDir });
  expect(await after.listAccounts()).toEqual([account({ id: 'acc-before' })]);
  expect(await after.check()).toEqual([]);
  await after.close();
});

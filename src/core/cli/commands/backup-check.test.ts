import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { START, temporaryDir } from '../../../../test/harness/service.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { openStore } from '../../storage/store.ts';
import { checkBackup, contentsOf } from './backup-check.ts';

const today = caracasDayOf(START);

const account = (id: string) =>
  ({ id, name: 'a shop', plan: 'Gratis', status: 'active', createdAt: 1 }) as const;

/** A store with an account, its backup, and what it held before and after. */
async function copied() {
  const folder = await temporaryDir();
  const store = await openStore({ dataDir: join(folder, 'data') });
  onTestFinished(() => store.close());
  await store.createAccount(account('acc_1'));
  const before = await contentsOf(store, today);
  const file = join(folder, 'copy.db');
  await store.backup(file);
  return { folder, store, file, before, after: await contentsOf(store, today), today };
}

test('a backup that can be restored and has all that the database has is verified, and nothing is left over', async () => {
  const { folder, file, ...contents } = await copied();
  await checkBackup(file, contents);
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data']);
});

test('a copy that is cut short, or that lacks what was stored before it, is not verified', async () => {
  const { folder, store, file, ...contents } = await copied();
  await store.createAccount(account('acc_2'));
  const later = await contentsOf(store, today);
  const lacks = /^The backup lacks accounts or records that the database has.$/;
  await expect(checkBackup(file, { before: later, after: later, today })).rejects.toThrow(lacks);
  // What came while the copy was made may be in it or not.
  await checkBackup(file, { ...contents, after: later });
  truncateSync(file, 20_000);
  await expect(checkBackup(file, contents)).rejects.toThrow(/is cut short/);
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data']);
});

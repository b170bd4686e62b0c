import { chmod, copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE, openStore } from '../../src/core/storage/store.ts';

let emptyStore: Promise<string> | undefined;

async function makeEmptyStore(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vesfx-empty-'));
  await (await openStore({ dataDir })).close();
  return join(dataDir, DATABASE_FILE);
}

/** Fills a folder with a copied empty database, because creating one takes longer than most tests. */
export async function fillWithEmptyStore(dataDir: string): Promise<void> {
  emptyStore ??= makeEmptyStore();
  const file = join(dataDir, DATABASE_FILE);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await copyFile(await emptyStore, file);
  await chmod(file, 0o600);
}

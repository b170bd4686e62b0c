import { mkdtemp, rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../app/ports/store.ts';
import type { CaracasDay } from '../../domain/time.ts';
import { openStore, restoreStore } from '../../storage/store.ts';

type Contents = Awaited<ReturnType<typeof contentsOf>>;

/** What a database holds, enough to tell whether a copy has its newest rows. */
export async function contentsOf(store: Store, today: CaracasDay) {
  return {
    // Before the rest: if it is the same afterwards too, the rest belongs to it.
    versions: await store.versions(),
    accounts: await store.countAccounts(),
    records: await store.currentRecords(today),
  };
}

/**
 * Restores a backup into a folder beside it, checks every page and row there, and compares it with
 * what the database held `before` and `after` the copy.
 * @throws DamagedDatabase or Error when the backup cannot be relied on.
 */
export async function checkBackup(
  file: string,
  { before, after, today }: Record<'before' | 'after', Contents> & { readonly today: CaracasDay },
): Promise<void> {
  const dataDir = await mkdtemp(`${file}.check-`);
  try {
    await restoreStore({ from: file, dataDir });
    const store = await openStore({ dataDir });
    try {
      const [fault] = await store.check();
      if (fault !== undefined) throw new Error(`The backup is damaged: ${fault}.`);
      requireSame(await contentsOf(store, today), before, after);
    } finally {
      await store.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** While others write, the copy lies between `before` and `after`; else it equals both. */
function requireSame(copy: Contents, before: Contents, after: Contents): void {
  const isBetween = (topic: keyof Contents['versions']) =>
    before.versions[topic] <= copy.versions[topic] && copy.versions[topic] <= after.versions[topic];
  const isQuiet = isDeepStrictEqual(before.versions, after.versions);
  const isSame = isQuiet
    ? isDeepStrictEqual(copy, before)
    : isBetween('records') && isBetween('access');
  if (!isSame) throw new Error('The backup lacks accounts or records that the database has.');
}

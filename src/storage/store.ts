import { join } from 'node:path';
import type { Store } from '../app/ports.ts';
import { accounts, keys, markups, news } from './accounts.ts';
import { appendBatch } from './append-batch.ts';
import { collecting } from './collecting.ts';
import type { Engine } from './engine.ts';
import { held } from './held.ts';
import { records } from './records.ts';
import { openSqlite, restoreSqlite } from './sqlite.ts';
import { usage } from './usage.ts';
import { usageDays } from './usage-days.ts';

/** Name of the database in its data directory. */
export const DATABASE_FILE = 'vesfx.db';

/** The store on any database: all that differs between them is in the engine. */
export function createStore(engine: Engine): Store {
  return {
    appendBatch: (origin, entries, confirm) => appendBatch(engine, origin, entries, confirm),
    ...records(engine),
    ...collecting(engine),
    ...held(engine),
    ...accounts(engine),
    ...keys(engine),
    ...markups(engine),
    ...usage(engine),
    ...usageDays(engine),
    ...news(engine),
    backup: (file) => engine.backup(file),
    check: () => engine.check(),
    close: () => engine.close(),
  };
}

/**
 * Opens the store in a data directory, creating both when they are not there.
 * @param options `lockWaitMs` is how long a call waits while another process writes; 1,000 ms
 *   unless given.
 * @throws DamagedDatabase, NewerDatabase or StoreUnavailable, as `openSqlite` does.
 */
export async function openStore({
  dataDir,
  lockWaitMs,
}: {
  readonly dataDir: string;
  readonly lockWaitMs?: number;
}): Promise<Store> {
  const file = join(dataDir, DATABASE_FILE);
  return createStore(await openSqlite({ file, ...(lockWaitMs !== undefined && { lockWaitMs }) }));
}

/**
 * Puts the backup `from` in the place of the directory's database, whole or not at all.
 * @throws DamagedDatabase, NewerDatabase or StoreUnavailable, as `restoreSqlite` does.
 */
export async function restoreStore({
  from,
  dataDir,
}: {
  readonly from: string;
  readonly dataDir: string;
}): Promise<void> {
  await restoreSqlite({ from, to: join(dataDir, DATABASE_FILE) });
}

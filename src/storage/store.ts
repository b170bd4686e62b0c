import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../app/ports/store.ts';
import type { Engine } from './engine.ts';
import type { PostgresAddress } from './postgres/address.ts';
import { accounts, changes } from './queries/accounts.ts';
import { alerts } from './queries/alerts.ts';
import { appendBatch } from './queries/batch/append-batch.ts';
import { collecting } from './queries/collecting.ts';
import { dayCandles } from './queries/day-candles.ts';
import { evidence } from './queries/evidence.ts';
import { held } from './queries/held.ts';
import { keys } from './queries/keys.ts';
import { marketNames } from './queries/market-names.ts';
import { markups } from './queries/markups.ts';
import { pruning } from './queries/prune.ts';
import { publications } from './queries/publications.ts';
import { records } from './queries/records.ts';
import { usage } from './queries/usage.ts';
import { usageDays } from './queries/usage-days.ts';
import { openSqlite, restoreSqlite } from './sqlite/sqlite.ts';

/** Name of the database in its data directory. */
export const DATABASE_FILE = 'vesfx.db';

/** How long a call waits for the database when its caller does not say. */
const DEFAULT_WAIT_MS = 1_000;

/** The store on any database: all that differs between them is in the engine. */
export function createStore(engine: Engine): Store {
  return {
    appendBatch: (origin, entries, confirm) => appendBatch(engine, origin, entries, confirm),
    ...records(engine),
    ...dayCandles(engine),
    ...evidence(engine),
    ...publications(engine),
    ...collecting(engine),
    ...alerts(engine),
    ...held(engine),
    ...marketNames(engine),
    ...pruning(engine),
    ...accounts(engine),
    ...keys(engine),
    ...markups(engine),
    ...usage(engine),
    ...usageDays(engine),
    ...changes(engine),
    backup: (file) => engine.backup(file),
    check: () => engine.check(),
    close: () => engine.close(),
  };
}

/** Where a store is: in a folder of this machine, or on a PostgreSQL server. */
export interface StorePlace {
  readonly dataDir: string;
  /** Takes the place of the folder. */
  readonly postgres?: PostgresAddress | undefined;
}

/**
 * Whether there is a store to open. Creates nothing.
 * @throws StoreUnavailable when the server cannot be reached.
 */
export async function storeExists({ dataDir, postgres }: StorePlace): Promise<boolean> {
  if (postgres === undefined) return existsSync(join(dataDir, DATABASE_FILE));
  const { postgresExists } = await import('./postgres/postgres.ts');
  return postgresExists({ address: postgres, waitMs: DEFAULT_WAIT_MS });
}

/**
 * Opens the store, creating what it needs where there is nothing yet.
 * @param options `waitMs` is how long a call waits while another process writes, and for a server
 *   to answer; 1,000 ms unless given.
 * @throws DamagedDatabase, NewerDatabase or StoreUnavailable, as the engines do.
 */
export async function openStore({
  dataDir,
  postgres,
  waitMs = DEFAULT_WAIT_MS,
}: StorePlace & { readonly waitMs?: number }): Promise<Store> {
  if (postgres === undefined) {
    const file = join(dataDir, DATABASE_FILE);
    return createStore(await openSqlite({ file, lockWaitMs: waitMs }));
  }
  // Loaded when it is wanted: most commands work on the embedded database.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return createStore(await openPostgres({ address: postgres, waitMs }));
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

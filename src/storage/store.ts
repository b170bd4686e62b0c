import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable, type WriteFailure } from '../app/failures.ts';
import type { Store } from '../app/ports/store.ts';
import type { Engine } from './engine.ts';
import type { PostgresAddress } from './postgres/url.ts';
import { accounts } from './queries/accounts.ts';
import { alerts } from './queries/alerts.ts';
import { batches } from './queries/batch/append-batch.ts';
import { captures } from './queries/captures.ts';
import { collecting } from './queries/collecting.ts';
import { storedCorrections } from './queries/corrections.ts';
import { evidence } from './queries/evidence.ts';
import { exports } from './queries/export/exports.ts';
import { storedYears } from './queries/export/stored-years.ts';
import { held } from './queries/held.ts';
import { keys } from './queries/keys.ts';
import { leases } from './queries/leases.ts';
import { markups } from './queries/markups.ts';
import { pruning } from './queries/prune.ts';
import { publications } from './queries/publications.ts';
import { records } from './queries/records.ts';
import { usage } from './queries/usage.ts';
import { usageDays } from './queries/usage-days.ts';
import { versions } from './queries/versions.ts';
import { openSqlite, restoreSqlite } from './sqlite/sqlite.ts';

/** Name of the database in its data directory. */
export const DATABASE_FILE = 'vesfx.db';

/** Default wait of a call for the database. */
const DEFAULT_WAIT_MS = 1_000;

/** Creates the store on an engine, which has all differences between databases. */
function createStore(opened: Engine): Store {
  let onFailure: (failure: WriteFailure) => void = () => undefined;
  const engine: Engine = {
    ...opened,
    // Reports why the database cannot be written. Locked is not unwritable.
    write: async (scope, work, keep) => {
      try {
        return await opened.write(scope, work, keep);
      } catch (error) {
        const failure = error instanceof StoreUnavailable ? error.writeFailure : undefined;
        if (failure !== undefined) onFailure(failure);
        throw error;
      }
    },
  };
  return {
    ...batches(engine),
    ...records(engine),
    ...captures(engine),
    ...storedCorrections(engine),
    ...evidence(engine),
    ...publications(engine),
    ...exports(engine),
    ...collecting(engine),
    ...leases(engine),
    ...storedYears(engine),
    ...alerts(engine),
    ...held(engine),
    ...pruning(engine),
    ...accounts(engine),
    ...keys(engine),
    ...markups(engine),
    ...usage(engine),
    ...usageDays(engine),
    ...versions(engine),
    backup: engine.backup,
    check: engine.check,
    load: engine.load,
    close: engine.close,
    onWriteFailure(listener) {
      onFailure = listener;
    },
  };
}

/** The place of a store: a folder on this machine, or a PostgreSQL server. */
interface StorePlace {
  readonly dataDir: string;
  /** Replaces the folder. */
  readonly postgres?: PostgresAddress | undefined;
}

/** Whether a store exists. Creates nothing. @throws StoreUnavailable */
export async function storeExists({ dataDir, postgres }: StorePlace): Promise<boolean> {
  if (postgres === undefined) return existsSync(join(dataDir, DATABASE_FILE));
  const { postgresExists } = await import('./postgres/postgres.ts');
  return postgresExists({ address: postgres, waitMs: DEFAULT_WAIT_MS });
}

/**
 * Opens the store, or creates it.
 * @throws DamagedDatabase, NewerDatabase, DevelopmentDatabase or StoreUnavailable
 * @param options `waitMs`: longest wait for the locks of another process or the answer of a server.
 */
export async function openStore({
  dataDir,
  postgres,
  waitMs = DEFAULT_WAIT_MS,
}: StorePlace & { readonly waitMs?: number }): Promise<Store> {
  if (postgres === undefined) {
    const file = join(dataDir, DATABASE_FILE);
    return createStore(await openSqlite(file, waitMs));
  }
  // Import on demand: most commands use SQLite.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return createStore(await openPostgres({ address: postgres, waitMs }));
}

/** Replaces the database by the backup `from` atomically. Throws like `restoreSqlite`. */
export async function restoreStore({ from, dataDir }: Record<'from' | 'dataDir', string>) {
  await restoreSqlite({ from, to: join(dataDir, DATABASE_FILE) });
}

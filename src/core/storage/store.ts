import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable, type WriteFailure } from '../app/failures.ts';
import type { Store } from '../app/ports/store.ts';
import type { Engine } from './engine.ts';
import type { Patience } from './patience.ts';
import type { PostgresAddress } from './postgres/url.ts';
import { accounts } from './queries/accounts.ts';
import { audit } from './queries/audit/audit.ts';
import { batches } from './queries/batch/append-batch.ts';
import { captures } from './queries/captures.ts';
import { collecting } from './queries/collecting.ts';
import { storedCorrections } from './queries/corrections.ts';
import { evidence } from './queries/evidence.ts';
import { held } from './queries/held.ts';
import { keys } from './queries/keys/keys.ts';
import { leases } from './queries/leases.ts';
import { markups } from './queries/markups.ts';
import { pruning } from './queries/prune.ts';
import { publications } from './queries/publications.ts';
import { quoteMemories } from './queries/quote-memories.ts';
import { records } from './queries/records.ts';
import { usage } from './queries/usage/usage.ts';
import { usageDays } from './queries/usage/usage-days.ts';
import { versions } from './queries/versions.ts';
import { openSqlite, restoreSqlite } from './sqlite/sqlite.ts';

/** Name of the database in its data directory. */
export const DATABASE_FILE = 'vesfx.db';

/** Default wait of a call for the database. */
// limit: `vesfx doctor` waits for PostgreSQL | 1 s | fails
const DEFAULT_WAIT_MS = 1_000;

/** Longest time to make a connection to a server. A call that waits for less leaves it to the next one. */
// limit: Connecting to PostgreSQL | 10 s, 30 s in a command | cut
const MAX_CONNECT_MS = 10_000;

type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

const ONCE: Patiently = (work) => work();

/** A store with its engine, for the queries of capabilities. */
export interface OpenedStore extends Store {
  readonly engine: Engine;
}

/** Creates the store on an engine, which has all differences between databases. */
function createStore(opened: Engine, patiently: Patiently): OpenedStore {
  let onFailure: (failure: WriteFailure) => void = () => undefined;
  const engine: Engine = {
    ...opened,
    read: (work, account) => patiently(() => opened.read(work, account)),
    // Reports why the database cannot be written. Locked is not unwritable.
    write: async (scope, work, keep) => {
      try {
        return await patiently(() => opened.write(scope, work, keep));
      } catch (error) {
        const failure = error instanceof StoreUnavailable ? error.writeFailure : undefined;
        if (failure !== undefined) onFailure(failure);
        throw error;
      }
    },
  };
  return {
    engine,
    ...batches(engine),
    ...records(engine),
    ...quoteMemories(engine),
    ...captures(engine),
    ...storedCorrections(engine),
    ...evidence(engine),
    ...publications(engine),
    ...collecting(engine),
    ...leases(engine),
    ...audit(engine),
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

interface Waiting {
  /** Longest wait of a call for the locks of another process or the answer of a server. */
  readonly waitMs?: number;
  /** Longer waits and further attempts while it lasts, for a database that may be starting. */
  readonly patience?: Patience;
}

/** Whether a store exists. Creates nothing. @throws StoreUnavailable */
export async function storeExists(place: StorePlace & Waiting): Promise<boolean> {
  const { dataDir, postgres, patience } = place;
  if (postgres === undefined) return existsSync(join(dataDir, DATABASE_FILE));
  const { postgresExists } = await import('./postgres/postgres.ts');
  const options = { address: postgres, ...postgresWaits(place) };
  const look = () => postgresExists(options);
  return patience === undefined ? look() : patience.run(look);
}

function postgresWaits({ waitMs = DEFAULT_WAIT_MS, patience }: Waiting) {
  return {
    waitMs: () => patience?.callMs ?? waitMs,
    connectMs: Math.max(MAX_CONNECT_MS, patience?.longestCallMs ?? 0),
  };
}

/**
 * Opens the store, or creates it. Until its patience ends, calls of the store are repeated too, so
 * what they write must not matter twice.
 * @throws DamagedDatabase, NewerDatabase, DevelopmentDatabase or StoreUnavailable, or the reason of
 *   the patience's signal.
 */
export async function openStore(place: StorePlace & Waiting): Promise<OpenedStore> {
  const { patience } = place;
  const patiently: Patiently = patience === undefined ? ONCE : (work) => patience.run(work);
  return createStore(await patiently(await openerOf(place)), patiently);
}

async function openerOf(place: StorePlace & Waiting): Promise<() => Promise<Engine>> {
  const { dataDir, postgres, waitMs = DEFAULT_WAIT_MS } = place;
  if (postgres === undefined) return () => openSqlite(join(dataDir, DATABASE_FILE), waitMs);
  // Import on demand: most commands use SQLite.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return () => openPostgres({ address: postgres, ...postgresWaits(place) });
}

/** Replaces the database by the backup `from` atomically. Throws like `restoreSqlite`. */
export async function restoreStore({ from, dataDir }: Record<'from' | 'dataDir', string>) {
  await restoreSqlite({ from, to: join(dataDir, DATABASE_FILE) });
}

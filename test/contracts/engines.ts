import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import type { Account, ApiKey } from '../../src/core/app/ports/accounts.ts';
import type { StoredQuote } from '../../src/core/app/ports/quotes.ts';
import type { Entry } from '../../src/core/app/ports/records.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { BankTable, Publication } from '../../src/core/domain/bcv.ts';
import { readPostgresUrl } from '../../src/core/storage/postgres/url.ts';
import { DATABASE_FILE, type OpenedStore, openStore } from '../../src/core/storage/store.ts';
import { day } from '../../testkit/day.ts';
import { fillWithEmptyStore } from '../harness/empty-store.ts';
import { PGBOUNCER, type Pooler, startPgBouncer } from '../harness/pgbouncer.ts';
import {
  addressOf,
  asSuperuser,
  emptyDatabase,
  emptyForReuse,
  postgresPort,
  tablesOf,
} from '../harness/postgres.ts';

/** The longest wait of a call that must succeed, however busy the machine is. */
const PATIENT_MS = 60_000;

/** An empty database that any number of stores may open, like processes. */
export interface Site {
  /** Its calls wait until they succeed, unless the test is about how long one waits. */
  open(options?: { readonly waitMs?: number }): Promise<OpenedStore>;
  /** Takes the locks that writers need, like another process. @returns a function that releases them. */
  holdLock(): Promise<() => void>;
  /** Runs statements from another connection. */
  run(statements: string): Promise<void>;
  /** Runs a query from another connection. */
  ask(query: string): Promise<readonly object[]>;
  /** A path for a file that does not exist yet. */
  path(name: string): string;
  /** Closes every store and removes everything. */
  close(): Promise<void>;
}

export interface TestEngine {
  readonly name: string;
  /** Sufficient for calls without locks, on a busy machine. */
  readonly shortWaitMs: number;
  create(): Site;
}

export function sqliteSite(): Site {
  const dir = mkdtempSync(join(tmpdir(), 'vesfx-store-'));
  chmodSync(dir, 0o700);
  const dataDir = join(dir, 'data');
  const stores: OpenedStore[] = [];
  let filled: Promise<void> | undefined;
  return {
    async open({ waitMs = PATIENT_MS } = {}) {
      filled ??= fillWithEmptyStore(dataDir);
      await filled;
      const store = await openStore({ dataDir, waitMs });
      stores.push(store);
      return store;
    },
    async holdLock() {
      const other = new DatabaseSync(join(dataDir, DATABASE_FILE), { timeout: 0 });
      other.exec('BEGIN IMMEDIATE');
      return () => other.close();
    },
    async run(statements) {
      const other = new DatabaseSync(join(dataDir, DATABASE_FILE));
      other.exec(statements);
      other.close();
    },
    async ask(query) {
      const other = new DatabaseSync(join(dataDir, DATABASE_FILE));
      const rows = other.prepare(query).all();
      other.close();
      return rows.map((row) => ({ ...row }));
    },
    path: (name) => join(dir, name),
    async close() {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

export interface PostgresSite extends Site {
  /** The address of the site's database. */
  url(): Promise<string>;
}

/** @param portFor Where stores connect to, given the port of the server. */
export function postgresSite(
  portFor: (server: number) => number | Promise<number> = (server) => server,
): PostgresSite {
  const dir = mkdtempSync(join(tmpdir(), 'vesfx-store-'));
  const stores: OpenedStore[] = [];
  let database: Promise<string> | undefined;
  const name = () => {
    database ??= emptyDatabase();
    return database;
  };
  const url = async () => addressOf(await postgresPort(), await name());
  return {
    url,
    async open({ waitMs = PATIENT_MS } = {}) {
      const port = await portFor(await postgresPort());
      const postgres = readPostgresUrl(addressOf(port, await name()));
      const store = await openStore({ dataDir: dir, postgres, waitMs });
      stores.push(store);
      return store;
    },
    async holdLock() {
      const other = new pg.Client({ connectionString: await url() });
      await other.connect();
      const tables = await tablesOf(other);
      await other.query(`begin; lock table ${tables.join(', ')} in exclusive mode`);
      return () => {
        other.end().catch(() => undefined);
      };
    },
    async run(statements) {
      await asSuperuser(await name(), (client) => client.query(statements));
    },
    async ask(query) {
      return asSuperuser(await name(), async (client) => (await client.query(query)).rows);
    },
    path: (file) => join(dir, file),
    async close() {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true });
      if (database !== undefined) await emptyForReuse(await database);
    },
  };
}

/** Fewer connections than a store opens, so that transactions take turns on them. */
const POOLED_CONNECTIONS = 3;
let pooler: Promise<Pooler> | undefined;

const pooledSite = () =>
  postgresSite(async (server) => {
    pooler ??= startPgBouncer(server, POOLED_CONNECTIONS);
    return (await pooler).port;
  });

/** Every database on which the store must behave equally. */
export const ENGINES: readonly TestEngine[] = [
  { name: 'SQLite', shortWaitMs: 60, create: sqliteSite },
  { name: 'PostgreSQL', shortWaitMs: 600, create: () => postgresSite() },
  ...(existsSync(PGBOUNCER)
    ? [{ name: 'PostgreSQL behind PgBouncer', shortWaitMs: 600, create: pooledSite }]
    : []),
];

/** Opens a store on an empty database before each test, and removes both after it. */
export function storeForEachTest(
  create: TestEngine['create'],
  use: (opened: { readonly site: Site; readonly store: OpenedStore }) => unknown,
  options: { readonly waitMs?: number } = {},
): void {
  let site: Site;
  beforeEach(async () => {
    site = create();
    await use({ site, store: await site.open(options) });
  });
  afterEach(() => site.close());
}

export function quote(given: Partial<StoredQuote> = {}): StoredQuote {
  return { market: 'parallel', mid: 900, updatedAt: 1_000, capturedAt: 2_000, ...given };
}

/** An entry of one capture. */
export function quoteEntry(given: Partial<StoredQuote> = {}): Entry {
  return { captures: [quote(given)] };
}

export function publication(given: Partial<Publication> = {}): Publication {
  return {
    valueDate: day('2026-11-20'),
    rates: { USD: 889.5754, EUR: 1012.34 },
    capturedAt: 5_000,
    ...given,
  };
}

export function bankTable(given: Partial<BankTable> = {}): BankTable {
  return {
    indicatorDate: day('2026-11-20'),
    rows: [{ bank: 'Banesco', buy: 888.1, sell: 889.9, date: day('2026-11-20') }],
    capturedAt: 5_000,
    ...given,
  };
}

export function account(given: Partial<Account> = {}): Account {
  return {
    id: 'acc-1',
    name: 'Acme',
    plan: 'Inicio',
    status: 'active',
    createdAt: 1_000,
    ...given,
  };
}

export function apiKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key-1',
    accountId: 'acc-1',
    digest: 'digest-1',
    createdAt: 1_000,
    grant: { kind: 'full' },
    ...given,
  };
}

export const yes = () => ({});

/** Stores entries that all are expected to be accepted. */
export async function append(
  store: Store,
  entries: Iterable<Entry>,
  receivedAt = 10_000,
  source = 'test',
) {
  const { stored, duplicate } = await store.appendBatch({ source, receivedAt }, entries, yes);
  return { stored, duplicate };
}

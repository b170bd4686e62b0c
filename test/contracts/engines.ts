import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account, ApiKey, Entry, Store, StoredQuote } from '../../src/app/ports.ts';
import type { BankTable, Publication } from '../../src/domain/bcv.ts';
import { type CaracasDay, parseCaracasDay } from '../../src/domain/time.ts';
import { DATABASE_FILE, openStore } from '../../src/storage/store.ts';

/** An empty database that any number of stores may open, as processes would. */
export interface Site {
  open(options?: { readonly lockWaitMs?: number }): Promise<Store>;
  /** Takes the lock that writers need, as another process would. @returns what lets it go. */
  holdLock(): () => void;
  /** A path for a file that does not exist yet. */
  path(name: string): string;
  /** Closes every store and removes everything. */
  close(): Promise<void>;
}

export interface TestEngine {
  readonly name: string;
  create(): Site;
}

function sqliteSite(): Site {
  const dir = mkdtempSync(join(tmpdir(), 'vesfx-store-'));
  chmodSync(dir, 0o700);
  const dataDir = join(dir, 'data');
  const stores: Store[] = [];
  return {
    async open(options = {}) {
      const store = await openStore({ dataDir, ...options });
      stores.push(store);
      return store;
    },
    holdLock() {
      const other = new DatabaseSync(join(dataDir, DATABASE_FILE), { timeout: 0 });
      other.exec('BEGIN IMMEDIATE');
      return () => other.close();
    },
    path: (name) => join(dir, name),
    async close() {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Every database that the store must behave alike on. */
export const ENGINES: readonly TestEngine[] = [{ name: 'SQLite', create: sqliteSite }];

export function day(text: string): CaracasDay {
  const parsed = parseCaracasDay(text);
  if (parsed === undefined) throw new Error(`${text} is not a day.`);
  return parsed;
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
  return { id: 'key-1', accountId: 'acc-1', digest: 'digest-1', createdAt: 1_000, ...given };
}

export const yes = (): boolean => true;

/** Stores entries that all are expected to be accepted. */
export async function append(store: Store, entries: Iterable<Entry>, receivedAt = 10_000) {
  return store.appendBatch({ source: 'test', receivedAt }, entries, yes);
}

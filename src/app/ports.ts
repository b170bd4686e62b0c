import type { BankTable, Publication } from '../domain/bcv.ts';
import type { Capture } from '../domain/history.ts';
import type { MarkupRule } from '../domain/markup.ts';
import type { CaracasDay, Instant } from '../domain/time.ts';

/** What the service needs from outside. Types only. */

export interface Clock {
  now(): Instant;
}

/** Structured log lines; the first argument holds fields, the second the sentence. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A quote as stored: the market by its id, the observation time beside the source's. */
export interface StoredQuote {
  readonly market: string;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly updatedAt: Instant;
  readonly capturedAt: Instant;
  readonly effectiveDate?: CaracasDay;
}

/**
 * One checked record on its way into the store. A publication comes with the captures of the
 * official markets that follow from it; their `capturedAt` is when they take effect at the earliest.
 */
export interface Entry {
  readonly captures: readonly StoredQuote[];
  readonly publication?: Publication;
  readonly bankTable?: BankTable;
}

export interface BatchOrigin {
  /** Name of the source, `operator` for pushed records. */
  readonly source: string;
  readonly receivedAt: Instant;
}

export interface BatchCounts {
  /** Entries of which something was new. */
  readonly stored: number;
  /** Entries that were stored already, to the last field. */
  readonly duplicate: number;
}

/** All that a snapshot is made of, read at one instant. */
export interface CurrentRecords {
  /** Grows with every batch that stored something. */
  readonly version: number;
  /** When the newest batch was received; undefined before the first. */
  readonly fetchedAt: Instant | undefined;
  /**
   * The last capture of every market without value dates, and of the official markets the newest
   * observation of the value date in force and of each later one.
   */
  readonly quotes: readonly StoredQuote[];
  /** The last captured publication that has one of the other currencies. */
  readonly publication: Publication | undefined;
  readonly bankTable: BankTable | undefined;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  /** Name of a plan of the catalogue. */
  readonly plan: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Instant;
}

/** A key without its secret: `digest` is the SHA-256 of the whole key in lower-case hex. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly digest: string;
  readonly createdAt: Instant;
  /** From then on the key is refused. */
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
}

/** What a key opens, read in one go. */
export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
  readonly markups: readonly MarkupRule[];
}

/** The windows in which calls are counted. */
export type UsageWindow = 'minute' | 'hour' | 'month';

export interface UnitsAsk {
  readonly accountId: string;
  readonly window: UsageWindow;
  /** Most units in the window. */
  readonly limit: number;
  /** Units wanted; fewer are granted when fewer remain. */
  readonly want: number;
}

export interface UnitsGrant {
  /** When the window opened: the first call for minute and hour, the first of the month for month. */
  readonly openedAt: Instant;
  readonly granted: number;
  /** Units of the window handed out so far, these included. */
  readonly taken: number;
  /** Units handed to other live processes that may come back unspent. */
  readonly heldElsewhere: number;
}

/** Units on their way back: unspent ones, of a window that may have closed since. */
export interface UnitsReturn {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly openedAt: Instant;
  /** 0 says only that the holder has none left. */
  readonly units: number;
}

export interface UsageCount {
  readonly openedAt: Instant;
  readonly taken: number;
}

/** The store cannot be reached, or stayed locked longer than a caller may wait. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** What is durable. Every method that writes returns only once its effect survives a power cut. */
export interface Store {
  // Records

  /**
   * Stores a batch whole or not at all. `confirm` is asked after the last entry and before the
   * commit; false undoes everything. The counts are the same either way.
   */
  appendBatch(
    origin: BatchOrigin,
    entries: AsyncIterable<Entry> | Iterable<Entry>,
    confirm: () => boolean,
  ): Promise<BatchCounts>;
  /** `today` is the Caracas day of the snapshot. */
  currentRecords(today: CaracasDay): Promise<CurrentRecords>;
  /** The last capture before `before`, exclusive. */
  lastCaptureBefore(market: string, before: Instant): Promise<Capture | undefined>;
  /** The last capture of each UTC day in `[start, end)`, oldest first. */
  lastCaptureOfEachDay(market: string, start: Instant, end: Instant): Promise<readonly Capture[]>;
  /** The most recent `limit` captures in `[start, end)`, oldest first. */
  latestCaptures(
    market: string,
    range: { readonly start: Instant; readonly end: Instant },
    limit: number,
  ): Promise<readonly Capture[]>;

  // Accounts and keys

  createAccount(account: Account): Promise<void>;
  listAccounts(): Promise<readonly Account[]>;
  findAccount(id: string): Promise<Account | undefined>;
  /** @returns false when there is no such account. */
  updateAccount(
    id: string,
    change: { readonly plan?: string; readonly status?: Account['status'] },
  ): Promise<boolean>;
  /** Removes the account with its keys and rules. @returns false when there is no such account. */
  deleteAccount(id: string): Promise<boolean>;
  /** @returns false, and stores nothing, when the account has `maxLive` keys that are live at `now`. */
  createKey(key: ApiKey, maxLive: number | null, now: Instant): Promise<boolean>;
  listKeys(accountId: string): Promise<readonly ApiKey[]>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /** @returns false when there is no such key. Revoking twice keeps the first time. */
  revokeKey(id: string, at: Instant): Promise<boolean>;
  /** Adds `next` and lets the old key expire at `oldExpiresAt`, in one step. */
  rotateKey(oldId: string, oldExpiresAt: Instant, next: ApiKey): Promise<void>;
  findKeyHolder(digest: string): Promise<KeyHolder | undefined>;
  listMarkups(accountId: string): Promise<readonly MarkupRule[]>;
  /** @returns what stood in the way: the tag's presence or absence, or the account's maximum. */
  saveMarkup(
    accountId: string,
    rule: MarkupRule,
    mode: 'create' | 'replace' | 'either',
    max: number | null,
  ): Promise<'saved' | 'exists' | 'missing' | 'full'>;
  deleteMarkup(accountId: string, tag: string): Promise<boolean>;

  // Usage

  /**
   * Hands units of each window to `holder`, opening a window that is over, in one transaction.
   * When none remain but other holders have some, those are asked for (see `wantedFrom`).
   */
  takeUnits(
    holder: string,
    asks: readonly UnitsAsk[],
    now: Instant,
  ): Promise<readonly UnitsGrant[]>;
  returnUnits(holder: string, returns: readonly UnitsReturn[]): Promise<void>;
  /** Windows of which `holder` has units while another process ran out of them. */
  wantedFrom(holder: string): Promise<readonly { accountId: string; window: UsageWindow }[]>;
  /** Units handed out in the account's current month. */
  monthUsage(accountId: string, now: Instant): Promise<UsageCount>;

  // News

  /** `records` grows with every stored batch, `access` with every change of accounts and keys. */
  versions(): Promise<{ readonly records: number; readonly access: number }>;
  /** Accounts changed after that version of `access`, deleted ones too. */
  accountsChangedSince(access: number): Promise<readonly string[]>;

  // Care

  /** Writes a consistent copy to a file that does not exist yet. */
  backup(file: string): Promise<void>;
  /** Reads everything. @returns what is damaged, empty when nothing is. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

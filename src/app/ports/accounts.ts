import type { KeyGrant } from '../../domain/keys.ts';
import type { MarkupRule } from '../../domain/markup.ts';
import type { Instant } from '../../domain/time.ts';

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
  readonly grant: KeyGrant;
  /** What its account calls it. */
  readonly label?: string;
  /**
   * When its maker lets it end. `expiresAt` is the same, or sooner in the grace after a rotation;
   * a key in its place lasts as long as this one would have.
   */
  readonly lastsUntil?: Instant;
}

/** What of a key changes; null takes it away. */
export interface KeyChange {
  readonly label?: string | null;
  readonly grant?: KeyGrant;
  readonly lastsUntil?: Instant | null;
}

/** A page of an account's keys: live ones first, then dead ones, each from old to new. */
export interface KeyPageRequest {
  /** Decides which keys are live. */
  readonly now: Instant;
  readonly limit: number;
  /** Id of the last key of the page before; absent for the first page. */
  readonly after?: string;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** What `after` of the next page is; undefined on the last one. */
  readonly next: string | undefined;
}

/** What a key opens, read in one go. */
export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
  /** Oldest first. */
  readonly markups: readonly MarkupRule[];
}

/** Accounts, their keys and their markup rules. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  listAccounts(): Promise<readonly Account[]>;
  /** How many accounts are on each plan. */
  countAccounts(): Promise<ReadonlyMap<string, number>>;
  findAccount(id: string): Promise<Account | undefined>;
  /** @returns false when there is no such account. */
  updateAccount(
    id: string,
    change: { readonly plan?: string; readonly status?: Account['status'] },
  ): Promise<boolean>;
  /** Removes the account with its keys and rules. @returns false when there is no such account. */
  deleteAccount(id: string): Promise<boolean>;
  /**
   * Stores nothing unless it is 'created'.
   * @param maxLive Keys that may be live at `now` with it; publishable ones count apart from the
   *   others. Null for any number.
   * @param maxPerDay Keys made on the UTC day of `key`; null for any number.
   */
  createKey(
    key: ApiKey,
    maxLive: number | null,
    now: Instant,
    maxPerDay?: number | null,
  ): Promise<'created' | 'full' | 'too_many'>;
  /** @returns undefined when the account has no key with the id `after`. */
  listKeys(accountId: string, page: KeyPageRequest): Promise<KeyPage | undefined>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /**
   * A key in its grace ends no later than it does.
   * @returns false when there is no such key, or it is dead at `now`.
   */
  changeKey(id: string, change: KeyChange, now: Instant): Promise<boolean>;
  /** Whether a publishable key that is live at `now` may be sent by pages of the origin. */
  isKeyOrigin(origin: string, now: Instant): Promise<boolean>;
  /** @returns false when there is no such key. Revoking twice keeps the first time. */
  revokeKey(id: string, at: Instant): Promise<boolean>;
  /**
   * Adds `next` and lets the old key expire at `oldExpiresAt`, in one step.
   * @param limits `maxLive` keys may be live afterwards, and `maxPerDay` rotations are made on the
   *   UTC day of `next`; null for any number. Without `maxPerDay` the rotation is not counted.
   * @returns what stood in the way: the old key is revoked or expired when `next` begins, the
   *   account has `maxLive` live keys then, or has rotated keys `maxPerDay` times.
   */
  rotateKey(
    oldId: string,
    oldExpiresAt: Instant,
    next: ApiKey,
    limits: { readonly maxLive: number | null; readonly maxPerDay: number | null },
  ): Promise<'rotated' | 'dead' | 'full' | 'too_many'>;
  /** Removes some keys that were revoked or expired before. @returns how many; 0 at the end. */
  forgetDeadKeys(before: Instant): Promise<number>;
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
}

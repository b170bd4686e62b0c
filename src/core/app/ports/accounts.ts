import type { KeyGrant } from '../../domain/keys.ts';
import type { MarkupRule } from '../../domain/markup.ts';
import type { KeptPlan } from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  /** Name of a plan of the catalogue. */
  readonly plan: string;
  /** The plan before that one; absent when no service ran with it. */
  readonly formerPlan?: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Instant;
}

/** A key without its secret: `digest` is the SHA-256 of the whole key in lower-case hex. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly digest: string;
  /** How the key begins and ends; absent for keys of older versions. */
  readonly hint?: string;
  readonly createdAt: Instant;
  /** The key is refused from this instant on. */
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
  readonly grant: KeyGrant;
  /** The name that its account gave it. */
  readonly label?: string;
  /**
   * The requested end of the key. `expiresAt` is the same, or earlier in the grace period after a
   * rotation. A key that replaces this one keeps `lastsUntil`.
   */
  readonly lastsUntil?: Instant;
  /** The minute of its last call, as of the read; absent before the first. */
  readonly lastUsedAt?: Instant;
}

/** A change of a key; null removes the value. */
export interface KeyChange {
  readonly label?: string | null;
  readonly grant?: KeyGrant;
  readonly lastsUntil?: Instant | null;
}

/** A page of an account's keys: active ones first, then dead ones, each from old to new. */
interface KeyPageRequest {
  /** Determines which keys are active. */
  readonly now: Instant;
  readonly limit: number;
  /** Id of the last key of the page before; absent for the first page. */
  readonly after?: string;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** A key with its account and rules, from one read. */
export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
  /** Oldest first. */
  readonly markups: readonly MarkupRule[];
}

/** Limits of an account's keys. Null for any number. */
export interface KeyLimits {
  /** Most active keys afterwards. Publishable keys count separately. */
  readonly maxLive: number | null;
  /** Most keys created, or most rotations, on the UTC day of the new key. */
  readonly maxPerDay: number | null;
}

export interface AccountUse {
  readonly accountId: string;
  /** Of the UTC month, without those that processes hold and have not spent. */
  readonly unitsUsed: number;
  /** Keys that work. */
  readonly liveKeys: number;
  /** The minute of the last call with any of its keys; absent before the first. */
  readonly lastUsedAt?: Instant;
}

/** Accounts, their keys and their markup rules. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  /**
   * Stores accounts with a key each: all of them, or none.
   * @param beforeCommit Runs when all is written. When it fails, nothing is stored.
   * @returns the accounts that have one of the names, as a person reads it: then nothing is stored.
   */
  createAccounts(
    made: readonly { readonly account: Account; readonly record: ApiKey }[],
    beforeCommit: () => Promise<void>,
  ): Promise<readonly Account[]>;
  /** What each account uses, most units of the month of `now` first. */
  accountUses(wanted: {
    readonly now: Instant;
    /** Only that account. */
    readonly id?: string;
    readonly limit?: number;
  }): Promise<readonly AccountUse[]>;
  listAccounts(): Promise<readonly Account[]>;
  countAccounts(): Promise<ReadonlyMap<string, number>>;
  /** Plans that services ran with, for accounts whose plan the catalogue lacks. */
  keptPlans(): Promise<readonly KeptPlan[]>;
  /** Keeps these plans. Others are removed once no account has or had them. */
  keepPlans(plans: readonly KeptPlan[]): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  /** @returns false when there is no such account. */
  updateAccount(
    id: string,
    change: { readonly plan?: string; readonly status?: Account['status'] },
  ): Promise<boolean>;
  /**
   * Removes the account with its keys and rules.
   * @returns false when there is no such account.
   */
  deleteAccount(id: string): Promise<boolean>;
  /**
   * Stores the key unless a limit is reached.
   * @returns `too_many_keys` when the account has `maxLive` active keys at `now`, `too_many_today`
   *   after `maxPerDay` new keys.
   */
  createKey(
    key: ApiKey,
    now: Instant,
    limits: KeyLimits,
  ): Promise<'created' | 'too_many_keys' | 'too_many_today'>;
  /** @returns undefined when the account has no key with the id `after`. */
  listKeys(accountId: string, page: KeyPageRequest): Promise<KeyPage | undefined>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /**
   * A key in its grace period keeps its earlier end.
   * @returns false when there is no such key or it is dead at `now`.
   */
  changeKey(id: string, change: KeyChange, now: Instant): Promise<boolean>;
  /** Whether any publishable key that is active at `now` allows the origin. */
  isKeyOrigin(origin: string, now: Instant): Promise<boolean>;
  /** @returns false when there is no such key. Revoking twice keeps the first time. */
  revokeKey(id: string, at: Instant): Promise<boolean>;
  /**
   * Adds `next` and sets the old key to expire at `oldExpiresAt`, in one transaction.
   * @param limits One key in its grace period may be added to `maxLive` keys. With `maxPerDay` null
   *   the rotation is not counted.
   * @returns `dead` when the old key is revoked or expired when `next` begins, `too_many_keys` when
   *   a grace period or the second successor of a key would exceed `maxLive`, `too_many_today` after
   *   `maxPerDay` rotations.
   */
  rotateKey(
    oldId: string,
    oldExpiresAt: Instant,
    next: ApiKey,
    limits: KeyLimits,
  ): Promise<'rotated' | 'dead' | 'too_many_keys' | 'too_many_today'>;
  /**
   * Removes some keys that were revoked or expired earlier.
   * @returns how many; 0 at the end.
   */
  forgetDeadKeys(before: Instant): Promise<number>;
  /** Records that these keys were used at `at`. An earlier use than the stored one changes nothing. */
  noteKeyUse(ids: readonly string[], at: Instant): Promise<void>;
  findKeyHolder(digest: string): Promise<KeyHolder | undefined>;
  listMarkups(accountId: string): Promise<readonly MarkupRule[]>;
  /** @returns `exists` or `missing` when the tag contradicts `mode`, `full` at `max` rules. */
  saveMarkup(
    accountId: string,
    rule: MarkupRule,
    mode: 'create' | 'replace' | 'either',
    max: number | null,
  ): Promise<'saved' | 'exists' | 'missing' | 'full'>;
  deleteMarkup(accountId: string, tag: string): Promise<boolean>;
}

import type { Instant } from '../../domain/time.ts';

/** What a change is of. */
export type AuditNoun =
  | 'account'
  | 'key'
  | 'markup'
  | 'webhook'
  | 'records'
  | 'held'
  | 'source'
  | 'settings'
  | 'database';

/** The fields of a thing, as JSON has them. Never a secret. */
export type AuditState = Readonly<Record<string, unknown>>;

/** One change, as the log keeps it. */
export interface Change {
  readonly what: AuditNoun;
  /** Id of what changed; '' where there is only one. */
  readonly id: string;
  /** The account that it belongs to. */
  readonly accountId?: string;
  /** Null when it was not there before. */
  readonly before: AuditState | null;
  /** Null when it is no longer there. */
  readonly after: AuditState | null;
}

/** Who makes a change, and with what. */
export interface Author {
  readonly kind: 'command' | 'request';
  /** A command such as `vesfx key revoke`, or an endpoint such as `DELETE /v1/account/keys/:id`. */
  readonly via: string;
  /** `user@host` of a command; `admin` or the id of the key of a request. */
  readonly actor: string;
  readonly now: () => Instant;
}

/** A change of the log. */
export interface AuditedChange extends Change, Omit<Author, 'now'> {
  readonly at: Instant;
}

/** The place of a change in the log. */
export interface AuditPlace {
  readonly at: Instant;
  readonly id: string;
  readonly place: number;
}

export interface AuditPage {
  readonly changes: readonly AuditedChange[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: AuditPlace | undefined;
}

/** Who changed what. Whatever changes something by itself adds its rows in the same transaction. */
export interface AuditStore {
  /** The changes since `since` (inclusive), oldest first, `limit` at most. */
  auditPage(wanted: {
    readonly since: Instant;
    readonly after: AuditPlace | undefined;
    readonly limit: number;
  }): Promise<AuditPage>;
  /**
   * Adds a change of what is outside of the database. `apply` makes it, before the commit: when it
   * fails, nothing is added. It may be called again after a conflict.
   */
  noteChange<T>(change: Change, apply: () => T): Promise<T>;
  /**
   * Adds a change of the settings, unless the newest one of the actor is the same and not older than
   * `since`: several processes obey one signal.
   */
  noteSettings(
    change: Change,
    known: { readonly since: Instant; readonly actor: string },
  ): Promise<void>;
  /** Removes some changes from before `before`. @returns how many; 0 at the end. */
  forgetAudit(before: Instant): Promise<number>;
}

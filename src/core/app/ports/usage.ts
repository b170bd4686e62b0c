import type { UtcRange } from '../../domain/history/history.ts';
import type { Instant, UtcDay } from '../../domain/time.ts';

/** The windows in which calls are counted. `account` is a minute of free calls (contract §4). */
export type UsageWindow = 'minute' | 'hour' | 'month' | 'account';

/** What a process knows of a window that it asks for. */
export interface HeldUnits {
  /** When the window opened: at the first call, or for `month` on the first of the month. */
  readonly openedAt: Instant;
  /** Units that it may spend. Negative by those that it spent while the store was out of reach. */
  readonly units: number;
  /** `spare` of its last grant, of which the store has a record; 0 after it gave units back. */
  readonly spare: number;
}

export interface UnitsAsk {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly limit: number;
  /** Units for calls that wait. They are granted while any remain. */
  readonly need: number;
  /** Units of a block, with those for calls that wait. They are granted while plenty remain. */
  readonly want: number;
  readonly held?: HeldUnits | undefined;
}

export interface UnitsGrant {
  readonly openedAt: Instant;
  /** Units that the process may spend beside those that it has. The store counts them as spent. */
  readonly granted: number;
  /** Units that the process then has beyond those for calls that wait. */
  readonly spare: number;
  /** Units of the window that count as spent, including these. */
  readonly taken: number;
  /** Whether other processes may give units back. */
  readonly mayComeBack: boolean;
}

/** Unspent units that a process gives back. */
export interface ReturnedUnits extends HeldUnits {
  readonly accountId: string;
  readonly window: UsageWindow;
}

/** The units of a month that count as spent. */
export type UsageCount = Pick<UnitsGrant, 'openedAt' | 'taken'>;

/** The calls of an account to one endpoint on one UTC day. */
export interface UsageDay {
  readonly accountId: string;
  readonly day: UtcDay;
  /** Method and path, as in `GET /v1/fx/rates/:market`. */
  readonly endpoint: string;
  /** All calls, answered or refused. */
  readonly calls: number;
  /** Units of the month that the answered calls cost. */
  readonly units: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
}

/** The calls with one key to one endpoint on one UTC day. */
export interface CountedCalls extends UsageDay {
  readonly keyId: string;
}

/** What one key used in a range of days. */
export interface KeyUsage {
  readonly keyId: string;
  readonly calls: number;
  readonly units: number;
}

/** The same calls twice: by day and endpoint, and by key. */
export interface UsageOfRange {
  /** Ordered by day, then by endpoint. */
  readonly days: readonly UsageDay[];
  /** The most called first. Days that an earlier version counted are missing. */
  readonly keys: readonly KeyUsage[];
}

/** The units of accounts, counted exactly over all processes, and their calls by day. */
export interface UsageStore {
  /**
   * Counts units of each window as spent, in one transaction, and grants them. Opens a new window
   * when one has ended.
   */
  takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<readonly UnitsGrant[]>;
  /** Units of a window that was replaced are lost. */
  returnUnits(returns: readonly ReturnedUnits[]): Promise<void>;
  monthUsage(accountId: string, now: Instant): Promise<UsageCount>;
  /** Adds to the counts of the same account and day, by endpoint and by key, in one transaction. */
  addUsageDays(counts: readonly CountedCalls[]): Promise<void>;
  /** @param keysMax Most keys of the answer. */
  usageDays(accountId: string, range: UtcRange, keysMax: number): Promise<UsageOfRange>;
  /** Deletes the days before `first`, of every account. */
  forgetUsageDaysBefore(first: UtcDay): Promise<void>;
}

import type { UtcRange } from '../../domain/history/history.ts';
import type { Instant, UtcDay } from '../../domain/time.ts';

/** The windows in which calls are counted. `account` is a minute of free calls (decisions §4). */
export type UsageWindow = 'minute' | 'hour' | 'month' | 'account';

export interface UnitsAsk {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly limit: number;
  /** Units for waiting calls. They are granted while any remain. */
  readonly need: number;
  /** Requested units in total, some of them in advance. They are granted while plenty remain. */
  readonly want: number;
  /** Most units of the allowance after the grant. */
  readonly most: number;
  readonly held?: HeldUnits;
  /** Units spent without the store, in a window that is unknown to it. */
  readonly owed?: { readonly since: Instant; readonly units: number };
}

/**
 * How a process may use its unspent units. The store counts the allowance as spent, so a process
 * that is killed costs its account at most the allowance.
 */
export interface UnitsShare {
  /** May be spent without the store. */
  readonly allowance: number;
  /** Recorded in the store as unused. It goes to others when the process dies. */
  readonly reserve: number;
}

export interface UnitsGrant extends UnitsShare {
  /** When the window opened: at the first call, or for `month` on the first of the month. */
  readonly openedAt: Instant;
  /** Units taken from the window for this request. */
  readonly granted: number;
  /** Whether the holder has units beyond those for waiting calls, so that they can be recalled. */
  readonly isListed: boolean;
  /** Units of the window granted so far, including these. */
  readonly taken: number;
  /** Unspent units of other holders, by their last reports. */
  readonly heldElsewhere: number;
  /** Whether other holders may have units, which they return on request or lose when they die. */
  readonly mayComeBack: boolean;
}

/** Units of a window that a process holds beside its reserve, which the store knows. */
interface HeldUnits {
  readonly openedAt: Instant;
  /** Negative after units of the reserve were spent while the store was out of reach. */
  readonly allowance: number;
}

/** Units of an account's window that a process returns, all together with the reserve. */
export interface AccountUnits extends HeldUnits {
  readonly accountId: string;
  readonly window: UsageWindow;
}

/** Units of an account's window that a process keeps. */
export interface UnitsReport extends AccountUnits {
  /** Most units of the allowance from now on. */
  readonly most: number;
}

/** The units of a month. `reserve` belongs to the asking process. */
export type UsageCount = Pick<UnitsGrant, 'openedAt' | 'taken' | 'heldElsewhere' | 'reserve'>;

/** The store's answer to a heartbeat. */
export interface HolderRenewal {
  /** Number of live processes with units, including this one. */
  readonly holders: number;
  /**
   * The new share for each report, in order; undefined when its reserve went to other processes
   * after missed heartbeats.
   */
  readonly shares: readonly (UnitsShare | undefined)[];
}

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

/** The units of accounts, counted exactly over all processes, and their calls by day. */
export interface UsageStore {
  /**
   * Grants units of each window to `holder` in one transaction, and opens a new window when one has
   * ended. When none remain but other holders have some, those are requested (see `wantedFrom`).
   * @param options.reclaim Whether units of dead holders may be granted.
   */
  takeUnits(
    holder: string,
    asks: readonly UnitsAsk[],
    options: { readonly now: Instant; readonly reclaim: boolean },
  ): Promise<readonly UnitsGrant[]>;
  returnUnits(holder: string, returns: readonly AccountUnits[]): Promise<void>;
  /** Records a heartbeat of `holder`, and divides its unspent units of these windows anew. */
  renewHolder(
    holder: string,
    reports: readonly UnitsReport[],
    now: Instant,
  ): Promise<HolderRenewal>;
  /** Windows in which `holder` has units while another process has none left. */
  wantedFrom(holder: string): Promise<readonly { accountId: string; window: UsageWindow }[]>;
  /** Units granted in the account's current month, and the unspent ones of the holders. */
  monthUsage(holder: string, accountId: string, now: Instant): Promise<UsageCount>;
  /** Adds to the counts of the same account, day and endpoint. */
  addUsageDays(counts: readonly UsageDay[]): Promise<void>;
  /** Ordered by day, then by endpoint. */
  usageDays(accountId: string, range: UtcRange): Promise<readonly UsageDay[]>;
  /** Deletes the days before `first`, of every account. */
  forgetUsageDaysBefore(first: UtcDay): Promise<void>;
}

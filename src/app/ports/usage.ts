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
  readonly held?: HeldUnits;
  /** Units spent without the store, in a window that is unknown to it. */
  readonly owed?: { readonly since: Instant; readonly units: number };
}

export interface UnitsGrant {
  /** When the window opened: at the first call, or for `month` on the first of the month. */
  readonly openedAt: Instant;
  /** Negative when leased units were reassigned to others after a missed heartbeat. */
  readonly granted: number;
  /** The holder's unspent units after the grant, without those for waiting calls. */
  readonly reported: number;
  /** Units of the window granted so far, including these. */
  readonly taken: number;
  /** Unspent units of other holders, by their last reports. */
  readonly heldElsewhere: number;
  /** Of `heldElsewhere`, the units that their holders will return on request. */
  readonly recallable: number;
}

/** Units of a window that a process holds. */
interface HeldUnits {
  readonly openedAt: Instant;
  readonly units: number;
  /** Unspent units in the last report to the store; 0 when it knows of none. */
  readonly reported: number;
}

/** Units of an account's window that a process returns or reports. */
export interface AccountUnits extends HeldUnits {
  readonly accountId: string;
  readonly window: UsageWindow;
}

export type UsageCount = Pick<UnitsGrant, 'openedAt' | 'taken' | 'heldElsewhere'>;

/** The store's answer to a heartbeat. */
export interface HolderRenewal {
  /** Number of live processes with units, including this one. */
  readonly holders: number;
  /** Reported units that were reassigned to other processes after a missed heartbeat. */
  readonly lost: readonly AccountUnits[];
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
  /** Records a heartbeat of `holder` and its unspent units of these windows. */
  renewHolder(
    holder: string,
    reports: readonly AccountUnits[],
    now: Instant,
  ): Promise<HolderRenewal>;
  /** Windows in which `holder` has units while another process has none left. */
  wantedFrom(holder: string): Promise<readonly { accountId: string; window: UsageWindow }[]>;
  /** Units granted in the account's current month, and the unspent ones of other holders. */
  monthUsage(holder: string, accountId: string, now: Instant): Promise<UsageCount>;
  /** Adds to the counts of the same account, day and endpoint. */
  addUsageDays(counts: readonly UsageDay[]): Promise<void>;
  /** Ordered by day, then by endpoint. */
  usageDays(accountId: string, range: UtcRange): Promise<readonly UsageDay[]>;
  /** Deletes the days before `first`, of every account. */
  forgetUsageDaysBefore(first: UtcDay): Promise<void>;
}

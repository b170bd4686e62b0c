import type { UtcRange } from '../../domain/history/history.ts';
import type { Instant, UtcDay } from '../../domain/time.ts';

/**
 * The windows in which calls are counted. `account` is the minute of the calls that cost nothing
 * (decisions §4 "Free calls").
 */
export type UsageWindow = 'minute' | 'hour' | 'month' | 'account';

export interface UnitsAsk {
  readonly accountId: string;
  readonly window: UsageWindow;
  /** Most units in the window. */
  readonly limit: number;
  /** Units that calls wait for: granted while any remain. */
  readonly need: number;
  /** Units wanted in all, with some in advance: granted while plenty remain. */
  readonly want: number;
  /** What the holder has of the window. */
  readonly held?: HeldUnits;
  /** Units spent without the store, in a window that it has not heard of. */
  readonly owed?: { readonly since: Instant; readonly units: number };
}

export interface UnitsGrant {
  /** When the window opened: the first call for minute and hour, the first of the month for month. */
  readonly openedAt: Instant;
  /** Negative when leased units went to others, because the holder was taken for dead. */
  readonly granted: number;
  /** What the holder is known to have unspent now: all but what calls wait for. */
  readonly reported: number;
  /** Units of the window handed out so far, these included. */
  readonly taken: number;
  /** Unspent units in the hands of others, as they last said. */
  readonly heldElsewhere: number;
  /** Those of them that will come back when they are wanted. */
  readonly recallable: number;
}

/** Units of a window in the hands of a process. */
export interface HeldUnits {
  readonly openedAt: Instant;
  /** Unspent now. */
  readonly units: number;
  /** Unspent when the store was last told; 0 when it knows of none. */
  readonly reported: number;
}

/** Units of an account's window that a process gives back or tells of. */
export interface AccountUnits extends HeldUnits {
  readonly accountId: string;
  readonly window: UsageWindow;
}

export type UsageCount = Pick<UnitsGrant, 'openedAt' | 'taken' | 'heldElsewhere'>;

/** What a process that lives is told. */
export interface HolderRenewal {
  /** Live processes that hold units, this one included. */
  readonly holders: number;
  /** Reported units that went to other processes after a missed heartbeat. */
  readonly lost: readonly AccountUnits[];
}

/** What an account called at one endpoint on one UTC day. */
export interface UsageDay {
  readonly accountId: string;
  readonly day: UtcDay;
  /** Method and path, as in `GET /v1/fx/rates/:market`. */
  readonly endpoint: string;
  /** Answered and refused ones. */
  readonly calls: number;
  /** Units of the month that the answered ones cost. */
  readonly units: number;
  /** Calls refused with a 4xx status. */
  readonly clientErrors: number;
  /** Calls that failed with a 5xx status. */
  readonly serverErrors: number;
}

/** The units of accounts, counted exactly over all processes, and their calls by day. */
export interface UsageStore {
  /**
   * Hands units of each window to `holder`, opening a window that is over, in one transaction.
   * When none remain but other holders have some, those are asked for (see `wantedFrom`).
   * @param options.reclaim Whether the units of holders that are dead may be handed out.
   */
  takeUnits(
    holder: string,
    asks: readonly UnitsAsk[],
    options: { readonly now: Instant; readonly reclaim: boolean },
  ): Promise<readonly UnitsGrant[]>;
  returnUnits(holder: string, returns: readonly AccountUnits[]): Promise<void>;
  /** Says that `holder` lives, and what it has unspent of these windows. */
  renewHolder(
    holder: string,
    inHand: readonly AccountUnits[],
    now: Instant,
  ): Promise<HolderRenewal>;
  /** Windows of which `holder` has units while another process ran out of them. */
  wantedFrom(holder: string): Promise<readonly { accountId: string; window: UsageWindow }[]>;
  /** Units handed out in the account's current month, and those unspent but in `holder`'s hands. */
  monthUsage(holder: string, accountId: string, now: Instant): Promise<UsageCount>;
  /** Adds to what is counted of the same account, day and endpoint. */
  addUsageDays(counts: readonly UsageDay[]): Promise<void>;
  /** By day, then by endpoint. */
  usageDays(accountId: string, range: UtcRange): Promise<readonly UsageDay[]>;
  /** Forgets the days before `first`, of every account. */
  forgetUsageDaysBefore(first: UtcDay): Promise<void>;
}

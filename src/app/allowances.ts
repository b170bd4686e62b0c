import { ApiError } from '../domain/errors.ts';
import type { Plan } from '../domain/plans.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../domain/time.ts';
import type { Clock, Log, Store, UnitsAsk, UnitsReturn, UsageWindow } from './ports.ts';

/** A block of units that lasts longer than this is shrunk; one spent sooner is doubled. */
export const BLOCK_LIFETIME_MS = 5 * SECOND_MS;
/** A block is at most this share of what remains, so that near the limit it is one unit. */
export const BLOCK_SHARE = 16;
/** For so long others count on the units of a process: it may have died with them. */
export const UNITS_LEASE_MS = 60 * SECOND_MS;
/** Longest wait for units that another process may give back. */
export const RECALL_WAIT_MS = 2 * SECOND_MS;
/** So long an empty window is taken at its word, so that refusing costs no write. */
export const EMPTY_KEPT_MS = SECOND_MS;
/** How often a waiting call looks whether they came. */
export const RECALL_POLL_MS = 50;

/** Windows in the order in which a call is checked against them (decisions §4). */
const WINDOWS: readonly UsageWindow[] = ['minute', 'hour', 'month'];

const REFUNDED_WINDOWS: readonly UsageWindow[] = ['hour', 'month'];

/** How many units a plan gives in each window; undefined where the window does not apply. */
export type WindowLimits = Readonly<Record<UsageWindow, number | undefined>>;

/** One unit of each window, taken for one call. */
export interface Taken {
  readonly accountId: string;
  readonly openedAt: Partial<Record<UsageWindow, Instant>>;
}

/** What a process knows of an account's window, and the units of it that it may spend. */
interface Meter {
  openedAt: Instant;
  closesAt: Instant;
  /** Units in hand, not spent. */
  left: number;
  /** Units handed out to all processes, as the store last said. */
  taken: number;
  /** Units handed to others that may come back, as the store last said. */
  heldElsewhere: number;
  grantedAt: Instant;
  /** When the store last said so. */
  toldAt: Instant;
  /** Units to ask for next time. */
  block: number;
  /** Another process ran out: from then on only what is needed is asked for. */
  contended: boolean;
}

interface Pending {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly limit: number;
  waiting: number;
}

const WINDOW_NOUN: Readonly<Record<UsageWindow, string>> = {
  minute: 'requests of this minute',
  hour: 'bulk calls of this hour',
  month: 'units of this month',
};

export function limitsOf(plan: Plan, { bulk }: { readonly bulk: boolean }): WindowLimits {
  return {
    minute: plan.requestsPerMinute ?? undefined,
    hour: bulk ? (plan.bulkCallsPerHour ?? undefined) : undefined,
    // Without a limit the units are still counted, for the account to see.
    month: plan.unitsPerMonth ?? Number.MAX_SAFE_INTEGER,
  };
}

function closingOf(window: UsageWindow, openedAt: Instant): Instant {
  switch (window) {
    case 'minute':
      return openedAt + MINUTE_MS;
    case 'hour':
      return openedAt + HOUR_MS;
    case 'month':
      return utcMonthOf(openedAt).end;
    default:
      return window satisfies never;
  }
}

/** A window one length ahead of the clock is not ours: the clock was far off when it opened. */
function isOpen(meter: Meter, now: Instant): boolean {
  return now < meter.closesAt && meter.openedAt - now < meter.closesAt - meter.openedAt;
}

/**
 * Counts calls exactly, in one process or many. Units come from the store in blocks and are spent
 * in memory; a block grows with the traffic and shrinks to one unit near the limit. A process that
 * finds the store empty while others hold units has those called back before it refuses.
 */
export class Allowances {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holder: string;
  readonly #meters = new Map<string, Map<UsageWindow, Meter>>();
  /** Accounts that called lately, so that care costs nothing for all the others. */
  readonly #active = new Set<string>();
  #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;

  constructor({
    store,
    clock,
    log,
    holder,
  }: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    /** Names this process among those that share the store. */
    readonly holder: string;
  }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#holder = holder;
  }

  /**
   * Takes one unit of each window that has a limit; at once when they are in hand.
   * @throws ApiError `rate_limit_exceeded` or `quota_exceeded`, with what to wait.
   */
  take(accountId: string, limits: WindowLimits): Taken | Promise<Taken> {
    return (
      this.#takeInHand(accountId, limits, this.#clock.now()) ??
      this.#takeFromStore(accountId, limits)
    );
  }

  /**
   * Gives the unit of the month and of the bulk hour back: the call was not answered. Its place in
   * the minute is kept, for it was a request all the same.
   */
  refund(taken: Taken): void {
    const late: UnitsReturn[] = [];
    for (const window of REFUNDED_WINDOWS) {
      const openedAt = taken.openedAt[window];
      if (openedAt === undefined) continue;
      const meter = this.#meters.get(taken.accountId)?.get(window);
      if (meter?.openedAt === openedAt) meter.left += 1;
      else late.push({ accountId: taken.accountId, window, openedAt, units: 1 });
    }
    if (late.length > 0) this.#giveBack(late);
  }

  /** Makes the account's month known, so that `monthLeft` can answer without the store. */
  async learn(accountId: string): Promise<void> {
    const now = this.#clock.now();
    const meters = this.#metersOf(accountId);
    const known = meters.get('month');
    if (known !== undefined && isOpen(known, now)) return;
    const { openedAt, taken } = await this.#store.monthUsage(accountId, now);
    // A call may have taken units meanwhile, and knows better.
    const current = meters.get('month');
    if (current === undefined || !isOpen(current, now)) {
      meters.set('month', emptyMeter('month', openedAt, taken, now));
    }
  }

  /** Units used this month by all processes, as the store has it now. */
  async countedThisMonth(accountId: string): Promise<number> {
    const now = this.#clock.now();
    const { openedAt, taken } = await this.#store.monthUsage(accountId, now);
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter?.openedAt !== openedAt) return taken;
    meter.taken = taken;
    return taken - meter.left;
  }

  /** Units used and when the month ends, for the headers. */
  monthUsage(accountId: string, now: Instant): { readonly used: number; readonly endsAt: Instant } {
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter === undefined || !isOpen(meter, now)) return { used: 0, endsAt: utcMonthOf(now).end };
    return { used: meter.taken - meter.left, endsAt: meter.closesAt };
  }

  /** Calls left in the bulk hour (§4.6). */
  hourLeft(accountId: string, limit: number, now: Instant): number {
    const meter = this.#meters.get(accountId)?.get('hour');
    if (meter === undefined || !isOpen(meter, now)) return limit;
    return Math.max(0, limit - meter.taken + meter.left);
  }

  /**
   * Regular care: returns blocks that lie idle or that another process wants, forgets windows that
   * are over.
   */
  async tend(now: Instant): Promise<void> {
    const back: UnitsReturn[] = [];
    for (const accountId of this.#active) {
      const meters = this.#metersOf(accountId);
      let idle = true;
      for (const [window, meter] of meters) {
        if (!isOpen(meter, now)) {
          meters.delete(window);
        } else if (now - meter.grantedAt <= UNITS_LEASE_MS) {
          idle = false;
          if (meter.left === 0 || now - meter.grantedAt <= BLOCK_LIFETIME_MS) continue;
          meter.block = Math.max(1, meter.block >> 1);
          back.push(this.#empty(accountId, window, meter));
        }
      }
      if (idle) this.#active.delete(accountId);
    }
    if (back.length > 0) await this.#returnAll(back);
    if (this.#active.size === 0) return;
    const wanted: UnitsReturn[] = [];
    for (const { accountId, window } of await this.#store.wantedFrom(this.#holder)) {
      const meter = this.#meters.get(accountId)?.get(window);
      if (meter === undefined) continue;
      meter.contended = true;
      wanted.push(this.#empty(accountId, window, meter));
    }
    if (wanted.length > 0) await this.#returnAll(wanted);
  }

  /** Returns an account's units, so that another plan's limits meet exact counts. */
  async release(accountId: string): Promise<void> {
    const meters = this.#meters.get(accountId);
    if (meters === undefined) return;
    const back = [...meters].map(([window, meter]) => this.#empty(accountId, window, meter));
    // What is known of an empty window need not hold under another limit.
    for (const meter of meters.values()) meter.toldAt = Number.NEGATIVE_INFINITY;
    await this.#returnAll(back);
  }

  /** Returns everything, before the process ends. */
  async close(): Promise<void> {
    await Promise.all([...this.#meters.keys()].map((accountId) => this.release(accountId)));
  }

  #metersOf(accountId: string): Map<UsageWindow, Meter> {
    let meters = this.#meters.get(accountId);
    if (meters === undefined) {
      meters = new Map();
      this.#meters.set(accountId, meters);
    }
    return meters;
  }

  #takeInHand(accountId: string, limits: WindowLimits, now: Instant): Taken | undefined {
    const meters = this.#metersOf(accountId);
    const openedAt: Partial<Record<UsageWindow, Instant>> = {};
    for (const window of WINDOWS) {
      if (limits[window] === undefined) continue;
      const meter = meters.get(window);
      if (meter === undefined || meter.left <= 0 || !isOpen(meter, now)) return undefined;
      openedAt[window] = meter.openedAt;
    }
    for (const window of WINDOWS) {
      const meter = limits[window] === undefined ? undefined : meters.get(window);
      if (meter !== undefined) meter.left -= 1;
    }
    return { accountId, openedAt };
  }

  async #takeFromStore(accountId: string, limits: WindowLimits): Promise<Taken> {
    const startedAt = this.#clock.now();
    this.#refuseWhatIsEmpty(accountId, limits, startedAt);
    const deadline = startedAt + RECALL_WAIT_MS;
    for (;;) {
      await this.#ask(accountId, limits);
      const now = this.#clock.now();
      const taken = this.#takeInHand(accountId, limits, now);
      if (taken !== undefined) return taken;
      const meters = this.#metersOf(accountId);
      let mayComeBack = false;
      for (const window of WINDOWS) {
        const limit = limits[window];
        const meter = meters.get(window);
        if (limit === undefined || meter === undefined || meter.left > 0) continue;
        if (!isOpen(meter, now) || meter.taken < limit) continue;
        if (meter.heldElsewhere === 0 || now >= deadline) throw refusal(window, limit, meter, now);
        mayComeBack = true;
      }
      if (mayComeBack) await new Promise((resolve) => setTimeout(resolve, RECALL_POLL_MS));
    }
  }

  #refuseWhatIsEmpty(accountId: string, limits: WindowLimits, now: Instant): void {
    const meters = this.#metersOf(accountId);
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = meters.get(window);
      if (limit === undefined || meter === undefined || meter.left > 0) continue;
      const isEmpty = meter.taken >= limit && meter.heldElsewhere === 0 && isOpen(meter, now);
      // What the clock says of a moment ahead of it is not fresh either.
      if (isEmpty && Math.abs(now - meter.toldAt) < EMPTY_KEPT_MS) {
        throw refusal(window, limit, meter, now);
      }
    }
  }

  /** Asks for the windows of which nothing is in hand, together with all that ask meanwhile. */
  #ask(accountId: string, limits: WindowLimits): Promise<void> {
    const now = this.#clock.now();
    const meters = this.#metersOf(accountId);
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = meters.get(window);
      if (limit === undefined || (meter !== undefined && meter.left > 0 && isOpen(meter, now))) {
        continue;
      }
      const id = `${window} ${accountId}`;
      const pending = this.#pending.get(id);
      if (pending !== undefined) pending.waiting += 1;
      else this.#pending.set(id, { accountId, window, limit, waiting: 1 });
    }
    this.#flushing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#flush().then(resolve, reject);
      });
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    // Asks that arrive while this transaction runs make the next one.
    this.#flushing = undefined;
    if (pending.length === 0) return;
    const now = this.#clock.now();
    const asks = pending.map((one) => this.#sized(one, now));
    const grants = await this.#store.takeUnits(this.#holder, asks, now);
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const meters = this.#metersOf(ask.accountId);
      const known = meters.get(ask.window);
      const meter =
        known?.openedAt === grant.openedAt
          ? known
          : emptyMeter(ask.window, grant.openedAt, grant.taken, now);
      if (grant.granted > 0) {
        meter.block = meter.contended
          ? 1
          : now - meter.grantedAt < BLOCK_LIFETIME_MS
            ? grant.granted * 2
            : Math.max(1, grant.granted >> 1);
        meter.grantedAt = now;
      }
      meter.left += grant.granted;
      meter.taken = grant.taken;
      meter.heldElsewhere = grant.heldElsewhere;
      meter.toldAt = now;
      meters.set(ask.window, meter);
      this.#active.add(ask.accountId);
    }
  }

  #sized({ accountId, window, limit, waiting }: Pending, now: Instant): UnitsAsk {
    const meter = this.#meters.get(accountId)?.get(window);
    // The bulk hour is small and its calls are heavy: it is counted call by call.
    if (window === 'hour' || meter === undefined || !isOpen(meter, now)) {
      return { accountId, window, limit, want: waiting };
    }
    const share = Math.floor((limit - meter.taken) / BLOCK_SHARE);
    return { accountId, window, limit, want: Math.max(waiting, Math.min(meter.block, share)) };
  }

  #empty(accountId: string, window: UsageWindow, meter: Meter): UnitsReturn {
    const units = meter.left;
    meter.left = 0;
    meter.taken -= units;
    return { accountId, window, openedAt: meter.openedAt, units };
  }

  /** Units that the store did not take back are in hand again: nobody else has them. */
  async #returnAll(back: readonly UnitsReturn[]): Promise<void> {
    try {
      await this.#store.returnUnits(this.#holder, back);
    } catch (error) {
      for (const { accountId, window, openedAt, units } of back) {
        const meter = this.#meters.get(accountId)?.get(window);
        if (meter?.openedAt !== openedAt) continue;
        meter.left += units;
        meter.taken += units;
      }
      throw error;
    }
  }

  #giveBack(back: readonly UnitsReturn[]): void {
    this.#store.returnUnits(this.#holder, back).catch((error: unknown) => {
      this.#log.error({ err: error }, 'units could not be given back');
    });
  }
}

function emptyMeter(window: UsageWindow, openedAt: Instant, taken: number, now: Instant): Meter {
  return {
    openedAt,
    closesAt: closingOf(window, openedAt),
    left: 0,
    taken,
    heldElsewhere: 0,
    grantedAt: now,
    toldAt: Number.NEGATIVE_INFINITY,
    block: 1,
    contended: false,
  };
}

function refusal(window: UsageWindow, limit: number, meter: Meter, now: Instant): ApiError {
  return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
    message: `The ${limit} ${WINDOW_NOUN[window]} are used up.`,
    retryAfterSec: Math.max(1, Math.ceil((meter.closesAt - now) / SECOND_MS)),
    scope: window,
    details: { limit },
  });
}

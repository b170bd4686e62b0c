import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { AccountUnits, UnitsAsk, UsageWindow } from '../ports/usage.ts';
import { HEARTBEAT_MS, HolderLink, type HolderParts } from './holder-link.ts';
import { firstAsk, Meter, usedOf } from './meter.ts';
import type { WindowLimits } from './window-limits.ts';

/** Longest wait for units that another process may return. */
export const RECALL_WAIT_MS = 2 * SECOND_MS;
/** How often a waiting call checks for returned units. */
export const RECALL_POLL_MS = 50;
/** Most windows reported in one heartbeat. The others follow in the next ones. */
export const MAX_REPORTED_PER_HEARTBEAT = 1_000;
/** Units of an account without calls for this long are returned. */
export const IDLE_MS = 600 * SECOND_MS;

/**
 * Windows in the order in which a call is checked against them (decisions §4). `account` is the
 * minute that counts only calls which cost nothing.
 */
const WINDOWS: readonly UsageWindow[] = ['account', 'minute', 'hour', 'month'];

const REFUNDED_WINDOWS: readonly UsageWindow[] = ['hour', 'month'];

/** One unit of each window for one call, identified by when each window opened. */
export interface Reservation {
  readonly accountId: string;
  /** Calls in the bulk hour including this one, when the hour was charged. */
  readonly hourUsed?: number;
  readonly openedAt: Partial<Record<UsageWindow, Instant>>;
}

type Meters = Map<UsageWindow, Meter>;

/** The units of one window that this process leases. */
interface LeasedUnits {
  readonly accountId: string;
  readonly meter: Meter;
}

interface Pending {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly limit: number;
  /** Calls that wait for a unit. */
  waiting: number;
}

/**
 * Counts calls exactly, over one process or many. Processes lease units from the store in blocks
 * and spend them in memory. They request the next block before the last one is spent; near the
 * limit a block is one unit. When the store is empty while other processes have units, those are
 * recalled before a call is refused. When the store cannot be reached, calls use the leased units.
 *
 * Every process sends a heartbeat every few seconds. A process without one for a minute is dead,
 * and its units go to others. A live process that cannot send a heartbeat stops spending before
 * that time, and first renews its leases.
 */
export class QuotaLeases {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #link: HolderLink;
  readonly #meters = new Map<string, Meters>();
  /** Accounts with leased units, and the time of their last request to the store. */
  readonly #active = new Map<string, Instant>();
  /** Look-ups in progress. Concurrent calls of one account share a look-up. */
  readonly #learning = new Map<string, Promise<void>>();
  #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;
  #heartbeatAt = Number.NEGATIVE_INFINITY;

  constructor({ log, ...parts }: HolderParts & { readonly log: Log }) {
    this.#clock = parts.clock;
    this.#log = log;
    this.#link = new HolderLink(parts);
  }

  /**
   * Takes one unit of each window that has a limit, synchronously when they are leased.
   * @throws ApiError `rate_limit_exceeded` or `quota_exceeded`, with the time to wait;
   *   StoreUnavailable when the store is needed and does not answer.
   */
  reserve(accountId: string, limits: WindowLimits): Reservation | Promise<Reservation> {
    const now = this.#clock.now();
    const reserved = this.#link.hasLapsed(now)
      ? undefined
      : this.#reserveLeased(accountId, limits, now);
    return reserved ?? this.#reserveFromStore(accountId, limits);
  }

  /**
   * Returns the units of the month and of the bulk hour for a call that was not answered. The unit
   * of the minute stays spent, because the request was made. Resolves when every process can use
   * the units; never rejects.
   */
  async refund({ accountId, openedAt: opened }: Reservation): Promise<void> {
    const late: AccountUnits[] = [];
    const reported: Promise<void>[] = [];
    for (const window of REFUNDED_WINDOWS) {
      const openedAt = opened[window];
      if (openedAt === undefined) continue;
      const meter = this.#meters.get(accountId)?.get(window);
      if (meter?.openedAt !== openedAt) {
        late.push({ accountId, window, openedAt, units: 1, reported: 0 });
      } else if (meter.refund()) reported.push(this.#askAhead(accountId, meter.limit, meter));
    }
    if (late.length > 0) {
      const returned = this.#link.inTurn(() => this.#link.returnUnits(late));
      reported.push(
        returned.catch((error: unknown) => {
          this.#log.error({ err: error }, 'quota units could not be returned');
        }),
      );
    }
    await Promise.all(reported);
  }

  /** Loads the account's month, so that `monthUsage` can answer without the store. */
  learn(accountId: string): Promise<void> {
    const known = this.#learning.get(accountId);
    if (known !== undefined) return known;
    const learning = this.#learnOnce(accountId).finally(() => this.#learning.delete(accountId));
    this.#learning.set(accountId, learning);
    return learning;
  }

  async #learnOnce(accountId: string): Promise<void> {
    const now = this.#clock.now();
    const known = this.#metersOf(accountId).get('month');
    if (known?.isOpen(now) === true) return;
    // A process whose clock is behind may still need units of a month that has ended here.
    if (known !== undefined) await this.#giveBack([{ accountId, meter: known }]);
    const month = await this.#link.monthUsage(accountId, now);
    const meters = this.#metersOf(accountId);
    // A call in between may have taken units and has newer counts.
    if (meters.get('month')?.isOpen(now) === true) return;
    const meter = new Meter('month', month.openedAt);
    meter.recount(month);
    meters.set('month', meter);
  }

  /** Units used this month by all processes, read from the store. */
  async countedThisMonth(accountId: string): Promise<number> {
    const month = await this.#link.monthUsage(accountId, this.#clock.now());
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter?.openedAt !== month.openedAt) return usedOf(month);
    meter.recount(month);
    return meter.used;
  }

  /** Units used and the end of the month, for the headers. */
  monthUsage(accountId: string, now: Instant): { readonly used: number; readonly endsAt: Instant } {
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter?.isOpen(now) !== true) return { used: 0, endsAt: utcMonthOf(now).end };
    return { used: meter.used, endsAt: meter.closesAt };
  }

  /** Calls left in the bulk hour (§4.6). */
  hourLeft(accountId: string, limit: number, now: Instant): number {
    const meter = this.#meters.get(accountId)?.get('hour');
    return meter?.isOpen(now) === true ? Math.max(0, limit - meter.used) : limit;
  }

  /**
   * Regular maintenance: sends the heartbeat, and returns units that are idle or that other
   * processes need.
   * @returns the idle accounts, whose usage was removed from memory.
   */
  async tend(now: Instant): Promise<readonly string[]> {
    const wait = this.#heartbeatAt + HEARTBEAT_MS - now;
    let idle: readonly string[] = [];
    // A wait longer than the maximum means that the clock was set back.
    if (this.#active.size > 0 && (wait <= 0 || wait > HEARTBEAT_MS)) {
      this.#heartbeatAt = now;
      idle = await this.#sweep(now);
      await this.#renew();
    }
    if (this.#active.size === 0) return idle;
    const wanted: LeasedUnits[] = [];
    for (const { accountId, window } of await this.#link.wanted()) {
      const meter = this.#meters.get(accountId)?.get(window);
      if (meter === undefined) continue;
      meter.contend();
      wanted.push({ accountId, meter });
    }
    await this.#giveBack(wanted);
    return idle;
  }

  /** Returns an account's units, so that another plan's limits meet exact counts. */
  async release(accountId: string): Promise<void> {
    const meters = this.#meters.get(accountId);
    if (meters === undefined) return;
    await this.#giveBack(this.#leasedTo(accountId));
    for (const meter of meters.values()) meter.forgetSpent();
  }

  /** Returns all units before the process ends. */
  async close(): Promise<void> {
    await this.#giveBack([...this.#meters.keys()].flatMap((id) => this.#leasedTo(id)));
  }

  #metersOf(accountId: string): Meters {
    let meters = this.#meters.get(accountId);
    if (meters === undefined) {
      meters = new Map();
      this.#meters.set(accountId, meters);
    }
    return meters;
  }

  #reserveLeased(accountId: string, limits: WindowLimits, now: Instant): Reservation | undefined {
    const meters = this.#metersOf(accountId);
    const openedAt: Partial<Record<UsageWindow, Instant>> = {};
    for (const window of WINDOWS) {
      if (limits[window] === undefined) continue;
      const meter = meters.get(window);
      if (meter?.canSpend(now) !== true) return undefined;
      openedAt[window] = meter.openedAt;
    }
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = limit === undefined ? undefined : meters.get(window);
      if (limit === undefined || meter === undefined) continue;
      if (meter.spend()) void this.#askAhead(accountId, limit, meter);
    }
    const hour = limits.hour === undefined ? undefined : meters.get('hour');
    return { accountId, openedAt, ...(hour !== undefined && { hourUsed: hour.used }) };
  }

  async #reserveFromStore(accountId: string, limits: WindowLimits): Promise<Reservation> {
    const startedAt = this.#clock.now();
    const withoutStore = () => this.#reserveWithoutStore(accountId, limits, this.#clock.now());
    if (this.#link.isPaused(startedAt)) {
      const reserved = withoutStore();
      if (reserved !== undefined) return reserved;
    }
    try {
      if (this.#active.size > 0 && this.#link.hasLapsed(startedAt)) await this.#renew();
      return await this.#reserveAfterAsking(accountId, limits, startedAt);
    } catch (error) {
      const reserved = error instanceof StoreUnavailable ? withoutStore() : undefined;
      if (reserved === undefined) throw error;
      return reserved;
    }
  }

  async #reserveAfterAsking(
    accountId: string,
    limits: WindowLimits,
    startedAt: Instant,
  ): Promise<Reservation> {
    const leased = this.#reserveLeased(accountId, limits, startedAt);
    if (leased !== undefined) return leased;
    for (const [meter, limit] of this.#limited(accountId, limits)) {
      if (meter.isSpentFor(limit, startedAt)) throw meter.refusal(limit, startedAt);
    }
    const deadline = startedAt + RECALL_WAIT_MS;
    for (;;) {
      await this.#ask(accountId, limits);
      const now = this.#clock.now();
      const reserved = this.#reserveLeased(accountId, limits, now);
      if (reserved !== undefined) return reserved;
      let mayComeBack = false;
      for (const [meter, limit] of this.#limited(accountId, limits)) {
        const exhaustion = meter.exhaustion(limit, now);
        if (exhaustion === undefined) continue;
        if (exhaustion === 'spent' || now >= deadline) throw meter.refusal(limit, now);
        mayComeBack = true;
      }
      if (mayComeBack) await new Promise((resolve) => setTimeout(resolve, RECALL_POLL_MS));
    }
  }

  /** The known meters of the windows that have a limit, in the order of the checks. */
  #limited(accountId: string, limits: WindowLimits): readonly (readonly [Meter, number])[] {
    const meters = this.#metersOf(accountId);
    return WINDOWS.flatMap((window) => {
      const [limit, meter] = [limits[window], meters.get(window)];
      return limit === undefined || meter === undefined ? [] : [[meter, limit] as const];
    });
  }

  /**
   * Uses only leased units. In a minute that opens without the store, this process may spend an
   * equal share of the limit: the limit divided by the live processes.
   */
  #reserveWithoutStore(
    accountId: string,
    limits: WindowLimits,
    now: Instant,
  ): Reservation | undefined {
    const meters = this.#metersOf(accountId);
    const { minute: limit } = limits;
    if (limit !== undefined && meters.get('minute')?.isOpen(now) !== true) {
      const share = Math.floor(limit / this.#link.liveHolders);
      meters.set('minute', Meter.local('minute', now, { limit, share }));
    }
    return this.#reserveLeased(accountId, limits, now);
  }

  /** Requests the windows without leased units, together with concurrent requests. */
  #ask(accountId: string, limits: WindowLimits): Promise<void> {
    const now = this.#clock.now();
    const meters = this.#metersOf(accountId);
    for (const window of WINDOWS) {
      const limit = limits[window];
      if (limit === undefined || meters.get(window)?.canSpend(now) === true) continue;
      this.#pend(accountId, window, limit).waiting += 1;
    }
    return this.#flushSoon();
  }

  /** Requests more units before the last is spent, and reports the remaining ones. */
  async #askAhead(accountId: string, limit: number, meter: Meter): Promise<void> {
    do {
      if (this.#link.isPaused(this.#clock.now())) return;
      meter.isAsking = true;
      this.#pend(accountId, meter.window, limit);
      // The change poller reports failures of the store.
      await this.#flushSoon().catch(() => undefined);
      meter.isAsking = false;
    } while (meter.hasUnreportedRefund && meter.isOpen(this.#clock.now()));
  }

  #pend(accountId: string, window: UsageWindow, limit: number): Pending {
    const id = `${window} ${accountId}`;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      pending = { accountId, window, limit, waiting: 0 };
      this.#pending.set(id, pending);
    }
    return pending;
  }

  #flushSoon(): Promise<void> {
    this.#flushing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#link.inTurn(() => this.#flush()).then(resolve, reject);
      });
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    // Requests during this transaction go into the next one.
    this.#flushing = undefined;
    if (pending.length === 0) return;
    const now = this.#clock.now();
    const asked = pending.map(({ waiting: need, ...one }) => ({
      base: { ...one, need },
      meter: this.#meters.get(one.accountId)?.get(one.window),
    }));
    await this.#returnNow(
      asked.flatMap(({ base: { accountId }, meter }) =>
        meter !== undefined && hasUnitsOfOtherMonth(meter, now) ? [{ accountId, meter }] : [],
      ),
    );
    const asks = asked.map(({ base, meter }) => meter?.ask(base, now) ?? firstAsk(base));
    await this.#takeUnits(asks, now);
  }

  async #takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<void> {
    const grants = await this.#link.takeUnits(asks, now);
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const meters = this.#metersOf(ask.accountId);
      const known = meters.get(ask.window);
      const isSame = known?.openedAt === grant.openedAt && !known.isLocal;
      const meter = isSame ? known : new Meter(ask.window, grant.openedAt);
      meter.credit(grant, ask.limit, now);
      meters.set(ask.window, meter);
      this.#active.set(ask.accountId, now);
    }
  }

  /**
   * Returns the units of idle accounts, and removes ended windows.
   * @returns the idle accounts that were removed.
   */
  async #sweep(now: Instant): Promise<readonly string[]> {
    const back: LeasedUnits[] = [];
    const idle: string[] = [];
    for (const [accountId, askedAt] of this.#active) {
      const leased = this.#leasedTo(accountId);
      if (Math.abs(now - askedAt) >= IDLE_MS) {
        idle.push(accountId);
        back.push(...leased);
      } else back.push(...leased.filter(({ meter }) => hasUnitsOfOtherMonth(meter, now)));
    }
    await this.#giveBack(back);
    for (const accountId of this.#active.keys()) {
      const meters = this.#metersOf(accountId);
      for (const [window, meter] of meters) {
        if (!meter.isOpen(now) && !hasUnitsOfOtherMonth(meter, now)) meters.delete(window);
      }
    }
    // An account that called again in between is no longer idle.
    const gone = idle.filter((id) => !this.#leasedTo(id).some(({ meter }) => meter.hasUnspent));
    for (const accountId of gone) {
      this.#active.delete(accountId);
      this.#meters.delete(accountId);
    }
    return gone;
  }

  #leasedTo(accountId: string): readonly LeasedUnits[] {
    return [...this.#metersOf(accountId).values()].map((meter) => ({ accountId, meter }));
  }

  /** Sends a heartbeat with the leased units. */
  #renew(): Promise<void> {
    return this.#link.inTurn(async () => {
      const now = this.#clock.now();
      const leased = [...this.#active.keys()].flatMap((accountId) => this.#leasedTo(accountId));
      const lapsed = this.#link.hasLapsed(now);
      const changed = leased.filter(({ meter }) => meter.needsReport(lapsed));
      // A process that may have lost its units must check all of them before it spends. Otherwise
      // the rest can wait.
      const most = lapsed ? changed.length : MAX_REPORTED_PER_HEARTBEAT;
      await this.#report(changed.slice(0, most), now);
    });
  }

  async #report(leased: readonly LeasedUnits[], now: Instant): Promise<void> {
    const reports = leased.map(({ accountId, meter }) => meter.report(accountId));
    const lost = await this.#link.renew(reports, now);
    const asks: UnitsAsk[] = [];
    for (const [position, { accountId, meter }] of leased.entries()) {
      const report = reports[position];
      if (report === undefined) continue;
      const { window, limit } = meter;
      if (!lost.has(report)) meter.confirm(report);
      else asks.push({ accountId, window, limit, need: 0, want: 0, held: report });
    }
    if (asks.length > 0) await this.#takeUnits(asks, now);
    this.#link.heard(now);
  }

  async #giveBack(leased: readonly LeasedUnits[]): Promise<void> {
    if (leased.some(({ meter }) => meter.hasUnits)) {
      await this.#link.inTurn(() => this.#returnNow(leased));
    }
  }

  /** Units that the store did not accept stay leased here: no other process has them. */
  async #returnNow(leased: readonly LeasedUnits[]): Promise<void> {
    const full = leased.filter(({ meter }) => meter.hasUnits);
    if (full.length === 0) return;
    const back = full.map(({ accountId, meter }) => meter.returnAll(accountId));
    try {
      await this.#link.returnUnits(back);
    } catch (error) {
      for (const [position, { meter }] of full.entries()) {
        const units = back[position];
        if (units !== undefined) meter.takeBack(units);
      }
      throw error;
    }
  }
}

/**
 * Whether units are left in a month other than that of `now`. They are returned, because processes
 * with another clock can still spend them. Units of an ended minute or hour just expire.
 */
function hasUnitsOfOtherMonth(meter: Meter, now: Instant): boolean {
  return meter.window === 'month' && meter.hasUnits && !meter.isOpen(now);
}

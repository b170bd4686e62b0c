import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { AccountUnits, UnitsAsk, UsageWindow } from '../ports/usage.ts';
import {
  askOf,
  credit,
  isOpen,
  type Meter,
  newMeter,
  refusal,
  returnAll,
  takeBack,
  UNITS_LEASE_MARGIN_MS,
  UNITS_LEASE_MS,
  usedOf,
  type WindowLimits,
} from './meter.ts';

/** Longest wait for units that another process may give back. */
export const RECALL_WAIT_MS = 2 * SECOND_MS;
/** How often a waiting call looks whether they came. */
export const RECALL_POLL_MS = 50;
/** So long an empty window is taken at its word, so that refusing costs no write. */
export const EMPTY_KEPT_MS = SECOND_MS;
/** How often a process says that it lives, and what it has in hand. */
export const HEARTBEAT_MS = 5 * SECOND_MS;
/** Windows told of in one heartbeat; the others follow with the next ones. */
export const MAX_TOLD_PER_HEARTBEAT = 1_000;
/** Units of an account that did not call for so long go back. */
export const IDLE_MS = 600 * SECOND_MS;
/** After the store failed, calls that can do without it leave it alone for so long. */
export const STORE_PAUSE_MS = 500;

/** Windows in the order in which a call is checked against them (decisions §4). */
const WINDOWS: readonly UsageWindow[] = ['minute', 'hour', 'month'];

const REFUNDED_WINDOWS: readonly UsageWindow[] = ['hour', 'month'];

/** One unit of each window, taken for one call. */
export interface Reservation {
  readonly accountId: string;
  readonly openedAt: Partial<Record<UsageWindow, Instant>>;
}

type Meters = Map<UsageWindow, Meter>;

/** What an account has in hand of a window. */
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
 * Counts calls exactly, in one process or many. Units come from the store in blocks and are spent
 * in memory; a block is asked for before the last one is spent, and near the limit it is one unit.
 * A process that finds the store empty while others hold units has those called back before it
 * refuses. While the store is out of reach calls go on with the units in hand.
 *
 * A process says every few seconds that it lives. One that did not for a minute is dead: what it
 * had is handed to others. Should it live after all, it stops spending before that, and asks first.
 */
export class QuotaLeases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holder: string;
  readonly #meters = new Map<string, Meters>();
  /** Accounts with units in hand, and when they last asked for some. */
  readonly #active = new Map<string, Instant>();
  /** Accounts being looked up: one that calls many times at once is looked up once. */
  readonly #learning = new Map<string, Promise<void>>();
  #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;
  /** What changes units in the store does so one after another: each reckons with the one before. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** When the store last heard of this process. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #heartbeatAt = Number.NEGATIVE_INFINITY;
  /** Live processes that hold units, this one included, as the store last said. */
  #holders = 1;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Since when the store answers; what others hold is safe from reclaiming for a while after. */
  #answersSince = Number.NEGATIVE_INFINITY;

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
   * @throws ApiError `rate_limit_exceeded` or `quota_exceeded`, with what to wait;
   *   StoreUnavailable when it takes the store and that does not answer.
   */
  reserve(accountId: string, limits: WindowLimits): Reservation | Promise<Reservation> {
    const now = this.#clock.now();
    const taken = this.#hasLapsed(now) ? undefined : this.#reserveLeased(accountId, limits, now);
    return taken ?? this.#reserveFromStore(accountId, limits);
  }

  /**
   * Gives the unit of the month and of the bulk hour back: the call was not answered. Its place in
   * the minute is kept, for it was a request all the same.
   */
  refund(reservation: Reservation): void {
    const late: AccountUnits[] = [];
    for (const window of REFUNDED_WINDOWS) {
      const openedAt = reservation.openedAt[window];
      if (openedAt === undefined) continue;
      const { accountId } = reservation;
      const meter = this.#meters.get(accountId)?.get(window);
      if (meter?.openedAt === openedAt) meter.left += 1;
      else late.push({ accountId, window, openedAt, units: 1, reported: 0 });
    }
    if (late.length === 0) return;
    this.#inTurn(() => this.#store.returnUnits(this.#holder, late)).catch((error: unknown) => {
      this.#log.error({ err: error }, 'units could not be given back');
    });
  }

  /** Makes the account's month known, so that `monthUsage` can answer without the store. */
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
    if (known !== undefined && isOpen(known, now)) return;
    const month = await this.#store.monthUsage(this.#holder, accountId, now);
    // A call may have taken units meanwhile, and knows better.
    const meters = this.#metersOf(accountId);
    const current = meters.get('month');
    if (current !== undefined && isOpen(current, now)) return;
    const meter = newMeter('month', month.openedAt, { taken: month.taken });
    meter.heldElsewhere = month.heldElsewhere;
    meters.set('month', meter);
  }

  /** Units used this month by all processes, as the store has it now. */
  async countedThisMonth(accountId: string): Promise<number> {
    const now = this.#clock.now();
    const month = await this.#store.monthUsage(this.#holder, accountId, now);
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter?.openedAt !== month.openedAt) return usedOf(month);
    meter.taken = month.taken;
    meter.heldElsewhere = month.heldElsewhere;
    return usedOf(meter);
  }

  /** Units used and when the month ends, for the headers. */
  monthUsage(accountId: string, now: Instant): { readonly used: number; readonly endsAt: Instant } {
    const meter = this.#meters.get(accountId)?.get('month');
    if (meter === undefined || !isOpen(meter, now)) return { used: 0, endsAt: utcMonthOf(now).end };
    return { used: usedOf(meter), endsAt: meter.closesAt };
  }

  /** Calls left in the bulk hour (§4.6). */
  hourLeft(accountId: string, limit: number, now: Instant): number {
    const meter = this.#meters.get(accountId)?.get('hour');
    if (meter === undefined || !isOpen(meter, now)) return limit;
    return Math.max(0, limit - usedOf(meter));
  }

  /**
   * Regular care: says that this process lives, gives back what others want or nobody spends.
   * @returns accounts that are idle: of their usage nothing is known here any more.
   */
  async tend(now: Instant): Promise<readonly string[]> {
    const wait = this.#heartbeatAt + HEARTBEAT_MS - now;
    let idle: readonly string[] = [];
    if (this.#active.size > 0 && (wait <= 0 || wait > HEARTBEAT_MS)) {
      this.#heartbeatAt = now;
      idle = await this.#sweep(now);
      await this.#renew();
    }
    if (this.#active.size === 0) return idle;
    const wanted: LeasedUnits[] = [];
    for (const { accountId, window } of await this.#store.wantedFrom(this.#holder)) {
      const meter = this.#meters.get(accountId)?.get(window);
      if (meter === undefined) continue;
      meter.isContended = true;
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
    // What is known of an empty window need not hold under another limit.
    for (const meter of meters.values()) meter.toldAt = Number.NEGATIVE_INFINITY;
  }

  /** Returns everything, before the process ends. */
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

  /** Whether others may take this process for dead, so that its units may be theirs by now. */
  #hasLapsed(now: Instant): boolean {
    return now - this.#heardAt >= UNITS_LEASE_MS - UNITS_LEASE_MARGIN_MS;
  }

  #reserveLeased(accountId: string, limits: WindowLimits, now: Instant): Reservation | undefined {
    const meters = this.#metersOf(accountId);
    const openedAt: Partial<Record<UsageWindow, Instant>> = {};
    for (const window of WINDOWS) {
      if (limits[window] === undefined) continue;
      const meter = meters.get(window);
      if (meter === undefined || meter.left <= 0 || !isOpen(meter, now)) return undefined;
      openedAt[window] = meter.openedAt;
    }
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = limit === undefined ? undefined : meters.get(window);
      if (limit === undefined || meter === undefined) continue;
      meter.left -= 1;
      if (meter.left <= meter.low && !meter.isAsking) this.#askAhead(accountId, limit, meter);
    }
    return { accountId, openedAt };
  }

  async #reserveFromStore(accountId: string, limits: WindowLimits): Promise<Reservation> {
    const startedAt = this.#clock.now();
    const withoutStore = () => this.#reserveWithoutStore(accountId, limits, this.#clock.now());
    if (Math.abs(startedAt - this.#failedAt) < STORE_PAUSE_MS) {
      const taken = withoutStore();
      if (taken !== undefined) return taken;
    }
    try {
      if (this.#active.size > 0 && this.#hasLapsed(startedAt)) await this.#renew();
      return await this.#reserveAfterAsking(accountId, limits, startedAt);
    } catch (error) {
      const taken = error instanceof StoreUnavailable ? withoutStore() : undefined;
      if (taken === undefined) throw error;
      return taken;
    }
  }

  async #reserveAfterAsking(
    accountId: string,
    limits: WindowLimits,
    startedAt: Instant,
  ): Promise<Reservation> {
    const renewed = this.#reserveLeased(accountId, limits, startedAt);
    if (renewed !== undefined) return renewed;
    this.#refuseWhatIsEmpty(accountId, limits, startedAt);
    const deadline = startedAt + RECALL_WAIT_MS;
    for (;;) {
      await this.#ask(accountId, limits);
      const now = this.#clock.now();
      const taken = this.#reserveLeased(accountId, limits, now);
      if (taken !== undefined) return taken;
      const meters = this.#metersOf(accountId);
      let mayComeBack = false;
      for (const window of WINDOWS) {
        const limit = limits[window];
        const meter = meters.get(window);
        if (limit === undefined || meter === undefined || meter.left > 0) continue;
        if (!isOpen(meter, now) || meter.taken < limit) continue;
        if (meter.recallable === 0 || now >= deadline) throw refusal(limit, meter, now);
        mayComeBack = true;
      }
      if (mayComeBack) await new Promise((resolve) => setTimeout(resolve, RECALL_POLL_MS));
    }
  }

  /**
   * Goes on with the units in hand. Of a minute that opens meanwhile this process has the share that
   * is left when each that lives takes as much.
   */
  #reserveWithoutStore(
    accountId: string,
    limits: WindowLimits,
    now: Instant,
  ): Reservation | undefined {
    const meters = this.#metersOf(accountId);
    const { minute: limit } = limits;
    const minute = meters.get('minute');
    if (limit !== undefined && (minute === undefined || !isOpen(minute, now))) {
      const left = Math.floor(limit / this.#holders);
      const taken = limit - left;
      meters.set('minute', newMeter('minute', now, { limit, left, taken, isLocal: true }));
    }
    return this.#reserveLeased(accountId, limits, now);
  }

  #refuseWhatIsEmpty(accountId: string, limits: WindowLimits, now: Instant): void {
    const meters = this.#metersOf(accountId);
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = meters.get(window);
      if (limit === undefined || meter === undefined || meter.left > 0) continue;
      const isEmpty = meter.taken >= limit && meter.recallable === 0 && isOpen(meter, now);
      // What the clock says of a moment ahead of it is not fresh either.
      if (isEmpty && Math.abs(now - meter.toldAt) < EMPTY_KEPT_MS) {
        throw refusal(limit, meter, now);
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
      this.#pend(accountId, window, limit).waiting += 1;
    }
    return this.#flushSoon();
  }

  /** Asks for more while there are still some. */
  #askAhead(accountId: string, limit: number, meter: Meter): void {
    if (Math.abs(this.#clock.now() - this.#failedAt) < STORE_PAUSE_MS) return;
    meter.isAsking = true;
    this.#pend(accountId, meter.window, limit);
    this.#flushSoon()
      // Whoever keeps watch over the store tells of it.
      .catch(() => undefined)
      .finally(() => {
        meter.isAsking = false;
      });
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
        this.#inTurn(() => this.#flush()).then(resolve, reject);
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
    const asks = pending.map(({ waiting, ...one }) =>
      askOf({ ...one, need: waiting }, this.#meters.get(one.accountId)?.get(one.window), now),
    );
    await this.#takeUnits(asks, now);
  }

  async #takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<void> {
    const grants = await this.#store.takeUnits(this.#holder, asks, {
      now,
      // After an outage the living must have had time to say so.
      reclaim: now - this.#answersSince >= 2 * HEARTBEAT_MS,
    });
    this.#heardAt = now;
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const meters = this.#metersOf(ask.accountId);
      const known = meters.get(ask.window);
      const isSame = known?.openedAt === grant.openedAt && !known.isLocal;
      const meter = isSame ? known : newMeter(ask.window, grant.openedAt);
      meter.limit = ask.limit;
      credit(meter, grant, now);
      meters.set(ask.window, meter);
      this.#active.set(ask.accountId, now);
    }
  }

  /**
   * Gives the units of idle accounts back, and forgets windows that are over.
   * @returns the idle accounts, of which nothing is known any more.
   */
  async #sweep(now: Instant): Promise<readonly string[]> {
    const idle: string[] = [];
    for (const [accountId, askedAt] of this.#active) {
      const meters = this.#metersOf(accountId);
      for (const [window, meter] of meters) if (!isOpen(meter, now)) meters.delete(window);
      if (Math.abs(now - askedAt) >= IDLE_MS) idle.push(accountId);
    }
    await this.#giveBack(idle.flatMap((accountId) => this.#leasedTo(accountId)));
    // One that called again meanwhile is no longer idle.
    const gone = idle.filter((id) => !this.#leasedTo(id).some(({ meter }) => meter.left > 0));
    for (const accountId of gone) {
      this.#active.delete(accountId);
      this.#meters.delete(accountId);
    }
    return gone;
  }

  #leasedTo(accountId: string): readonly LeasedUnits[] {
    return [...this.#metersOf(accountId).values()].map((meter) => ({ accountId, meter }));
  }

  /** Says that this process lives, and what it has in hand. */
  #renew(): Promise<void> {
    return this.#inTurn(async () => {
      const now = this.#clock.now();
      const leased = [...this.#active.keys()].flatMap((accountId) => this.#leasedTo(accountId));
      const lapsed = this.#hasLapsed(now);
      const news = leased.filter(
        ({ meter: { left, reported } }) => reported > 0 && (lapsed || left !== reported),
      );
      // Whoever may have lost all must hear of all before it spends; else the rest can wait.
      const most = lapsed ? news.length : MAX_TOLD_PER_HEARTBEAT;
      await this.#report(news.slice(0, most), now);
    });
  }

  async #report(leased: readonly LeasedUnits[], now: Instant): Promise<void> {
    const told = leased.map(({ accountId, meter }) => {
      const { window, openedAt, left: units, reported } = meter;
      return { accountId, window, openedAt, units, reported };
    });
    const { holders, lost } = await this.#store.renewHolder(this.#holder, told, now);
    this.#holders = Math.max(1, holders);
    const isLost = new Set(lost);
    const asks: UnitsAsk[] = [];
    for (const [position, { accountId, meter }] of leased.entries()) {
      const units = told[position];
      if (units === undefined) continue;
      const { window, openedAt, limit } = meter;
      if (!isLost.has(units)) meter.reported = units.units;
      else asks.push({ accountId, window, limit, need: 0, want: 0, held: { ...units, openedAt } });
    }
    if (asks.length > 0) await this.#takeUnits(asks, now);
    this.#heardAt = now;
  }

  /** Units that the store did not take back are in hand again: nobody else has them. */
  async #giveBack(leased: readonly LeasedUnits[]): Promise<void> {
    const full = leased.filter(
      ({ meter }) => !meter.isLocal && (meter.left > 0 || meter.reported > 0),
    );
    if (full.length === 0) return;
    await this.#inTurn(async () => {
      const back = full.map(({ accountId, meter }) => returnAll(accountId, meter));
      try {
        await this.#store.returnUnits(this.#holder, back);
      } catch (error) {
        for (const [position, { meter }] of full.entries()) {
          const units = back[position];
          if (units !== undefined) takeBack(meter, units);
        }
        throw error;
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work).then(
      (result) => {
        if (this.#answersSince === Infinity) this.#answersSince = this.#clock.now();
        return result;
      },
      (error: unknown) => {
        if (error instanceof StoreUnavailable) {
          this.#failedAt = this.#clock.now();
          this.#answersSince = Infinity;
        }
        throw error;
      },
    );
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

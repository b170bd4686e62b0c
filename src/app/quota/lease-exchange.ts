import type { Instant } from '../../domain/time.ts';
import { StoreBusy, StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type {
  AccountUnits,
  HolderRenewal,
  UnitsAsk,
  UnitsGrant,
  UnitsReport,
} from '../ports/usage.ts';
import { type AccountMeters, hasUnitsOfOtherMonth, type LeasedUnits } from './account-meters.ts';
import { HEARTBEAT_MS, MAX_BUSY_MS, RECLAIM_PAUSE_MS, UNITS_LEASE_MS } from './lease-limits.ts';
import { firstAsk, Meter, type MeterAsk, type PendingAsk } from './meter.ts';
import { WINDOWS, type WindowLimits } from './windows.ts';

export interface HolderParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Identifies this process among those that share the store. */
  readonly holder: string;
}

/**
 * Connects one process with the store's units. Tracks the last heartbeat and whether the store
 * answers. Changes of units run one after another, because each depends on the one before.
 */
export class HolderLink {
  readonly #parts: HolderParts;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** When the store last received a heartbeat or a request of this process. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** Since when the store has answered without a longer gap. */
  #answersSince = Number.NEGATIVE_INFINITY;
  /** When the first of the writes began that a busy store did not accept. */
  #busySince: Instant | undefined;
  #isAway = false;
  #liveHolders = 1;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  /** Number of live processes with leased units, including this one, from the last heartbeat. */
  get liveHolders(): number {
    return this.#liveHolders;
  }

  /** Whether other processes may consider this one dead and have its reserves. */
  hasLapsed(now: Instant): boolean {
    return Math.abs(now - this.#heardAt) >= UNITS_LEASE_MS / 2;
  }

  /** Whether the store is out of reach: the last write failed, and not because others wrote. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Runs `work` after all earlier work. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<readonly UnitsGrant[]> {
    const { store, holder } = this.#parts;
    const reclaim = now - this.#answersSince >= RECLAIM_PAUSE_MS;
    const grants = await this.#written(() => store.takeUnits(holder, asks, { now, reclaim }));
    this.#heard(now);
    return grants;
  }

  returnUnits(units: readonly AccountUnits[]): Promise<void> {
    return this.#written(() => this.#parts.store.returnUnits(this.#parts.holder, units));
  }

  /** Sends a heartbeat. @returns the new share of each report. */
  async renew(reports: readonly UnitsReport[], now: Instant): Promise<HolderRenewal['shares']> {
    const { store, holder } = this.#parts;
    const { holders, shares } = await this.#written(() => store.renewHolder(holder, reports, now));
    this.#liveHolders = Math.max(1, holders);
    this.#heard(now);
    return shares;
  }

  #heard(now: Instant): void {
    // A live process that the store did not hear either has not lost its lease after such a gap.
    if (Math.abs(now - this.#heardAt) > 2 * HEARTBEAT_MS) this.#answersSince = now;
    this.#heardAt = now;
  }

  async #written<T>(write: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    try {
      const result = await write();
      if (this.#isAway) this.#answersSince = clock.now();
      this.#isAway = false;
      this.#busySince = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreBusy) {
        this.#busySince ??= startedAt;
        this.#isAway ||= Math.abs(clock.now() - this.#busySince) >= MAX_BUSY_MS;
      } else if (error instanceof StoreUnavailable) this.#isAway = true;
      throw error;
    }
  }
}

/**
 * How long requests for future calls are collected, so that busy accounts share transactions. At its
 * present rate an account has units for an eighth of a second when it asks.
 */
const GATHER_MS = 40;

/** Most windows reported in one transaction. */
export const MAX_REPORTED_AT_ONCE = 1_000;

/** A transaction that has not begun. */
interface Batch {
  /** By window and account. */
  readonly pending: Map<string, PendingAsk>;
  readonly written: Promise<void>;
  /** Begins it once the requests of this turn of the event loop are in. */
  readonly hurry: () => void;
}

/**
 * Moves units between the meters of this process and the store: requests blocks, moves units from
 * reserves to allowances, and returns them. Requests made at the same time share a transaction.
 */
export class LeaseExchange {
  readonly #link: HolderLink;
  readonly #meters: AccountMeters;
  readonly #clock: Clock;
  #batch: Batch | undefined;

  constructor(link: HolderLink, meters: AccountMeters, clock: Clock) {
    this.#link = link;
    this.#meters = meters;
    this.#clock = clock;
  }

  /** Requests the windows without an allowance, together with concurrent requests. */
  ask(accountId: string, limits: WindowLimits): Promise<void> {
    const now = this.#clock.now();
    const perMinute = limits.minute ?? limits.account;
    const { pending, written, hurry } = this.#nextBatch();
    for (const window of WINDOWS) {
      const limit = limits[window];
      if (limit === undefined || this.#meters.find(accountId, window)?.canSpend(now) === true)
        continue;
      pendingIn(pending, { accountId, window, limit, perMinute }).waiting += 1;
    }
    hurry();
    return written;
  }

  /** Enlarges an allowance before the last unit of it is spent; never rejects. */
  async askAhead(accountId: string, limit: number, meter: Meter): Promise<void> {
    const { window, perMinute } = meter;
    do {
      if (this.#link.isAway) return;
      meter.isAsking = true;
      const { pending, written, hurry } = this.#nextBatch();
      pendingIn(pending, { accountId, window, limit, perMinute });
      // Another process may wait for a unit that came back.
      if (meter.hasUnreportedRefund) hurry();
      // The change poller reports failures of the store.
      await written.catch(() => undefined);
      meter.isAsking = false;
    } while (meter.hasUnreportedRefund && meter.isOpen(this.#clock.now()));
  }

  /**
   * Sends a heartbeat, with the allowances that are too large or were exceeded, and enlarges blocks
   * that an outage has used up: the next one may come before a call asks for more.
   */
  renew(): Promise<void> {
    return this.#link.inTurn(async () => {
      const now = this.#clock.now();
      const lapsed = this.#link.hasLapsed(now);
      const all = this.#meters.all();
      const low = all.filter(({ meter }) => meter.isLow(now));
      const changed = all.filter(
        ({ meter }) => !meter.isLow(now) && meter.needsReport(now, lapsed),
      );
      do {
        const asks = [...(await this.#report(changed.splice(0, MAX_REPORTED_AT_ONCE), now))];
        for (const { accountId, meter } of low.splice(0, MAX_REPORTED_AT_ONCE)) {
          const { window, limit, perMinute } = meter;
          asks.push(meter.ask({ accountId, window, limit, perMinute, waiting: 0 }, now));
        }
        if (asks.length > 0) await this.#takeUnits(asks, now);
      } while (changed.length > 0 || low.length > 0);
    });
  }

  async giveBack(leased: readonly LeasedUnits[]): Promise<void> {
    if (leased.some(({ meter }) => meter.hasUnits)) {
      await this.#link.inTurn(() => this.#returnNow(leased));
    }
  }

  #nextBatch(): Batch {
    if (this.#batch !== undefined) return this.#batch;
    const pending: Batch['pending'] = new Map();
    const { promise: written, resolve } = Promise.withResolvers<void>();
    let [isHurried, isBegun] = [false, false];
    const begin = () => {
      if (isBegun) return;
      isBegun = true;
      clearTimeout(timer);
      resolve(this.#link.inTurn(() => this.#flush(pending)));
    };
    const timer = setTimeout(begin, GATHER_MS);
    const hurry = () => {
      if (!isHurried) setImmediate(begin);
      isHurried = true;
    };
    this.#batch = { pending, written, hurry };
    return this.#batch;
  }

  async #flush(pending: Batch['pending']): Promise<void> {
    // Requests during this transaction go into the next one.
    this.#batch = undefined;
    if (pending.size === 0) return;
    const now = this.#clock.now();
    const asked = [...pending.values()].map((base) => {
      const { accountId, window } = base;
      return { base, accountId, meter: this.#meters.find(accountId, window) };
    });
    await this.#returnNow(
      asked.flatMap(({ accountId, meter }) =>
        meter !== undefined && hasUnitsOfOtherMonth(meter, now) ? [{ accountId, meter }] : [],
      ),
    );
    const reserves: LeasedUnits[] = [];
    const asks: MeterAsk[] = [];
    for (const { base, accountId, meter } of asked) {
      if (meter?.hasReserveFor(base.waiting, now) === true) reserves.push({ accountId, meter });
      else asks.push(meter?.ask(base, now) ?? firstAsk(base));
    }
    if (reserves.length > 0) asks.push(...(await this.#report(reserves, now)));
    if (asks.length > 0) await this.#takeUnits(asks, now);
  }

  async #takeUnits(asks: readonly MeterAsk[], now: Instant): Promise<void> {
    const grants = await this.#link.takeUnits(asks, now);
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const known = this.#meters.find(ask.accountId, ask.window);
      const isSame = known?.openedAt === grant.openedAt && !known.isLocal;
      const meter = isSame ? known : new Meter(ask.window, grant.openedAt);
      meter.credit(grant, ask, now);
      this.#meters.set(ask.accountId, meter);
      this.#meters.noteGrant(ask.accountId, now);
    }
  }

  /** Divides units anew. @returns requests for the windows whose reserve is lost. */
  async #report(leased: readonly LeasedUnits[], now: Instant): Promise<readonly MeterAsk[]> {
    const reports = leased.map(({ accountId, meter }) => meter.report(accountId, now));
    const shares = await this.#link.renew(reports, now);
    return leased.flatMap(({ meter }, position) => {
      const [report, share] = [reports[position], shares[position]];
      if (report === undefined) return [];
      if (share === undefined) return [meter.askAfterLoss(report)];
      meter.divide(share, report);
      return [];
    });
  }

  async #returnNow(leased: readonly LeasedUnits[]): Promise<void> {
    const full = leased.filter(({ meter }) => meter.hasUnits);
    if (full.length === 0) return;
    const back = full.map(({ accountId, meter }) => meter.returnAll(accountId));
    try {
      await this.#link.returnUnits(back);
    } catch (error) {
      for (const [position, { meter }] of full.entries()) {
        const units = back[position];
        if (units !== undefined) meter.takeBack(units, isSurelyNotStored(error));
      }
      throw error;
    }
  }
}

function pendingIn(pending: Batch['pending'], base: Omit<PendingAsk, 'waiting'>): PendingAsk {
  const id = `${base.window} ${base.accountId}`;
  const ask = pending.get(id) ?? { ...base, waiting: 0 };
  pending.set(id, ask);
  return ask;
}

/** Whether a failed write certainly changed nothing: the store was busy, or refused it. */
function isSurelyNotStored(error: unknown): boolean {
  if (error instanceof StoreBusy) return true;
  return error instanceof StoreUnavailable && error.writeFailure !== undefined;
}

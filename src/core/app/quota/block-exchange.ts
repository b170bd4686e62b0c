import { setImmediate as afterCallers } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { ReturnedUnits, UsageWindow } from '../ports/usage.ts';
import { GATHER_MS } from './block-limits.ts';
import { Meter, type PendingAsk } from './meter.ts';
import { WINDOWS, type WindowLimits } from './windows.ts';

/** The windows of an account that are known to this process. */
export type Meters = { [Window in UsageWindow]?: Meter };

/** Those of all accounts. */
export class AccountMeters extends Map<string, Meters> {
  find(accountId: string, window: UsageWindow): Meter | undefined {
    return this.get(accountId)?.[window];
  }

  put(accountId: string, meter: Meter): void {
    const meters = this.get(accountId);
    if (meters === undefined) this.set(accountId, { [meter.window]: meter });
    else meters[meter.window] = meter;
  }

  /** @returns the windows for which `is` holds. It runs each second over all, so it makes no lists. */
  those(is: (meter: Meter) => boolean): readonly HeldWindow[] {
    const found: HeldWindow[] = [];
    for (const [accountId, meters] of this) {
      for (const window of WINDOWS) {
        const meter = meters[window];
        if (meter !== undefined && is(meter)) found.push({ accountId, meter });
      }
    }
    return found;
  }

  /** Removes the accounts of which `is` holds for every window. @returns their ids. */
  remove(is: (meter: Meter) => boolean): readonly string[] {
    const removed: string[] = [];
    for (const [accountId, meters] of this) {
      if (WINDOWS.some((window) => meters[window] !== undefined && !is(meters[window]))) continue;
      this.delete(accountId);
      removed.push(accountId);
    }
    return removed;
  }
}

export interface HeldWindow {
  readonly accountId: string;
  readonly meter: Meter;
}

/** A transaction that has not begun. */
interface Batch {
  /** By window and account. */
  readonly pending: Map<string, PendingAsk>;
  readonly written: Promise<void>;
  /** Begins it once the requests of this turn of the event loop are in. */
  readonly hurry: () => void;
}

/** Units that wait for the turn in which they go back. */
interface Returns {
  readonly lists: (() => readonly HeldWindow[])[];
  readonly given: Promise<void>;
}

/**
 * Moves blocks between the store and the meters of this process. Requests made at the same time share
 * a transaction, and transactions run one after another, because each depends on the one before.
 */
export class BlockExchange {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #meters: AccountMeters;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #batch: Batch | undefined;
  /** Why the last transaction failed; undefined when it did not. */
  #failure: StoreUnavailable | undefined;
  #isWriting = false;
  #isClosed = false;
  /** Units to give back of windows that are no longer known here. */
  readonly #late: ReturnedUnits[] = [];
  /** What waits for its turn, and shares it. */
  readonly #reads: (() => Promise<void>)[] = [];
  #returns: Returns | undefined;

  constructor(
    { store, clock }: { readonly store: Store; readonly clock: Clock },
    meters: AccountMeters,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#meters = meters;
  }

  /** Whether the store is out of reach: its last transaction failed. */
  get isAway(): boolean {
    return this.#failure !== undefined;
  }

  /** Reads after all earlier transactions. */
  read<T>(read: (store: Store) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reads.push(() => read(this.#store).then(resolve, reject));
      if (this.#reads.length > 1) return;
      void this.#inTurn(() => Promise.all(this.#reads.splice(0).map((one) => one())));
    });
  }

  /** The calls that waited for a turn spend their units before the next one can give them back. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined).then(() => afterCallers());
    return turn;
  }

  /**
   * Asks for a unit of each window that has none for a call that waits.
   * @throws StoreUnavailable at once when the store does not answer another request either.
   */
  ask(accountId: string, limits: WindowLimits): Promise<void> {
    const failure = this.#failure;
    if (failure !== undefined && this.#isWriting && !(failure instanceof StoreBusy)) {
      return Promise.reject(failure);
    }
    const now = this.#clock.now();
    const { pending, written, hurry } = this.#nextBatch();
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = this.#meters.find(accountId, window);
      if (limit === undefined || meter?.canSpend(limit, now, false) === true) continue;
      pendingIn(pending, { accountId, window, limit }).waiting += 1;
    }
    hurry();
    return written;
  }

  /** Takes the next block before the last unit of this one is spent; never rejects. */
  async askAhead(accountId: string, limit: number, meter: Meter): Promise<void> {
    // `tend` asks as soon as the store is back.
    if (this.isAway || meter.isAsking) return;
    meter.isAsking = true;
    const { pending, written } = this.#nextBatch();
    pendingIn(pending, { accountId, window: meter.window, limit });
    // The change poller reports failures of the store.
    await written.catch(() => undefined);
    meter.isAsking = false;
  }

  /** Looks whether the store is back, with what these windows need or owe. */
  async catchUp(windows: readonly HeldWindow[]): Promise<void> {
    const { pending, written, hurry } = this.#nextBatch();
    for (const { accountId, meter } of windows) {
      pendingIn(pending, { accountId, window: meter.window, limit: meter.limit });
    }
    // Nothing is at stake: the next call finds out.
    if (pending.size === 0) this.#failure = undefined;
    hurry();
    await written;
  }

  /** The next time that units are given back, these are too. */
  giveBackLater(units: ReturnedUnits): void {
    if (units.units > 0) this.#late.push(units);
  }

  /** Gives units back. Those that the store may have taken are lost when its answer is. */
  giveBack(windowsOf: () => readonly HeldWindow[]): Promise<void> {
    if (this.#returns === undefined) {
      const lists: Returns['lists'] = [];
      const given = this.#inTurn(() => {
        this.#returns = undefined;
        const windows = lists.flatMap((list) => list());
        return this.#return([...new Map(windows.map((one) => [one.meter, one])).values()]);
      });
      this.#returns = { lists, given };
    }
    this.#returns.lists.push(windowsOf);
    return this.#returns.given;
  }

  async #return(windows: readonly HeldWindow[]): Promise<void> {
    const full = windows.filter(({ meter }) => meter.unspent > 0);
    const back = full.map(({ accountId, meter }) => meter.giveBack(accountId));
    const late = this.#late.splice(0);
    if (back.length + late.length === 0) return;
    try {
      await this.#written(() => this.#store.returnUnits([...back, ...late]));
    } catch (error) {
      const isSure = isSurelyNotStored(error);
      if (isSure) this.#late.push(...late);
      for (const [position, { meter }] of full.entries()) {
        const units = back[position];
        if (units === undefined) continue;
        if (isSure) meter.keep(units);
        else meter.lose(units);
      }
      throw error;
    }
  }

  /** Gives everything back, and takes nothing more. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.giveBack(() => this.#meters.those(() => true));
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
      resolve(this.#inTurn(() => this.#flush(pending)));
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
    if (this.#isClosed) throw new StoreUnavailable('The service stops.');
    const now = this.#clock.now();
    const known = [...pending.values()].map((base) => {
      const { accountId, window, limit } = base;
      return { base, accountId, limit, meter: this.#meters.find(accountId, window) };
    });
    const beyond = known.flatMap(({ accountId, limit, meter }) =>
      meter !== undefined && meter.limit > limit ? [{ accountId, meter }] : [],
    );
    if (beyond.length > 0) await this.#return(beyond);
    const asks = known.map(({ base, meter }) => Meter.ask(base, meter, now));
    const grants = await this.#written(() => this.#store.takeUnits(asks, now));
    // The way to the store and back may take longer than an answer is fresh.
    const answeredAt = this.#clock.now();
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const { accountId, window } = ask;
      const before = this.#meters.find(accountId, window);
      let meter = before;
      if (meter === undefined || meter.openedAt !== grant.openedAt) {
        meter = new Meter(window, grant.openedAt, now, before);
        if (ask.held !== undefined) before?.continueIn(meter);
        // A process whose clock is behind can spend them.
        if (window === 'month' && before !== undefined) {
          this.giveBackLater(before.giveBack(accountId));
        }
        this.#meters.put(accountId, meter);
      }
      meter.credit(grant, ask, answeredAt);
    }
  }

  async #written<T>(write: () => Promise<T>): Promise<T> {
    this.#isWriting = true;
    try {
      const result = await write();
      this.#failure = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#failure = error;
      throw error;
    } finally {
      this.#isWriting = false;
    }
  }
}

function pendingIn(pending: Batch['pending'], base: Omit<PendingAsk, 'waiting'>): PendingAsk {
  const id = `${base.window} ${base.accountId}`;
  const ask = pending.get(id) ?? { ...base, waiting: 0 };
  // Some may have begun before the plan changed.
  ask.limit = Math.min(ask.limit, base.limit);
  pending.set(id, ask);
  return ask;
}

/** Whether a failed write certainly changed nothing: the store was busy, or refused it. */
function isSurelyNotStored(error: unknown): boolean {
  if (error instanceof StoreBusy) return true;
  return error instanceof StoreUnavailable && error.writeFailure !== undefined;
}

import { StoreBusy } from '../app/failures.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Most waiting transactions of all accounts together; the service itself has the same limit. */
// limit: Waiting transactions | 4,000 of accounts (250 of one), 4,000 of the service | 503 | MAX_QUEUED_PER_ACCOUNT
export const MAX_QUEUED_TRANSACTIONS = 4_000;
/** Most waiting transactions of one account. */
export const MAX_QUEUED_PER_ACCOUNT = 250;

/** The lane of the service's own work. */
export const OWN_LANE = '';

/**
 * Runs transactions one after another. Each account has a lane and the service has its own; lanes
 * take turns, so that an account with many writes delays only itself. The event loop runs between
 * two transactions, so that other requests are answered.
 */
export class FairQueue {
  /** Lanes with waiting tasks, the next one first. */
  readonly #lanes = new Map<string, (() => Promise<void>)[]>();
  #waiting = 0;
  #working: Promise<void> | undefined;

  /**
   * Runs `work` in the lane's order, at once when nothing else runs.
   * @throws StoreBusy when too many transactions wait. The service's own work, such as
   *   counting units, has a separate limit, so that accounts cannot block it.
   */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const queued = this.#lanes.get(lane) ?? [];
    if (this.#isFull(lane, queued.length)) {
      return Promise.reject(new StoreBusy('Too many transactions wait for the database.'));
    }
    return new Promise((resolve, reject) => {
      queued.push(() => work().then(resolve, reject));
      this.#lanes.set(lane, queued);
      this.#waiting += 1;
      this.#working ??= this.#work();
    });
  }

  get load(): { readonly inUse: number; readonly waiting: number } {
    return { inUse: this.#working === undefined ? 0 : 1, waiting: this.#waiting };
  }

  /** Resolves when the queue is empty and nothing runs. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  #isFull(lane: string, queued: number): boolean {
    if (lane === OWN_LANE) return queued >= MAX_QUEUED_TRANSACTIONS;
    const ofAccounts = this.#waiting - (this.#lanes.get(OWN_LANE)?.length ?? 0);
    return ofAccounts >= MAX_QUEUED_TRANSACTIONS || queued >= MAX_QUEUED_PER_ACCOUNT;
  }

  async #work(): Promise<void> {
    for (let task = this.#next(); task !== undefined; task = this.#next()) {
      await task();
      if (this.#waiting > 0) await yieldToEventLoop();
    }
    this.#working = undefined;
  }

  #next(): (() => Promise<void>) | undefined {
    const [turn] = this.#lanes;
    if (turn === undefined) return undefined;
    const [lane, queued] = turn;
    const task = queued.shift();
    // Reinsert at the end, after the other lanes.
    this.#lanes.delete(lane);
    if (queued.length > 0) this.#lanes.set(lane, queued);
    this.#waiting -= 1;
    return task;
  }
}

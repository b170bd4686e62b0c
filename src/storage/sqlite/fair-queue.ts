import { StoreUnavailable } from '../../app/failures.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Most transactions that wait for all accounts, and as many for the service itself. */
export const MAX_QUEUED_TRANSACTIONS = 4_000;
/** Most that wait for one account. */
export const MAX_QUEUED_PER_ACCOUNT = 250;

/** The lane of the service's own work. */
export const OWN_LANE = '';

interface Task {
  readonly run: () => Promise<void>;
}

/**
 * Runs transactions one after another. Each account has a lane, and the service has one for itself;
 * the lanes take turns, so that an account that writes much waits for itself and for nobody else.
 * Between two transactions the event loop has its turn: requests that need no transaction are
 * answered meanwhile.
 */
export class FairQueue {
  /** Lanes with waiting tasks, the one whose turn is next first. */
  readonly #lanes = new Map<string, Task[]>();
  #waiting = 0;
  #working: Promise<void> | undefined;

  /**
   * Runs `work` when it is the lane's turn, at once while nothing else runs.
   * @throws StoreUnavailable when too many wait already. What the service does for itself, such as
   *   counting units, is counted apart, so that accounts do not keep it out.
   */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const queued = this.#lanes.get(lane) ?? [];
    if (this.#isFull(lane, queued.length)) {
      return Promise.reject(new StoreUnavailable('Too many transactions wait for the database.'));
    }
    return new Promise((resolve, reject) => {
      queued.push({ run: () => work().then(resolve, reject) });
      this.#lanes.set(lane, queued);
      this.#waiting += 1;
      this.#working ??= this.#work();
    });
  }

  /** Resolves when nothing waits and nothing runs. */
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
      await task.run();
      if (this.#waiting > 0) await yieldToEventLoop();
    }
    this.#working = undefined;
  }

  #next(): Task | undefined {
    const [turn] = this.#lanes;
    if (turn === undefined) return undefined;
    const [lane, queued] = turn;
    const task = queued.shift();
    // Put last again: the other lanes go first.
    this.#lanes.delete(lane);
    if (queued.length > 0) this.#lanes.set(lane, queued);
    this.#waiting -= 1;
    return task;
  }
}

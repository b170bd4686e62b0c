import { StoreBusy, StoreUnavailable } from '../../app/failures.ts';
import type { LockScope } from '../engine.ts';
import { FairQueue, OWN_LANE } from '../fair-queue.ts';
import { queuedRowsOf } from './row-locks.ts';

/**
 * The turns of this process at the rows that many writes lock. A write waits for its turn without a
 * connection, so writers of one row hold one connection of the pool, and accounts take turns.
 */
export class RowTurns {
  readonly #queues = new Map<number, FairQueue>();
  #isClosed = false;

  /** Writes that wait for their turn. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { load }) => sum + load.waiting, 0);
  }

  /**
   * Runs `work` when it is its turn at all rows of the scope.
   * @throws StoreBusy when too many wait, or it is not its turn in time.
   */
  async run<T>(scope: LockScope, waitMs: number, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.');
    const lane = scope.account ?? OWN_LANE;
    const until = performance.now() + waitMs;
    // One after another in the order of the locks, so that two writes never wait for each other.
    return queuedRowsOf(scope).reduceRight<() => Promise<T>>(
      (inner, row) => () => inTurn(this.#queueOf(row), lane, until, inner),
      work,
    )();
  }

  /** Refuses further writes, and resolves when those that wait have had their turn. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) await queue.idle();
  }

  #queueOf(row: number): FairQueue {
    let queue = this.#queues.get(row);
    if (queue === undefined) {
      queue = new FairQueue();
      this.#queues.set(row, queue);
    }
    return queue;
  }
}

async function inTurn<T>(
  queue: FairQueue,
  lane: string,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new StoreBusy('The database cannot be reached: too many writes wait for their turn.'));
  }, until - performance.now());
  const turn = queue.run(lane, () => {
    clearTimeout(timer);
    // Its caller has the refusal already.
    return isLate ? late : work();
  });
  try {
    return await Promise.race([turn, late]);
  } finally {
    clearTimeout(timer);
  }
}

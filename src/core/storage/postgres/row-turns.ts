import { StoreBusy, StoreUnavailable } from '../../app/failures.ts';
import type { LockScope } from '../engine.ts';
import { FairQueue, OWN_LANE } from '../fair-queue.ts';
import { queuedRowsOf } from './row-locks.ts';

/** Longest wait for the turn among the writes of this process, if a call may not wait for longer. */
// limit: Wait of a write for its turn | 5 s, 30 s in a command; a call's while others hold the row | 503
export const TURN_WAIT_MS = 5_000;

/** What is left at least for locks of other processes, once it is the turn of a write. */
// limit: Left for locks of others at a turn | 100 ms | 503
const MIN_TURN_MS = 100;

interface Row {
  readonly queue: FairQueue;
  /** When a write last ended without the row, or without the database. */
  busyAt: number;
}

/** In `performance.now()` time. */
interface Ends {
  /** Of what the call may wait for other processes. */
  readonly own: number;
  /** Of the wait for its turn. */
  readonly turn: number;
}

/**
 * The turns of this process at the rows that many writes lock. A write waits for its turn without a
 * connection, so writers of one row hold one connection of the pool, and accounts take turns. It
 * waits for longer than for other processes while the writes before it get the row.
 */
export class RowTurns {
  readonly #rows = new Map<number, Row>();
  #isClosed = false;

  /** Writes that wait for their turn. */
  get waiting(): number {
    return [...this.#rows.values()].reduce((sum, { queue }) => sum + queue.load.waiting, 0);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Runs `work` when it is its turn at all rows of the scope.
   * @param waitMs How long the call may wait for other processes.
   * @param work Gets what is left of that.
   * @throws StoreBusy when too many wait, or it is not its turn in time.
   */
  async run<T>(scope: LockScope, waitMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.');
    const lane = scope.account ?? OWN_LANE;
    const now = performance.now();
    const ends = { own: now + waitMs, turn: now + Math.max(waitMs, TURN_WAIT_MS) };
    // One after another in the order of the locks, so that two writes never wait for each other.
    return queuedRowsOf(scope).reduceRight<() => Promise<T>>(
      (inner, row) => () => inTurn(this.#rowOf(row), lane, ends, inner),
      () => work(Math.max(MIN_TURN_MS, ends.own - performance.now())),
    )();
  }

  /** Refuses further writes, and resolves when those that wait have had their turn. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { queue } of this.#rows.values()) await queue.idle();
  }

  #rowOf(id: number): Row {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = { queue: new FairQueue(), busyAt: Number.NEGATIVE_INFINITY };
      this.#rows.set(id, row);
    }
    return row;
  }
}

async function inTurn<T>(row: Row, lane: string, ends: Ends, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const refuse = () => {
    isLate = true;
    reject(new StoreBusy('The database cannot be reached: too many writes wait for their turn.'));
  };
  const timer = setTimeout(refuse, ends.turn - performance.now());
  const turn = row.queue.run(lane, async () => {
    clearTimeout(timer);
    // The row was held by another process for as long as the call may wait.
    if (ends.own <= row.busyAt) refuse();
    // Its caller has the refusal already.
    if (isLate) return late;
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreBusy) row.busyAt = performance.now();
      throw error;
    }
  });
  try {
    return await Promise.race([turn, late]);
  } finally {
    clearTimeout(timer);
  }
}

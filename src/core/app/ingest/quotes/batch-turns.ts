import { StoreBusy } from '../../failures.ts';

/** Most batches that wait until those before them are judged and stored. */
// limit: Batches waiting | 1,000 | 503
export const MAX_WAITING_BATCHES = 1_000;

/**
 * Lets one batch at a time be judged and stored. Each is judged by what is stored, so of two at once
 * neither would know the other, and the order of arrival would decide.
 */
export class BatchTurns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @throws StoreBusy when too many wait. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING_BATCHES)
      throw new StoreBusy('Too many batches of records wait.');
    this.#waiting += 1;
    const turn = this.#last.then(work, work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

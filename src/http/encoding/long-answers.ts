import { ApiError } from '../../domain/errors.ts';
import { ClientGone } from './slices.ts';

/** Long answers made at once: each takes some megabytes until it is sent. */
export const MAX_LONG_AT_ONCE = 16;
/** Most of them for one account, so that one account cannot take all places. */
export const MAX_LONG_PER_ACCOUNT = 4;
/** Long answers that may wait per account. */
export const MAX_LONG_WAITING_PER_ACCOUNT = 500;

/** The caller of a long answer. */
export interface Asker {
  readonly accountId: string;
  /** Whether the client has left, so that nobody would read the answer. */
  readonly isGone: () => boolean;
}

interface Waiter {
  readonly isGone: () => boolean;
  start(): void;
  drop(error: Error): void;
}

/** Makes a few long answers at once. Accounts take turns; each gets its answers in order. */
export class LongAnswers {
  readonly #running = new Map<string, number>();
  /** Waiting accounts, the next one first. */
  readonly #waiting = new Map<string, Waiter[]>();
  #total = 0;

  /**
   * @throws ClientGone when the client left before its turn, ApiError `service_unavailable` when
   *   too many answers of the account wait.
   */
  async make<T>({ accountId, isGone }: Asker, work: () => T | Promise<T>): Promise<T> {
    if (!this.#hasRoomFor(accountId)) await this.#turnOf(accountId, isGone);
    else this.#enter(accountId);
    try {
      return await work();
    } finally {
      this.#leave(accountId);
    }
  }

  #hasRoomFor(accountId: string): boolean {
    return (
      this.#total < MAX_LONG_AT_ONCE && (this.#running.get(accountId) ?? 0) < MAX_LONG_PER_ACCOUNT
    );
  }

  #turnOf(accountId: string, isGone: () => boolean): Promise<void> {
    const queue = this.#waiting.get(accountId) ?? [];
    if (queue.length >= MAX_LONG_WAITING_PER_ACCOUNT) {
      throw new ApiError('service_unavailable', {
        message: 'Too many long answers for your account are waiting.',
      });
    }
    this.#waiting.set(accountId, queue);
    return new Promise((start, drop) => queue.push({ isGone, start, drop }));
  }

  #enter(accountId: string): void {
    this.#total += 1;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
  }

  #leave(accountId: string): void {
    this.#total -= 1;
    const left = (this.#running.get(accountId) ?? 1) - 1;
    if (left === 0) this.#running.delete(accountId);
    else this.#running.set(accountId, left);
    this.#admit();
  }

  #admit(): void {
    for (const [accountId, queue] of this.#waiting) {
      if (this.#total >= MAX_LONG_AT_ONCE) return;
      if (!this.#hasRoomFor(accountId)) continue;
      const next = firstThere(queue);
      // The account goes to the end of the line.
      this.#waiting.delete(accountId);
      if (queue.length > 0) this.#waiting.set(accountId, queue);
      if (next === undefined) continue;
      // Counted here, not when the work starts: others may ask in between.
      this.#enter(accountId);
      next.start();
    }
  }
}

/** Takes the first answer whose client is still there, and drops those before it. */
function firstThere(queue: Waiter[]): Waiter | undefined {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!next.isGone()) return next;
    next.drop(new ClientGone());
  }
  return undefined;
}

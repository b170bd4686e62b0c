import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { ClientGone, nextSlice } from '../framework/encoding/slices.ts';

/** Long answers made at once: each takes some megabytes until it is sent. */
// limit: Long answers at once: all, an account, all without a key, an address | 16, 4, 4, 2 | wait their turn | MAX_LONG_PER_ACCOUNT, MAX_LONG_WITHOUT_KEY, MAX_LONG_PER_ADDRESS
export const MAX_LONG_AT_ONCE = 16;
/** Most of them for one account, so that one account cannot take all places. */
export const MAX_LONG_PER_ACCOUNT = 4;
/** Most of them for all callers without a key, and for one address of those. */
export const MAX_LONG_WITHOUT_KEY = 4;
export const MAX_LONG_PER_ADDRESS = 2;
/**
 * While answers without a key wait, a place rests for so many times as its last answer took, at most
 * `MAX_REST_MS`: short answers, such as pictures, take at most half of the processor.
 */
const REST_FACTOR = 2 * MAX_LONG_WITHOUT_KEY - 1;
// limit: Rest after an answer without a key, while others wait | 7 times its time, 20 ms at most
const MAX_REST_MS = 20;
/** Long answers that may wait per account, and per address. */
// limit: Long answers waiting, of an account or address | 500 | 503
export const MAX_LONG_WAITING_PER_ACCOUNT = 500;

/** The caller of a long answer. */
export interface Asker {
  /** The account; without a key the address. Ids of accounts are not addresses. */
  readonly id: string;
  readonly isWithoutKey?: boolean;
  /** Whether the client has left, so that nobody would read the answer. */
  readonly isGone: () => boolean;
}

/** @throws ClientGone when the client left before its turn. */
export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>;

interface Waiter {
  readonly asker: Asker;
  start(): void;
  drop(error: Error): void;
}

const ADDRESS_WAITS = sentence(
  'Too many long answers for your address are waiting.',
  'Hay demasiadas respuestas largas en espera para su dirección.',
);
const ACCOUNT_WAITS = sentence(
  'Too many long answers for your account are waiting.',
  'Hay demasiadas respuestas largas en espera para su cuenta.',
);

/**
 * Makes a few long answers at once, because a year of history takes a hundred times the work of a
 * rate. Callers take turns; each gets its answers in order.
 */
export class LongAnswers {
  readonly #running = new Map<string, number>();
  /** Waiting callers, the next one first. */
  readonly #waiting = new Map<string, Waiter[]>();
  #total = 0;
  #withoutKey = 0;

  /**
   * @throws ClientGone when the client left before its turn, ApiError `service_unavailable` when
   *   too many answers of the caller wait.
   */
  async make<T>(asker: Asker, work: () => T | Promise<T>): Promise<T> {
    const waits = !this.#hasRoomFor(asker);
    if (waits) await this.#turnOf(asker);
    else this.#count(asker, 1);
    let startedAt = performance.now();
    try {
      // Of those that waited one begins in a turn of the event loop: others run in between.
      if (waits) await nextSlice(asker.isGone);
      else if (asker.isWithoutKey === true) await untilEndIsRead(asker.isGone);
      startedAt = performance.now();
      return await work();
    } finally {
      this.#rest(asker, performance.now() - startedAt);
    }
  }

  #rest(asker: Asker, tookMs: number): void {
    const end = () => {
      this.#count(asker, -1);
      this.#admit();
    };
    if (asker.isWithoutKey === true && this.#waiting.size > 0) {
      setTimeout(end, Math.min(MAX_REST_MS, REST_FACTOR * tookMs));
    } else end();
  }

  #hasRoomFor({ id, isWithoutKey }: Asker): boolean {
    const running = this.#running.get(id) ?? 0;
    if (this.#total >= MAX_LONG_AT_ONCE) return false;
    if (!isWithoutKey) return running < MAX_LONG_PER_ACCOUNT;
    return running < MAX_LONG_PER_ADDRESS && this.#withoutKey < MAX_LONG_WITHOUT_KEY;
  }

  async #turnOf(asker: Asker): Promise<void> {
    const queue = this.#waiting.get(asker.id) ?? [];
    if (queue.length >= MAX_LONG_WAITING_PER_ACCOUNT) {
      throw new ApiError('service_unavailable', {
        message: asker.isWithoutKey ? ADDRESS_WAITS : ACCOUNT_WAITS,
      });
    }
    this.#waiting.set(asker.id, queue);
    await new Promise<void>((start, drop) => queue.push({ asker, start, drop }));
  }

  #count({ id, isWithoutKey }: Asker, change: 1 | -1): void {
    const running = (this.#running.get(id) ?? 0) + change;
    if (running === 0) this.#running.delete(id);
    else this.#running.set(id, running);
    this.#total += change;
    if (isWithoutKey) this.#withoutKey += change;
  }

  #admit(): void {
    for (const [id, queue] of this.#waiting) {
      if (this.#total >= MAX_LONG_AT_ONCE) return;
      const [first] = queue;
      if (first === undefined || !this.#hasRoomFor(first.asker)) continue;
      const next = firstThere(queue);
      // The caller goes to the end of the line.
      this.#waiting.delete(id);
      if (queue.length > 0) this.#waiting.set(id, queue);
      if (next === undefined) continue;
      // Counted here, not when the work starts: others may ask in between.
      this.#count(next.asker, 1);
      next.start();
    }
  }
}

/**
 * A client that sends its request and leaves is seen to have left in the turn after its request. In a
 * burst of such clients those that wait are dropped, so each new one would find a place, and its
 * answer would be made before the service reads that it has left.
 */
async function untilEndIsRead(isGone: () => boolean): Promise<void> {
  await nextSlice(isGone);
  await nextSlice(isGone);
}

/** Takes the first answer whose client is still there, and drops those before it. */
function firstThere(queue: Waiter[]): Waiter | undefined {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!next.asker.isGone()) return next;
    next.drop(new ClientGone());
  }
  return undefined;
}

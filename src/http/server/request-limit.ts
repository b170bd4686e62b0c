import { boundedCache } from '../../app/bounded-cache.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** Requests for the board that one address may make in a minute. */
export const BOARD_REQUESTS_PER_MINUTE = 300;
/**
 * Requests without a key that one address may make in a minute: to the calculator, and to the
 * addresses of other services (decisions §11, decisions §12).
 */
export const KEYLESS_REQUESTS_PER_MINUTE = 60;
/** Addresses that are counted; the one that was silent longest is forgotten first. */
export const BOARD_ADDRESSES_MAX = 10_000;

interface Window {
  readonly openedAt: Instant;
  count: number;
}

/** Counts the requests of each address in windows of a minute that open with the first of them. */
export class RequestLimit {
  readonly #windows = boundedCache<Window>(BOARD_ADDRESSES_MAX);
  readonly #max: number;
  readonly #message: string;

  /** @param message What a client is told that made more than `max` in a minute. */
  constructor(max: number, message: string) {
    this.#max = max;
    this.#message = message;
  }

  /** @throws ApiError `rate_limit_exceeded` for one more than the minute admits. */
  take(address: string, now: Instant): void {
    const window = this.count(address, now);
    if (window.count <= this.#max) return;
    throw new ApiError('rate_limit_exceeded', {
      message: this.#message,
      scope: 'minute',
      retryAfterSec: Math.max(1, Math.ceil((window.openedAt + MINUTE_MS - now) / SECOND_MS)),
    });
  }

  /** Counts a request that another process has answered. */
  count(address: string, now: Instant): Readonly<Window> {
    const window = this.#windows.get(address);
    // A clock set back would keep a window open for as long.
    if (window === undefined || now >= window.openedAt + MINUTE_MS || now < window.openedAt) {
      const opened = { openedAt: now, count: 1 };
      this.#windows.set(address, opened);
      return opened;
    }
    window.count += 1;
    return window;
  }
}

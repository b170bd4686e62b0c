import { boundedCache } from '../../app/bounded-cache.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** Requests per minute and address for the board. */
export const BOARD_REQUESTS_PER_MINUTE = 300;
/**
 * Requests per minute and address without a key: to the calculator, and to the addresses of other
 * services (decisions §11, decisions §12).
 */
export const KEYLESS_REQUESTS_PER_MINUTE = 60;
/** Most addresses counted at once; the least recently seen goes first. */
export const BOARD_ADDRESSES_MAX = 10_000;

interface Window {
  readonly openedAt: Instant;
  count: number;
}

/**
 * Counts the requests of each address in windows of a minute, which open with its first request.
 */
export class RequestLimit {
  readonly #windows = boundedCache<Window>(BOARD_ADDRESSES_MAX);
  readonly #max: number;
  readonly #message: string;

  /** @param message the text of the 429 for more than `max` requests in a minute. */
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
    // After the clock is set back, the window would stay open for too long.
    if (window === undefined || now >= window.openedAt + MINUTE_MS || now < window.openedAt) {
      const opened = { openedAt: now, count: 1 };
      this.#windows.set(address, opened);
      return opened;
    }
    window.count += 1;
    return window;
  }
}

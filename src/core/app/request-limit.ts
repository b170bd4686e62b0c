import { ApiError, type ErrorOptions } from '../domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { boundedCache } from './bounded-cache.ts';

/** Addresses that a limit counts. The one that was silent longest is forgotten first. */
// limit: Addresses counted by a limit, and for wrong keys | 10,000 | the longest idle forgotten
const MAX_COUNTED_ADDRESSES = 10_000;

interface Window {
  readonly openedAt: Instant;
  count: number;
}

/** Counts what each address does in windows of a minute, which open with the first of it. */
export class RequestLimit {
  readonly #windows = boundedCache<Window>(MAX_COUNTED_ADDRESSES);
  readonly #max: number;
  readonly #refusal: ErrorOptions;

  /** @param refusal The error for a client beyond `max` in a minute. */
  constructor(max: number, refusal: ErrorOptions) {
    this.#max = max;
    this.#refusal = refusal;
  }

  /** Counts one more. @throws ApiError `rate_limit_exceeded` when the minute does not admit it. */
  take(address: string, now: Instant): void {
    const refusal = this.count(address, now);
    if (refusal !== undefined) throw refusal;
  }

  /** Counts one more. @returns the refusal when the minute does not admit it. */
  count(address: string, now: Instant): ApiError | undefined {
    const open = this.#openWindow(address, now);
    if (open === undefined) this.#windows.set(address, { openedAt: now, count: 1 });
    else open.count += 1;
    return open !== undefined && open.count > this.#max ? this.#refuse(open, now) : undefined;
  }

  /** How many more the minute admits. */
  left(address: string, now: Instant): number {
    return Math.max(0, this.#max - (this.#openWindow(address, now)?.count ?? 0));
  }

  /** The refusal that one more would get. It counts nothing. */
  refusal(address: string, now: Instant): ApiError | undefined {
    const open = this.#openWindow(address, now);
    return open !== undefined && open.count >= this.#max ? this.#refuse(open, now) : undefined;
  }

  /** A clock set back by less than a minute opens no second window. */
  #openWindow(address: string, now: Instant): Window | undefined {
    const seen = this.#windows.get(address);
    return seen !== undefined && Math.abs(now - seen.openedAt) < MINUTE_MS ? seen : undefined;
  }

  #refuse({ openedAt }: Window, now: Instant): ApiError {
    const retryAfterSec = Math.max(1, Math.ceil((openedAt + MINUTE_MS - now) / SECOND_MS));
    return new ApiError('rate_limit_exceeded', { ...this.#refusal, retryAfterSec });
  }
}

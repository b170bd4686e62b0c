import { ApiError } from '../../domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { boundedCache } from '../bounded-cache.ts';

/** Most wrong keys from one address in a minute (decisions §4). */
export const BAD_KEYS_PER_MINUTE = 60;
/** Most addresses with wrong keys in memory. The least recently used are removed first. */
export const BAD_KEY_ADDRESSES_MAX = 10_000;

interface Window {
  readonly since: Instant;
  count: number;
}

/** Counts wrong keys and admin tokens by address (decisions §4 "Bad keys"). */
export class BadKeys {
  readonly #windows = boundedCache<Window>(BAD_KEY_ADDRESSES_MAX);

  /**
   * Counts a wrong key.
   * @returns the error to answer once the address is over its limit.
   */
  count(address: string, now: Instant): ApiError | undefined {
    const open = this.#openWindow(address, now);
    if (open === undefined) this.#windows.set(address, { since: now, count: 1 });
    else open.count += 1;
    return open !== undefined && open.count > BAD_KEYS_PER_MINUTE ? tooMany(open, now) : undefined;
  }

  /** The error to answer while the address is at its limit. Counts nothing. */
  refusal(address: string, now: Instant): ApiError | undefined {
    const open = this.#openWindow(address, now);
    return open !== undefined && open.count >= BAD_KEYS_PER_MINUTE ? tooMany(open, now) : undefined;
  }

  #openWindow(address: string, now: Instant): Window | undefined {
    const seen = this.#windows.get(address);
    if (seen === undefined) return undefined;
    return now < seen.since + MINUTE_MS && now >= seen.since - MINUTE_MS ? seen : undefined;
  }
}

function tooMany({ since }: Window, now: Instant): ApiError {
  return new ApiError('rate_limit_exceeded', {
    message: 'Too many wrong keys from this address.',
    retryAfterSec: Math.max(1, Math.ceil((since + MINUTE_MS - now) / SECOND_MS)),
  });
}

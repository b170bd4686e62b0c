import type { Instant } from '../../domain/time.ts';
import { RequestLimit } from './request-limit.ts';

/** How many requests one address may make in a minute. Routes that name the same object share it. */
export interface AddressLimit {
  readonly perMinute: number;
  /** What a client is told that made more. */
  readonly message: string;
}

/** The requests of each address in this process, by limit. */
export class AddressLimits {
  readonly #counts = new Map<AddressLimit, RequestLimit>();

  /** @throws ApiError `rate_limit_exceeded` for one more than the minute admits. */
  take(limit: AddressLimit, address: string, now: Instant): void {
    let count = this.#counts.get(limit);
    if (count === undefined) {
      count = new RequestLimit(limit.perMinute, limit.message);
      this.#counts.set(limit, count);
    }
    count.take(address, now);
  }
}

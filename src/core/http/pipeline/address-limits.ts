import { RequestLimit } from '../../app/request-limit.ts';
import type { Sentence } from '../../domain/errors/sentence.ts';
import type { Instant } from '../../domain/time.ts';

/** Most requests of one address in a minute. Routes that name the same object share it. */
export interface AddressLimit {
  /** Name of the limit in messages between the processes of the service. */
  readonly name: string;
  readonly perMinute: number;
  /** Message of the 429. */
  readonly message: Sentence;
}

/**
 * Counts the requests of each address, by limit. Processes that share a port tell each other what
 * they admitted, so they share one limit. Only requests that arrive at the same instant can exceed
 * it.
 */
export class AddressLimits {
  readonly #counts = new Map<string, RequestLimit>();
  readonly #report: (limit: string, address: string) => void;

  constructor(
    limits: readonly AddressLimit[],
    report: (limit: string, address: string) => void = () => undefined,
  ) {
    for (const { name, perMinute, message } of limits) {
      this.#counts.set(name, new RequestLimit(perMinute, { message, scope: 'minute' }));
    }
    this.#report = report;
  }

  /** @throws ApiError `rate_limit_exceeded` for one more than the minute admits. */
  take({ name }: AddressLimit, address: string, now: Instant): void {
    const count = this.#counts.get(name);
    if (count === undefined) throw new Error(`no limit is named ${name}`);
    count.take(address, now);
    this.#report(name, address);
  }

  /** Counts a request that another process has admitted. */
  countOfPeer(limit: string, address: string, now: Instant): void {
    this.#counts.get(limit)?.count(address, now);
  }
}

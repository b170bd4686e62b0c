import { timingSafeEqual } from 'node:crypto';
import type { Access } from '../../app/access/access.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { RequestHeaders } from './request-headers.ts';

/** Checks a token of the operator (decisions §4 "Bad keys"). */
export class OperatorToken {
  readonly #name: string;
  readonly #expected: Buffer | undefined;
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #overLimitLog: ThrottledLog;

  /** @param parts `token` is undefined where the operator set none. Then no token is accepted. */
  constructor(parts: {
    /** For messages. */
    readonly name: string;
    readonly token: string | undefined;
    readonly access: Access;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#name = parts.name;
    this.#expected = parts.token === undefined ? undefined : Buffer.from(parts.token);
    this.#access = parts.access;
    this.#clock = parts.clock;
    this.#overLimitLog = new ThrottledLog(
      parts.log,
      'admin calls are refused after too many wrong keys or tokens from an address',
    );
  }

  /**
   * @throws ApiError unless the request carries the token. An address over its limit of wrong
   *   tokens gets `rate_limit_exceeded` before anything is compared, even with the right token.
   */
  require(headers: RequestHeaders, addressOf: () => string): void {
    const now = this.#clock.now();
    const address = addressOf();
    try {
      this.#access.requireFewBadKeys(address, now);
    } catch (error) {
      this.#overLimitLog.warn({ address }, now);
      throw error;
    }
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new ApiError('missing_api_key', {
        message: `Send the ${this.#name} as Authorization: Bearer.`,
      });
    }
    if (!this.#isRight(Buffer.from(token))) throw this.#access.refuse(address, now);
  }

  #isRight(given: Buffer): boolean {
    const expected = this.#expected;
    return (
      expected !== undefined && given.length === expected.length && timingSafeEqual(given, expected)
    );
  }
}

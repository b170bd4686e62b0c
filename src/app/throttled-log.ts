import { type Instant, MINUTE_MS } from '../domain/time.ts';
import type { Log } from './ports/log.ts';

/** Time between two log lines about one problem, however many requests meet it. */
export const LOG_LINE_EVERY_MS = MINUTE_MS;

/** Writes a problem that many requests meet once a minute, with the number of suppressed lines. */
export class ThrottledLog {
  readonly #log: Log;
  readonly #message: string;
  #writtenAt: Instant | undefined;
  #suppressed = 0;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  warn(fields: object, now: Instant): void {
    // A clock that was set back must not keep it silent.
    if (this.#writtenAt !== undefined && Math.abs(now - this.#writtenAt) < LOG_LINE_EVERY_MS) {
      this.#suppressed += 1;
      return;
    }
    this.#log.warn({ ...fields, suppressed: this.#suppressed }, this.#message);
    this.#writtenAt = now;
    this.#suppressed = 0;
  }
}

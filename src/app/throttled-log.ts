import { type Instant, MINUTE_MS } from '../domain/time.ts';
import type { Log } from './ports/log.ts';

/** Least time between two log lines about one problem. */
export const LOG_LINE_EVERY_MS = MINUTE_MS;

/** Logs a recurring problem, by default at most once a minute, with the number of suppressed lines. */
export class ThrottledLog {
  readonly #log: Log;
  readonly #message: string;
  readonly #everyMs: number;
  #writtenAt: Instant | undefined;
  #suppressed = 0;

  constructor(log: Log, message: string, everyMs = LOG_LINE_EVERY_MS) {
    this.#log = log;
    this.#everyMs = everyMs;
    this.#message = message;
  }

  warn(fields: object, now: Instant): void {
    // A clock that was set back must not suppress lines.
    if (this.#writtenAt !== undefined && Math.abs(now - this.#writtenAt) < this.#everyMs) {
      this.#suppressed += 1;
      return;
    }
    this.#log.warn({ ...fields, suppressed: this.#suppressed }, this.#message);
    this.#writtenAt = now;
    this.#suppressed = 0;
  }
}

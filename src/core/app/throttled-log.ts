import { type Instant, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { DatabaseWait } from './peers.ts';
import type { Log } from './ports/log.ts';

/** Least time between two log lines about one problem. */
// limit: Log lines: failed requests; a start that waits | one a minute; one in 10 s, all workers | counted in the next | WAIT_LINE_EVERY_MS
export const LOG_LINE_EVERY_MS = MINUTE_MS;

/** Least time between two log lines of a start that waits for the database. */
const WAIT_LINE_EVERY_MS = 10 * SECOND_MS;

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

/** Logs that a start waits for the database. */
export function waitLog(log: Log): (wait: DatabaseWait) => void {
  const lines = new ThrottledLog(log, 'the start waits for the database', WAIT_LINE_EVERY_MS);
  return (wait) => lines.warn(wait, performance.now());
}

import { type Instant, MINUTE_MS } from '../domain/time.ts';
import type { Log } from './ports.ts';

/** Between two log lines of one trouble, however many requests meet it. */
export const TROUBLE_LINE_EVERY_MS = MINUTE_MS;

/** Tells of what goes wrong with request after request: once a minute, and how often meanwhile. */
export class Trouble {
  readonly #log: Log;
  readonly #message: string;
  #toldAt: Instant | undefined;
  #untold = 0;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  tell(fields: object, now: Instant): void {
    // A clock that was set back must not keep it silent.
    if (this.#toldAt !== undefined && Math.abs(now - this.#toldAt) < TROUBLE_LINE_EVERY_MS) {
      this.#untold += 1;
      return;
    }
    this.#log.warn({ ...fields, untold: this.#untold }, this.#message);
    this.#toldAt = now;
    this.#untold = 0;
  }
}

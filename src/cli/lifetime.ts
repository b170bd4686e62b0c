import { constants } from 'node:os';
import type { Log } from '../app/ports/log.ts';
import { within } from '../app/within.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { DONE, FAILED } from './output.ts';

/**
 * Longest time from being told to stop to the end. The requests in flight have less
 * (`SHUTDOWN_MS`), so that units can still be given back and the store be closed.
 */
export const STOP_WITHIN_MS = 15 * SECOND_MS;

/**
 * A signal within this time of the first is the same one: Ctrl-C reaches both the launcher and
 * the service, and the launcher passes it on.
 */
const SAME_SIGNAL_MS = 500;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Keeps the process alive until it is told to stop; nothing else needs to. */
const KEEP_ALIVE_MS = 60 * MINUTE_MS;

/** Knows when the process was told to stop, from the moment it is made. */
export class Lifetime {
  readonly #log: Log;
  readonly stopped: Promise<void>;

  constructor(log: Log) {
    this.#log = log;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stopped = promise;
    let since: number | undefined;
    const stop = (reason: string, exitCode: number) => {
      const now = performance.now();
      if (since === undefined) {
        since = now;
        log.info({ reason }, 'stopping');
        resolve();
      } else if (now - since > SAME_SIGNAL_MS) {
        process.exit(exitCode);
      }
    };
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => stop(signal, 128 + constants.signals[signal]));
    }
    // The launcher is gone; see bin/vesfx.js.
    process.on('disconnect', () => stop('launcher gone', FAILED));
    process.on('uncaughtException', (error) => {
      log.error({ err: error }, 'an error that nothing caught; the service ends');
      process.exit(FAILED);
    });
  }

  /**
   * Waits for the end, then closes in a bounded time: `STOP_WITHIN_MS`, and before it `drainMs` in
   * which requests are still taken.
   * @returns The exit code.
   */
  async run(close: () => Promise<void>, drainMs = 0): Promise<number> {
    const alive = setInterval(() => undefined, KEEP_ALIVE_MS);
    await this.stopped;
    clearInterval(alive);
    if ((await within(close(), drainMs + STOP_WITHIN_MS)) !== 'late') {
      this.#log.info({}, 'stopped');
      return DONE;
    }
    this.#log.warn({}, 'stopped without waiting any longer');
    return FAILED;
  }
}

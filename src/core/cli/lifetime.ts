import { constants } from 'node:os';
import type { Log } from '../app/ports/log.ts';
import { within } from '../app/within.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { DONE, FAILED } from './output.ts';

/** Longest time from a stop signal to the exit. Requests in progress have `SHUTDOWN_MS`. */
// limit: Stop, after the drain | 15 s | exit code 1
export const STOP_WITHIN_MS = 15 * SECOND_MS;

/** Within this time a second signal is the same one: the launcher forwards Ctrl-C too. */
const SAME_SIGNAL_MS = 500;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Interval of a timer that keeps the process alive until a stop signal. */
const KEEP_ALIVE_MS = 60 * MINUTE_MS;

/** Listens for stop signals from its creation on. */
export class Lifetime {
  readonly #log: Log;
  readonly stopped: Promise<void>;
  readonly #stopping = new AbortController();
  /** Called for SIGHUP; undefined until there is something to read again. */
  #onReload: (() => void) | undefined;
  /** A SIGHUP came before. */
  #isAsked = false;

  /** @param options `reloads`: outside a terminal SIGHUP does not stop, see `onReload`. */
  constructor(log: Log, { reloads = false } = {}) {
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
        this.#stopping.abort();
      } else if (now - since > SAME_SIGNAL_MS) {
        process.exit(exitCode);
      }
    };
    // In a terminal SIGHUP means that it was closed, not that a supervisor asks to read again.
    const isReload = reloads && !process.stdin.isTTY && !process.stderr.isTTY;
    for (const signal of STOP_SIGNALS) {
      if (signal === 'SIGHUP' && isReload) process.on(signal, () => this.#reload());
      else process.on(signal, () => stop(signal, 128 + constants.signals[signal]));
    }
    // The launcher has exited; see bin/vesfx.js.
    process.on('disconnect', () => stop('launcher gone', FAILED));
    process.on('uncaughtException', (error) => {
      log.error({ err: error }, 'an uncaught error; the service ends');
      process.exit(FAILED);
    });
  }

  /** Calls `work` for each SIGHUP, one at a time. Those that come meanwhile are one more. */
  onReload(work: () => Promise<void>): void {
    let running: Promise<void> | undefined;
    this.#onReload = () => {
      if (running !== undefined) {
        this.#isAsked = true;
        return;
      }
      running = work().finally(() => {
        running = undefined;
        if (this.#isAsked) this.#reload();
      });
    };
    if (this.#isAsked) this.#reload();
  }

  #reload(): void {
    this.#isAsked = this.#onReload === undefined;
    this.#onReload?.();
  }

  /**
   * Runs a start, whose wait for the database ends with a stop signal.
   * @returns undefined when it was stopped so.
   */
  async starting<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stopping;
    try {
      return await start(signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      this.#log.info({}, 'stopped');
      return undefined;
    }
  }

  /**
   * Waits for a stop signal, accepts requests for `drainMs`, then closes in `STOP_WITHIN_MS`.
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

import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/** How long revoked and expired keys are kept, so that their account can see when they ended. */
export const DEAD_KEYS_KEPT_MS = 30 * DAY_MS;
/** How often a process removes older ones. */
export const DEAD_KEYS_EVERY_MS = HOUR_MS;

/** Removes the keys that ended more than 30 days ago, in short transactions. */
export async function removeDeadKeys(store: Store, now: Instant): Promise<void> {
  while ((await store.forgetDeadKeys(now - DEAD_KEYS_KEPT_MS)) > 0);
}

/** Removes dead keys regularly while the service runs. */
export class KeyRetention {
  readonly #parts: { readonly store: Store; readonly clock: Clock; readonly log: Log };
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#parts = parts;
  }

  start(): void {
    this.#run();
    this.#timer = setInterval(() => this.#run(), DEAD_KEYS_EVERY_MS).unref();
  }

  /** Resolves when no removal is in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    const { store, clock, log } = this.#parts;
    this.#running = removeDeadKeys(store, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'dead keys could not be removed');
    });
  }
}

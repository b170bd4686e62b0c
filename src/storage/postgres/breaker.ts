import type { StoreUnavailable } from '../../app/failures.ts';

/** Pause between two looks at a database that is gone. */
const PROBE_PAUSE_MS = 250;

/**
 * Spares callers the wait for a database that is known to be gone: from the first failure on,
 * calls fail at once, and one probe at a time looks whether it is back.
 */
export class Breaker {
  readonly #probe: () => Promise<void>;
  #open: StoreUnavailable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param probe Resolves when the database answers, and rejects in bounded time if not. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** @throws StoreUnavailable while the database is gone. */
  requireClosed(): void {
    if (this.#open !== undefined) throw this.#open;
  }

  /** The database was found gone. The first probe starts right away: it may have been a moment. */
  trip(error: StoreUnavailable): void {
    if (this.#open !== undefined || this.#stopped) return;
    this.#open = error;
    this.#probeUntilBack();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #probeUntilBack(): void {
    this.#probe().then(
      () => {
        this.#open = undefined;
      },
      () => {
        if (this.#stopped) return;
        this.#timer = setTimeout(() => this.#probeUntilBack(), PROBE_PAUSE_MS);
        // A process that waits for nothing else may end.
        this.#timer.unref();
      },
    );
  }
}

import type { StoreUnavailable } from '../../app/failures.ts';

/** Pause between two probes of an unreachable database. */
const PROBE_PAUSE_MS = 250;

/** After a failure calls fail at once, and one probe at a time looks for the database. */
export class Breaker {
  readonly #probe: () => Promise<void>;
  #open: StoreUnavailable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param probe Resolves when the database answers, and rejects in bounded time if not. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** @throws StoreUnavailable while the database cannot be reached. */
  requireClosed(): void {
    if (this.#open !== undefined) throw this.#open;
  }

  /** Opens the breaker. The first probe starts at once, because the failure may have been short. */
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
        // The timer must not keep the process alive.
        this.#timer.unref();
      },
    );
  }
}

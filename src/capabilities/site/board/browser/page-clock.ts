import type { Instant } from '../../../../core/domain/time.ts';

/** Ages are shown in seconds at first. */
const TICK_MS = 1_000;

/** The time of the service. Until it starts it shows the instant at which the page was written. */
export class PageClock {
  /** By how much this device's clock is ahead of the service's. */
  aheadMs = 0;
  readonly #written: Instant;
  #isRunning = false;
  readonly #listeners = new Set<() => void>();

  constructor(written: Instant) {
    this.#written = written;
  }

  now(): Instant {
    return this.#isRunning ? Date.now() - this.aheadMs : this.#written;
  }

  /** Calls back every second. @returns what ends it. */
  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#isRunning = true;
    const tick = () => {
      for (const listener of this.#listeners) listener();
    };
    tick();
    setInterval(tick, TICK_MS);
  }
}

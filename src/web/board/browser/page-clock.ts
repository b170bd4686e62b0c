import type { Instant } from '../../../domain/time.ts';
import type { BoardClock } from '../clock.ts';

/** Ages are shown in seconds at first. */
const TICK_MS = 1_000;

/** The clock of an open page. Until it starts it shows the instant at which the page was written. */
export class PageClock implements BoardClock {
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

  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#isRunning = true;
    this.#tick();
    setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    for (const listener of this.#listeners) listener();
  }
}

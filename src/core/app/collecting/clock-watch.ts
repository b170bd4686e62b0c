import { HOUR_MS, type Instant, isoInstant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { repeat } from '../repeat.ts';

// limit: Between checks of the clock | 1 s
const CLOCK_CHECK_MS = SECOND_MS;
/** A smaller difference is a correction that figures do not notice. */
// limit: Step of the clock told, for an hour | over 60 s
const SMALLEST_STEP_MS = MINUTE_MS;
/** How long a step is told. */
const TOLD_MS = HOUR_MS;

interface ClockWatchParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Notices when somebody sets the clock of the machine. */
export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #aheadMs: number | undefined;
  #stepped: { readonly at: Instant; readonly monotonicAt: number } | undefined;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
    this.check();
  }

  /** Checks regularly. @returns a function that stops it. */
  start(): () => Promise<void> {
    return repeat(CLOCK_CHECK_MS, async () => this.check());
  }

  /** Compares the clock with the monotonic one; a clock that has none is not watched. */
  check(): void {
    const { clock, log } = this.#parts;
    const monotonic = clock.monotonic?.();
    if (monotonic === undefined) return;
    const at = clock.now();
    const stepMs = at - monotonic - (this.#aheadMs ?? at - monotonic);
    this.#aheadMs = at - monotonic;
    if (Math.abs(stepMs) <= SMALLEST_STEP_MS) return;
    this.#stepped = { at, monotonicAt: monotonic };
    log.warn({ was: isoInstant(at - stepMs), is: isoInstant(at) }, 'the clock was set');
  }

  /** When the clock was last set, by the new time, for an hour after it. */
  get steppedAt(): Instant | undefined {
    const { at, monotonicAt = 0 } = this.#stepped ?? {};
    const since = (this.#parts.clock.monotonic?.() ?? 0) - monotonicAt;
    return since < TOLD_MS ? at : undefined;
  }
}

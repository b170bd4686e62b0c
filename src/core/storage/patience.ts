import { setTimeout as pause } from 'node:timers/promises';
import { StoreAway, StoreBusy, type StoreUnavailable } from '../app/failures.ts';

/** Pause between two attempts to reach a database that does not answer yet. */
// limit: Between attempts to reach the database | 0.5 s
const RETRY_PAUSE_MS = 500;

/** Shortest time that the last attempts get. */
// limit: Last attempt of a wait | 1 s at least
const MIN_CALL_MS = 1_000;

interface PatienceOptions {
  /** How long it lasts from now on. */
  readonly forMs: number;
  /** Longest wait of one call while it lasts. */
  readonly callMs: number;
  /** Called with each failure that is waited for, and with the time that is left. */
  readonly onFailure: (failure: StoreUnavailable, leftMs: number) => void;
  /** Ends all waiting at once: `run` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The patience of a start or of a command with a database that may be starting: what fails because
 * the database cannot be reached yet, or is busy, is tried again. Any other failure, such as a
 * refused password, waits for nothing.
 */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #until: number;
  #isOver = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#until = performance.now() + options.forMs;
  }

  /** Longest time to reach the database in one attempt. */
  get longestCallMs(): number {
    return this.#options.callMs;
  }

  /** Longest wait of a call that begins now; undefined when the patience has ended. */
  get callMs(): number | undefined {
    const { callMs } = this.#options;
    return this.#isOver ? undefined : Math.min(callMs, Math.max(MIN_CALL_MS, this.#leftMs));
  }

  /** From now on `run` makes one attempt. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Without a further promise once it has ended: the turns of accounts depend on when a call settles.
   * @param attempt May run again after a failure that left something done.
   */
  run<T>(attempt: () => Promise<T>): Promise<T> {
    return this.#isOver ? attempt() : this.#retried(attempt);
  }

  async #retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#unlessStopped(attempt());
      } catch (error) {
        if (!mayPass(error) || this.#isOver || this.#leftMs < RETRY_PAUSE_MS) throw error;
        this.#options.onFailure(error, this.#leftMs);
        await this.#unlessStopped(pause(RETRY_PAUSE_MS));
      }
    }
  }

  get #leftMs(): number {
    return this.#until - performance.now();
  }

  /** What is abandoned by the signal goes on until the process exits. */
  async #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#options;
    if (signal === undefined || this.#isOver) return work;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      return await Promise.race([work, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

function mayPass(error: unknown): error is StoreUnavailable {
  return error instanceof StoreAway || error instanceof StoreBusy;
}

import { type Instant, SECOND_MS } from '../domain/time.ts';
import { StoreUnavailable, type WriteFailure } from './failures.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Store } from './ports/store.ts';
import { repeat } from './repeat.ts';

/** How often a process without requests checks whether the store can be read and written. */
// limit: Between checks of the database | 5 s
const STORE_CHECK_MS = 5 * SECOND_MS;

/** How long no write must fail before the database counts as writable again. */
// limit: Database counts as writable again after | 10 s
export const WRITABLE_AFTER_MS = 10 * SECOND_MS;

/** Whether the database answers, and can be written. `/readyz` shows these words: none is renamed. */
export type DatabaseState = 'ok' | 'unavailable' | WriteFailure;

export interface DatabaseCondition {
  readonly state: DatabaseState;
  /** Since when this process knows it; 0 while nothing was wrong since its start. */
  readonly since: Instant;
}

interface MonitorParts {
  readonly store: Pick<Store, 'versions' | 'onWriteFailure' | 'tryWrite'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What this process knows of the database from its reads and writes. */
export class StoreMonitor {
  readonly #parts: MonitorParts;
  #okSince: Instant = 0;
  #away: Instant | undefined;
  #writeFailedAt: Instant = 0;
  #unwritable: { readonly state: WriteFailure; readonly since: Instant } | undefined;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    parts.store.onWriteFailure((failure) => this.#cannotWrite(failure));
  }

  get condition(): DatabaseCondition {
    if (this.#away !== undefined) return { state: 'unavailable', since: this.#away };
    return this.#unwritable ?? { state: 'ok', since: this.#okSince };
  }

  /** Checks regularly. @returns a function that stops it. */
  start(): () => Promise<void> {
    return repeat(STORE_CHECK_MS, () => this.check());
  }

  /** Reads, then tries to write. Never rejects. */
  async check(): Promise<void> {
    const { store, clock, log } = this.#parts;
    const before = this.#unwritable;
    try {
      await this.reading(() => store.versions());
      await store.tryWrite({ really: before !== undefined });
      // On a full disk a small write may still find room where others do not.
      const isSteady = Math.abs(clock.now() - this.#writeFailedAt) >= WRITABLE_AFTER_MS;
      if (before === undefined || !isSteady) return;
      this.#unwritable = undefined;
      this.#okSince = clock.now();
      log.info({}, 'the store can be written again');
    } catch {
      // The failure is recorded, or the store is only locked.
    }
  }

  /** Records whether the store answers. Logs only changes, because reads are frequent. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    const { clock, log } = this.#parts;
    try {
      const result = await work();
      if (this.#away !== undefined) {
        this.#away = undefined;
        this.#okSince = clock.now();
        log.info({}, 'the store answers again');
      }
      return result;
    } catch (error) {
      // It answered, if only to refuse a write.
      if (error instanceof StoreUnavailable && error.writeFailure !== undefined) throw error;
      // The last snapshot and the cached keys still serve requests.
      if (this.#away === undefined) log.error({ err: error }, 'the store does not answer');
      this.#away ??= clock.now();
      throw error;
    }
  }

  #cannotWrite(state: WriteFailure): void {
    this.#writeFailedAt = this.#parts.clock.now();
    if (this.#unwritable?.state === state) return;
    this.#parts.log.error({ database: state }, 'the store cannot be written');
    this.#unwritable = { state, since: this.#unwritable?.since ?? this.#writeFailedAt };
  }
}

/** With less disk space than this the operator should make room. */
// limit: Free disk | 1 GB at least | an alert
const MIN_FREE_DISK_BYTES = 1_000_000_000;

/** Whether the operator should make room before the database cannot be written any more. */
export function isDiskLow(freeBytes: number | undefined): freeBytes is number {
  return freeBytes !== undefined && freeBytes < MIN_FREE_DISK_BYTES;
}

import { LEASE_MS, LEASE_RENEW_MS } from '../../core/app/collecting/collector-lease.ts';
import { LeaseLost } from '../../core/app/failures.ts';
import type { Clock } from '../../core/app/ports/clock.ts';
import type { Lease } from '../../core/app/ports/lease.ts';
import type { Log } from '../../core/app/ports/log.ts';
import type { Store } from '../../core/app/ports/store.ts';
import { repeat } from '../../core/app/repeat.ts';
import { ThrottledLog } from '../../core/app/throttled-log.ts';
import { type Instant, SECOND_MS } from '../../core/domain/time.ts';
import type { StaticCopy } from './copy.ts';
import type { CopyContent } from './copy-types.ts';

/** How often it looks for changes. */
const TICK_MS = SECOND_MS;
/** Pause after a failure. */
// limit: Pause of `--export` after a failure | 5 s
const RETRY_MS = 5 * SECOND_MS;

interface ExporterParts {
  readonly store: Pick<Store, 'takeLease' | 'dropLease'>;
  readonly copy: StaticCopy;
  /** What to write, by the catalogue that is in use. */
  readonly content: () => Promise<CopyContent>;
  /** Identifies this process as a lease holder. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps a static copy current. Of several processes one writes, under a lease of its own. No failure
 * of the disk or the store ends it.
 */
export class Exporter {
  readonly #parts: ExporterParts;
  readonly #failureLog: ThrottledLog;
  #lease: Lease | undefined;
  #leasedAt: Instant = 0;
  #failedAt: Instant | undefined;
  #isStopped = false;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
    this.#failureLog = new ThrottledLog(parts.log, 'the static copy could not be written');
  }

  /** @returns a function that ends it and lets another process take over. */
  start(): () => Promise<void> {
    // Two loops: a long update must not keep the lease from being renewed.
    const stops = [repeat(TICK_MS, () => this.#tend()), repeat(TICK_MS, () => this.#update())];
    return async () => {
      this.#isStopped = true;
      await Promise.all(stops.map((stop) => stop()));
      const { store, clock, log } = this.#parts;
      if (this.#lease === undefined) return;
      await store.dropLease(this.#lease, clock.now(), 'exporter').catch((error: unknown) => {
        log.warn({ err: error }, 'the lease to export could not be released');
      });
    };
  }

  async #tend(): Promise<void> {
    const { store, clock, log, holder } = this.#parts;
    const now = clock.now();
    const age = now - this.#leasedAt;
    if (this.#lease !== undefined && age >= 0 && age < LEASE_RENEW_MS) return;
    try {
      const lease = await store.takeLease(holder, now, now + LEASE_MS, 'exporter');
      if (lease !== undefined && this.#lease === undefined) {
        log.info({}, 'this process writes the static copy');
      }
      this.#lease = lease;
      this.#leasedAt = now;
    } catch (error) {
      this.#failureLog.warn({ err: error }, now);
    }
  }

  async #update(): Promise<void> {
    const { copy, content, clock } = this.#parts;
    const now = clock.now();
    const sinceFailure = now - (this.#failedAt ?? Number.NEGATIVE_INFINITY);
    if (!this.#mayWrite() || (sinceFailure >= 0 && sinceFailure < RETRY_MS)) return;
    try {
      await copy.update(await content(), now, () => {
        if (!this.#mayWrite()) throw new LeaseLost();
      });
      this.#failedAt = undefined;
    } catch (error) {
      if (!this.#mayWrite()) return;
      this.#failedAt = now;
      this.#failureLog.warn({ err: error }, now);
    }
  }

  #mayWrite(): boolean {
    const age = this.#parts.clock.now() - this.#leasedAt;
    return !this.#isStopped && this.#lease !== undefined && age >= 0 && age < LEASE_MS;
  }
}

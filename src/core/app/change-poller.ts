import { caracasDayOf } from '../domain/time.ts';
import type { Access } from './access/access.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Store } from './ports/store.ts';
import type { Quota } from './quota/quota.ts';
import { repeat } from './repeat.ts';
import type { SnapshotHolder } from './snapshot.ts';
import type { StoreMonitor } from './store-monitor.ts';
import { ThrottledLog } from './throttled-log.ts';

// limit: Changes by others noticed | 200 ms
const POLL_INTERVAL_MS = 200;

type Versions = Awaited<ReturnType<Store['versions']>>;

interface PollerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly snapshots: SnapshotHolder;
  readonly access: Access;
  readonly quota: Quota;
  readonly monitor: StoreMonitor;
  readonly versions: Versions;
}

/**
 * Polls the store for changes by any process. New records become the next snapshot; changed
 * accounts are looked up again. A poll is two small reads.
 */
export class ChangePoller {
  readonly #parts: PollerParts;
  #seen: Versions;
  #stop: (() => Promise<void>) | undefined;
  #inProgress: Promise<void> | undefined;
  readonly #reportLog: ThrottledLog;

  constructor(parts: PollerParts) {
    this.#parts = parts;
    const message = 'quota units cannot be given back or taken';
    this.#reportLog = new ThrottledLog(parts.log, message);
    this.#seen = parts.versions;
  }

  start(): void {
    this.#stop = repeat(POLL_INTERVAL_MS, () => this.#pollOnce());
  }

  stop(): void {
    void this.#stop?.();
  }

  /** Applies all changes. Calls during a poll share the next one. */
  async poll(): Promise<void> {
    await this.#inProgress?.catch(() => undefined);
    this.#inProgress ??= this.#takeOver().finally(() => {
      this.#inProgress = undefined;
    });
    await this.#inProgress;
  }

  async #takeOver(): Promise<void> {
    const { store, access, snapshots, clock } = this.#parts;
    const versions = await store.versions();
    // New records first: they need only reads, and a store that cannot be written keeps the rest.
    if (versions.records !== this.#seen.records) {
      const now = clock.now();
      snapshots.publish(await store.currentRecords(caracasDayOf(now)), now);
      this.#seen = { ...this.#seen, records: versions.records };
    }
    if (versions.access !== this.#seen.access) {
      const changed = await store.accountsChangedSince(this.#seen.access);
      access.forget(changed);
      this.#seen = versions;
    }
  }

  /** One at a time: the answer to a later poll would hide that an earlier one still waits. */
  async #pollOnce(): Promise<void> {
    try {
      await this.#parts.monitor.reading(() => this.poll());
      await this.#tend();
    } catch {
      // The monitor has logged it.
    }
  }

  /** Its writes may fail while reads work, for example on a full disk. */
  async #tend(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      const idle = await this.#parts.quota.tend(now);
      if (idle.length > 0) this.#parts.access.forget(idle);
    } catch (error) {
      this.#reportLog.warn({ err: error }, now);
    }
  }
}

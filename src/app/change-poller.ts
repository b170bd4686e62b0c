import { caracasDayOf } from '../domain/time.ts';
import type { Access } from './access/access.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Store } from './ports/store.ts';
import type { QuotaLeases } from './quota/quota-leases.ts';
import type { SnapshotHolder } from './snapshot.ts';
import { ThrottledLog } from './throttled-log.ts';

/** How often a process looks whether another one changed something. */
export const POLL_INTERVAL_MS = 200;

type Versions = Awaited<ReturnType<Store['versions']>>;

interface PollerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly snapshots: SnapshotHolder;
  readonly access: Access;
  readonly quotaLeases: QuotaLeases;
  readonly versions: Versions;
}

/**
 * Brings into this process what changed in the store, in this process or another: new records become the
 * next snapshot, changed accounts are looked up again. One poll is two small reads.
 */
export class ChangePoller {
  readonly #parts: PollerParts;
  #seen: Versions;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isPolling = false;
  #isFailing = false;
  readonly #reportLog: ThrottledLog;

  constructor(parts: PollerParts) {
    this.#parts = parts;
    this.#reportLog = new ThrottledLog(
      parts.log,
      'the store does not take reports of leased units',
    );
    this.#seen = parts.versions;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.#pollOnce();
    }, POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether the store answered when it was last asked, some `POLL_INTERVAL_MS` ago. */
  get storeAnswers(): boolean {
    return !this.#isFailing;
  }

  /** Takes over what changed. Polls asked for while one is under way share the next one. */
  async poll(): Promise<void> {
    await this.#underWay?.catch(() => undefined);
    this.#underWay ??= this.#takeOver().finally(() => {
      this.#underWay = undefined;
    });
    await this.#underWay;
  }

  async #takeOver(): Promise<void> {
    const versions = await this.#parts.store.versions();
    if (versions.access !== this.#seen.access) {
      const changed = await this.#parts.store.accountsChangedSince(this.#seen.access);
      this.#parts.access.forget(changed);
      await Promise.all(changed.map((accountId) => this.#parts.quotaLeases.release(accountId)));
    }
    if (versions.records !== this.#seen.records) {
      const now = this.#parts.clock.now();
      this.#parts.snapshots.publish(await this.#parts.store.currentRecords(caracasDayOf(now)), now);
    }
    this.#seen = versions;
  }

  async #pollOnce(): Promise<void> {
    // One at a time: an answer to a later poll would hide that an earlier one still waits.
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.poll();
      if (this.#isFailing) this.#parts.log.info({}, 'the store answers again');
      this.#isFailing = false;
      await this.#tend();
    } catch (error) {
      // The last snapshot and the known keys go on serving; one line says since when.
      if (!this.#isFailing) this.#parts.log.error({ err: error }, 'the store does not answer');
      this.#isFailing = true;
    } finally {
      this.#isPolling = false;
    }
  }

  /** What this writes may fail while all that is read goes on, as on a full disk. */
  async #tend(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      const idle = await this.#parts.quotaLeases.tend(now);
      if (idle.length > 0) this.#parts.access.forget(idle);
    } catch (error) {
      this.#reportLog.warn({ err: error }, now);
    }
  }
}

import { caracasDayOf } from '../domain/time.ts';
import type { Access } from './access/access.ts';
import type { Clock, Log, Store } from './ports.ts';
import type { Allowances } from './quota/allowances.ts';
import type { SnapshotHolder } from './snapshot.ts';
import { Trouble } from './trouble.ts';

/** How often a process looks whether another one changed something. */
export const POLL_INTERVAL_MS = 200;

type Versions = Awaited<ReturnType<Store['versions']>>;

/**
 * Brings into this process what changed in the store, whoever changed it: new records become the
 * next snapshot, changed accounts are looked up again. One look is two small reads.
 */
export class News {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #snapshots: SnapshotHolder;
  readonly #access: Access;
  readonly #allowances: Allowances;
  #seen: Versions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #polling = false;
  #failing = false;
  readonly #unitsTrouble: Trouble;

  constructor(parts: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly snapshots: SnapshotHolder;
    readonly access: Access;
    readonly allowances: Allowances;
    readonly versions: Versions;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#unitsTrouble = new Trouble(parts.log, 'the store takes no news of the units in hand');
    this.#snapshots = parts.snapshots;
    this.#access = parts.access;
    this.#allowances = parts.allowances;
    this.#seen = parts.versions;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.#pollOnce();
    }, POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether the store answered when it was last asked, some `POLL_INTERVAL_MS` ago. */
  get storeAnswers(): boolean {
    return !this.#failing;
  }

  /** Takes over what changed. Looks asked for while one is under way share the next one. */
  async look(): Promise<void> {
    await this.#looking?.catch(() => undefined);
    this.#looking ??= this.#takeOver().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #takeOver(): Promise<void> {
    const versions = await this.#store.versions();
    if (versions.access !== this.#seen.access) {
      const changed = await this.#store.accountsChangedSince(this.#seen.access);
      this.#access.forget(changed);
      await Promise.all(changed.map((accountId) => this.#allowances.release(accountId)));
    }
    if (versions.records !== this.#seen.records) {
      const now = this.#clock.now();
      this.#snapshots.publish(await this.#store.currentRecords(caracasDayOf(now)), now);
    }
    this.#seen = versions;
  }

  async #pollOnce(): Promise<void> {
    // One at a time: an answer to a later poll would hide that an earlier one still waits.
    if (this.#polling) return;
    this.#polling = true;
    try {
      await this.look();
      if (this.#failing) this.#log.info({}, 'the store answers again');
      this.#failing = false;
      await this.#tend();
    } catch (error) {
      // The last snapshot and the known keys go on serving; one line says since when.
      if (!this.#failing) this.#log.error({ err: error }, 'the store does not answer');
      this.#failing = true;
    } finally {
      this.#polling = false;
    }
  }

  /** What this writes may fail while all that is read goes on, as on a full disk. */
  async #tend(): Promise<void> {
    const now = this.#clock.now();
    try {
      const idle = await this.#allowances.tend(now);
      if (idle.length > 0) this.#access.forget(idle);
    } catch (error) {
      this.#unitsTrouble.tell({ err: error }, now);
    }
  }
}

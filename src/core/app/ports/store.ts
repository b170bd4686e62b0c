import type { Instant } from '../../domain/time.ts';
import type { WriteFailure } from '../failures.ts';
import type { AccountStore } from './accounts.ts';
import type { AuditStore } from './audit.ts';
import type { CollectingStore } from './collecting.ts';
import type { HeldStore } from './held.ts';
import type { IngestStore } from './ingest-store.ts';
import type { Lease } from './lease.ts';
import type { RecordStore } from './records.ts';
import type { UsageStore } from './usage.ts';

/** The durable store. Every write is durable when its promise resolves: it survives a power cut. */
export interface Store
  extends AccountStore,
    AuditStore,
    CollectingStore,
    HeldStore,
    Omit<IngestStore, 'currentRecords'>,
    Pruning,
    RecordStore,
    UsageStore {
  /** `records` grows with every stored batch, `access` with every change of accounts and keys. */
  versions(): Promise<{ readonly records: number; readonly access: number }>;
  /** Accounts changed after that version of `access`, including deleted ones. */
  accountsChangedSince(access: number): Promise<readonly string[]>;
  /** Writes a consistent copy to a file that does not exist yet. */
  backup(file: string): Promise<void>;
  /**
   * Reads the whole database.
   * @returns descriptions of damage; empty when there is none.
   */
  check(): Promise<readonly string[]>;
  /** Sets what is called when a write fails because the database cannot be written. */
  onWriteFailure(listener: (failure: WriteFailure) => void): void;
  /**
   * Tries whether the store can be written: by taking the locks of a write, or `really` by writing.
   * Only a real write notices that a disk is full.
   */
  tryWrite(options: { readonly really: boolean }): Promise<void>;
  /** The transactions of this process. */
  load(): StoreLoad;
  close(): Promise<void>;
}

export interface StoreLoad {
  readonly inUse: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  /** Most connections. */
  readonly size: number;
}

/** Removes data that no answer needs any more, in short steps. */
interface Pruning {
  /** The time of the first capture of each market, by id. */
  firstCaptures(): Promise<ReadonlyMap<string, Instant>>;
  /**
   * Processes a short part of a market's captures in `[from, before)`. Removes each capture that
   * another one of the same UTC day and value date follows; a dry run only counts them.
   * @returns the number of captures seen and removed, and the start of the next part; undefined at
   *   the end.
   */
  thinCaptures(
    place: { readonly market: string; readonly from: Instant; readonly before: Instant },
    options: { readonly dryRun: boolean; readonly lease?: Lease | undefined },
  ): Promise<{
    readonly captures: number;
    readonly thinned: number;
    readonly next: Instant | undefined;
  }>;
  /** Batches from before `before` that must be kept: at least those with remaining records. */
  referencedBatches(before: Instant): Promise<ReadonlySet<number>>;
  /**
   * Processes some batches after `after`. Deletes those received before `before` that are not in
   * `keep`, but never the newest batch of a source.
   */
  forgetBatches(stretch: {
    readonly after: number;
    readonly before: Instant;
    readonly keep: ReadonlySet<number>;
    readonly lease?: Lease | undefined;
  }): Promise<{ readonly forgotten: number; readonly next: number | undefined }>;
}

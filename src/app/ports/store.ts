import type { WriteFailure } from '../failures.ts';
import type { AccountStore } from './accounts.ts';
import type { AlertStore } from './alerts.ts';
import type { ChangeStore } from './changes.ts';
import type { CollectingStore } from './collecting.ts';
import type { HeldStore } from './held.ts';
import type { PruningStore } from './pruning.ts';
import type { RecordStore } from './records.ts';
import type { UsageStore } from './usage.ts';

/** The durable store. Every write is durable when its promise resolves: it survives a power cut. */
export interface Store
  extends AccountStore,
    AlertStore,
    ChangeStore,
    CollectingStore,
    HeldStore,
    PruningStore,
    RecordStore,
    UsageStore {
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

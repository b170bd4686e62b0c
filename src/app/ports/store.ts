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
  close(): Promise<void>;
}

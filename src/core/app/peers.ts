/** The metrics of a process for `/metrics`, in the format of the metrics library. */
export type ProcessCounts = readonly object[];

/** Why a start waits for the database, and how long it still may. */
export interface DatabaseWait {
  readonly reason: string;
  readonly leftSec: number;
}

/** The other processes on the same port. Exact figures go through the store, the rest here. */
export interface Peers {
  reportBadKey(address: string): void;
  /** Reports to the others that a request without a key was admitted under a limit by address. */
  reportAdmitted(limit: string, address: string): void;
  /** Tells the same capability in the others. */
  tell(capability: string, text: string): void;
  /** Reports that the start of this process waits for the database, and for how long it still may. */
  reportWait(wait: DatabaseWait): void;
  /**
   * The metrics of all processes, including this one.
   * @throws ApiError `service_unavailable` when a process does not answer, because sums without it
   *   would be wrong.
   */
  counts(): Promise<readonly ProcessCounts[]>;
  /** Reports that this process accepts no more connections. Resolves when no process does. */
  portClosed(): Promise<void>;
  /** Registers the handlers for messages of the others. */
  join(part: {
    readonly onBadKey: (address: string) => void;
    readonly onAdmitted: (limit: string, address: string) => void;
    readonly onTold: (capability: string, text: string) => void;
    readonly count: () => Promise<ProcessCounts>;
  }): void;
}

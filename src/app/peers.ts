/** What a process counted for `/metrics`: plain data, as the library of metrics gives it. */
export type ProcessCounts = readonly object[];

/**
 * The other processes of a service that answer on the same port. All that must be exact goes through
 * the store; this is what they tell each other besides.
 */
export interface Peers {
  /** Tells the others that a wrong key came from that address. */
  tellBadKey(address: string): void;
  /** Tells the others that a request without a key was admitted under a limit by address. */
  tellAdmitted(limit: string, address: string): void;
  /**
   * What every process counted, this one too.
   * @throws ApiError `service_unavailable` when one does not answer: sums without it would be wrong.
   */
  counts(): Promise<readonly ProcessCounts[]>;
  /** Tells that this process takes no more connections; resolves when none of them does. */
  portClosed(): Promise<void>;
  /** Says what to do when others tell of a wrong key or an admitted request, and ask for what this process counted. */
  join(part: {
    readonly onBadKey: (address: string) => void;
    readonly onAdmitted: (limit: string, address: string) => void;
    readonly count: () => Promise<ProcessCounts>;
  }): void;
}

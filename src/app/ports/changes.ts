/** Lets a process detect changes by others. */
export interface ChangeStore {
  /** `records` grows with every stored batch, `access` with every change of accounts and keys. */
  versions(): Promise<{ readonly records: number; readonly access: number }>;
  /** Accounts changed after that version of `access`, including deleted ones. */
  accountsChangedSince(access: number): Promise<readonly string[]>;
}

/** Tells a process that others changed something. */
export interface ChangeStore {
  /** `records` grows with every stored batch, `access` with every change of accounts and keys. */
  versions(): Promise<{ readonly records: number; readonly access: number }>;
  /** Accounts changed after that version of `access`, deleted ones too. */
  accountsChangedSince(access: number): Promise<readonly string[]>;
}

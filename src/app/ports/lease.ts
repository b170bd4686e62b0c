/** The right to collect: one process has it at a time. Each taking has a greater token. */
export interface Lease {
  readonly holder: string;
  readonly token: number;
}

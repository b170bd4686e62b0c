/** The right to collect, held by one process at a time. Every new lease has a greater token. */
export interface Lease {
  readonly holder: string;
  readonly token: number;
}

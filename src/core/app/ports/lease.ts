/**
 * The right to collect, held by one process at a time. Every new lease has a greater token. A write
 * under a lease that is no longer the current one throws `LeaseLost`.
 */
export interface Lease {
  readonly holder: string;
  readonly token: number;
}

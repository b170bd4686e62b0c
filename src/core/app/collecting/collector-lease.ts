import { type Instant, SECOND_MS } from '../../domain/time.ts';

/** Duration of the lease. After a crash another process starts to collect this much later. */
// limit: Lease to collect | 25 s | another process takes over
export const LEASE_MS = 25 * SECOND_MS;

/** How often a lease is renewed. While another process holds it, every tick requests it. */
export const LEASE_RENEW_MS = 10 * SECOND_MS;

/** Whether a process may collect until `leaseEnd`. A far later end comes from a clock that was ahead. */
export function isLeased(leaseEnd: Instant, now: Instant): boolean {
  return leaseEnd > now && leaseEnd <= now + 2 * LEASE_MS;
}

import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';

/**
 * Near the limit a block is at most `1 / BLOCK_SHARE` of what remains, and at last one unit. Minute
 * windows allow larger blocks, because a minute ends soon and its calls continue when the store
 * fails.
 */
export const BLOCK_SHARE = {
  minute: 4,
  hour: 16,
  month: 16,
  account: 4,
} as const satisfies Readonly<Record<UsageWindow, number>>;
/** A block lasts about this long at the current rate of its account. */
export const BLOCK_LASTS_MS = 60 * SECOND_MS;
/** Fewest units of a block while plenty remain. An account can spend them when the store fails. */
export const MIN_BLOCK_UNITS = 1_000;
/** Most units of a block. */
export const MAX_BLOCK_UNITS = 1_000_000;
/** An allowance of this many units is always permitted. A process that is killed costs them. */
export const MIN_ALLOWANCE_UNITS = 20;
/** A larger allowance lasts at most this long at the minute limit, or at the rate of the account. */
export const ALLOWANCE_LASTS_MS = 250;
/** A process without a heartbeat for this long is dead, and its reserves go to others. */
export const UNITS_LEASE_MS = 8 * SECOND_MS;
/** How often a process sends a heartbeat. */
export const HEARTBEAT_MS = 2 * SECOND_MS;
/**
 * A process takes the reserves of dead ones only after the store has answered it for this long:
 * after an outage, live processes first report what they spent meanwhile.
 */
export const RECLAIM_PAUSE_MS = 1_500;
/** Wait after a refusal while other processes have units: all are returned or free by then. */
export const LEASED_RETRY_MS = 10 * SECOND_MS;
/** A store that is too busy for this long counts as out of reach. */
export const MAX_BUSY_MS = 2 * SECOND_MS;
/** Dead processes are deleted after this time. */
export const HOLDER_FORGOTTEN_MS = DAY_MS;
/** How long the store's answer that a window is empty is reused: refusals cost no write. */
export const EMPTY_KEPT_MS = 200;

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
/** A process without a heartbeat for this long is dead, and its units go to others. */
export const UNITS_LEASE_MS = 60 * SECOND_MS;
/** A process stops spending this much earlier, until its next heartbeat succeeds. */
export const UNITS_LEASE_MARGIN_MS = 5 * SECOND_MS;
/** A process without a heartbeat for this long is not expected to return units on request. */
export const HOLDER_SILENT_MS = 15 * SECOND_MS;
/** Dead processes are deleted after this time. */
export const HOLDER_FORGOTTEN_MS = DAY_MS;
/** How long the store's answer that a window is empty is reused: refusals cost no write. */
export const EMPTY_KEPT_MS = 200;

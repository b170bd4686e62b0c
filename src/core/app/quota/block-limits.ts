import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';

/**
 * A block is at most this part of what remains of the window. Near the limit no block is taken, only
 * a unit for each call that waits.
 */
// limit: Block, of what remains | 1/32 | a unit for each waiting call
export const BLOCK_SHARE = 32;
/** Fewest units of a block while plenty remain. The bulk hour has no blocks. */
// limit: Block | the account's past minute in that process, 20 of a month at least | taken more often
export const MIN_BLOCK_UNITS = {
  minute: 1,
  hour: 0,
  month: 20,
  account: 1,
} as const satisfies Readonly<Record<UsageWindow, number>>;
/** A block that lasts longer goes back, because the account now uses less. */
// limit: A block lasts | a minute | given back
export const BLOCK_LASTS_MS = MINUTE_MS;
/** Units of an account without calls for this long go back. */
// limit: Idle account keeps its block | 5 s | given back
export const IDLE_MS = 5 * SECOND_MS;
/** How often a process looks for units to give back. */
// limit: Between looks for units to give back | 1 s
export const SWEEP_MS = SECOND_MS;
/** After the last block was taken, a process that lives gives back what is left of it within this. */
// limit: Units of others may come back | 70 s after the last block | `Retry-After` to the window's end
export const MAY_COME_BACK_MS = BLOCK_LASTS_MS + 10 * SECOND_MS;
/** Wait after a refusal while other processes may give units back: idle ones are back by then. */
// limit: `Retry-After` while units may come back | 10 s
export const COMES_BACK_RETRY_MS = 10 * SECOND_MS;
/** How long the store's answer that a window is empty is reused: refusals cost no write. */
// limit: Empty window, until asked again | 200 ms
export const EMPTY_KEPT_MS = 200;
/** How long requests for future calls are collected, so that accounts share transactions. */
// limit: Requests for a block gathered | 40 ms, or until a call waits | one transaction
export const GATHER_MS = 40;
/** A call that waits for longer is refused; its units are those of the next one. */
// limit: Wait of a call for units, after transactions before it | 2 s | 503
export const UNITS_WAIT_MS = 2 * SECOND_MS;
/** An account without calls for this long is removed from memory. */
// limit: Account without calls in memory | 10 min | looked up again
export const FORGOTTEN_MS = 600 * SECOND_MS;
/** Wait after a call that found neither units nor the store. */
// limit: `Retry-After` without units and database | 5 s
export const STORE_AWAY_RETRY_SEC = 5;

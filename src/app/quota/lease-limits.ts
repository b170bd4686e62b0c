import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';

/**
 * Near the limit a block is at most this share of what remains, and then one unit. A minute is soon
 * over: more of it may be leased, so that its calls go on when the store does not.
 */
export const BLOCK_SHARE = {
  minute: 4,
  hour: 16,
  month: 16,
  account: 4,
} as const satisfies Readonly<Record<UsageWindow, number>>;
/** A block is made to last so long at the pace of its account. */
export const BLOCK_LASTS_MS = 60 * SECOND_MS;
/** Fewest units of a block, while plenty remain: what an account goes on with without the store. */
export const BLOCK_MIN = 1_000;
/** Most units of a block. */
export const BLOCK_MAX = 1_000_000;
/** A process that was not heard of for so long is dead, and its units go to others. */
export const UNITS_LEASE_MS = 60 * SECOND_MS;
/** A process stops spending a little earlier, until it was heard of again. */
export const UNITS_LEASE_MARGIN_MS = 5 * SECOND_MS;
/** A process that was not heard of for so long will hardly give units back when asked. */
export const HOLDER_SILENT_MS = 15 * SECOND_MS;
/** Dead processes are forgotten after this. */
export const HOLDER_FORGOTTEN_MS = DAY_MS;
/** An answer of the store that a window is empty holds for so long, so that refusing costs no write. */
export const EMPTY_KEPT_MS = 200;

/** Limits on streams. `docs/limits.md` lists them. */

// limit: Of a process | 5,000, or half of its connections | 503
export const MAX_STREAMS = 5_000;
export const MAX_BOARD_STREAMS_PER_ADDRESS = 3;
// limit: Board, from one address: streams opened, open | 60 a minute (all workers), 3 in a process | 429 | MAX_BOARD_STREAMS_PER_ADDRESS
export const BOARD_STREAMS_PER_MINUTE = 60;
// limit: Silence | 15 s | a comment
export const STREAM_HEARTBEAT_MS = 15_000;
// limit: Life | 60 minutes, 10 % more or less | ends
export const STREAM_LIFE_MS = 3_600_000;
/** The same for all would bring them all back at once. */
export const STREAM_LIFE_SPREAD = 0.1;
// limit: Unread bytes | 64 KB | later one event with all
export const STREAM_BEHIND_BYTES = 64 * 1024;
/** Interval of what a change does not cause: comments, ends, keys that are looked up again. */
// limit: End after a revoked key | 1 s after the process knows
export const STREAM_TICK_MS = 1_000;
/** How often a process says which streams it has. */
// limit: A process tells of its streams again, may be silent | 20 s, 60 s | no longer counted | PLACES_SILENT_MS
export const PLACES_TOLD_MS = 20_000;
export const PLACES_SILENT_MS = 60_000;
// limit: Accounts in a transaction | 500 | another
export const MAX_ACCOUNTS_AT_ONCE = 500;

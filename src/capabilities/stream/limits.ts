/** Limits on streams. `docs/limits.md` lists them. */

// limit: Streams of a process | 5,000, or half of its connections | 503
export const MAX_STREAMS = 5_000;
// limit: Streams of the board from one address | 3 in a process | 429
export const MAX_BOARD_STREAMS_PER_ADDRESS = 3;
// limit: Streams of the board opened from one address | 60 a minute, of all workers | 429
export const BOARD_STREAMS_PER_MINUTE = 60;
// limit: Silence of a stream | 15 s | a comment is sent
export const STREAM_HEARTBEAT_MS = 15_000;
// limit: Life of a stream | 60 minutes, 10 % more or less | it ends, and the client comes again
export const STREAM_LIFE_MS = 3_600_000;
/** The same for all would bring them all back at once. */
export const STREAM_LIFE_SPREAD = 0.1;
// limit: Unread bytes of a stream | 64 KB | later one event with all changes
export const STREAM_BEHIND_BYTES = 64 * 1024;
/** Interval of what a change does not cause: comments, ends, keys that are looked up again. */
// limit: Delay before a stream of a revoked key ends | 1 s after the process knows
export const STREAM_TICK_MS = 1_000;
/** How often a process says which streams it has. */
// limit: Delay before a process tells its open streams again | 20 s
export const PLACES_TOLD_MS = 20_000;
// limit: Silence after which the streams of a process no longer count | 60 s
export const PLACES_SILENT_MS = 60_000;
// limit: Accounts in a transaction about streams | 500 | another transaction
export const MAX_ACCOUNTS_AT_ONCE = 500;

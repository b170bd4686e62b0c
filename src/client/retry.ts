/** When a refused call is retried. */

/** Largest `retries`. */
// limit: Retries, their pauses in one call | 10, 1 h | a `TypeError` | MAX_RETRY_WAIT_MS
export const MAX_RETRIES = 10;
/** Largest `maxRetryWaitMs`: the longest quota window except the month. */
export const MAX_RETRY_WAIT_MS = 3_600_000;

/** First pause without a `Retry-After`. It doubles with each retry. */
const BACKOFF_MS = 250;
/** Shortest pause, also for `Retry-After: 0`. */
const SHORTEST_PAUSE_MS = 50;
/** Largest random share added to a pause, so that callers do not retry together. */
const JITTER_SHARE = 0.25;
const MOST_JITTER_MS = 1_000;

/** Whether a status may be retried: 429 or 503. Others would fail again. */
export function mayBeRetried(status: number): boolean {
  return status === 429 || status === 503;
}

/** The seconds of a `Retry-After` header, which has a number or a date. */
export function retryAfterSecOf(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}

/** Milliseconds before a retry, never less than `Retry-After`; undefined for no retry. */
export function pauseBeforeRetry(refused: {
  /** Retries so far. */
  readonly tried: number;
  readonly retries: number;
  readonly retryAfterSec: number | undefined;
  /** Total wait of this call so far, in milliseconds. */
  readonly waitedMs: number;
  readonly maxWaitMs: number;
  /** A random number from 0 to 1. */
  readonly chance: number;
}): number | undefined {
  const { tried, retries, retryAfterSec, waitedMs, maxWaitMs, chance } = refused;
  const asked = retryAfterSec === undefined ? BACKOFF_MS * 2 ** tried : retryAfterSec * 1_000;
  const left = maxWaitMs - waitedMs;
  if (tried >= retries || asked > left) return undefined;
  const pause = Math.max(asked, SHORTEST_PAUSE_MS);
  return Math.min(left, pause + chance * Math.min(MOST_JITTER_MS, pause * JITTER_SHARE));
}

/** When a refused call is tried again. */

/** Most tries after the first that a client may be set to. */
export const MAX_RETRIES = 10;
/** Longest that a client may be set to wait for all tries of a call: the longest window but the month. */
export const MAX_RETRY_WAIT_MS = 3_600_000;

/** First pause where the service named none; it doubles. */
const BACKOFF_MS = 250;
/** Shortest pause, so that `Retry-After: 0` is no hammering. */
const SHORTEST_PAUSE_MS = 50;
/** Of a pause, at most so much is added by chance: callers refused together must not return together. */
const JITTER_SHARE = 0.25;
const MOST_JITTER_MS = 1_000;

/** Too many requests, or not available right now. Everything else would fail again. */
export function mayBeRetried(status: number): boolean {
  return status === 429 || status === 503;
}

/** Seconds from a `Retry-After` header: a number of them, or a date. */
export function retryAfterSecOf(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}

/**
 * Milliseconds to wait before another try; undefined when there is to be none. Never less than the
 * service asked for, and never more than what is left of the bound.
 */
export function pauseBeforeRetry({
  tried,
  retries,
  retryAfterSec,
  waitedMs,
  maxWaitMs,
  chance,
}: {
  /** Tries so far, the first one apart. */
  readonly tried: number;
  readonly retries: number;
  readonly retryAfterSec: number | undefined;
  /** Waited so far for this call. */
  readonly waitedMs: number;
  readonly maxWaitMs: number;
  /** From 0 to 1. */
  readonly chance: number;
}): number | undefined {
  const asked = retryAfterSec === undefined ? BACKOFF_MS * 2 ** tried : retryAfterSec * 1_000;
  const left = maxWaitMs - waitedMs;
  if (tried >= retries || asked > left) return undefined;
  const pause = Math.max(asked, SHORTEST_PAUSE_MS);
  return Math.min(left, pause + chance * Math.min(MOST_JITTER_MS, pause * JITTER_SHARE));
}

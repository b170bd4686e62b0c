import type { Thresholds } from '../../domain/judgement.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Source } from '../ports/sources.ts';

/** Pause after the first failure of a source; each further one in a row doubles it. */
export const FIRST_RETRY_MS = MINUTE_MS;
/** Longest of these pauses. */
export const MAX_RETRY_MS = 15 * MINUTE_MS;

/**
 * When a source is tried again although its schedule would wait longer: after a failure, and when it
 * was not asked because its host is paused. Undefined when neither happened, and for a source that
 * has no turns of its own.
 */
export function retryAt(
  { schedule, fallbackFor }: Pick<Source, 'schedule' | 'fallbackFor'>,
  { failure, consecutiveFailures, pausedUntil }: SourceState,
  triedAt: Instant,
): Instant | undefined {
  if (fallbackFor !== undefined || schedule.length === 0) return undefined;
  if (pausedUntil !== undefined) return Math.max(pausedUntil, triedAt + FIRST_RETRY_MS);
  if (failure === undefined) return undefined;
  return triedAt + retryPauseMs(consecutiveFailures);
}

/** @param failures In a row, 1 at least. */
export function retryPauseMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

/** When a source in doubt is read again, so that a held record is confirmed as soon as it may be. */
export function confirmAt(
  readAt: Instant,
  { confirmingReads, confirmingSpanSec }: Thresholds,
): Instant {
  return readAt + Math.ceil((confirmingSpanSec * SECOND_MS) / (confirmingReads - 1));
}

export function earliest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  const known = instants.filter((instant) => instant !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

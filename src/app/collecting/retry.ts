import type { Thresholds } from '../../domain/judgement.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Source } from '../ports/sources.ts';

/** Pause after the first failure of a source. Each further failure in a row doubles it. */
export const FIRST_RETRY_MS = MINUTE_MS;
export const MAX_RETRY_MS = 15 * MINUTE_MS;

/**
 * When a source is retried before its schedule: after a failure, or after a reading that was
 * skipped because its host is paused. Undefined in other cases, and for a source without its own
 * schedule.
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

/** @param failures Failures in a row, at least 1. */
export function retryPauseMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
}

/** When to read a source in doubt again: as soon as the rules can confirm a held record. */
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

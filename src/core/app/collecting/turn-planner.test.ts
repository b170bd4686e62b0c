import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import { MAX_RETRY_MS, retryAt } from './turn-planner.ts';

const NOW = Date.parse('2026-11-20T16:00:00Z');
const DAILY = { schedule: [{ cron: '0 6 * * *', whileExpected: false }] };

const failed = (consecutiveFailures: number): SourceState => ({
  source: 'feed',
  lastAttemptAt: NOW,
  consecutiveFailures,
  failure: { reason: 'timeout', message: 'late' },
});

describe('the retry of a source', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 15],
    [6, 15],
    [2_000, 15],
  ])('after %i failures in a row is %i minutes later', (failures, minutes) => {
    expect(retryAt(DAILY, failed(failures), NOW)).toBe(NOW + minutes * MINUTE_MS);
  });

  test('is left to the schedule after a good reading', () => {
    const good = { source: 'feed', lastAttemptAt: NOW, consecutiveFailures: 0 };
    expect(retryAt(DAILY, good, NOW)).toBeUndefined();
  });

  test("waits for the end of the host's pause, and at least a minute", () => {
    const paused = (pausedUntil: number) => retryAt(DAILY, { ...failed(9), pausedUntil }, NOW);
    expect(paused(NOW + 1)).toBe(NOW + MINUTE_MS);
    expect(paused(NOW + MAX_RETRY_MS + 1)).toBe(NOW + MAX_RETRY_MS + 1);
  });

  test('does not happen for a source without its own schedule', () => {
    expect(retryAt({ schedule: [] }, failed(1), NOW)).toBeUndefined();
    expect(retryAt({ ...DAILY, fallbackFor: 'main' }, failed(1), NOW)).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { pauseBeforeRetry, retryAfterSecOf } from './retry.ts';

const NOW = Date.parse('2026-11-21T12:00:00.500Z');

const first = {
  tried: 0,
  retries: 3,
  retryAfterSec: undefined,
  waitedMs: 0,
  maxWaitMs: 60_000,
  chance: 0,
};

describe('the pause before a retry', () => {
  test('is what the service asks plus a random time of up to a second', () => {
    expect(pauseBeforeRetry({ ...first, retryAfterSec: 12 })).toBe(12_000);
    expect(pauseBeforeRetry({ ...first, retryAfterSec: 12, chance: 1 })).toBe(13_000);
    expect(pauseBeforeRetry({ ...first, retryAfterSec: 2, chance: 1 })).toBe(2_500);
  });

  test('doubles if the service asks for none', () => {
    const pauses = [0, 1, 2].map((tried) => pauseBeforeRetry({ ...first, tried }));
    expect(pauses).toEqual([250, 500, 1_000]);
  });

  test('is never 0', () => {
    expect(pauseBeforeRetry({ ...first, retryAfterSec: 0 })).toBe(50);
  });

  test('may use the limit exactly and not a millisecond more', () => {
    const asked = { ...first, retryAfterSec: 10, chance: 1 };
    expect(pauseBeforeRetry({ ...asked, maxWaitMs: 10_000 })).toBe(10_000);
    expect(pauseBeforeRetry({ ...asked, maxWaitMs: 9_999 })).toBeUndefined();
    expect(pauseBeforeRetry({ ...asked, waitedMs: 50_000 })).toBe(10_000);
    expect(pauseBeforeRetry({ ...asked, waitedMs: 50_001 })).toBeUndefined();
  });

  test('is not made after the last attempt', () => {
    expect(pauseBeforeRetry({ ...first, tried: 2 })).toBe(1_000);
    expect(pauseBeforeRetry({ ...first, tried: 3 })).toBeUndefined();
  });
});

describe('Retry-After', () => {
  test('is seconds or a date, rounded up', () => {
    expect(retryAfterSecOf('30', NOW)).toBe(30);
    expect(retryAfterSecOf(' 0 ', NOW)).toBe(0);
    expect(retryAfterSecOf('Sat, 21 Nov 2026 12:00:05 GMT', NOW)).toBe(5);
    expect(retryAfterSecOf('Sat, 21 Nov 2026 11:00:00 GMT', NOW)).toBe(0);
  });

  test('is ignored if it is neither', () => {
    for (const header of [null, '', 'soon', '-']) {
      expect(retryAfterSecOf(header, NOW)).toBeUndefined();
    }
  });
});

import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { ClockWatch } from './clock-watch.ts';

const START = Date.parse('2026-11-20T12:00:00Z');

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function watched() {
  let [now, monotonic] = [START, 5_000];
  const warned: object[] = [];
  const log = { ...silent, warn: (fields: object) => void warned.push(fields) };
  const clock = { now: () => now, monotonic: () => monotonic };
  const watch = new ClockWatch({ clock, log });
  return {
    watch,
    warned,
    pass(ms: number, step = 0) {
      now += ms + step;
      monotonic += ms;
      watch.check();
    },
  };
}

describe('a step of the clock (contract §8)', () => {
  test.each([
    [MINUTE_MS, undefined],
    [MINUTE_MS + 1, START + 1_000 + MINUTE_MS + 1],
    [-MINUTE_MS, undefined],
    [-HOUR_MS, START + 1_000 - HOUR_MS],
  ])(
    'of more than 60 s against the monotonic clock is told and logged: %d ms',
    (step, expected) => {
      const { watch, warned, pass } = watched();
      pass(1_000, step);
      expect(watch.steppedAt).toBe(expected);
      expect(warned).toHaveLength(expected === undefined ? 0 : 1);
    },
  );

  test('is told for an hour, and logged once', () => {
    const { watch, warned, pass } = watched();
    pass(1_000, -HOUR_MS);
    pass(HOUR_MS - 1);
    expect(watch.steppedAt).toBe(START + 1_000 - HOUR_MS);
    pass(1);
    expect([watch.steppedAt, warned]).toEqual([
      undefined,
      [{ was: '2026-11-20T12:00:01.000Z', is: '2026-11-20T11:00:01.000Z' }],
    ]);
  });

  test('is logged in whole milliseconds, though the monotonic clock has fractions of them', () => {
    const { warned, pass } = watched();
    pass(1_000.3);
    pass(0.586962890625, HOUR_MS);
    for (const time of Object.values(warned[0] ?? {})) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(warned).toHaveLength(1);
  });

  test('a clock that runs a little fast is none', () => {
    const { watch, pass } = watched();
    for (let minute = 0; minute < 600; minute += 1) pass(MINUTE_MS, 1_000);
    expect(watch.steppedAt).toBeUndefined();
  });

  test('a clock without a monotonic one is not watched', () => {
    const watch = new ClockWatch({ clock: { now: () => START }, log: silent });
    watch.check();
    expect(watch.steppedAt).toBeUndefined();
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellStart, tellSupervisor } from './supervisor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function supervised(watchdogMs: number | undefined, isAlive?: () => Promise<boolean>) {
  const sent: string[] = [];
  const errors: unknown[] = [];
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  tellSupervisor({
    log: { ...silent, error: (...args: unknown[]) => void errors.push(args) },
    send: (assignment) => void sent.push(assignment),
    watched: { watchdogMs },
    ...{ stopped, isAlive },
  });
  return { sent, errors, stop };
}

test('systemd learns that the service is ready, lives and stops', async () => {
  const { sent, stop } = supervised(30_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sent).toEqual(['READY=1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['READY=1', 'WATCHDOG=1']);
  stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['READY=1', 'WATCHDOG=1', 'STOPPING=1']);
});

test('systemd gives a start three minutes more than its wait for the database', () => {
  const sent: string[] = [];
  const send = (assignment: string) => void sent.push(assignment);
  const watched = { watchdogMs: undefined };
  for (const databaseWaitMs of [0, 600_000])
    tellStart({ databaseWaitMs }, { log: silent, watched, send });
  expect(sent).toEqual(['EXTEND_TIMEOUT_USEC=180000000', 'EXTEND_TIMEOUT_USEC=780000000']);
});

test('there is no sign of life while a process does not answer', async () => {
  let isAlive = false;
  const { sent, errors } = supervised(30_000, async () => isAlive);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual(['READY=1']);
  expect(errors).toHaveLength(2);
  isAlive = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual(['READY=1', 'WATCHDOG=1']);
});

test('without a watchdog there are no signs of life', async () => {
  const { sent } = supervised(undefined);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent).toEqual(['READY=1']);
});

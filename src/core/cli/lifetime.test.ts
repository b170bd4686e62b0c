import { expect, test } from 'vitest';
import { STOP_WAIT_MS } from '../app/collecting/collect.ts';
import { SERVER_LOCK_WAIT_MS } from '../compose.ts';
import { SECOND_MS } from '../domain/time.ts';
import { SHUTDOWN_MS } from '../http/framework/server/limits.ts';
import { STOP_WITHIN_MS } from './lifetime.ts';

test('a stop leaves time for requests in progress and the work after them', () => {
  // Requests and readings end side by side; then units go back, which may wait for the store.
  const atMost = Math.max(SHUTDOWN_MS, STOP_WAIT_MS) + SERVER_LOCK_WAIT_MS;
  expect(STOP_WITHIN_MS).toBeGreaterThanOrEqual(atMost + SECOND_MS);
});

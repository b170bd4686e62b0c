import { SECOND_MS } from '../domain/time.ts';
import type { DatabaseWait } from './peers.ts';
import type { Log } from './ports/log.ts';
import { ThrottledLog } from './throttled-log.ts';

const WAIT_LINE_EVERY_MS = 10 * SECOND_MS;

/** Logs that a start waits for the database, one line per ten seconds. */
export function waitLog(log: Log): (wait: DatabaseWait) => void {
  const lines = new ThrottledLog(log, 'the start waits for the database', WAIT_LINE_EVERY_MS);
  return (wait) => lines.warn(wait, performance.now());
}

import { destination, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../app/ports/log.ts';
import type { LogLevel } from '../config.ts';

const STDERR = 2;

/**
 * Logs JSON to stderr, synchronously: the last line before an exit is not lost.
 * @param fields Added to every line.
 */
export function createLog(level: LogLevel, fields: object = {}): Log {
  return pino(
    { level, base: { pid: process.pid, ...fields }, timestamp: stdTimeFunctions.isoTime },
    destination({ fd: STDERR, sync: true }),
  );
}

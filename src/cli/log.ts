import { destination, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../app/ports/log.ts';
import type { LogLevel } from '../config.ts';

const STDERR = 2;

/**
 * Log lines as JSON on stderr, written before the call returns so that the last one before an end
 * is there. stdout belongs to what a command prints.
 * @param fields Said in every line.
 */
export function createLog(level: LogLevel, fields: object = {}): Log {
  return pino(
    { level, base: { pid: process.pid, ...fields }, timestamp: stdTimeFunctions.isoTime },
    destination({ fd: STDERR, sync: true }),
  );
}

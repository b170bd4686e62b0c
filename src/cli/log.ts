import { destination, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../app/ports/log.ts';
import type { LogLevel } from '../config.ts';

const STDERR = 2;

/**
 * Writes log lines as JSON to stderr, synchronously, so that the last line before an exit is not
 * lost. stdout is for the output of commands.
 * @param fields Added to every line.
 */
export function createLog(level: LogLevel, fields: object = {}): Log {
  return pino(
    { level, base: { pid: process.pid, ...fields }, timestamp: stdTimeFunctions.isoTime },
    destination({ fd: STDERR, sync: true }),
  );
}

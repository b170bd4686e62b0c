import { UsageError } from '../../core/cli/output.ts';
import { ApiError } from '../../core/domain/errors.ts';
import {
  type Instant,
  parseCaracasDay,
  parseInstant,
  startOfCaracasDay,
} from '../../core/domain/time.ts';

/** What the flags of `vesfx webhook` say. */

export const words = (lists: readonly string[] | undefined) =>
  lists?.flatMap((list) => list.split(',')).filter((word) => word !== '');

/** A time, or the beginning of a day in Caracas. @throws UsageError */
export function sinceOfFlag(given: string, now: Instant): number {
  const day = parseCaracasDay(given);
  const since = day === undefined ? parseInstant(given) : startOfCaracasDay(day);
  if (since !== undefined && since <= now) return since;
  throw new UsageError('--since is a day or time that has begun, such as 2026-11-20T21:10:00Z.');
}

/** `--threshold` as the number that a request has. @throws UsageError */
export function percentOf(given: string): number {
  if (/^\d{1,3}(\.\d{1,10})?$/.test(given)) return Number(given);
  throw new UsageError(`--threshold takes a percentage such as 1 or 0.5, not "${given}".`);
}

const FLAG_OF: Readonly<Record<string, string>> = {
  url: '<url>',
  events: '--event',
  markets: '--market',
  threshold_percent: '--threshold',
  description: '--description',
};

/**
 * What is wrong with a field is said of the flag that gave it.
 * @throws UsageError
 */
export function namingFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_format') throw error;
    const flag = FLAG_OF[error.options.field ?? ''];
    if (flag === undefined) throw error;
    throw new UsageError(error.message.replace(/^\w+(?:\[\d+\])?/, flag));
  }
}

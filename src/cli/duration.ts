import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { UsageError } from './output.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};

/** The milliseconds of a duration such as `90s`, `30m`, `24h` or `7d`. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (count === undefined || unitMs === undefined) {
    throw new UsageError(`"${text}" is not a duration: write 90s, 30m, 24h or 7d.`);
  }
  return Number(count) * unitMs;
}

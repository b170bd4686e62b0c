import {
  type CaracasDay,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  parseCaracasDay,
  parseInstant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';
import { UsageError } from '../output.ts';

/** @throws UsageError */
export function dayOfFlag(text: string, flag: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new UsageError(`${flag} must be a date that exists, YYYY-MM-DD.`);
  return day;
}

/** Reads a time, or the end of a day in Caracas. @throws UsageError for anything else. */
export function instantOf(text: string, flag: string): Instant {
  const day = parseCaracasDay(text);
  const instant = day === undefined ? parseInstant(text) : startOfCaracasDay(day) + DAY_MS - 1;
  if (instant !== undefined) return instant;
  throw new UsageError(
    `${flag} must be a day, YYYY-MM-DD, or a time such as 2026-11-20T21:10:00Z.`,
  );
}

/** The days of `--from` and `--to`. @throws UsageError */
export function dayRangeOf(flags: { readonly from?: string; readonly to?: string }): {
  readonly from?: CaracasDay;
  readonly to?: CaracasDay;
} {
  const from = flags.from === undefined ? undefined : dayOfFlag(flags.from, '--from');
  const to = flags.to === undefined ? undefined : dayOfFlag(flags.to, '--to');
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError('--from must not be after --to.');
  }
  return { from, to };
}

const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};

/** Milliseconds of `90s`, `30m`, `24h` or `7d`. @throws UsageError */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (count === undefined || unitMs === undefined) {
    throw new UsageError(`"${text}" is not a duration: write 90s, 30m, 24h or 7d.`);
  }
  return Number(count) * unitMs;
}

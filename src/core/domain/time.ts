/**
 * Instants are milliseconds since the epoch. A calendar day is text, `YYYY-MM-DD`, of one calendar:
 * history uses UTC days, the central bank's value dates are Caracas days.
 */
export type Instant = number;
export type UtcDay = string & { readonly calendar: 'UTC' };
export type CaracasDay = string & { readonly calendar: 'Caracas' };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Venezuela keeps UTC-4 all year, without daylight saving. */
const CARACAS_OFFSET_MS = -4 * HOUR_MS;

const DAY_TEXT = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT_TEXT =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** First millisecond (UTC) of a calendar day, or undefined when there is no such day. */
function dayStartUtc(text: string): number | undefined {
  const match = DAY_TEXT.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.UTC reads years below 100 as 19xx; no rate is that old.
  if (year < 1000) return undefined;
  const start = Date.UTC(year, month - 1, day);
  return dayText(new Date(start)) === text ? start : undefined;
}

/** Milliseconds since 00:00 UTC. A day is added for the negative remainder before 1970. */
function clockOf(instant: Instant): number {
  return ((instant % DAY_MS) + DAY_MS) % DAY_MS;
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** The UTC day formatted last. Successive instants are mostly of the same day. */
const lastDay = { start: Number.NaN, text: '' };

const CLOCK_LENGTH = 'T00:00:00.000Z'.length;

/** @throws RangeError when `instant` is not a valid instant. */
function isoDay(instant: Instant): string {
  const start = instant - clockOf(instant);
  if (start !== lastDay.start) {
    lastDay.text = dayText(new Date(start));
    lastDay.start = start;
  }
  return lastDay.text;
}

/** `toISOString` takes four times as long, and a walk through ten years writes thousands of days. */
function dayText(date: Date): string {
  const year = date.getUTCFullYear();
  // It writes other years with a sign or zeros, and throws for an instant that is none.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().slice(0, -CLOCK_LENGTH);
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

/** These casts are safe: the text was produced or checked for that calendar just before. */
const asUtcDay = (text: string) => text as UtcDay;
const asCaracasDay = (text: string) => text as CaracasDay;

export function parseUtcDay(text: string): UtcDay | undefined {
  return dayStartUtc(text) === undefined ? undefined : asUtcDay(text);
}

export function parseCaracasDay(text: string): CaracasDay | undefined {
  return dayStartUtc(text) === undefined ? undefined : asCaracasDay(text);
}

export function utcDayOf(instant: Instant): UtcDay {
  return asUtcDay(isoDay(instant));
}

export function caracasDayOf(instant: Instant): CaracasDay {
  return asCaracasDay(isoDay(instant + CARACAS_OFFSET_MS));
}

/** The time of the day in Caracas, `16:10`. */
export function caracasTimeOf(instant: Instant): string {
  return isoInstant(instant + CARACAS_OFFSET_MS).slice(11, 16);
}

/** The UTC year. */
export function yearOf(instant: Instant): number {
  return new Date(instant).getUTCFullYear();
}

export function startOfUtcDay(day: UtcDay): Instant {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The instant at which a value date takes effect: 00:00 in Caracas, 04:00 UTC. */
export function startOfCaracasDay(day: CaracasDay): Instant {
  return Date.parse(`${day}T00:00:00Z`) - CARACAS_OFFSET_MS;
}

/** First instant after the day. */
export function endOfUtcDay(day: UtcDay): Instant {
  return startOfUtcDay(day) + DAY_MS;
}

/**
 * The day that many days later when both are in the first 28 of a month, which every month has; else
 * undefined. It needs no date, so a walk through ten years takes half the time.
 */
function sameMonth(day: string, days: number): string | undefined {
  const date = Number(day.slice(8)) + days;
  return date >= 1 && date <= 28 ? `${day.slice(0, 8)}${twoDigits(date)}` : undefined;
}

export function addUtcDays(day: UtcDay, days: number): UtcDay {
  return utcDayOf(startOfUtcDay(day) + days * DAY_MS);
}

export function addCaracasDays(day: CaracasDay, days: number): CaracasDay {
  const near = sameMonth(day, days);
  if (near !== undefined) return asCaracasDay(near);
  return caracasDayOf(startOfCaracasDay(day) + days * DAY_MS);
}

/** The day of the week, 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(day: CaracasDay): number {
  return new Date(startOfCaracasDay(day)).getUTCDay();
}

export function isWeekend(day: CaracasDay): boolean {
  return [0, 6].includes(weekdayOf(day));
}

/** Whole days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween({ from, to }: { from: CaracasDay; to: CaracasDay }): number {
  return Math.round((startOfCaracasDay(to) - startOfCaracasDay(from)) / DAY_MS);
}

/**
 * Reads an ISO 8601 date and time with a zone (`Z` or `±hh:mm`).
 * @returns undefined for any other text, and for days or hours that do not exist.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = INSTANT_TEXT.exec(text);
  if (match === null) return undefined;
  const [, day = '', hour, minute, second, fraction = '', zone = 'Z'] = match;
  const start = dayStartUtc(day);
  if (start === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const zoneHours = zone === 'Z' ? 0 : Number(zone.slice(1, 3));
  const zoneMinutes = zone === 'Z' ? 0 : Number(zone.slice(4, 6));
  if (zoneHours > 23 || zoneMinutes > 59) return undefined;
  const zoneMs = (zone.startsWith('-') ? -1 : 1) * (zoneHours * HOUR_MS + zoneMinutes * MINUTE_MS);
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  const clock = Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS;
  return start + clock + millis - zoneMs;
}

/**
 * ISO 8601 in UTC with milliseconds and `Z`, the format of every timestamp in answers: the same text
 * as of `Date`, several times faster, because a long history has ten thousand timestamps.
 * @throws RangeError when `instant` is not a valid instant.
 */
export function isoInstant(instant: Instant): string {
  // One that a monotonic time went into has a fraction, and a timestamp has three digits.
  const whole = Math.floor(instant);
  const clock = clockOf(whole);
  const hours = twoDigits(Math.floor(clock / HOUR_MS));
  const minutes = twoDigits(Math.floor(clock / MINUTE_MS) % 60);
  const seconds = twoDigits(Math.floor(clock / SECOND_MS) % 60);
  const millis = clock % SECOND_MS;
  const fraction = millis < 100 ? `0${twoDigits(millis)}` : millis;
  return `${isoDay(whole)}T${hours}:${minutes}:${seconds}.${fraction}Z`;
}

/** Age in whole seconds, never negative: a quote from the near future has age 0. */
export function ageSec({ since, now }: { since: Instant; now: Instant }): number {
  return Math.max(0, Math.floor((now - since) / SECOND_MS));
}

/** A UTC month: `[start, end)`, and its name `YYYY-MM`. */
interface UtcMonth {
  readonly name: string;
  readonly start: Instant;
  readonly end: Instant;
}

export function utcMonthOf(instant: Instant): UtcMonth {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    start: Date.UTC(year, month, 1),
    end: Date.UTC(year, month + 1, 1),
  };
}

/** A larger step back means that the clock was wrong before, so its earlier times are ignored. */
// limit: Backward step of the clock bridged | 5 minutes | trusted
export const MAX_CLOCK_STEP_MS = 5 * MINUTE_MS;

/** `now`, or just after `last` when the clock was set back by up to `MAX_CLOCK_STEP_MS`. */
export function instantAfter(last: Instant | undefined, now: Instant): Instant {
  const isSetBack = last !== undefined && now < last && last - now <= MAX_CLOCK_STEP_MS;
  return isSetBack ? last + 1 : now;
}

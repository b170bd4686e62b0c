import { z } from 'zod';
import {
  MAX_SIGNIFICANT_DIGITS,
  RATE_DECIMALS,
  round,
  significantDigits,
  toNumber,
} from '../../domain/decimal.ts';
import { exactNumberText, isJsonObject } from '../../domain/exact-json.ts';
import { MAX_RATE, MIN_RATE } from '../../domain/quotes.ts';
import { type Instant, parseInstant, SECOND_MS } from '../../domain/time.ts';

/** Longest path into an answer, in characters. */
// limit: Path into an answer | 200 characters | not started
export const MAX_PATH_LENGTH = 200;

/** The schema of a path for `valueAt` in the catalogue. */
export const jsonPath = z
  .string('must be a path: keys with dots between them')
  .max(MAX_PATH_LENGTH, `must have at most ${MAX_PATH_LENGTH} characters`)
  .regex(/^[^.]+(?:\.[^.]+)*$/, 'must be a path: keys with dots between them');

const bound = z
  .number('must be a number')
  .min(MIN_RATE, `must be at least ${MIN_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`);

/** The schema of the lowest and highest plausible rate. Another currency or the inverse lies outside. */
export const between = z
  .tuple([bound, bound], 'must be a list of the lowest and the highest rate')
  .refine(([low, high]) => low < high, 'must have the lower rate first');

/** Formats of times upstream: ISO 8601 with a zone, or seconds or milliseconds since the epoch. */
export const TIME_FORMATS = ['iso', 'epoch_s', 'epoch_ms'] as const;
type TimeFormat = (typeof TIME_FORMATS)[number];

/** Bounds of a valid time. One outside them has another unit than declared, or is not a time. */
export const EARLIEST_TIME: Instant = Date.UTC(2020, 0, 1);
export const LATEST_TIME: Instant = Date.UTC(2100, 0, 1);

/** The value at a path of keys and list indexes with dots between; undefined for none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return /^\d{1,9}$/.test(step) ? inner[Number(step)] : undefined;
    return isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}

const DECIMAL_TEXT = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/** A number, or text that is a plain decimal with a dot; undefined for anything else. */
export function figureOf(value: unknown): number | undefined {
  const text = figureTextOf(value);
  const figure = text === undefined ? undefined : Number(text);
  return Number.isFinite(figure) ? figure : undefined;
}

function figureTextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return DECIMAL_TEXT.test(value) ? value : undefined;
  const text = exactNumberText(value);
  return text !== undefined && Number.isFinite(Number(text)) ? text : undefined;
}

/**
 * Reads a rate between `MIN_RATE` and `MAX_RATE`. More digits than a double carries exactly come
 * from floating-point arithmetic at the source (736.9000000000001), so such a rate is rounded to 8
 * decimals, like every computed rate (contract §1). Digits are counted as written.
 * @returns undefined when it is not a rate.
 */
export function rateOf(value: unknown): number | undefined {
  const text = figureTextOf(value);
  if (text === undefined) return undefined;
  const figure = Number(text);
  if (figure < MIN_RATE || figure > MAX_RATE) return undefined;
  if (isExact(text)) return figure;
  const rounded = toNumber(round(text, RATE_DECIMALS));
  return rounded > 0 && isExact(rounded) ? rounded : undefined;
}

const isExact = (rate: number | string) => significantDigits(rate) <= MAX_SIGNIFICANT_DIGITS;

/** @returns undefined when it is not a time of that format between the years 2020 and 2100. */
export function timeOf(value: unknown, format: TimeFormat): Instant | undefined {
  const time = instantOf(value, format);
  return time !== undefined && time >= EARLIEST_TIME && time < LATEST_TIME ? time : undefined;
}

function instantOf(value: unknown, format: TimeFormat): Instant | undefined {
  const epoch = figureOf(value);
  switch (format) {
    case 'iso':
      return typeof value === 'string' ? parseInstant(value) : undefined;
    case 'epoch_s':
      return epoch === undefined ? undefined : Math.trunc(epoch * SECOND_MS);
    case 'epoch_ms':
      return epoch === undefined ? undefined : Math.trunc(epoch);
    default:
      return format satisfies never;
  }
}

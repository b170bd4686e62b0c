import type { ApiCall } from './calls.ts';
import { VesfxError } from './errors.ts';

/** A day, or what chooses the rate of a day: an empty one must not mean today. */
const DAY_NAMES: readonly string[] = ['date', 'rule', 'since'];
const RANGE_NAMES: readonly string[] = [...DAY_NAMES, 'from', 'to'];

/** Addresses where `from` and `to` are currencies. */
const PAIR_PATH = /\/(?:convert|route|calculator)$/;

/**
 * Looks at what is asked for before the service is. A `date` without a value is that of a document
 * that lacks its day; the current rate is asked for without `date`.
 * @throws VesfxError `invalid_format` for an empty day or a missing `date`, and for options that are no object.
 */
export function requireDays({ path, query = {}, body = {} }: ApiCall): void {
  const names = PAIR_PATH.test(path) ? DAY_NAMES : RANGE_NAMES;
  const asked = { ...query, ...body };
  // The letters of a text that stood where the options belong.
  if ('0' in asked) throw notOptions();
  for (const [name, value] of Object.entries(asked)) {
    const mayBeLeftOut = name !== 'date' && value === undefined;
    if (names.includes(name) && !mayBeLeftOut) requireGiven(name, value);
  }
}

/** @throws VesfxError `invalid_format` for a text, which JavaScript callers can pass: it would be ignored. */
export function requireOptions(options: unknown): void {
  if (typeof options === 'string') throw notOptions();
}

function notOptions(): VesfxError {
  return new VesfxError('invalid_format', {
    message: 'The options are text: give an object, such as { date }.',
    details: { rule: 'wrong_type' },
  });
}

/** @throws VesfxError `invalid_format` for a missing or empty value. */
export function requireGiven(field: string, value: unknown): void {
  if (value !== null && value !== undefined && String(value).trim() !== '') return;
  throw new VesfxError('invalid_format', {
    message: `${field} is empty.`,
    field,
    details: { rule: 'empty' },
  });
}

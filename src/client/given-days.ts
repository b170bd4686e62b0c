import type { ApiCall } from './calls.ts';
import { VesfxError } from './errors.ts';

/** A day, or what chooses the rate of a day: an empty one must not mean today. */
const DAY_NAMES: readonly string[] = ['date', 'rule', 'since'];
const RANGE_NAMES: readonly string[] = [...DAY_NAMES, 'from', 'to'];

/** Addresses where `from` and `to` are currencies. */
const PAIR_PATH = /\/(?:convert|route|calculator)$/;

/** @throws VesfxError `invalid_format` for an empty day, before the service is asked. */
export function requireDays({ path, query = {}, body = {} }: ApiCall): void {
  const names = PAIR_PATH.test(path) ? DAY_NAMES : RANGE_NAMES;
  for (const [name, value] of Object.entries({ ...query, ...body })) {
    if (names.includes(name) && value !== undefined) requireGiven(name, value);
  }
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

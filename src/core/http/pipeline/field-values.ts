import type { z } from 'zod';
import { faultOf, schemaSentence } from '../../app/schema-sentences.ts';
import { fault, type ValueFault } from '../../domain/errors/value-rules.ts';
import { type ApiError, invalidField, invalidItem } from '../../domain/errors.ts';
import { caracasDayOf, type Instant } from '../../domain/time.ts';
import { MAX_ECHO_LENGTH } from '../framework/routing/limits.ts';
import { isDayText } from './schemas.ts';

/** What parameters and the fields of a body have in common. */

export const GIVEN_TWICE = fault('repeated', 'is given twice', 'está dos veces');
export const EMPTY = fault(
  'empty',
  'is empty. Give it a value, or leave it out',
  'está vacío. Dele un valor, o no lo envíe',
);
const NOT_A_FIELD = fault(
  'unknown_field',
  'is not a field of this body',
  'no es un campo de este cuerpo',
);

/** How the rate of a day is chosen, and a month. Like a day, they are never empty. */
const CHOOSE_DAYS = ['rule', 'month'];

/** The parameters or body fields that are days. */
export function dayNames({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && isDayText(shape[name]));
}

/** Those that must have a value where they are sent (contract §2). */
export function neverEmptyNames(schema: z.ZodObject): readonly string[] {
  return [...dayNames(schema), ...CHOOSE_DAYS.filter((name) => Object.hasOwn(schema.shape, name))];
}

/** A text without anything to read: a blank cell. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

export function requiredOf({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name]?._zod.optin !== 'optional');
}

/** Which fields are days, and when they are asked for. */
interface Days {
  readonly days: readonly string[];
  readonly now: Instant;
}

/** The error for a wrong value. A day that cannot be answered tells today (contract §4). */
export function wrongValue(name: string, wrong: ValueFault, { days, now }: Days): ApiError {
  return invalidField(name, wrong, days.includes(name) ? { today: caracasDayOf(now) } : {});
}

/**
 * Whether it names the largest whole number that a double holds: the library adds it to every whole
 * number, before the limit of the field's own.
 */
function isBeyondWholeNumbers(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
}

/** @throws ApiError for the first value that the schema refuses. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: object,
  days: Days,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: schemaSentence, reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') {
    const field = unknown.keys[0] ?? '';
    throw invalidField(field.slice(0, MAX_ECHO_LENGTH), NOT_A_FIELD);
  }
  const first = issues.find((issue) => !isBeyondWholeNumbers(issue)) ?? issues[0];
  if (first === undefined) throw new Error('a failed schema has an issue');
  const [name, item] = first.path;
  const field = String(name ?? '');
  if (typeof item === 'number') throw invalidItem(field, item, faultOf(first));
  throw wrongValue(field, faultOf(first), days);
}

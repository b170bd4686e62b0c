import type { z } from 'zod';
import { MAX_SIGNIFICANT_DIGITS } from '../domain/decimal.ts';
import { type Sentence, sentence } from '../domain/errors/sentence.ts';
import { fault, type ValueFault, type ValueRule } from '../domain/errors/value-rules.ts';
import { WrittenNumber } from '../domain/exact-json.ts';

const TYPES: Readonly<Record<string, Sentence>> = {
  string: sentence('text', 'un texto'),
  number: sentence('a number', 'un número'),
  int: sentence('a whole number', 'un número entero'),
  boolean: sentence('true or false', 'true o false'),
  array: sentence('a list', 'una lista'),
  tuple: sentence('a list', 'una lista'),
  object: sentence('an object', 'un objeto'),
  record: sentence('an object', 'un objeto'),
  null: sentence('null', 'null'),
};

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int']);

/** Units of a size, by type. */
const UNITS: Readonly<Record<string, Sentence>> = {
  string: sentence(' characters', ' caracteres'),
  array: sentence(' items', ' elementos'),
  set: sentence(' items', ' elementos'),
};

export const TOO_MANY_DIGITS = fault(
  'too_many_digits',
  `must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits`,
  `debe tener como máximo ${MAX_SIGNIFICANT_DIGITS} cifras significativas`,
);

/**
 * What is wrong with an invalid value. Every `safeParse` whose messages people read uses it, so that
 * no message of the library is shown. Rules of our own are passed as `refused` makes them.
 */
export function faultOf(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): ValueFault {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input);
    case 'invalid_value':
      return notOneOf(issue.values);
    case 'too_small':
      return wrongSize(issue.origin, issue.minimum, issue.inclusive === false ? ABOVE : AT_LEAST);
    case 'too_big':
      return wrongSize(issue.origin, issue.maximum, issue.inclusive === false ? BELOW : AT_MOST);
    case 'unrecognized_keys': {
      const [names, isOne] = [issue.keys.join(', '), issue.keys.length === 1];
      return fault(
        'unknown_field',
        `must not have ${isOne ? 'the field' : 'the fields'} ${names}`,
        `no debe tener ${isOne ? 'el campo' : 'los campos'} ${names}`,
      );
    }
    case 'custom':
      return ownFault(issue.params) ?? NOT_ACCEPTED;
    default:
      return NOT_ACCEPTED;
  }
}

const NOT_ACCEPTED = fault('malformed', 'is not accepted', 'no se acepta');

/** The same as an English sentence, for the messages of a schema. */
export function schemaSentence(issue: z.core.$ZodRawIssue): string {
  return faultOf(issue).what.en;
}

/** The issue of a rule of our own, for `refine` and `addIssue`. */
export function refused(own: ValueFault) {
  return { code: 'custom', message: own.what.en, params: { fault: own } } as const;
}

/** The cast is safe: only `refused` sets parameters of an issue. */
function ownFault(params: Readonly<Record<string, unknown>> | undefined): ValueFault | undefined {
  return params?.['fault'] as ValueFault | undefined;
}

function wrongType(expected: string, input: unknown): ValueFault {
  const isNumber = NUMBERS.has(expected);
  // JSON wrote a number, but a double does not hold it.
  if (isNumber && input instanceof WrittenNumber) return TOO_MANY_DIGITS;
  const type = TYPES[expected] ?? sentence('of another type', 'de otro tipo');
  const rule = isNumber ? 'not_a_number' : 'wrong_type';
  return fault(rule, `must be ${type.en}`, `debe ser ${type.es}`);
}

/** The value is none of those. */
export function notOneOf(values: readonly unknown[]): ValueFault {
  const { en, es } = alternatives(values);
  return fault('unknown_value', `must be ${en}`, `debe ser ${es}`);
}

const AT_LEAST = { ...sentence('at least', 'al menos'), isUpper: false };
const AT_MOST = { ...sentence('at most', 'como máximo'), isUpper: true };
const ABOVE = { ...sentence('more than', 'mayor que'), isUpper: false };
const BELOW = { ...sentence('less than', 'menor que'), isUpper: true };

function wrongSize(
  origin: string,
  limit: number | bigint,
  comparison: typeof AT_LEAST,
): ValueFault {
  const unit = UNITS[origin];
  return fault(
    sizeRule(origin, limit, comparison.isUpper),
    `must ${unit === undefined ? 'be' : 'have'} ${comparison.en} ${limit}${unit?.en ?? ''}`,
    `debe ${unit === undefined ? 'ser' : 'tener'} ${comparison.es} ${limit}${unit?.es ?? ''}`,
  );
}

function sizeRule(origin: string, limit: number | bigint, isUpper: boolean): ValueRule {
  if (!(origin in UNITS)) return 'out_of_range';
  if (isUpper) return origin === 'string' ? 'too_long' : 'too_many';
  return Number(limit) === 1 ? 'empty' : 'out_of_range';
}

/** The values that a field may have: `one of a, b`, or the only one. */
export function alternatives(values: readonly unknown[]): Sentence {
  const [only] = values;
  if (values.length === 1) return sentence(String(only), String(only));
  // A boolean of JSON is written as its text is.
  const list = [...new Set(values.map(String))].join(', ');
  return sentence(`one of ${list}`, `uno de ${list}`);
}

import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Units of a size, by type. */
const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' items',
  set: ' items',
};

/**
 * The default message for an invalid value: a sentence whose subject is the field. Every
 * `safeParse` whose messages people read uses it, so that no message of the library is shown.
 */
export function schemaSentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be ${alternatives(issue.values)}`;
    case 'too_small':
      return `must ${verbOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `must ${verbOf(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.length === 1 ? 'the field' : 'the fields'} ${issue.keys.join(', ')}`;
    default:
      return 'is not accepted';
  }
}

/** The verb for a size: a list has items, a number is large. */
function verbOf(origin: string): string {
  return origin in UNITS ? 'have' : 'be';
}

/** The values that a field may have: `one of a, b`, or the only one. */
export function alternatives(values: readonly unknown[]): string {
  const [only] = values;
  return values.length === 1 ? String(only) : `one of ${values.join(', ')}`;
}

import { z } from 'zod';
import { sentence } from '../../../domain/errors/sentence.ts';
import { invalidField, invalidFormat, missingField } from '../../../domain/errors.ts';
import { isJsonObject, parseExactJson, repeatedName } from '../../../domain/exact-json.ts';
import type { Instant } from '../../../domain/time.ts';
import { MAX_ECHO_LENGTH } from './limits.ts';
import {
  EMPTY,
  type FieldRules,
  GIVEN_TWICE,
  isBlank,
  parseWith,
  requiredOf,
} from './parameters.ts';

/** A body, and the names of its fields that are not documented and changed nothing. */
export interface JsonBody<Body> {
  readonly value: Body;
  readonly ignored: readonly string[];
}

/**
 * Reads a JSON body. A body that is not an object is `invalid_format` without a field; after that
 * come unknown, missing and invalid fields. An absent body counts as `{}` where no field is required.
 */
export function readJsonBody<Schema extends z.ZodObject>(
  schema: Schema,
  rules: FieldRules,
  text: string,
  now: Instant,
): JsonBody<z.output<Schema>> {
  const parse = (value: object) =>
    parseWith(schema, value, (name, wrong) => rules.wrongValue(name, wrong, now));
  if (text === '' && !requiresBody(schema)) return { value: parse({}), ignored: [] };
  const sent = objectOf(text);
  const unknown = rules.unknownNames();
  if (bodyRule(schema) !== 'pass') {
    for (const [name, value] of Object.entries(sent))
      if (!Object.hasOwn(schema.shape, name)) unknown.add(name, value);
  }
  const { emptyIsAbsent } = rules;
  const empty = rules.neverEmpty.find((name) => emptyIsAbsent && isBlank(sent[name]));
  const value = emptyIsAbsent ? withoutEmpty(sent) : sent;
  const missing = requiredOf(schema).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw missingField(missing);
  const twice = repeatedName(text);
  if (twice !== undefined) throw invalidField(twice.slice(0, MAX_ECHO_LENGTH), GIVEN_TWICE);
  if (empty !== undefined) throw rules.wrongValue(empty, EMPTY, now);
  return { value: parse(value), ignored: unknown.ignored };
}

/** @throws ApiError for text that is no JSON object. */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw invalidFormat(
      undefined,
      'not_json',
      sentence('The body is not JSON.', 'El cuerpo no es JSON.'),
    );
  }
  if (isJsonObject(value)) return value;
  throw invalidFormat(
    undefined,
    'not_an_object',
    sentence('The body is not a JSON object.', 'El cuerpo no es un objeto JSON.'),
  );
}

function withoutEmpty(sent: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
}

/** What becomes of unknown fields: a strict schema refuses them, a loose one takes them. */
export function bodyRule({ def }: z.ZodObject): 'refuse' | 'pass' | 'ignore' {
  if (def.catchall === undefined) return 'ignore';
  return def.catchall instanceof z.ZodNever ? 'refuse' : 'pass';
}

/** Whether a request without a body is refused. */
export function requiresBody(schema: z.ZodObject): boolean {
  return requiredOf(schema).length > 0;
}

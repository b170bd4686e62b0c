import { z } from 'zod';
import { boundedCache } from '../../../app/bounded-cache.ts';
import { faultOf, notOneOf, schemaSentence } from '../../../app/schema-sentences.ts';
import { fault, type ValueFault } from '../../../domain/errors/value-rules.ts';
import { type ApiError, invalidField, invalidItem, missingField } from '../../../domain/errors.ts';
import type { Instant } from '../../../domain/time.ts';
import {
  type AnswerFormat,
  type Encoding,
  formatsOf,
  LOCALES,
  type Locale,
} from '../encoding/formats.ts';
import { MAX_ECHO_LENGTH, MAX_KNOWN_QUERIES, MAX_KNOWN_QUERY_LENGTH } from './limits.ts';
import type { PathParameters } from './request-context.ts';
import { pathParameters } from './router.ts';

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
const BAD_ENCODING = fault(
  'malformed',
  'the percent-encoding is malformed',
  'la codificación con % está mal formada',
);

/**
 * Reads the parameters of an endpoint: first unknown, then missing, then invalid ones are refused
 * (contract §4).
 * @throws ApiError with a 400 code and the field.
 */
export type ParameterReader<Input> = (
  query: string,
  path: PathParameters,
  now: Instant,
) => Parameters<Input>;

export interface Parameters<Input> {
  readonly input: Input;
  readonly format: AnswerFormat;
  /** Affects only CSV and workbooks. */
  readonly locale: Locale;
  /** Names of parameters that are not documented and changed nothing. */
  readonly ignored: readonly string[];
}

/** Parameters of every endpoint that has formats. */
const FORM_PARAMETERS = ['format', 'locale'];

/** What a declaration of an endpoint says of its parameters. */
export interface ParameterDeclaration<Query extends z.ZodObject = z.ZodObject> {
  readonly path: string;
  readonly query: Query;
  /** An endpoint with formats takes the parameters that choose one. */
  readonly encoding?: Pick<Encoding, 'sheet'>;
}

/** What a service decides about the parameters of an endpoint, or about the fields of its body. */
export interface FieldRules {
  /** Names that must have a value where they are sent (contract §2). */
  readonly neverEmpty: readonly string[];
  /** Of a body: whether an empty field is absent, as an empty parameter is. */
  readonly emptyIsAbsent: boolean;
  /** Decides about the names in one request that are not documented. */
  unknownNames(): UnknownNames;
  /** The error for a wrong value. */
  wrongValue(name: string, wrong: ValueFault, now: Instant): ApiError;
}

export interface UnknownNames {
  /** Those that changed nothing, to be told. */
  readonly ignored: readonly string[];
  /** @throws ApiError for a name that is not ignored. */
  add(name: string, value?: unknown): void;
  /**
   * Looks for a name that a caller thought to separate from the value before it.
   * @throws ApiError for one that is not ignored.
   */
  lookBehind(pair: string): void;
}

/** Names of the parameters that an endpoint takes in its query. */
export function queryNames({ path, query, encoding }: ParameterDeclaration): readonly string[] {
  const inPath = pathParameters(path);
  const own = Object.keys(query.shape).filter((name) => !inPath.includes(name));
  return encoding === undefined ? own : [...own, ...FORM_PARAMETERS];
}

/** The reader of an endpoint. Its schema is compiled for the first request, not at the start. */
export function parameterReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
  rulesOf: () => FieldRules,
): ParameterReader<z.output<Query>> {
  let reader: ParameterReader<z.output<Query>> | undefined;
  return (text, path, now) => {
    reader ??= compiledReader(endpoint, rulesOf());
    return reader(text, path, now);
  };
}

function compiledReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
  rules: FieldRules,
): ParameterReader<z.output<Query>> {
  const { query } = endpoint;
  const formats = formatsOf(endpoint.encoding ?? {});
  const pathNames = pathParameters(endpoint.path);
  const documented = new Set(queryNames(endpoint));
  const names = Object.keys(query.shape).filter((name) => !pathNames.includes(name));
  const required = requiredOf(query).filter((name) => names.includes(name));
  const neverEmpty = rules.neverEmpty.filter((name) => names.includes(name));

  // zod's interpreter allocates objects that survive several garbage collections.
  const schema = z.compile(query);

  // Most requests to an endpoint without required parameters send none.
  const nothing =
    pathNames.length === 0 && required.length === 0
      ? Object.freeze({
          input: schema.parse({}),
          format: 'json' as const,
          locale: 'en' as const,
          ignored: NONE_IGNORED,
        })
      : undefined;

  // Clients repeat their queries. Where the path has parameters too, a query alone does not
  // identify a request.
  const knownQueries = boundedCache<Parameters<z.output<Query>>>(MAX_KNOWN_QUERIES);

  function readAnew(text: string, path: PathParameters, now: Instant) {
    const sent = new Map<string, string>();
    let twice: string | undefined;
    let unknown: UnknownNames | undefined;
    const unknownNames = () => (unknown ??= rules.unknownNames());
    eachPair(text, (name, value) => {
      if (NO_SEPARATOR.test(name + value)) unknownNames().lookBehind(`${name}=${value}`);
      if (!documented.has(name)) return unknownNames().add(name, value);
      const first = sent.get(name);
      if (first !== undefined) twice ??= name;
      sent.set(name, first || value);
    });
    // An empty parameter counts as absent, but an empty day must not mean today (contract §2).
    const empty = neverEmpty.find((name) => isBlank(sent.get(name)));
    const missing = required.find((name) => name !== empty && !sent.get(name));
    if (missing !== undefined) throw missingField(missing);
    if (twice !== undefined) throw invalidField(twice, GIVEN_TWICE);
    if (empty !== undefined) throw rules.wrongValue(empty, EMPTY, now);
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = sent.get(name);
      if (value) values[name] = value;
    }
    for (const name of pathNames) values[name] = decodeOnce(name, path[name] ?? '');
    const input = parseWith(schema, values, (name, wrong) => rules.wrongValue(name, wrong, now));
    Object.freeze(input);
    const format = readChoice('format', sent.get('format'), formats) ?? 'json';
    const locale = readChoice('locale', sent.get('locale'), LOCALES) ?? 'en';
    return Object.freeze({ input, format, locale, ignored: unknown?.ignored ?? NONE_IGNORED });
  }

  return (text, path, now) => {
    if (text === '' && nothing !== undefined) return nothing;
    const isAll = pathNames.length === 0 && text.length <= MAX_KNOWN_QUERY_LENGTH;
    const knownParameters = isAll ? knownQueries.get(text) : undefined;
    if (knownParameters !== undefined) return knownParameters;
    const parameters = readAnew(text, path, now);
    if (isAll) knownQueries.set(text, parameters);
    return parameters;
  };
}

const NONE_IGNORED: readonly string[] = Object.freeze([]);

/** Signs that separate no parameters here, though they do in other programs. */
const NO_SEPARATOR = /[;?]/;

/** In a query of only these characters nothing is encoded. */
const PLAIN_QUERY = /^[\w.=&-]*$/;

/** Passes on the decoded names and values of a query in order. */
function eachPair(text: string, take: (name: string, value: string) => void): void {
  if (!PLAIN_QUERY.test(text)) {
    for (const [name, value] of new URLSearchParams(text)) take(name, value);
    return;
  }
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    const mark = text.indexOf('=', start);
    if (mark >= 0 && mark < end) take(text.slice(start, mark), text.slice(mark + 1, end));
    else if (start < end) take(text.slice(start, end), '');
    start = end + 1;
  }
}

/** Percent-decodes once, no more (contract §1). */
function decodeOnce(name: string, text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    throw invalidField(name, BAD_ENCODING);
  }
}

/** The choice that a parameter names, exactly as written; undefined when it is absent or empty. */
function readChoice<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (!text) return undefined;
  const choice = choices.find((name) => name === text);
  if (choice === undefined) throw invalidField(name, notOneOf(choices));
  return choice;
}

/** A text without anything to read: a blank cell. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

export function requiredOf({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name]?._zod.optin !== 'optional');
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
  wrongValue: (name: string, wrong: ValueFault) => ApiError = invalidField,
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
  throw wrongValue(field, faultOf(first));
}

import { z } from 'zod';
import { boundedCache } from '../../app/bounded-cache.ts';
import { faultOf, notOneOf, schemaSentence } from '../../app/schema-sentences.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { fault } from '../../domain/errors/value-rules.ts';
import { invalidField, invalidFormat, missingField } from '../../domain/errors.ts';
import { isJsonObject, parseExactJson, repeatedName } from '../../domain/exact-json.ts';
import { FORMATS, type Format } from '../../domain/plans.ts';
import { LOCALES, type Locale } from '../encoding/formats.ts';
import { MAX_ECHO_LENGTH, MAX_KNOWN_QUERIES, MAX_KNOWN_QUERY_LENGTH } from './limits.ts';
import { isDayText } from './schemas.ts';
import { bodyRules, type QueryDeclaration, queryRules, UnknownNames } from './unknown-names.ts';

const GIVEN_TWICE = fault('repeated', 'is given twice', 'está dos veces');
const EMPTY = fault(
  'empty',
  'is empty. Give it a value, or leave it out',
  'está vacío. Dele un valor, o no lo envíe',
);
const BAD_ENCODING = fault(
  'malformed',
  'the percent-encoding is malformed',
  'la codificación con % está mal formada',
);
const NOT_A_FIELD = fault(
  'unknown_field',
  'is not a field of this body',
  'no es un campo de este cuerpo',
);

/** Parameters in the path by name, as sent and still percent-encoded. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Reads the parameters of an endpoint: first unknown, then missing, then invalid ones are refused
 * (decisions §4).
 * @throws ApiError with a 400 code and the field.
 */
export type ParameterReader<Input> = (query: string, path: PathParameters) => Parameters<Input>;

export interface Parameters<Input> {
  readonly input: Input;
  readonly format: Format;
  /** Affects only CSV. */
  readonly locale: Locale;
  /** Names of parameters that are not documented and changed nothing. */
  readonly ignored: readonly string[];
}

/** Parameters of every endpoint that has formats. */
const FORM_PARAMETERS = ['format', 'locale'];

/** What a declaration of an endpoint says of its parameters. */
interface ParameterDeclaration<Query extends z.ZodObject = z.ZodObject> extends QueryDeclaration {
  readonly query: Query;
  /** An endpoint with formats takes the parameters that choose one. */
  readonly encoding?: object;
}

/** Names of a declared path's parameters, in order. */
export function pathParameters(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => (segment.startsWith(':') ? segment.slice(1) : []));
}

/** Names of the parameters that an endpoint takes in its query. */
export function queryNames({
  path,
  query,
  encoding,
}: Pick<ParameterDeclaration, 'path' | 'query' | 'encoding'>): readonly string[] {
  const inPath = pathParameters(path);
  const own = Object.keys(query.shape).filter((name) => !inPath.includes(name));
  return encoding === undefined ? own : [...own, ...FORM_PARAMETERS];
}

/** The parameters or body fields that are days. */
export function dayNames({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && isDayText(shape[name]));
}

/** How the rate of a day is chosen. Like a day, it is never empty. */
const RULE = 'rule';

/** The reader of an endpoint. Its schema is compiled for the first request, not at the start. */
export function parameterReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
): ParameterReader<z.output<Query>> {
  let reader: ParameterReader<z.output<Query>> | undefined;
  return (text, path) => {
    reader ??= compiledReader(endpoint);
    return reader(text, path);
  };
}

function compiledReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
): ParameterReader<z.output<Query>> {
  const { query } = endpoint;
  const pathNames = pathParameters(endpoint.path);
  const days = dayNames(query);
  const rules = queryRules(endpoint, queryNames(endpoint), days);
  const documented = new Set(rules.documented);
  const names = Object.keys(query.shape).filter((name) => !pathNames.includes(name));
  const required = requiredOf(query).filter((name) => names.includes(name));
  const neverEmpty = [...days, RULE].filter((name) => names.includes(name));

  // zod's interpreter allocates objects that survive several garbage collections.
  const schema = z.compile(query);

  // Most requests to an endpoint without required parameters send none.
  const nothing =
    pathNames.length === 0 && required.length === 0
      ? Object.freeze({
          input: parseWith(schema, {}),
          format: 'json' as const,
          locale: 'en' as const,
          ignored: NONE_IGNORED,
        })
      : undefined;

  // Clients repeat their queries. Where the path has parameters too, a query alone does not
  // identify a request.
  const knownQueries = boundedCache<Parameters<z.output<Query>>>(MAX_KNOWN_QUERIES);

  function readAnew(text: string, path: PathParameters) {
    const sent = new Map<string, string>();
    let unknown: UnknownNames | undefined;
    let twice: string | undefined;
    eachPair(text, (name, value) => {
      if (!documented.has(name)) {
        unknown ??= new UnknownNames(rules);
        unknown.add(name);
        return;
      }
      const first = sent.get(name);
      if (first !== undefined) twice ??= name;
      sent.set(name, first || value);
    });
    // An empty parameter counts as absent, but an empty day must not mean today (decisions §2).
    const empty = neverEmpty.find((name) => sent.get(name) === '');
    const missing = required.find((name) => name !== empty && !sent.get(name));
    if (missing !== undefined) throw missingField(missing);
    if (twice !== undefined) throw invalidField(twice, GIVEN_TWICE);
    if (empty !== undefined) throw invalidField(empty, EMPTY);
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = sent.get(name);
      if (value) values[name] = value;
    }
    for (const name of pathNames) values[name] = decodeOnce(name, path[name] ?? '');
    const input = parseWith(schema, values);
    Object.freeze(input);
    const format = readChoice('format', sent.get('format'), FORMATS) ?? 'json';
    const locale = readChoice('locale', sent.get('locale'), LOCALES) ?? 'en';
    return Object.freeze({ input, format, locale, ignored: unknown?.ignored ?? NONE_IGNORED });
  }

  return (text, path) => {
    if (text === '' && nothing !== undefined) return nothing;
    const isAll = pathNames.length === 0 && text.length <= MAX_KNOWN_QUERY_LENGTH;
    const knownParameters = isAll ? knownQueries.get(text) : undefined;
    if (knownParameters !== undefined) return knownParameters;
    const parameters = readAnew(text, path);
    if (isAll) knownQueries.set(text, parameters);
    return parameters;
  };
}

const NONE_IGNORED: readonly string[] = Object.freeze([]);

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

/** Percent-decodes once, no more (decisions §1). */
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
  text: string,
): JsonBody<z.output<Schema>> {
  if (text === '' && !requiresBody(schema)) return { value: parseWith(schema, {}), ignored: [] };
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
  if (!isJsonObject(value)) {
    throw invalidFormat(
      undefined,
      'not_an_object',
      sentence('The body is not a JSON object.', 'El cuerpo no es un objeto JSON.'),
    );
  }
  const unknown = new UnknownNames({
    ...bodyRules(schema, dayNames(schema)),
    refuse: bodyRule(schema) === 'refuse',
  });
  if (bodyRule(schema) !== 'pass') {
    for (const name of Object.keys(value))
      if (!Object.hasOwn(schema.shape, name)) unknown.add(name);
  }
  const missing = requiredOf(schema).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw missingField(missing);
  const twice = repeatedName(text);
  if (twice !== undefined) throw invalidField(twice.slice(0, MAX_ECHO_LENGTH), GIVEN_TWICE);
  return { value: parseWith(schema, value), ignored: unknown.ignored };
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

function requiredOf({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name]?._zod.optin !== 'optional');
}

function parseWith<Schema extends z.ZodType>(schema: Schema, value: object): z.output<Schema> {
  const result = schema.safeParse(value, { error: schemaSentence, reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') {
    const field = unknown.keys[0] ?? '';
    throw invalidField(field.slice(0, MAX_ECHO_LENGTH), NOT_A_FIELD);
  }
  const first = issues[0];
  if (first === undefined) throw new Error('a failed schema has an issue');
  throw invalidField(String(first.path[0] ?? ''), faultOf(first));
}

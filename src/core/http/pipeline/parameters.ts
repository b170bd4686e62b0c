import { z } from 'zod';
import { boundedCache } from '../../app/bounded-cache.ts';
import { notOneOf } from '../../app/schema-sentences.ts';
import { fault } from '../../domain/errors/value-rules.ts';
import { invalidField, missingField } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import {
  type AnswerFormat,
  type Encoding,
  formatsOf,
  LOCALES,
  type Locale,
} from '../framework/encoding/formats.ts';
import { MAX_KNOWN_QUERIES, MAX_KNOWN_QUERY_LENGTH } from '../framework/routing/limits.ts';
import type { PathParameters } from '../framework/routing/request-context.ts';
import {
  dayNames,
  EMPTY,
  GIVEN_TWICE,
  isBlank,
  neverEmptyNames,
  parseWith,
  requiredOf,
  wrongValue,
} from './field-values.ts';
import { type QueryDeclaration, queryRules, UnknownNames } from './unknown-names.ts';

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
interface ParameterDeclaration<Query extends z.ZodObject = z.ZodObject> extends QueryDeclaration {
  readonly query: Query;
  /** An endpoint with formats takes the parameters that choose one. */
  readonly encoding?: Pick<Encoding, 'sheet'>;
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

/** The reader of an endpoint. Its schema is compiled for the first request, not at the start. */
export function parameterReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
): ParameterReader<z.output<Query>> {
  let reader: ParameterReader<z.output<Query>> | undefined;
  return (text, path, now) => {
    reader ??= compiledReader(endpoint);
    return reader(text, path, now);
  };
}

function compiledReader<Query extends z.ZodObject>(
  endpoint: ParameterDeclaration<Query>,
): ParameterReader<z.output<Query>> {
  const { query } = endpoint;
  const formats = formatsOf(endpoint.encoding ?? {});
  const pathNames = pathParameters(endpoint.path);
  const days = dayNames(query);
  const rules = queryRules(endpoint, queryNames(endpoint), days);
  const documented = new Set(rules.documented);
  const names = Object.keys(query.shape).filter((name) => !pathNames.includes(name));
  const required = requiredOf(query).filter((name) => names.includes(name));
  const neverEmpty = neverEmptyNames(query).filter((name) => names.includes(name));

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
    const unknownNames = () => (unknown ??= new UnknownNames(rules));
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
    if (empty !== undefined) throw wrongValue(empty, EMPTY, { days, now });
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = sent.get(name);
      if (value) values[name] = value;
    }
    for (const name of pathNames) values[name] = decodeOnce(name, path[name] ?? '');
    const input = parseWith(schema, values, { days, now });
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

import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError, invalidFormat, missingField } from '../../core/domain/errors.ts';
import { exactNumberText, isJsonObject } from '../../core/domain/exact-json.ts';
import type { Markets } from '../../core/domain/markets.ts';
import type { Instant } from '../../core/domain/time.ts';
import { calendar } from '../../core/http/endpoints/central-bank/calendar.ts';
import { listOfficialRates } from '../../core/http/endpoints/central-bank/official.ts';
import { officialHistory } from '../../core/http/endpoints/central-bank/official-history.ts';
import { convert } from '../../core/http/endpoints/convert.ts';
import { history } from '../../core/http/endpoints/rates/history.ts';
import { rates } from '../../core/http/endpoints/rates/rates.ts';
import { status } from '../../core/http/endpoints/status.ts';
import { messageLanguage } from '../../core/http/framework/encoding/accept.ts';
import { once } from '../../core/http/framework/encoding/made-once.ts';
import { MAX_ECHO_LENGTH } from '../../core/http/framework/routing/limits.ts';
import { asApiSchema, schemaOptions } from '../../core/http/openapi/schemas.ts';
import { joinedForms } from '../../core/http/openapi/without-unions.ts';
import type { Call, Told } from '../../core/http/pipeline/call.ts';
import type { Endpoint } from '../../core/http/pipeline/endpoint.ts';
import { agedSchema, withAges } from './rate-ages.ts';
import { refusedResult } from './refusals.ts';

/** The endpoints by the names that assistants call them by. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  convert,
  get_calendar: calendar,
  get_history: history,
  get_official: listOfficialRates,
  get_official_history: officialHistory,
  get_rates: rates,
  get_status: status,
};

/** Longest list of an answer: an assistant reads every row. */
// limit: Rows of an answer | 366, the newest | `truncated`
export const MAX_TOOL_ROWS = 366;

/** Long lists that tell a person on a page how it went, and an assistant nothing that it is asked. */
const LEFT_OUT: ReadonlyMap<Endpoint, string> = new Map([[status, 'days']]);

/** Whether a message calls a tool whose endpoint needs a key. */
export function needsKey(method: unknown, params: unknown): boolean {
  const endpoint =
    method === 'tools/call' && isJsonObject(params) ? toolEndpoint(params['name']) : undefined;
  return endpoint?.access === 'key';
}

const toolEndpoint = (name: unknown): Endpoint | undefined =>
  typeof name === 'string' && Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined;

/** The tools, made of what the endpoints declare. */
export const listTools = once((): readonly Tool[] =>
  Object.entries(ENDPOINTS).map(([name, endpoint]) => ({
    name,
    title: endpoint.summary?.en,
    description: descriptionOf(endpoint),
    inputSchema: inputSchemaOf(endpoint),
    outputSchema: outputSchemaOf(endpoint),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  })),
);

function descriptionOf({ description, cost, scope }: Endpoint): string {
  const price = cost === 0 ? 'Costs nothing.' : 'Costs 1 unit; an error costs nothing.';
  const scopes = scope === undefined ? '' : ` A restricted key needs the scope \`${scope}\`.`;
  return `${description?.en} ${price}${scopes}`;
}

function inputSchemaOf({ query }: Endpoint): Tool['inputSchema'] {
  const schema = z.toJSONSchema(query, { ...schemaOptions('en'), io: 'input' });
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    // A text keeps every digit of an amount.
    isJsonObject(field) && field['type'] === 'number'
      ? { ...field, type: ['number', 'string'] }
      : field,
  ]);
  const { required = [] } = schema;
  const properties = Object.fromEntries(fields);
  return { type: 'object', properties, required, additionalProperties: false };
}

function outputSchemaOf(endpoint: Endpoint): NonNullable<Tool['outputSchema']> {
  const { anyOf, ...schema } = z.toJSONSchema(endpoint.answer, schemaOptions('en'));
  // Assistants of the protocol before this one take no union.
  const one = joinedForms((anyOf ?? [schema]).map((form) => asApiSchema(Object(form))));
  const { properties = {}, required = [] } = one;
  const cut = {
    truncated: {
      type: 'boolean',
      description: `Present when only the newest ${MAX_TOOL_ROWS} rows fit.`,
    },
  };
  const shown = agedSchema(without({ properties, required }, LEFT_OUT.get(endpoint)));
  const fields = isJsonObject(shown) && isJsonObject(shown['properties']) ? shown : undefined;
  return { type: 'object', ...fields, properties: { ...Object(fields?.['properties']), ...cut } };
}

/** A value without any field of that name, or a schema without the field. */
function without(value: unknown, name: string | undefined): unknown {
  if (Array.isArray(value)) {
    return value.filter((one) => one !== name).map((one) => without(one, name));
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(kept.map(([key, one]) => [key, without(one, name)]));
}

/** What a tool needs of the message that calls it. */
export interface Asking extends Pick<Call, 'ask' | 'header'> {
  readonly now: Instant;
  readonly services: { readonly markets: Markets };
}

/** @returns undefined when there is no such tool. */
export async function callTool(
  name: string,
  given: Readonly<Record<string, unknown>>,
  asking: Asking,
): Promise<CallToolResult | undefined> {
  const endpoint = toolEndpoint(name);
  if (endpoint === undefined) return undefined;
  const language = messageLanguage(asking.header('accept-language'));
  let told: Told;
  try {
    told = await asking.ask(addressOf(endpoint, given));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, sentence: message, options } = error;
    const json = { code, message: message[language], details: options.details };
    return refusedResult({ json }, language);
  }
  if (told.status !== 200) return refusedResult(told, language);
  const { markets } = asking.services;
  const shown = withAges(shortened(without(told.json, LEFT_OUT.get(endpoint))), {
    ...{ markets, now: asking.now },
  });
  const notes = NOTES.flatMap(([header, about]) => {
    const named = told.headers.get(header);
    return named === null ? [] : [{ type: 'text' as const, text: `${about}: ${named}.` }];
  });
  return {
    content: [{ type: 'text', text: JSON.stringify(shown) }, ...notes],
    structuredContent: Object(shown),
  };
}

/** What an endpoint says in headers of the markets that its answer rests on (contract §8). */
const NOTES = [
  ['x-vesfx-in-doubt', 'Not confirmed by a second source'],
  ['x-vesfx-frozen', 'Unchanged for longer than usual'],
] as const;

/** The address that a call asks. @throws ApiError */
function addressOf({ path, query }: Endpoint, given: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(query.shape);
  const sent = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    // Also those that choose a format, in which nothing could be read.
    if (!known.includes(name)) throw unknownArgument(name, known);
    const text = textOf(value);
    if (text !== undefined) return [[name, text.toWellFormed()]];
    throw invalidFormat(
      name,
      'wrong_type',
      sentence(
        `${name} must be a text or a number.`,
        `El valor de \`${name}\` debe ser un texto o un número.`,
      ),
    );
  });
  const values = new URLSearchParams(sent);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name);
    values.delete(name);
    if (!value) throw missingField(name);
    return encodeURIComponent(value);
  });
  return `${filled}?${values}`;
}

function unknownArgument(name: string, parameters: readonly string[]): ApiError {
  const field = name.slice(0, MAX_ECHO_LENGTH);
  const list = parameters.length === 0 ? '—' : parameters.join(', ');
  return new ApiError('unknown_parameter', {
    ...{ field, details: { parameters } },
    message: sentence(
      `There is no argument ${field}. The arguments are: ${list}.`,
      `No existe el argumento ${field}. Los argumentos son: ${list}.`,
    ),
  });
}

/** `null` is an empty value: a day that is there and empty must not mean today (contract §2). */
function textOf(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : exactNumberText(value);
}

/** An answer whose lists have the newest rows: they are last. */
function shortened(answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  const [name, rows] =
    Object.entries(answer).find(([, part]) => Array.isArray(part) && part.length > MAX_TOOL_ROWS) ??
    [];
  if (name === undefined || !Array.isArray(rows)) return answer;
  const count = 'count' in answer ? { count: MAX_TOOL_ROWS } : {};
  return { ...answer, ...count, [name]: rows.slice(-MAX_TOOL_ROWS), truncated: true };
}

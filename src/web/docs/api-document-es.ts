import { ERRORS } from '../../domain/errors/error-codes.ts';
import type { Sentence } from '../../domain/errors/sentence.ts';
import { VALUE_RULES } from '../../domain/errors/value-rules.ts';
import { SPANISH_FIELDS } from '../texts/es/api-fields.ts';
import { SPANISH_OPERATIONS, SPANISH_PARAMETERS } from '../texts/es/api-operations.ts';
import {
  SPANISH_ABOUT,
  SPANISH_ACCESS,
  SPANISH_EXAMPLES,
  SPANISH_FORMAT,
  SPANISH_HEADER_TEXTS,
  SPANISH_RESPONSES,
  SPANISH_SECURITY,
  SPANISH_SERVER,
  SPANISH_SHARED_PARAMETERS,
  SPANISH_TAGS,
  SPANISH_TITLES,
} from '../texts/es/api-texts.ts';
import type {
  ApiContent,
  ApiDocument,
  ApiMedia,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiSchema,
  Reference,
} from './api-document.ts';

/** The same document for readers of Spanish. A text that has no Spanish stays as it is. */
export function spanishDocument(document: ApiDocument): ApiDocument {
  const { info, servers, tags, paths, components } = document;
  const { schemas, headers, parameters, examples, securitySchemes } = components;
  return {
    ...document,
    info: { ...info, ...SPANISH_ABOUT },
    servers: servers.map((server) => ({ ...server, description: SPANISH_SERVER })),
    tags: tags.map((tag) => SPANISH_TAGS[tag.name] ?? tag),
    paths: byKey(paths, (methods) => byKey(methods, operationEs)),
    components: {
      ...components,
      schemas: byKey(schemas, (schema, name) => schemaEs(schema, name)),
      headers: byKey(headers, (header, name) => described(header, SPANISH_HEADER_TEXTS[name])),
      parameters: byKey(parameters, sharedParameterEs),
      // What the error says in a real answer stays: it is one.
      examples: byKey(examples, (example, code) => ({
        ...example,
        summary: errorText(code) ?? example.summary,
      })),
      securitySchemes: byKey(securitySchemes, (scheme, name) =>
        described(scheme, SPANISH_SECURITY[name]),
      ),
    },
    'x-errors': document['x-errors'].map((error) => {
      const message = errorText(error.code);
      return { ...error, ...(message !== undefined && { message }) };
    }),
    'x-rules': document['x-rules'].map((one) => {
      const rules: Readonly<Record<string, Sentence>> = VALUE_RULES;
      return { ...one, message: rules[one.rule]?.es ?? one.message };
    }),
  };
}

function byKey<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

function described<Thing extends object>(thing: Thing, description: string | undefined): Thing {
  return description === undefined ? thing : { ...thing, description };
}

function errorText(code: string): string | undefined {
  const errors: Readonly<Record<string, { readonly message: Sentence }>> = ERRORS;
  return errors[code]?.message.es;
}

/**
 * The key of a field's text in Spanish, as `spanishDocument` looks for it; see `api-fields.ts`.
 * @param place Name of the object that has the field, from `fieldPlace`.
 */
export function fieldKey(place: string, field: string): string {
  const own = `${place}.${field}`;
  return Object.hasOwn(SPANISH_FIELDS, own) ? own : field;
}

/** The key of a parameter's text in Spanish; see `api-operations.ts`. */
export function parameterKey(operationId: string, name: string): string {
  const own = `${operationId}.${name}`;
  return Object.hasOwn(SPANISH_PARAMETERS, own) ? own : name;
}

/** The name of an object: its title, or the place of the field that it is the value of. */
export function fieldPlace(
  { title }: ApiSchema,
  parent: string,
  field: string | undefined,
): string {
  return title ?? (field === undefined ? parent : `${parent}.${field}`);
}

/** @param parent Place of the object that has `field`; without a field, the name of the schema. */
function schemaEs(given: ApiSchema, parent: string, field?: string): ApiSchema {
  const { title, description, properties, items, oneOf } = given;
  const place = fieldPlace(given, parent, field);
  const spanish = SPANISH_FIELDS[field === undefined ? parent : fieldKey(parent, field)];
  const spanishTitle = title === undefined ? undefined : SPANISH_TITLES[title];
  return {
    ...given,
    ...(spanishTitle !== undefined && { title: spanishTitle }),
    ...(description !== undefined && { description: spanish ?? description }),
    ...(properties !== undefined && {
      properties: byKey(properties, (one, key) => schemaEs(one, place, key)),
    }),
    ...(items !== undefined && { items: schemaEs(items, parent, field) }),
    ...(oneOf !== undefined && {
      oneOf: oneOf.map((one) => optionEs(one, parent, field)),
    }),
  };
}

/** One side of "this or that"; an object among them is at the place of the field. */
function optionEs(given: ApiSchema, parent: string, field: string | undefined): ApiSchema {
  const { description, ...rest } = given;
  const spanish = SPANISH_FIELDS[fieldKey(parent, `${field} not null`)];
  return described({ ...given, ...schemaEs(rest, parent, field) }, description && spanish);
}

/** The rights that the operation needs, and its cost. */
function accessEs({ security, 'x-plan': plan, 'x-cost': cost }: ApiOperation): string {
  const needs = security?.flatMap((need) => Object.keys(need)) ?? ['apiKey'];
  const access = needs.includes('adminToken')
    ? SPANISH_ACCESS.operator
    : needs.length === 0
      ? SPANISH_ACCESS.withoutKey
      : plan === undefined
        ? SPANISH_ACCESS.everyPlan
        : SPANISH_ACCESS.fromPlan(plan);
  return `${access} ${cost === 0 ? SPANISH_ACCESS.free : SPANISH_ACCESS.unit}`;
}

function operationEs(operation: ApiOperation): ApiOperation {
  const { operationId, tags, parameters, requestBody, responses, 'x-scope': scope } = operation;
  const texts = SPANISH_OPERATIONS[operationId];
  if (texts === undefined) return operation;
  const description = [
    texts.description,
    accessEs(operation),
    scope && SPANISH_ACCESS.scope(scope),
  ];
  return {
    ...operation,
    summary: texts.summary,
    description: description.filter(Boolean).join('\n\n'),
    tags: tags.map((tag) => SPANISH_TAGS[tag]?.name ?? tag),
    parameters: parameters.map((one) => parameterEs(one, operationId)),
    ...(requestBody !== undefined && {
      requestBody: {
        ...requestBody,
        content: contentEs(requestBody.content, texts.examples, texts.body),
      },
    }),
    responses: byKey(responses, (response, status) =>
      responseEs(response, status, operation['x-error-codes'][status], texts.examples),
    ),
  };
}

function parameterEs(
  given: ApiParameter | Reference,
  operationId: string,
): ApiParameter | Reference {
  if ('$ref' in given) return given;
  return described(given, SPANISH_PARAMETERS[parameterKey(operationId, given.name)]);
}

/** The text of `format` names the plans of the catalogue, one for each format. */
function sharedParameterEs(parameter: ApiParameter, name: string): ApiParameter {
  if (name !== 'format') return described(parameter, SPANISH_SHARED_PARAMETERS[name]);
  const [, list = ''] = /lower case only\. (.*)\.$/.exec(parameter.description) ?? [];
  return described(parameter, SPANISH_FORMAT(list));
}

function responseEs(
  response: ApiResponse,
  status: string,
  codes: readonly string[] | undefined,
  examples: Readonly<Record<string, string>> | undefined,
): ApiResponse {
  const { description, content, 'x-other-formats': others } = response;
  if (codes !== undefined) {
    return {
      ...response,
      description: codes.map((code) => `\`${code}\`: ${errorText(code) ?? ''}`).join('\n\n'),
    };
  }
  return {
    ...response,
    description: SPANISH_RESPONSES[status] ?? description,
    ...(content !== undefined && { content: contentEs(content, examples) }),
    ...(others !== undefined && {
      'x-other-formats': byKey(others, (media) => examplesEs(media, examples)),
    }),
  };
}

/** @param summaries Of the examples, by name; their values are bodies as they come. */
function contentEs(
  content: ApiContent,
  summaries?: Readonly<Record<string, string>>,
  description?: string,
): ApiContent {
  return byKey(content, (media) => ({
    ...examplesEs(media, summaries),
    schema: described(media.schema, media.schema.description && description),
  }));
}

function examplesEs<Media extends Partial<Pick<ApiMedia, 'examples'>>>(
  media: Media,
  summaries: Readonly<Record<string, string>> = {},
): Media {
  if (media.examples === undefined) return media;
  const examples = byKey(media.examples, (example, name) =>
    '$ref' in example
      ? example
      : { ...example, summary: summaries[name] ?? SPANISH_EXAMPLES[name] ?? example.summary },
  );
  return { ...media, examples };
}

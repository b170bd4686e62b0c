import { ERRORS } from '../../domain/errors/error-codes.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Format } from '../../domain/plans.ts';
import type { Language } from '../../domain/words/language.ts';
import { EVENT_STREAM } from '../framework/encoding/answer-stream.ts';
import { answerText } from '../framework/encoding/formats.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { ApiResponse, Reference } from './api-document.ts';
import { type Documented, errorCodesOf, hasCaller } from './error-codes.ts';
import { BULK_HEADERS, CACHE_HEADERS, QUOTA_HEADERS } from './parts.ts';
import { type Schemas, schemaAddress, typeName } from './schemas.ts';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xml: 'application/xml',
};

const OUTCOMES = {
  answer: sentence('The answer.', 'La respuesta.'),
  created: sentence('Created.', 'Creado.'),
  done: sentence('Done; there is no body.', 'Hecho; no hay cuerpo.'),
  current: sentence(
    'The answer that you have is still current.',
    'La respuesta que usted tiene no ha cambiado.',
  ),
};

/** Every answer of an operation, by status, successful ones first. */
export function responsesOf(
  endpoint: Documented,
  schemas: Schemas,
): Readonly<Record<string, ApiResponse>> {
  const failures = [...codesByStatus(endpoint)].map(([status, codes]) => [
    status,
    failure(status, codes, { keyed: hasCaller(endpoint), language: schemas.language }),
  ]);
  return { ...successes(endpoint, schemas), ...Object.fromEntries(failures) };
}

export function codesByStatus(endpoint: Documented): ReadonlyMap<number, readonly ErrorCode[]> {
  return Map.groupBy(errorCodesOf(endpoint), (code) => ERRORS[code].status);
}

function headerReferences(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * CSV and XML as the reference shows them, made by the encoder of real answers. As content they
 * would make every answer a union.
 */
function otherFormats(
  endpoint: Documented,
  language: Language,
): Pick<ApiResponse, 'x-other-formats'> {
  if (endpoint.encoding === undefined) return {};
  const formats = (['csv', 'xml'] as const).map((format) => {
    const examples = Object.entries(endpoint.operation.answers).map(
      ([name, { summary, value }]) => [
        name,
        { summary: summary[language], value: answerText(endpoint, value, format) },
      ],
    );
    return [MEDIA_TYPES[format], { examples: Object.fromEntries(examples) }];
  });
  return { 'x-other-formats': Object.fromEntries(formats) };
}

function examplesIn(answers: Operation['answers'], language: Language) {
  const named = Object.entries(answers).map(([name, { summary, value }]) => [
    name,
    { summary: summary[language], value },
  ]);
  return Object.fromEntries(named);
}

function successes(endpoint: Documented, schemas: Schemas): Readonly<Record<string, ApiResponse>> {
  const { language } = schemas;
  const { status = 200, cost, bulk, maxAgeSec, method, restsOnQuotes } = endpoint;
  const cacheable = maxAgeSec !== undefined && method !== 'POST';
  const headers = headerReferences([
    'X-Request-Id',
    ...(endpoint.rejectUnknown && !endpoint.ignores ? [] : ['X-Ignored-Parameters']),
    ...(hasCaller(endpoint) ? QUOTA_HEADERS : []),
    ...(cost > 0 ? ['X-RateLimit-Cost'] : []),
    ...(bulk ? BULK_HEADERS : []),
    ...(cacheable ? CACHE_HEADERS : []),
    ...(restsOnQuotes ? ['X-Vesfx-Stale', 'X-Vesfx-In-Doubt', 'X-Vesfx-Frozen'] : []),
    ...('adjusted' in endpoint.query.shape ? ['X-Vesfx-Unit-Changes'] : []),
  ]);
  if (status === 204) return { 204: { description: OUTCOMES.done[language], headers } };
  const { schema: name, id, answers } = endpoint.operation;
  const schema = schemas.nameAnswer(endpoint.answer, name ?? `${typeName(id)}Answer`);
  const mediaType = endpoint.streams === true ? EVENT_STREAM : MEDIA_TYPES.json;
  const content = { [mediaType]: { schema, examples: examplesIn(answers, language) } };
  const description = OUTCOMES[status === 201 ? 'created' : 'answer'][language];
  return {
    [status]: { description, headers, content, ...otherFormats(endpoint, language) },
    ...(cacheable && {
      304: { description: OUTCOMES.current[language], headers },
    }),
  };
}

function failure(
  status: number,
  codes: readonly ErrorCode[],
  { keyed, language }: { readonly keyed: boolean; readonly language: Language },
): ApiResponse {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message[language]}`).join('\n\n'),
    headers: headerReferences([
      'X-Request-Id',
      ...(!keyed || status === 401 ? [] : QUOTA_HEADERS),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 429 ? ['Retry-After', 'X-RateLimit-Scope'] : []),
      ...(status === 503 ? ['Retry-After'] : []),
    ]),
    content: {
      [MEDIA_TYPES.json]: {
        schema: { $ref: schemaAddress('Error') },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

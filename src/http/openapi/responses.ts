import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import type { Format } from '../../domain/plans.ts';
import type {
  ApiContent,
  ApiExample,
  ApiResponse,
  Reference,
} from '../../web/docs/api-document.ts';
import { textOf } from '../encoding/formats.ts';
import { capital, type Documented } from './documented.ts';
import { errorCodesOf, hasCaller } from './error-codes.ts';
import { BULK_HEADERS, CACHE_HEADERS, QUOTA_HEADERS } from './parts.ts';
import { type Schemas, schemaAddress } from './schemas.ts';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xml: 'application/xml',
};

/** Every answer of an operation, by status, successful ones first. */
export function responsesOf(
  endpoint: Documented,
  schemas: Schemas,
): Readonly<Record<string, ApiResponse>> {
  const keyed = hasCaller(endpoint);
  const failures = [...codesByStatus(endpoint)].map(([status, codes]) => [
    status,
    failure(status, codes, keyed),
  ]);
  return { ...successes(endpoint, schemas), ...Object.fromEntries(failures) };
}

export function codesByStatus(endpoint: Documented): ReadonlyMap<number, readonly ErrorCode[]> {
  return Map.groupBy(errorCodesOf(endpoint), (code) => ERRORS[code].status);
}

function headerReferences(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The example answers in another format, made by the encoder of real answers. */
function encodedExamples(
  endpoint: Documented,
  format: Format,
): Readonly<Record<string, ApiExample>> {
  return Object.fromEntries(
    Object.entries(endpoint.operation.answers).map(([name, { summary, value }]) => [
      name,
      { summary, value: textOf(endpoint, value, format) },
    ]),
  );
}

function answerContent(endpoint: Documented, schemas: Schemas): ApiContent {
  const { schema: name, id, answers } = endpoint.operation;
  const schema = schemas.nameAnswer(endpoint.answer, name ?? `${capital(id)}Answer`);
  const json = { schema, examples: answers };
  if (endpoint.encoding === undefined) return { [MEDIA_TYPES.json]: json };
  const asText = (format: Format) => ({
    schema: { type: 'string' },
    examples: encodedExamples(endpoint, format),
  });
  return {
    [MEDIA_TYPES.json]: json,
    [MEDIA_TYPES.csv]: asText('csv'),
    [MEDIA_TYPES.xml]: asText('xml'),
  };
}

function successes(endpoint: Documented, schemas: Schemas): Readonly<Record<string, ApiResponse>> {
  const { status = 200, cost, bulk, maxAgeSec, method } = endpoint;
  const cacheable = maxAgeSec !== undefined && method !== 'POST';
  const headers = headerReferences([
    'X-Request-Id',
    ...(hasCaller(endpoint) ? QUOTA_HEADERS : []),
    ...(cost > 0 ? ['X-RateLimit-Cost'] : []),
    ...(bulk ? BULK_HEADERS : []),
    ...(cacheable ? CACHE_HEADERS : []),
  ]);
  if (status === 204) return { 204: { description: 'Done; there is no body.', headers } };
  const content = answerContent(endpoint, schemas);
  const description = status === 201 ? 'Created.' : 'The answer.';
  return {
    [status]: { description, headers, content },
    ...(cacheable && {
      304: { description: 'The answer that you have is still current.', headers },
    }),
  };
}

function failure(status: number, codes: readonly ErrorCode[], keyed: boolean): ApiResponse {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
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

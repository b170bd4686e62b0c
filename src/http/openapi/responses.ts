import { ERRORS } from '../../domain/errors/error-codes.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Format } from '../../domain/plans.ts';
import type { ApiResponse, Reference } from '../../web/docs/api-document.ts';
import { answerText } from '../encoding/formats.ts';
import { type Documented, errorCodesOf, hasCaller } from './error-codes.ts';
import { BULK_HEADERS, CACHE_HEADERS, QUOTA_HEADERS } from './parts.ts';
import { type Schemas, schemaAddress, typeName } from './schemas.ts';

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
  const failures = [...codesByStatus(endpoint)].map(([status, codes]) => [
    status,
    failure(status, codes, hasCaller(endpoint)),
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
function otherFormats(endpoint: Documented): Pick<ApiResponse, 'x-other-formats'> {
  if (endpoint.encoding === undefined) return {};
  const formats = (['csv', 'xml'] as const).map((format) => {
    const examples = Object.entries(endpoint.operation.answers).map(
      ([name, { summary, value }]) => [
        name,
        { summary, value: answerText(endpoint, value, format) },
      ],
    );
    return [MEDIA_TYPES[format], { examples: Object.fromEntries(examples) }];
  });
  return { 'x-other-formats': Object.fromEntries(formats) };
}

function successes(endpoint: Documented, schemas: Schemas): Readonly<Record<string, ApiResponse>> {
  const { status = 200, cost, bulk, maxAgeSec, method, restsOnQuotes } = endpoint;
  const cacheable = maxAgeSec !== undefined && method !== 'POST';
  const headers = headerReferences([
    'X-Request-Id',
    ...(endpoint.rejectUnknown === true ? [] : ['X-Ignored-Parameters']),
    ...(hasCaller(endpoint) ? QUOTA_HEADERS : []),
    ...(cost > 0 ? ['X-RateLimit-Cost'] : []),
    ...(bulk ? BULK_HEADERS : []),
    ...(cacheable ? CACHE_HEADERS : []),
    ...(restsOnQuotes ? ['X-Vesfx-Stale', 'X-Vesfx-In-Doubt', 'X-Vesfx-Frozen'] : []),
    ...('adjusted' in endpoint.query.shape ? ['X-Vesfx-Unit-Changes'] : []),
  ]);
  if (status === 204) return { 204: { description: 'Done; there is no body.', headers } };
  const { schema: name, id, answers } = endpoint.operation;
  const schema = schemas.nameAnswer(endpoint.answer, name ?? `${typeName(id)}Answer`);
  const content = { [MEDIA_TYPES.json]: { schema, examples: answers } };
  const description = status === 201 ? 'Created.' : 'The answer.';
  return {
    [status]: { description, headers, content, ...otherFormats(endpoint) },
    ...(cacheable && {
      304: { description: 'The answer that you have is still current.', headers },
    }),
  };
}

function failure(status: number, codes: readonly ErrorCode[], keyed: boolean): ApiResponse {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message.en}`).join('\n\n'),
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

import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { cheapestPlan, FORMATS, type Format, type Plans } from '../../domain/plans.ts';
import type {
  ApiContent,
  ApiDocument,
  ApiExample,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  Reference,
} from '../../web/docs/api-document.ts';
import { LOCALES, textOf } from '../encoding/formats.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { requiresBody } from '../routing/parameters.ts';
import { errorCodesOf, hasCaller, pathNames, takesPublishableKeys } from './error-codes.ts';
import { type Operation, TAGS } from './operation.ts';
import {
  BULK_HEADERS,
  CACHE_HEADERS,
  ERROR_LIST,
  errorExample,
  HEADERS,
  QUOTA_HEADERS,
} from './parts.ts';
import { asApiSchema, SCHEMA_OPTIONS, Schemas, schemaAddress } from './schemas.ts';

/** Version of the interface under `/v1`, which moves apart from the package's. */
export const INTERFACE_VERSION = '1.0.0';

const DESCRIPTION = `Exchange rates of the Venezuelan bolivar (VES) against USD and EUR: official, \
free-market, peer-to-peer, remittance, exchange-house and cash quotes, with conversions, a route \
comparison, a spread, a weighted index, history and what the central bank publishes.

Every result is information. The service moves no money, includes no fees and knows nothing of \
liquidity or of the limits of a provider.

Send your key in the \`X-API-Key\` header. An answered call (2xx or 304) costs the units that its \
description names; an error costs nothing. Look markets up by \`market\`, never by position, and \
accept values of \`type\` that are new to you.

Timestamps are ISO 8601 in UTC. Rates are VES for one unit of the base currency.`;

const IF_NONE_MATCH: ApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the answer you have. When it is still current the answer is 304.',
  schema: { type: 'string' },
  example: HEADERS['ETag']?.example,
};

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xml: 'application/xml',
};

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** An endpoint that the reference has. */
interface Documented extends Endpoint {
  readonly operation: Operation;
}

function isDocumented(endpoint: Endpoint): endpoint is Documented {
  return endpoint.operation !== undefined;
}

function byStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  return Map.groupBy(codes, (code) => ERRORS[code].status);
}

function headerReferences(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function planOf({ feature }: Endpoint, plans: Plans): string | undefined {
  if (feature === undefined) return undefined;
  const plan = cheapestPlan(plans, ({ features }) => features.includes(feature));
  return plan === plans.list[0] ? undefined : plan?.name;
}

function accessOf(endpoint: Endpoint, plans: Plans): string {
  if (endpoint.access === 'admin') return 'Needs the admin token.';
  if (endpoint.access === 'open') return 'Needs no key.';
  const plan = planOf(endpoint, plans);
  return plan === undefined ? 'Every plan.' : `From ${plan}.`;
}

function descriptionOf(endpoint: Endpoint, plans: Plans): string {
  const { description, cost } = endpoint;
  const access = accessOf(endpoint, plans);
  const price = cost === 0 ? 'Costs nothing.' : 'An answered call costs 1 unit.';
  const scope =
    endpoint.scope === undefined ? '' : `A restricted key needs the scope \`${endpoint.scope}\`.`;
  return [description, `${access} ${price}`, scope].filter(Boolean).join('\n\n');
}

function formatParameter(plans: Plans): ApiParameter {
  const access = FORMATS.flatMap((format) => {
    const plan = cheapestPlan(plans, ({ formats }) => formats.includes(format));
    return plan === undefined ? [] : `${format} from ${plan.name}`;
  });
  return {
    name: 'format',
    in: 'query',
    required: false,
    description: `Format of the answer, json when absent; lower case only. ${access.join(', ')}.`,
    schema: { type: 'string', enum: FORMATS },
    example: 'json',
  };
}

const LOCALE: ApiParameter = {
  name: 'locale',
  in: 'query',
  required: false,
  description:
    'How CSV is written: en when absent, for programs; es for spreadsheets in Spanish, with semicolons, decimal commas and Spanish headers. Other formats stay the same.',
  schema: { type: 'string', enum: LOCALES },
  example: 'es',
};

function parametersOf(endpoint: Documented): readonly (ApiParameter | Reference)[] {
  const { path, query, encoding, maxAgeSec } = endpoint;
  const inPath = pathNames(path);
  const schema = z.toJSONSchema(query, { ...SCHEMA_OPTIONS, io: 'input' });
  const given = endpoint.operation.parameters ?? {};
  const own = Object.entries(schema.properties ?? {}).map(([name, field]): ApiParameter => {
    const { description = '', examples, ...rest } = typeof field === 'object' ? field : {};
    const sample = given[name] ?? examples?.[0];
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || (schema.required ?? []).includes(name),
      description,
      schema: asApiSchema(rest),
      ...(sample !== undefined && { example: sample }),
    };
  });
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...own,
    ...(encoding === undefined ? [] : [shared('format'), shared('locale')]),
    ...(maxAgeSec === undefined || endpoint.method === 'POST' ? [] : [shared('If-None-Match')]),
  ];
}

function bodyOf(endpoint: Documented, schemas: Schemas): ApiOperation['requestBody'] {
  const { body, textBody } = endpoint;
  const { body: value, bodySchema, id } = endpoint.operation;
  const examples =
    value === undefined ? {} : { examples: { request: { summary: 'A request', value } } };
  if (textBody === true) {
    const schema = { type: 'string', description: 'A JSON record a line.' };
    return { required: true, content: { 'application/x-ndjson': { schema, ...examples } } };
  }
  if (body === undefined) return undefined;
  const name = bodySchema ?? `${capital(id)}Request`;
  const schema = schemas.name(body, name, 'input');
  return { required: requiresBody(body), content: { 'application/json': { schema, ...examples } } };
}

/** The example answers in another format, written by the encoder that writes the real ones. */
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
    ...(cacheable && { 304: { description: 'What you have is still current.', headers } }),
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

function operationOf(endpoint: Documented, plans: Plans, schemas: Schemas): ApiOperation {
  const { access, scope, summary, section, cost } = endpoint;
  const codes = byStatus(errorCodesOf(endpoint));
  const plan = planOf(endpoint, plans);
  const requestBody = bodyOf(endpoint, schemas);
  const failures = [...codes].map(([status, some]) => [
    status,
    failure(status, some, hasCaller(endpoint)),
  ]);
  return {
    operationId: endpoint.operation.id,
    summary,
    description: descriptionOf(endpoint, plans),
    tags: [endpoint.operation.tag],
    ...(access === 'admin' && { security: [{ adminToken: [] }] }),
    ...(access === 'open' && { security: [] }),
    ...(takesPublishableKeys(endpoint) && {
      security: [{ apiKey: [] }, { publishableKey: [] }],
    }),
    parameters: parametersOf(endpoint),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...successes(endpoint, schemas), ...Object.fromEntries(failures) },
    'x-section': section,
    'x-cost': cost,
    ...(scope !== undefined && { 'x-scope': scope }),
    ...(plan !== undefined && { 'x-plan': plan }),
    'x-error-codes': Object.fromEntries(codes),
  };
}

/** `/a/:b` as OpenAPI writes it, `/a/{b}`. */
function templatePath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The OpenAPI 3.1 document of the service, made from what its endpoints declare. */
export function openApiDocument({
  endpoints,
  plans,
  publicUrl,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly plans: Plans;
  readonly publicUrl: string;
}): ApiDocument {
  const documented = endpoints.filter(isDocumented);
  const schemas = new Schemas();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const endpoint of documented) {
    const path = templatePath(endpoint.path);
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint, plans, schemas);
  }
  const tags = new Set(documented.map(({ operation }) => operation.tag));
  const codes = [...new Set(documented.flatMap(errorCodesOf))];
  const admin = documented.some(({ access }) => access === 'admin');
  return {
    openapi: '3.1.0',
    info: {
      title: 'vesfx',
      version: INTERFACE_VERSION,
      summary: 'Exchange rates of the Venezuelan bolivar.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    security: [{ apiKey: [] }],
    tags: [...tags].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: schemas.all(),
      headers: HEADERS,
      parameters: {
        format: formatParameter(plans),
        locale: LOCALE,
        'If-None-Match': IF_NONE_MATCH,
      },
      examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key of your account: vfx_live_…, vfx_rk_live_… or vfx_pub_….',
        },
        publishableKey: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description: 'A publishable key, vfx_pub_…, where no header can be sent.',
        },
        ...(admin && {
          adminToken: { type: 'http', scheme: 'bearer', description: "The operator's own token." },
        }),
      },
    },
    'x-errors': ERROR_LIST,
  };
}

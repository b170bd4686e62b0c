import { z } from 'zod';
import { cheapestPlan, FORMATS, type Plans } from '../../domain/plans.ts';
import type {
  ApiDocument,
  ApiOperation,
  ApiParameter,
  Reference,
} from '../../web/docs/api-document.ts';
import { LOCALES } from '../encoding/formats.ts';
import { type Endpoint, takesPublishableKeys } from '../routing/endpoint.ts';
import { requiresBody } from '../routing/json-body.ts';
import { TAGS } from '../routing/operation.ts';
import { pathParameters } from '../routing/parameters.ts';
import { type Documented, errorCodesOf, isDocumented } from './error-codes.ts';
import { ERROR_LIST, errorExample, HEADERS, RULE_LIST } from './parts.ts';
import { codesByStatus, responsesOf } from './responses.ts';
import { asApiSchema, SCHEMA_OPTIONS, Schemas, typeName } from './schemas.ts';

const DESCRIPTION = `Exchange rates of the Venezuelan bolívar (VES) against USD and EUR: official, \
parallel, peer-to-peer (P2P), remittance, exchange-house and cash quotes; with conversions, a \
comparison of markets, the premium, a weighted index, history and what the central bank publishes.

Every result is information. The service moves no money and does not consider fees, liquidity \
or the limits of a provider.

Send your key in the \`X-API-Key\` header. Each answer (2xx or 304) costs the units in its \
description; an error costs nothing. Find markets by \`market\`, never by position, and accept \
values of \`type\` that you do not know.

Timestamps are ISO 8601 in UTC. Rates are VES per unit of the base currency.`;

const IF_NONE_MATCH: ApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the answer that you have. If it is still current, the answer is 304.',
  schema: { type: 'string' },
  example: HEADERS['ETag']?.example,
};

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
  const price = cost === 0 ? 'Costs nothing.' : 'An answered request costs 1 unit.';
  const scope =
    endpoint.scope === undefined ? '' : `A restricted key needs the scope \`${endpoint.scope}\`.`;
  return [description, `${access} ${price}`, scope].filter(Boolean).join('\n\n');
}

function formatParameter(plans: Plans): ApiParameter {
  const access = FORMATS.flatMap((format) => {
    const plan = cheapestPlan(plans, ({ formats }) => formats.includes(format));
    return plan === undefined ? [] : `\`${format}\` from ${plan.name}`;
  });
  return {
    name: 'format',
    in: 'query',
    required: false,
    description: `Format of the answer, \`json\` by default; lower case only. ${access.join(', ')}.`,
    schema: { type: 'string', enum: FORMATS },
    example: 'json',
  };
}

const LOCALE: ApiParameter = {
  name: 'locale',
  in: 'query',
  required: false,
  description:
    'How CSV is written: `en` (the default) for programs; `es` for spreadsheets in Spanish, with semicolons, decimal commas and Spanish column names. Other formats do not change.',
  schema: { type: 'string', enum: LOCALES },
  example: 'es',
};

function parametersOf(endpoint: Documented): readonly (ApiParameter | Reference)[] {
  const { path, query, encoding, maxAgeSec } = endpoint;
  const inPath = pathParameters(path);
  const schema = z.toJSONSchema(query, { ...SCHEMA_OPTIONS, io: 'input' });
  const samples = endpoint.operation.parameters ?? {};
  const own = Object.entries(schema.properties ?? {}).map(([name, field]): ApiParameter => {
    const { description = '', examples, ...rest } = typeof field === 'object' ? field : {};
    const text = samples[name] ?? examples?.[0];
    const isNumber = rest.type === 'number' || rest.type === 'integer';
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || (schema.required ?? []).includes(name),
      description,
      schema: asApiSchema(rest),
      example: isNumber && text !== undefined ? Number(text) : text,
      ...(name in samples && { 'x-asked': true }),
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
    const schema = { type: 'string', description: 'One JSON record per line.' };
    return { required: true, content: { 'application/x-ndjson': { schema, ...examples } } };
  }
  if (body === undefined) return undefined;
  const name = bodySchema ?? `${typeName(id)}Request`;
  const schema = schemas.name(body, name, 'input');
  return { required: requiresBody(body), content: { 'application/json': { schema, ...examples } } };
}

function operationOf(endpoint: Documented, plans: Plans, schemas: Schemas): ApiOperation {
  const { access, scope, summary, section, cost } = endpoint;
  return {
    operationId: endpoint.operation.id,
    summary,
    description: descriptionOf(endpoint, plans),
    tags: [endpoint.operation.tag],
    ...(access === 'admin' && { security: [{ adminToken: [] }] }),
    ...(access === 'open' && { security: [] }),
    ...(takesPublishableKeys(endpoint) && { security: [{ apiKey: [] }, { publishableKey: [] }] }),
    parameters: parametersOf(endpoint),
    requestBody: bodyOf(endpoint, schemas),
    responses: responsesOf(endpoint, schemas),
    'x-section': section,
    'x-cost': cost,
    'x-scope': scope,
    'x-plan': planOf(endpoint, plans),
    'x-error-codes': Object.fromEntries(codesByStatus(endpoint)),
  };
}

/** Builds the OpenAPI 3.1 document from the declarations of the endpoints. */
export function openApiDocument(parts: {
  readonly endpoints: readonly Endpoint[];
  readonly plans: Plans;
  readonly publicUrl: string;
  /** Version of the package. */
  readonly version: string;
}): ApiDocument {
  const { plans } = parts;
  const documented = parts.endpoints.filter(isDocumented);
  const schemas = new Schemas();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const endpoint of documented) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
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
      version: parts.version,
      summary: 'Exchange rates of the Venezuelan bolívar.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: parts.publicUrl, description: 'This service.' }],
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
          description: 'A key of your account: `vfx_live_…`, `vfx_rk_live_…` or `vfx_pub_…`.',
        },
        publishableKey: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description: 'A publishable key, `vfx_pub_…`, where no header can be sent.',
        },
        ...(admin && {
          adminToken: { type: 'http', scheme: 'bearer', description: "The operator's own token." },
        }),
      },
    },
    'x-errors': ERROR_LIST,
    'x-rules': RULE_LIST,
  };
}

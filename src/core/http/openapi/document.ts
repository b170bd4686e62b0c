import { z } from 'zod';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { cheapestPlan, type Plans, planHas } from '../../domain/plans.ts';
import type { CaracasDay } from '../../domain/time.ts';
import type { Language } from '../../domain/words/language.ts';
import { ANSWER_FORMATS } from '../framework/encoding/formats.ts';
import { requiresBody } from '../framework/routing/json-body.ts';
import { pathParameters } from '../framework/routing/router.ts';
import { type Endpoint, takesPublishableKeys } from '../pipeline/endpoint.ts';
import { groupName, REFERENCE_GROUPS } from '../pipeline/reference-groups.ts';
import type {
  ApiDocument,
  ApiMessage,
  ApiOperation,
  ApiParameter,
  Reference,
} from './api-document.ts';
import { type Documented, errorCodesOf, isDocumented } from './error-codes.ts';
import { formatParameter, localeParameter } from './form-parameters.ts';
import { EXAMPLE_TAG, errorExample, errorsIn, headersIn, rulesIn } from './parts.ts';
import { codesByStatus, responsesOf } from './responses.ts';
import { asApiSchema, Schemas, schemaOptions, typeName } from './schemas.ts';

const SUMMARY = sentence(
  'Exchange rates of the Venezuelan bolívar.',
  'Tasas de cambio del bolívar venezolano.',
);

const DESCRIPTION = sentence(
  `Exchange rates of the Venezuelan bolívar (VES) against USD and EUR: official, \
parallel, peer-to-peer (P2P), remittance, exchange-house and cash quotes; with conversions, a \
comparison of markets, the premium, a weighted index, history and what the central bank publishes.

Every result is information. The service moves no money and does not consider fees, liquidity \
or the limits of a provider.

Send your key in the \`X-API-Key\` header. Each answer (2xx or 304) costs the units in its \
description; an error costs nothing. Find markets by \`market\`, never by position, and accept \
values of \`type\` that you do not know.

Timestamps are ISO 8601 in UTC. Rates are VES per unit of the base currency.`,
  [
    'Tasas de cambio del bolívar venezolano (VES) frente al dólar y al euro: oficial, paralela, entre personas (P2P), de remesas, de casas de cambio y de efectivo; con conversiones, comparación de mercados, brecha, un índice ponderado, historial y lo que publica el Banco Central.',
    'Todo resultado es información. El servicio no mueve dinero y no considera comisiones, liquidez ni los límites de un proveedor.',
    'Envíe su clave en el encabezado `X-API-Key`. Cada respuesta (2xx o 304) cuesta las unidades que indica su descripción; un error no cuesta nada. Busque los mercados por `market`, nunca por posición, y acepte valores de `type` que no conozca.',
    'Las horas están en ISO 8601, en UTC. Las tasas son VES por una unidad de la moneda base.',
  ].join('\n\n'),
);

/** What is said of a sample that the service did not answer. */
export function ofDemonstration({ en, es }: Sentence): Sentence {
  const open = (text: string) => text.replace(/\.$/, '');
  return sentence(`${open(en)} (demonstration)`, `${open(es)} (demostración)`);
}

/** Whose figures the samples show. @param day The day of the samples of a service that has figures. */
export function samplesSaid(day: CaracasDay | undefined): Sentence {
  return day === undefined
    ? sentence(
        'The figures of the examples are those of the demonstration on 20 November 2026: this service has none yet.',
        'Las cifras de los ejemplos son las de la demostración del 20 de noviembre de 2026: este servicio aún no tiene.',
      )
    : sentence(
        `The examples are what this service answered on ${day}, with lists cut short. Where it has no figure, they are the demonstration's.`,
        `Los ejemplos son lo que este servicio respondió el ${day}, con las listas recortadas. Donde no tiene una cifra, son de la demostración.`,
      );
}

function ifNoneMatch(language: Language): ApiParameter {
  const about = sentence(
    'The ETag of the answer that you have. If it is still current, the answer is 304.',
    'El ETag de la respuesta que ya tiene. Si no ha cambiado, la respuesta es 304.',
  );
  return {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: about[language],
    schema: { type: 'string' },
    example: EXAMPLE_TAG,
  };
}

function planOf({ feature }: Endpoint, plans: Plans): string | undefined {
  if (feature === undefined) return undefined;
  const plan = cheapestPlan(plans, (one) => planHas(one, feature));
  return plan === plans.list[0] ? undefined : plan?.name;
}

function accessOf(endpoint: Endpoint, plans: Plans): Sentence {
  if (endpoint.access === 'admin') {
    return sentence('Needs the admin token.', 'Necesita el token de administración.');
  }
  if (endpoint.access === 'open') return sentence('Needs no key.', 'No necesita clave.');
  const plan = planOf(endpoint, plans);
  return plan === undefined
    ? sentence('Every plan.', 'Todos los planes.')
    : sentence(`From ${plan}.`, `Desde ${plan}.`);
}

function descriptionOf(endpoint: Endpoint, plans: Plans, language: Language): string {
  const { description, cost, scope } = endpoint;
  const access = accessOf(endpoint, plans);
  const price =
    cost === 0
      ? sentence('Costs nothing.', 'No cuesta nada.')
      : sentence('An answered request costs 1 unit.', 'Cada respuesta cuesta 1 unidad.');
  const ofScope =
    scope &&
    sentence(
      `A restricted key needs the scope \`${scope}\`.`,
      `Una clave restringida necesita el permiso \`${scope}\`.`,
    );
  const facts = `${access[language]} ${price[language]}`;
  return [description?.[language], facts, ofScope?.[language]].filter(Boolean).join('\n\n');
}

function parametersOf(
  endpoint: Documented,
  language: Language,
): readonly (ApiParameter | Reference)[] {
  const { path, query, encoding, maxAgeSec } = endpoint;
  const inPath = pathParameters(path);
  const schema = z.toJSONSchema(query, { ...schemaOptions(language), io: 'input' });
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
    ...(encoding === undefined
      ? []
      : [shared(encoding.sheet === undefined ? 'format' : 'format-with-xlsx'), shared('locale')]),
    ...(maxAgeSec === undefined || endpoint.method === 'POST' ? [] : [shared('If-None-Match')]),
  ];
}

function bodyOf(endpoint: Documented, schemas: Schemas): ApiOperation['requestBody'] {
  const { body, textBody } = endpoint;
  const { body: value, bodySchema, id } = endpoint.operation;
  const summary = sentence('A request', 'Una consulta')[schemas.language];
  const examples = value === undefined ? {} : { examples: { request: { summary, value } } };
  if (textBody === true) {
    const about = sentence('One JSON record per line.', 'Un registro JSON por línea.');
    const schema = { type: 'string', description: about[schemas.language] };
    return { required: true, content: { 'application/x-ndjson': { schema, ...examples } } };
  }
  if (body === undefined) return undefined;
  const name = bodySchema ?? `${typeName(id)}Request`;
  const schema = schemas.name(body, name, 'input');
  return { required: requiresBody(body), content: { 'application/json': { schema, ...examples } } };
}

function operationOf(endpoint: Documented, plans: Plans, schemas: Schemas): ApiOperation {
  const { language } = schemas;
  const { access, scope, summary, section, cost } = endpoint;
  return {
    operationId: endpoint.operation.id,
    summary: summary[language],
    description: descriptionOf(endpoint, plans, language),
    tags: [groupName(endpoint.operation.tag)[language]],
    ...(access === 'admin' && { security: [{ adminToken: [] }] }),
    ...(access === 'open' && { security: [] }),
    ...(takesPublishableKeys(endpoint) && { security: [{ apiKey: [] }, { publishableKey: [] }] }),
    parameters: parametersOf(endpoint, language),
    requestBody: bodyOf(endpoint, schemas),
    responses: responsesOf(endpoint, schemas),
    'x-section': section,
    'x-cost': cost,
    'x-scope': scope,
    'x-plan': planOf(endpoint, plans),
    'x-error-codes': Object.fromEntries(codesByStatus(endpoint)),
  };
}

/** The messages of all operations, by name. */
function messagesOf(
  documented: readonly Documented[],
  schemas: Schemas,
): Pick<ApiDocument, 'webhooks'> {
  const { language } = schemas;
  const taken = sentence('It has arrived.', 'Llegó.')[language];
  const messages = documented.flatMap(({ operation: { tag, messages = [] } }) =>
    messages.map(({ name, summary, schema, example }): [string, { post: ApiMessage }] => {
      const id = typeName(name.replaceAll(/[._]/g, ' '));
      const reference = schemas.name(schema, `${id}Message`, 'output');
      const examples = { message: { summary: ofDemonstration(summary)[language], value: example } };
      const content = { 'application/json': { schema: reference, examples } };
      const post: ApiMessage = {
        operationId: `receive${id}`,
        summary: summary[language],
        ...{ tags: [groupName(tag)[language]], security: [] },
        requestBody: { required: true, content },
        responses: { '2XX': { description: taken } },
      };
      return [name, { post }];
    }),
  );
  return messages.length === 0 ? {} : { webhooks: Object.fromEntries(messages) };
}

/** Builds the OpenAPI 3.1 document from the declarations of the endpoints. */
export function openApiDocument(parts: {
  readonly endpoints: readonly Endpoint[];
  readonly plans: Plans;
  readonly publicUrl: string;
  /** Version of the package. */
  readonly version: string;
  readonly language: Language;
  /** The day of the samples; undefined for those of the demonstration. */
  readonly day?: CaracasDay | undefined;
}): ApiDocument {
  const { plans, language } = parts;
  const documented = parts.endpoints.filter(isDocumented);
  const schemas = new Schemas(language);
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
      summary: SUMMARY[language],
      description: `${DESCRIPTION[language]}\n\n${samplesSaid(parts.day)[language]}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: parts.publicUrl, description: sentence('This service.', 'Este servicio.')[language] },
    ],
    security: [{ apiKey: [] }],
    tags: [...tags].map((tag) => ({
      name: groupName(tag)[language],
      description: REFERENCE_GROUPS[tag].about[language],
    })),
    paths,
    ...messagesOf(documented, schemas),
    components: {
      schemas: schemas.all(),
      headers: headersIn(language),
      parameters: {
        format: formatParameter(plans, language),
        'format-with-xlsx': formatParameter(plans, language, ANSWER_FORMATS),
        locale: localeParameter(language),
        'If-None-Match': ifNoneMatch(language),
      },
      examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, language)])),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: sentence(
            'A key of your account: `vfx_live_…`, `vfx_rk_live_…` or `vfx_pub_…`.',
            'Una clave de su cuenta: `vfx_live_…`, `vfx_rk_live_…` o `vfx_pub_…`.',
          )[language],
        },
        publishableKey: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description: sentence(
            'A publishable key, `vfx_pub_…`, where no header can be sent.',
            'Una clave publicable, `vfx_pub_…`, para cuando no se puede enviar un encabezado.',
          )[language],
        },
        ...(admin && {
          adminToken: {
            type: 'http',
            scheme: 'bearer',
            description: sentence("The operator's own token.", 'El token del operador.')[language],
          },
        }),
      },
    },
    'x-errors': errorsIn(language),
    'x-rules': rulesIn(language),
  };
}

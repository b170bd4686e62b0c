import { ERRORS } from '../../domain/errors/error-codes.ts';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { VALUE_RULES } from '../../domain/errors/value-rules.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Language } from '../../domain/words/language.ts';
import { MAX_BODY_BYTES } from '../framework/routing/limits.ts';
import type {
  ApiExample,
  ApiHeader,
  ApiSchema,
  DocumentedError,
  DocumentedRule,
} from './api-document.ts';

/** Pieces of the OpenAPI document that are the same for every endpoint. */

const integer: ApiSchema = { type: 'integer' };
const text: ApiSchema = { type: 'string' };

type Header = Omit<ApiHeader, 'description'> & { readonly about: Sentence };

/** A header with an integer or a text, as its example is. */
function header(en: string, es: string, example: string | number): Header {
  const schema = typeof example === 'number' ? integer : text;
  return { about: sentence(en, es), schema, example };
}

const HEADERS = {
  'X-Request-Id': header(
    'Identifies this request in the logs of the service; on every answer.',
    'Identifica esta consulta en los registros del servicio; en toda respuesta.',
    'mb3k2f1a9-1z',
  ),
  'X-Ignored-Parameters': header(
    'Names of parameters and body fields that are not documented and changed nothing, ten at most; absent when there are none.',
    'Nombres de parámetros y de campos del cuerpo que no están documentados y no cambiaron nada, diez como máximo; ausente si no hay ninguno.',
    'utm_source',
  ),
  'X-RateLimit-Limit': header(
    'Units of the month in your plan; on every answer to a known key.',
    'Unidades del mes en su plan; en toda respuesta a una clave conocida.',
    75000,
  ),
  'X-RateLimit-Remaining': header(
    'Units left in the month; on every answer to a known key.',
    'Unidades que quedan en el mes; en toda respuesta a una clave conocida.',
    74211,
  ),
  'X-RateLimit-Reset': header(
    'Seconds until the month ends, in UTC; on every answer to a known key.',
    'Segundos hasta que termine el mes, en UTC; en toda respuesta a una clave conocida.',
    853200,
  ),
  'RateLimit-Policy': header(
    'The quota of the month, in the format of the IETF draft.',
    'La cuota del mes, en el formato del borrador de la IETF.',
    '"month";q=75000;w=2592000',
  ),
  RateLimit: header(
    'The remaining quota, in the format of the IETF draft.',
    'Lo que queda de la cuota, en el formato del borrador de la IETF.',
    '"month";r=74211;t=853200',
  ),
  'X-RateLimit-Cost': header(
    'Units that this answer cost.',
    'Unidades que costó esta respuesta.',
    1,
  ),
  'X-Vesfx-Stale': header(
    'Ids of the markets whose stale quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'Ids de los mercados con cotizaciones desactualizadas en las que se apoya la respuesta, separados por comas, 20 como máximo; ausente si no hay ninguno.',
    'binance,bybit',
  ),
  'X-Vesfx-Unit-Changes': header(
    'The days since the day asked for, or the first of a series, from which one new bolívar is several old ones, with that number; absent when there are none.',
    'Los días desde el día pedido, o desde el primero de una serie, a partir de los cuales un bolívar nuevo son varios viejos, con ese número; ausente si no hay ninguno.',
    '2026-11-22=1000',
  ),
  'X-Vesfx-In-Doubt': header(
    'Ids of the markets whose unconfirmed quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'Ids de los mercados con cotizaciones sin confirmar en las que se apoya la respuesta, separados por comas, 20 como máximo; ausente si no hay ninguno.',
    'parallel',
  ),
  'X-Vesfx-Frozen': header(
    'Ids of the markets whose frozen quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'Ids de los mercados cuyas cotizaciones sin cambios sustentan la respuesta, con comas, 20 como máximo; falta cuando no hay ninguno.',
    'parallel',
  ),
  'X-RateLimit-Scope': {
    about: sentence(
      'The limit that was reached: `minute`, `hour`, `month` or `account`. Not every 429 has it.',
      'El límite alcanzado: `minute`, `hour`, `month` o `account`. No todo 429 lo trae.',
    ),
    schema: { type: 'string', enum: ['minute', 'hour', 'month', 'account'] },
    example: 'minute',
  },
  'X-Bulk-Operations': header('Amounts in this batch.', 'Montos de este lote.', 2),
  'X-Bulk-RateLimit-Limit': header(
    'Batches per hour in your plan.',
    'Lotes por hora de su plan.',
    300,
  ),
  'X-Bulk-RateLimit-Remaining': header(
    'Batches left in the hour.',
    'Lotes que quedan en la hora.',
    298,
  ),
  'Retry-After': header('Seconds to wait.', 'Segundos de espera.', 12),
  'WWW-Authenticate': header('How to authenticate.', 'Cómo autenticarse.', 'ApiKey realm="vesfx"'),
  ETag: header(
    'Identifies this version of the answer, for `If-None-Match`.',
    'Identifica esta versión de la respuesta, para `If-None-Match`.',
    '"kVmD2j3vIuYf0Qw1sXbT7A-br"',
  ),
  'Last-Modified': header(
    'Time of the quotes.',
    'Hora de las cotizaciones.',
    'Sat, 21 Nov 2026 03:00:00 GMT',
  ),
  'Cache-Control': header(
    'How long a private cache may keep the answer.',
    'Cuánto tiempo puede guardar la respuesta una caché privada.',
    'private, max-age=5',
  ),
} as const satisfies Readonly<Record<string, Header>>;

/** The headers of answers, in a language. */
export function headersIn(language: Language): Readonly<Record<string, ApiHeader>> {
  const named = Object.entries<Header>(HEADERS).map(([name, { about, schema, example }]) => [
    name,
    { description: about[language], schema, example },
  ]);
  return Object.fromEntries(named);
}

export const EXAMPLE_TAG = HEADERS.ETag.example;

export const QUOTA_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;
export const CACHE_HEADERS = ['ETag', 'Last-Modified', 'Cache-Control'] as const;
export const BULK_HEADERS = [
  'X-Bulk-Operations',
  'X-Bulk-RateLimit-Limit',
  'X-Bulk-RateLimit-Remaining',
] as const;

export function errorsIn(language: Language): readonly DocumentedError[] {
  return Object.entries(ERRORS).map(([code, { status, message }]) => ({
    code,
    status,
    message: message[language],
  }));
}

/** The words of `details.rule`. */
export function rulesIn(language: Language): readonly DocumentedRule[] {
  return Object.entries(VALUE_RULES).map(([rule, message]) => ({
    rule,
    message: message[language],
  }));
}

const ERROR_WORDS = {
  error: sentence('The body of every error.', 'El cuerpo de todo error.'),
  code: sentence(
    'Name of the error. Programs must decide by it, never by the message.',
    'Nombre del error. Los programas deben decidir según él, nunca según el mensaje.',
  ),
  message: sentence(
    'A sentence for people, in Spanish where `Accept-Language` prefers it.',
    'Una frase para personas, en español si `Accept-Language` lo prefiere.',
  ),
  field: sentence(
    'The parameter or body field at fault.',
    'El parámetro o el campo con el problema.',
  ),
  details: sentence(
    'More data, depending on the code: `rule`, `reason`, `parameters`, `did_you_mean`, `max`, `got`, `max_days`, `today` (in Caracas, for a wrong day), `feature`, `current_plan` …',
    'Más datos, según el código: `rule`, `reason`, `parameters`, `did_you_mean`, `max`, `got`, `max_days`, `today` (en Caracas, de un día erróneo), `feature`, `current_plan` …',
  ),
};

export function errorSchema(language: Language): ApiSchema {
  const { error, code, message, field, details } = ERROR_WORDS;
  return {
    type: 'object',
    description: error[language],
    properties: {
      code: { type: 'string', enum: Object.keys(ERRORS), description: code[language] },
      message: { type: 'string', description: message[language] },
      field: { type: 'string', description: field[language] },
      details: { type: 'object', description: details[language] },
    },
    required: ['code', 'message'],
  };
}

/** Example fields of errors with more than code and message. */
const ERROR_EXTRAS: Readonly<Partial<Record<ErrorCode, object>>> = {
  missing_field: {
    message: 'amount is required.',
    field: 'amount',
    details: { rule: 'missing' },
  },
  invalid_format: {
    message: 'format: must be one of json, csv, xml.',
    field: 'format',
    details: { rule: 'unknown_value' },
  },
  unknown_parameter: {
    message: 'This endpoint does not accept that parameter. Did you mean date?',
    field: 'fecha',
    details: { parameters: ['date', 'rule', 'markup', 'format', 'locale'], did_you_mean: 'date' },
  },
  invalid_base: { field: 'base', details: { rule: 'unknown_value' } },
  invalid_against: {
    field: 'against',
    details: { rule: 'unknown_market', did_you_mean: ['parallel'] },
  },
  feature_not_in_plan: {
    details: { feature: 'spread', current_plan: 'Gratis', required_plan: 'Esencial' },
  },
  scope_missing: {
    message: 'This key lacks the scope account.read.',
    details: { scope: 'account.read' },
  },
  history_out_of_retention: {
    message: 'Your plan reaches back 7 days.',
    field: 'from',
    details: { max_days: 7, earliest: '2026-11-14', required_plan: 'Inicio' },
  },
  resource_not_found: {
    message: 'There is no market of that name.',
    field: 'market',
    details: { reason: 'unknown_market', did_you_mean: ['binance'] },
  },
  markup_not_found: { field: 'markup', details: { reason: 'unknown_id' } },
  bcv_snapshot_unavailable: { details: { reason: 'no_data' } },
  already_exists: { field: 'tag' },
  payload_too_large: { details: { max: MAX_BODY_BYTES } },
  no_route: { field: 'max_staleness' },
  compared_unavailable: { field: 'against' },
  internal_error: { details: { request_id: 'mb3k2f1a9-1z' } },
  service_unavailable: { details: { request_id: 'mb3k2f1a9-1z' } },
};

/** An error as it comes: its message is in English, whatever the language of the document. */
export function errorExample(code: ErrorCode, language: Language): ApiExample {
  const { message } = ERRORS[code];
  return {
    summary: message[language],
    value: { code, message: message.en, ...ERROR_EXTRAS[code] },
  };
}

import { ERRORS } from '../../domain/errors/error-codes.ts';
import { VALUE_RULES } from '../../domain/errors/value-rules.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type {
  ApiExample,
  ApiHeader,
  ApiSchema,
  DocumentedError,
  DocumentedRule,
} from '../../web/docs/api-document.ts';
import { MAX_BODY_BYTES } from '../routing/limits.ts';

/** Pieces of the OpenAPI document that are the same for every endpoint. */

const integer: ApiSchema = { type: 'integer' };
const text: ApiSchema = { type: 'string' };

/** A header with an integer or a text, as its example is. */
function header(description: string, example: string | number): ApiHeader {
  return { description, schema: typeof example === 'number' ? integer : text, example };
}

export const HEADERS: Readonly<Record<string, ApiHeader>> = {
  'X-Request-Id': header(
    'Identifies this request in the logs of the service; on every answer.',
    'mb3k2f1a9-1z',
  ),
  'X-Ignored-Parameters': header(
    'Names of parameters and body fields that are not documented and changed nothing, ten at most; absent when there are none.',
    'utm_source',
  ),
  'X-RateLimit-Limit': header(
    'Units of the month in your plan; on every answer to a known key.',
    75000,
  ),
  'X-RateLimit-Remaining': header(
    'Units left in the month; on every answer to a known key.',
    74211,
  ),
  'X-RateLimit-Reset': header(
    'Seconds until the month ends, in UTC; on every answer to a known key.',
    853200,
  ),
  'RateLimit-Policy': header(
    'The quota of the month, in the format of the IETF draft.',
    '"month";q=75000;w=2592000',
  ),
  RateLimit: header(
    'The remaining quota, in the format of the IETF draft.',
    '"month";r=74211;t=853200',
  ),
  'X-RateLimit-Cost': header('Units that this answer cost.', 1),
  'X-Vesfx-Stale': header(
    'Ids of the markets whose stale quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'binance,bybit',
  ),
  'X-Vesfx-Unit-Changes': header(
    'The days since the day asked for, or the first of a series, from which one new bolívar is several old ones, with that number; absent when there are none.',
    '2026-11-22=1000',
  ),
  'X-Vesfx-In-Doubt': header(
    'Ids of the markets whose unconfirmed quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'parallel',
  ),
  'X-Vesfx-Frozen': header(
    'Ids of the markets whose frozen quotes the answer rests on, with commas, at most 20; absent when there are none.',
    'parallel',
  ),
  'X-RateLimit-Scope': {
    description:
      'The limit that was reached: `minute`, `hour`, `month` or `account`. Not every 429 has it.',
    schema: { type: 'string', enum: ['minute', 'hour', 'month', 'account'] },
    example: 'minute',
  },
  'X-Bulk-Operations': header('Amounts in this batch.', 2),
  'X-Bulk-RateLimit-Limit': header('Batches per hour in your plan.', 300),
  'X-Bulk-RateLimit-Remaining': header('Batches left in the hour.', 298),
  'Retry-After': header('Seconds to wait.', 12),
  'WWW-Authenticate': header('How to authenticate.', 'ApiKey realm="vesfx"'),
  ETag: header(
    'Identifies this version of the answer, for `If-None-Match`.',
    '"kVmD2j3vIuYf0Qw1sXbT7A-br"',
  ),
  'Last-Modified': header('Time of the quotes.', 'Sat, 21 Nov 2026 03:00:00 GMT'),
  'Cache-Control': header('How long a private cache may keep the answer.', 'private, max-age=5'),
};

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

export const ERROR_LIST: readonly DocumentedError[] = Object.entries(ERRORS).map(
  ([code, { status, message }]) => ({ code, status, message: message.en }),
);

/** The words of `details.rule`. */
export const RULE_LIST: readonly DocumentedRule[] = Object.entries(VALUE_RULES).map(
  ([rule, { en }]) => ({ rule, message: en }),
);

export const ERROR_SCHEMA: ApiSchema = {
  type: 'object',
  description: 'The body of every error.',
  properties: {
    code: {
      type: 'string',
      enum: ERROR_LIST.map(({ code }) => code),
      description: 'Name of the error. Programs must decide by it, never by the message.',
    },
    message: {
      type: 'string',
      description: 'A sentence for people, in Spanish where `Accept-Language` prefers it.',
    },
    field: { type: 'string', description: 'The parameter or body field at fault.' },
    details: {
      type: 'object',
      description:
        'More data, depending on the code: `rule`, `reason`, `parameters`, `did_you_mean`, `max`, `got`, `max_days`, `today` (in Caracas, for a wrong day), `feature`, `current_plan` …',
    },
  },
  required: ['code', 'message'],
};

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

export function errorExample(code: ErrorCode): ApiExample {
  const message = ERRORS[code].message.en;
  return { summary: message, value: { code, message, ...ERROR_EXTRAS[code] } };
}

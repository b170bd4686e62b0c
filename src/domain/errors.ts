/** Every error: its status and default message, as interface §7 and `docs/api.md` list them. */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The bytes received are not a valid HTTP request.' },
  missing_field: { status: 400, message: 'A required parameter is missing.' },
  invalid_format: { status: 400, message: 'A parameter has a value that is not accepted.' },
  unknown_parameter: { status: 400, message: 'This endpoint does not accept that parameter.' },
  invalid_base: { status: 400, message: 'The premium is only calculated for USD.' },
  invalid_against: {
    status: 400,
    message: 'The official rate cannot be compared with that market.',
  },
  missing_api_key: { status: 401, message: 'Send your key in the X-API-Key header.' },
  invalid_api_key: { status: 401, message: 'The key is malformed, unknown, revoked or expired.' },
  feature_not_in_plan: { status: 402, message: 'Your plan does not include this.' },
  account_suspended: { status: 403, message: 'The account is suspended.' },
  key_in_grace: {
    status: 403,
    message:
      'A key in its grace period makes, rotates and changes no key, and revokes only itself.',
  },
  scope_missing: { status: 403, message: 'This key lacks a scope that the request needs.' },
  origin_not_allowed: { status: 403, message: 'This key may not be used from that origin.' },
  history_out_of_retention: { status: 403, message: 'Your plan does not reach back that far.' },
  resource_not_found: { status: 404, message: 'There is nothing at this address.' },
  markup_not_found: { status: 404, message: 'There is no active markup rule with that tag.' },
  bcv_snapshot_unavailable: {
    status: 404,
    message: 'No publication of the central bank is stored yet.',
  },
  method_not_allowed: { status: 405, message: 'This address does not accept that method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  already_exists: { status: 409, message: 'That name is already in use.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  uri_too_long: { status: 414, message: 'The address is too long.' },
  unsupported_media_type: { status: 415, message: 'Send the body as UTF-8 application/json.' },
  expectation_failed: { status: 417, message: 'The Expect header cannot be met.' },
  no_route: { status: 422, message: 'Every candidate quote is older than max_staleness.' },
  rate_not_published: { status: 422, message: 'The official rate of that day is not stored.' },
  reference_unavailable: { status: 422, message: 'There is no valid official rate.' },
  compared_unavailable: { status: 422, message: 'The compared market has no quote.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests. Wait and try again.' },
  quota_exceeded: { status: 429, message: 'The units of this month are used up.' },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  service_unavailable: { status: 503, message: 'Not available right now. Try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The limit that a 429 reports in `X-RateLimit-Scope`. */
export type LimitScope = 'minute' | 'hour' | 'month' | 'account';

export interface ErrorOptions {
  /** The offending parameter or body field. */
  readonly field?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Replaces the default message. It is public: never pass the text of an internal error. */
  readonly message?: string;
  /** The same in Spanish, for services that answer in it; else they show the sentence of the code. */
  readonly spanish?: string;
  readonly retryAfterSec?: number;
  readonly scope?: LimitScope;
  /** Methods for the `Allow` header of a 405. */
  readonly allow?: string;
}

/** Why a 404 found nothing (decisions §4). */
type NotFoundReason = 'unknown_market' | 'no_quote' | 'no_data' | 'unknown_id' | 'unknown_path';

/** What every error of a code says besides its message (decisions §4). */
interface RequiredOptions {
  readonly resource_not_found: { readonly details: { readonly reason: NotFoundReason } };
  readonly markup_not_found: { readonly details: { readonly reason: 'unknown_id' } };
  readonly bcv_snapshot_unavailable: { readonly details: { readonly reason: 'no_data' } };
  readonly unknown_parameter: {
    readonly field: string;
    readonly details: { readonly parameters: readonly string[]; readonly did_you_mean?: string };
  };
  readonly history_out_of_retention: {
    readonly field: string;
    readonly details: {
      readonly max_days: number;
      readonly earliest: string;
      readonly required_plan: string | null;
    };
  };
}

/** A code whose errors need no options. */
export type PlainErrorCode = Exclude<ErrorCode, keyof RequiredOptions>;

type ErrorArguments =
  | [code: PlainErrorCode, options?: ErrorOptions]
  | {
      [Code in keyof RequiredOptions]: [code: Code, options: ErrorOptions & RequiredOptions[Code]];
    }[keyof RequiredOptions];

/** An error that the caller may read as it is. Any other thrown value is answered as a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: ErrorOptions;

  constructor(...[code, options = {}]: ErrorArguments) {
    super(options.message ?? ERRORS[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.options = options;
  }
}

/** A 404 with its reason (decisions §4). */
export function notFound(
  reason: NotFoundReason,
  { details, ...options }: ErrorOptions = {},
): ApiError {
  return new ApiError('resource_not_found', { ...options, details: { reason, ...details } });
}

export function missingField(field: string): ApiError {
  return new ApiError('missing_field', { field, message: `${field} is required.` });
}

/** @param message A whole sentence. */
export function invalidFormat(
  field: string,
  message: string,
  details?: ErrorOptions['details'],
): ApiError {
  return new ApiError('invalid_format', { field, message, ...(details && { details }) });
}

/** @param what What is wrong with the field, without its name and full stop. */
export function invalidField(field: string, what: string): ApiError {
  return invalidFormat(field, `${field}: ${what}.`);
}

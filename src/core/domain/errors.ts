import { ERRORS } from './errors/error-codes.ts';
import { type Sentence, sentence } from './errors/sentence.ts';
import type { ValueFault, ValueRule } from './errors/value-rules.ts';

export type ErrorCode = keyof typeof ERRORS;

/** The limit that a 429 reports in `X-RateLimit-Scope`. */
export type LimitScope = 'minute' | 'hour' | 'month' | 'account';

export interface ErrorOptions {
  /** The offending parameter or body field. */
  readonly field?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Replaces the default message. It is public: never pass the text of an internal error. */
  readonly message?: Sentence | undefined;
  readonly retryAfterSec?: number;
  readonly scope?: LimitScope;
  /** Methods for the `Allow` header of a 405. */
  readonly allow?: string;
}

/** Why a 404 found nothing (contract §4). */
type NotFoundReason = 'unknown_market' | 'no_quote' | 'no_data' | 'unknown_id' | 'unknown_path';

/** An error about a value says which rule it broke. */
interface RuleOptions {
  readonly details: { readonly rule: ValueRule };
}

/** What every error of a code says besides its message (contract §4). */
interface RequiredOptions {
  readonly missing_field: RuleOptions;
  readonly invalid_format: RuleOptions & { readonly message: Sentence };
  readonly invalid_base: RuleOptions;
  readonly invalid_against: RuleOptions;
  readonly method_not_allowed: { readonly allow: string; readonly message: Sentence };
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
  /** The message in both languages; that of the error itself is English, for commands and logs. */
  readonly sentence: Sentence;
  readonly options: ErrorOptions;

  constructor(...[code, options = {}]: ErrorArguments) {
    const { message = ERRORS[code].message } = options;
    super(message.en);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.sentence = message;
    this.options = options;
  }
}

/** A 404 with its reason (contract §4). */
export function notFound(
  reason: NotFoundReason,
  { details, ...options }: ErrorOptions = {},
): ApiError {
  return new ApiError('resource_not_found', { ...options, details: { reason, ...details } });
}

/** @param allow The methods that the address accepts, as the `Allow` header lists them. */
export function methodNotAllowed(allow: string): ApiError {
  const message = sentence(
    `This address does not accept that method: use ${allow}.`,
    `Esta dirección no admite ese método: use ${allow}.`,
  );
  return new ApiError('method_not_allowed', { allow, message });
}

export function missingField(field: string): ApiError {
  const message = sentence(`${field} is required.`, `Falta \`${field}\`, que es obligatorio.`);
  return new ApiError('missing_field', { field, details: { rule: 'missing' }, message });
}

/**
 * @param field undefined for a body as a whole.
 * @param message A whole sentence.
 */
export function invalidFormat(
  field: string | undefined,
  rule: ValueRule,
  message: Sentence,
  more: ErrorOptions['details'] = {},
): ApiError {
  return new ApiError('invalid_format', { field, details: { rule, ...more }, message });
}

/** The error for a field that does not go with the others of the request. */
export function notApplicable(field: string, en: string, es: string): ApiError {
  return invalidFormat(field, 'not_applicable', sentence(en, es));
}

/** The error for a range whose first day is after its last. */
export function reversedRange(): ApiError {
  return invalidFormat(
    'from',
    'reversed_range',
    sentence('from must not be after to.', 'El valor de `from` no puede ser posterior al de `to`.'),
  );
}

/** @param field The parameter that makes the range too long. */
export function tooManyDays(field: string, max: number): ApiError {
  return invalidFormat(
    field,
    'too_many',
    sentence(
      `At most ${max} days can be requested at once.`,
      `Se pueden pedir como máximo ${max} días a la vez.`,
    ),
  );
}

/** The error for a field with a fault, which becomes a sentence with the field as its subject. */
export function invalidField(
  field: string,
  { rule, what }: ValueFault,
  more: ErrorOptions['details'] = {},
): ApiError {
  const message = sentence(`${field}: ${what.en}.`, `${field}: ${what.es}.`);
  return invalidFormat(field, rule, message, more);
}

/** The same for an item of a list, whose place `details.index` tells, from 0. */
export function invalidItem(
  field: string,
  index: number,
  { rule, what }: ValueFault,
  more: ErrorOptions['details'] = {},
): ApiError {
  const name = `${field}[${index}]`;
  const message = sentence(`${name}: ${what.en}.`, `${name}: ${what.es}.`);
  return invalidFormat(field, rule, message, { ...more, index });
}

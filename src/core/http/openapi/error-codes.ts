import { z } from 'zod';
import { ERRORS } from '../../domain/errors/error-codes.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { bodyRule } from '../framework/routing/json-body.ts';
import { pathParameters } from '../framework/routing/router.ts';
import { type Documentation, type Endpoint, takesPublishableKeys } from '../pipeline/endpoint.ts';
import { refusesNames } from '../pipeline/field-rules.ts';

const CODES = Object.keys(ERRORS);

export type Documented = Endpoint & Documentation;

export function isDocumented(endpoint: Endpoint): endpoint is Documented {
  return endpoint.operation !== undefined;
}

function hasRequired({ query, body, path }: Endpoint): boolean {
  const inPath = pathParameters(path);
  const shapes = body instanceof z.ZodObject ? [query.shape, body.shape] : [query.shape];
  return shapes.some((shape) =>
    Object.entries(shape).some(
      ([name, field]) => !inPath.includes(name) && field._zod.optin !== 'optional',
    ),
  );
}

/**
 * Every error of the endpoint: its own, and those of the pipeline for its declaration. Errors of
 * the protocol (a wrong method, an address too long …) are in the document's `x-errors`, because
 * they do not depend on the endpoint.
 */
export function errorCodesOf(endpoint: Endpoint): readonly ErrorCode[] {
  const { access, addressLimit, feature, featureOf, market, encoding } = endpoint;
  const { body, textBody, cost } = endpoint;
  const takesBody = body !== undefined || textBody === true;
  const applies: readonly (readonly [boolean, readonly ErrorCode[]])[] = [
    [access !== 'open' || addressLimit !== undefined, ['rate_limit_exceeded']],
    [access !== 'open', ['missing_api_key', 'invalid_api_key']],
    [endpoint.scope !== undefined, ['account_suspended', 'scope_missing']],
    [takesPublishableKeys(endpoint), ['origin_not_allowed']],
    [Boolean(feature ?? featureOf ?? market ?? encoding), ['feature_not_in_plan']],
    [hasRequired(endpoint), ['missing_field']],
    [
      refusesNames(endpoint) || (body !== undefined && bodyRule(body) !== 'pass'),
      ['unknown_parameter'],
    ],
    [takesBody, ['unsupported_media_type', 'payload_too_large']],
    [market !== undefined, ['resource_not_found']],
    [cost > 0, ['quota_exceeded']],
    // An empty day is refused everywhere.
    [true, ['invalid_format', 'internal_error', 'service_unavailable']],
  ];
  const codes = new Set([
    ...applies.flatMap(([holds, some]) => (holds ? some : [])),
    ...endpoint.errors,
  ]);
  // The order of the error table is by status.
  const place = (code: ErrorCode) => CODES.indexOf(code);
  return [...codes].sort((a, b) => place(a) - place(b));
}

/** Whether its answers have quota headers. */
export function hasCaller({ access }: Endpoint): boolean {
  return access === 'key' || access === 'optional';
}

import { describe, expect, test } from 'vitest';
import { ERRORS } from './errors/error-codes.ts';
import { sentence } from './errors/sentence.ts';
import { ApiError, notFound } from './errors.ts';

describe('errors', () => {
  test.each([
    ['missing_field', 400],
    ['invalid_format', 400],
    ['unknown_parameter', 400],
    ['invalid_base', 400],
    ['invalid_against', 400],
    ['feature_not_in_plan', 402],
    ['history_out_of_retention', 403],
    ['resource_not_found', 404],
    ['markup_not_found', 404],
    ['bcv_snapshot_unavailable', 404],
    ['no_route', 422],
    ['reference_unavailable', 422],
    ['compared_unavailable', 422],
    ['rate_limit_exceeded', 429],
    ['service_unavailable', 503],
  ] as const)('§7 %s is answered with %i', (code, status) => {
    expect(ERRORS[code].status).toBe(status);
  });

  test.each([
    ['missing_api_key', 401],
    ['invalid_api_key', 401],
    ['account_suspended', 403],
    ['key_in_grace', 403],
    ['scope_missing', 403],
    ['origin_not_allowed', 403],
    ['method_not_allowed', 405],
    ['request_timeout', 408],
    ['payload_too_large', 413],
    ['uri_too_long', 414],
    ['unsupported_media_type', 415],
    ['expectation_failed', 417],
    ['quota_exceeded', 429],
    ['headers_too_large', 431],
    ['invalid_request', 400],
    ['internal_error', 500],
  ] as const)('contract §4: %s is answered with %i', (code, status) => {
    expect(ERRORS[code].status).toBe(status);
  });

  test('§7 every code has a default sentence, which a more exact one may replace', () => {
    for (const language of ['en', 'es'] as const) {
      const sentences = Object.values(ERRORS).map(({ message }) => message[language]);
      expect(new Set(sentences).size).toBe(sentences.length);
      expect(sentences.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
    }
    expect(new ApiError('no_route').message).toBe(ERRORS.no_route.message.en);
    const own = new ApiError('no_route', { message: sentence('None.', 'Ninguna.') });
    expect([own.message, own.sentence.es]).toEqual(['None.', 'Ninguna.']);
  });

  test('contract §4: what an error always says cannot be left out', () => {
    // @ts-expect-error A 404 has its reason.
    expect(new ApiError('resource_not_found', { field: 'market' }).status).toBe(404);
    // @ts-expect-error A day beyond the plan has its field, first day and plan.
    expect(new ApiError('history_out_of_retention', { details: { max_days: 7 } }).status).toBe(403);
    // @ts-expect-error A refused name comes with the documented ones.
    expect(new ApiError('unknown_parameter', { field: 'x' }).status).toBe(400);
    // @ts-expect-error A refused value names the rule that it broke.
    expect(new ApiError('invalid_format', { field: 'x' }).status).toBe(400);
    expect(notFound('no_quote', { details: { more: 1 } }).options.details).toEqual({
      reason: 'no_quote',
      more: 1,
    });
  });
});

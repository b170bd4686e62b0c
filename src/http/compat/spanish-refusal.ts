import type { ApiError } from '../../domain/errors.ts';
import { SPANISH_ERRORS } from '../../web/docs/api-errors-es.ts';
import type { Refusal } from '../routing/endpoint.ts';

/** `{"error": "…"}`, as the services of Venezuela word it. */
export function spanishRefusal(error: ApiError): Refusal {
  const { field } = error.options;
  const sentence = SPANISH_ERRORS[error.code];
  return {
    // Their programs know a day without a rate as 404.
    status: error.code === 'rate_not_published' ? 404 : error.status,
    body: { error: field === undefined ? sentence : `${sentence} (${field})` },
  };
}

import type { ApiError } from '../../domain/errors.ts';
import { SPANISH_ERRORS } from '../../web/docs/api-errors-es.ts';
import type { Refusal } from '../routing/endpoint.ts';

/** An error as `{"error": "…"}`, the format of Venezuelan services. */
export function spanishRefusal(error: ApiError): Refusal {
  const { field, spanish: sentence = SPANISH_ERRORS[error.code] } = error.options;
  return {
    // Their clients expect 404 for a day without a rate.
    status: error.code === 'rate_not_published' ? 404 : error.status,
    body: { error: field === undefined ? sentence : `${sentence} (${field})` },
  };
}

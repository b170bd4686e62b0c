import type { ApiError } from '../../core/domain/errors.ts';
import type { Refusal } from '../../core/http/routing/endpoint.ts';

/** An error as one sentence in English, in the field where clients of a service read it. */
export const refusalWith =
  (field: 'error' | 'detail') =>
  ({ code, status, message }: ApiError): Refusal => ({
    // Their clients expect 404 for a day without a rate, and look for an earlier one.
    status: code === 'rate_not_published' ? 404 : status,
    body: { [field]: message },
  });

import type { ApiError } from '../../core/domain/errors.ts';
import type { Refusal } from '../../core/http/framework/routing/answer.ts';

/** The kinds of error that clients of ExchangeRate-API know, by our status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  401: 'invalid-key',
  403: 'plan-upgrade-required',
  404: 'unsupported-code',
  429: 'quota-reached',
};

/** An error of ExchangeRate-API. */
export function refusalByKind({ status, code, message }: ApiError): Refusal {
  const type = ERROR_TYPES[status] ?? code.replaceAll('_', '-');
  return { status, body: { result: 'error', 'error-type': type, message } };
}

/** An error as one sentence in English, in the field where clients of a service read it. */
export const refusalWith =
  (field: 'error' | 'detail') =>
  ({ code, status, message }: ApiError): Refusal => ({
    // Their clients expect 404 for a day without a rate, and look for an earlier one.
    status: code === 'rate_not_published' ? 404 : status,
    body: { [field]: message },
  });

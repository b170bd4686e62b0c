import type { ApiError } from '../../domain/errors.ts';
import type { CachedAnswer } from '../encoding/cached-answer.ts';
import { type Body, bodyOf } from '../encoding/formats.ts';
import { type AcceptedCodings, acceptedCodings } from '../encoding/negotiation.ts';
import { matches } from '../encoding/validators.ts';
import { type WrittenAnswer, WrittenBody } from '../encoding/written-answer.ts';
import type { CorsGrant } from './cors.ts';
import type { Refusal } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestHeaders } from './request-headers.ts';

/** An answer ready to be written: a flat list of header names and values, and the bytes. */
export interface Answer {
  readonly status: number;
  /** Strings only: Node accepts numbers, but handles them slowly. */
  readonly headers: readonly string[];
  readonly body: Body | undefined;
  /** Pages that may read the answer, besides the origins that the operator configured. */
  readonly cors?: CorsGrant | undefined;
}

/** `Retry-After` in seconds where the wait is not known. */
export const RETRY_AFTER_UNAVAILABLE_SEC = 1;

const AS_IT_IS: AcceptedCodings = ['identity'];

/**
 * Turns a successful answer into the response to this request: compressed as the client prefers, or
 * 304 without a body. `quota` are the headers of the caller's quota.
 */
export function successAnswer(
  { endpoint, headers: request, requestId, caller }: RequestContext,
  answer: CachedAnswer,
  quota: readonly string[],
): Answer | Promise<Answer> {
  const status = endpoint.status ?? 200;
  const headers: string[] = ['X-Request-Id', requestId, ...answer.headers, ...quota];
  if (endpoint.cost > 0 && caller !== undefined) headers.push('X-RateLimit-Cost', '1');
  const codings = answer.isCompressible ? acceptedCodings(request.acceptEncoding) : AS_IT_IS;
  let [coding = 'identity'] = codings;
  const { rules } = answer;
  if (rules === undefined) {
    headers.push('Cache-Control', 'no-store');
    if (answer.isCompressible) headers.push('Vary', 'Accept-Encoding');
  } else {
    // A client that has the answer in another coding that it accepts need not fetch it again.
    const { lastModified, cacheControl, vary } = rules;
    const current = codings.find((one) => matches(request.ifNoneMatch, answer.etag(one)));
    coding = current ?? coding;
    headers.push('ETag', answer.etag(coding), 'Last-Modified', lastModified);
    headers.push('Cache-Control', cacheControl, 'Vary', vary);
    if (current !== undefined) return { status: 304, headers, body: undefined };
  }
  if (status === 204) return { status, headers, body: undefined };
  headers.push('Content-Type', answer.contentType);
  if (coding === 'identity') return { status, headers, body: answer.body };
  headers.push('Content-Encoding', coding);
  const body = answer.compressed(coding);
  if (!(body instanceof Promise)) return { status, headers, body };
  return body.then((bytes) => ({ status, headers, body: bytes }));
}

/** The response with written bytes: compressed as the client prefers, or 304 without a body. */
export async function writtenAnswer(
  written: WrittenAnswer,
  { requestId, request }: { readonly requestId: string; readonly request: RequestHeaders },
): Promise<Answer> {
  const { status = 200, contentType, headers = [] } = written;
  const body =
    typeof written.body === 'string'
      ? new WrittenBody(written.body, { kept: false })
      : written.body;
  const lines = ['X-Request-Id', requestId, ...headers, 'Vary', 'Accept-Encoding'];
  const mayBeStored = !headers.includes('no-store');
  if (mayBeStored) lines.push('ETag', body.etag);
  if (mayBeStored && status === 200 && matches(request.ifNoneMatch, body.etag)) {
    return { status: 304, headers: lines, body: undefined };
  }
  lines.push('Content-Type', contentType);
  const [coding = 'identity'] = acceptedCodings(request.acceptEncoding);
  const coded = coding === 'identity' ? undefined : await body.coded(coding);
  if (coded === undefined) {
    return { status, headers: lines, body: body.bytes };
  }
  lines.push('Content-Encoding', coding);
  return { status, headers: lines, body: coded };
}

/** An error in our own shape (§7). */
function ownRefusal(error: ApiError, requestId: string): Refusal {
  const { field, details } = error.options;
  const shownDetails = error.status >= 500 ? { ...details, request_id: requestId } : details;
  return {
    status: error.status,
    body: {
      code: error.code,
      message: error.message,
      ...(field !== undefined && { field }),
      ...(shownDetails !== undefined && { details: shownDetails }),
    },
  };
}

/**
 * The response to every error, in our format and never in Node's (§7). At an address of another
 * service it has that service's format (decisions §12).
 */
export function errorAnswer(
  error: ApiError,
  requestId: string,
  more: readonly string[],
  refusal: Refusal = ownRefusal(error, requestId),
): Answer {
  const { retryAfterSec, scope, allow } = error.options;
  const body = bodyOf(JSON.stringify(refusal.body));
  const headers: string[] = [
    'X-Request-Id',
    requestId,
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    'no-store',
    ...more,
  ];
  const retry = retryAfterSec ?? (error.status === 503 ? RETRY_AFTER_UNAVAILABLE_SEC : undefined);
  if (retry !== undefined) headers.push('Retry-After', `${retry}`);
  if (scope !== undefined) headers.push('X-RateLimit-Scope', scope);
  if (allow !== undefined) headers.push('Allow', allow);
  if (error.status === 401) headers.push('WWW-Authenticate', 'ApiKey realm="vesfx"');
  return { status: refusal.status, headers, body };
}

import type { Quota } from '../../../app/quota/quota.ts';
import type { ApiError } from '../../../domain/errors.ts';
import { type Instant, SECOND_MS, utcMonthOf } from '../../../domain/time.ts';
import { messageLanguage } from '../encoding/accept-language.ts';
import { type CachedAnswer, matches } from '../encoding/cached-answer.ts';
import { type Body, bodyOf } from '../encoding/formats.ts';
import { type AcceptedCodings, acceptedCodings } from '../encoding/negotiation.ts';
import { type WrittenAnswer, WrittenBody } from '../encoding/written-answer.ts';
import { type AnswerStream, EVENT_STREAM } from './answer-stream.ts';
import type { RequestContext, RequestHeaders } from './request-context.ts';

/** An answer ready to be written: a flat list of header names and values, and the bytes. */
export interface Answer {
  readonly status: number;
  /** Strings only: Node accepts numbers, but handles them slowly. */
  readonly headers: readonly string[];
  readonly body: Body | undefined;
  /**
   * The pages that may read the answer, besides the origins that the operator configured: those of
   * an origin, `*` for any, undefined for none.
   */
  readonly cors?: { readonly origin: string | undefined };
  /** In place of the body. */
  readonly stream?: AnswerStream;
}

/** The status and body of an error. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
  /** Scheme of `WWW-Authenticate` in a 401, `ApiKey` unless given. */
  readonly scheme?: 'Bearer';
}

/** `Retry-After` in seconds where the wait is not known. */
export const RETRY_AFTER_UNAVAILABLE_SEC = 1;

const AS_IT_IS: AcceptedCodings = ['identity'];

/**
 * Turns a successful answer into the response to this request: compressed as the client prefers, or
 * 304 without a body. `quota` are the headers of the caller's quota.
 */
export function successAnswer(
  { headers: request, requestId, caller }: RequestContext,
  endpoint: { readonly status?: number; readonly cost: number },
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
    const { ifNoneMatch } = request;
    const current =
      ifNoneMatch === undefined
        ? undefined
        : codings.find((accepted) => matches(ifNoneMatch, answer.etag(accepted)));
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
  { requestId, headers: request }: RequestContext,
): Promise<Answer> {
  const { status = 200, contentType, headers = [] } = written;
  const content = typeof written.body === 'function' ? await written.body() : written.body;
  const body = typeof content === 'string' ? new WrittenBody(content, { kept: false }) : content;
  const lines = ['X-Request-Id', requestId, ...headers, 'Vary', 'Accept-Encoding'];
  const mayBeStored = !headers.includes('no-store');
  if (mayBeStored) lines.push('ETag', body.etag);
  const { ifNoneMatch } = request;
  const isStored = ifNoneMatch !== undefined && matches(ifNoneMatch, body.etag);
  if (mayBeStored && status === 200 && isStored) {
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

/** The response that begins a stream. Nothing between may keep, change or hold back its bytes. */
export function streamAnswer(
  { requestId, caller }: RequestContext,
  stream: AnswerStream,
  quota: readonly string[],
): Answer {
  const headers = ['X-Request-Id', requestId, ...quota];
  if (caller !== undefined) headers.push('X-RateLimit-Cost', '1');
  headers.push('Content-Type', EVENT_STREAM, 'Cache-Control', 'no-store, no-transform');
  headers.push('X-Accel-Buffering', 'no');
  return { status: 200, headers, body: undefined, stream };
}

/** Who gets an error. Below HTTP nobody's headers are known. */
interface Asker {
  readonly requestId: string;
  readonly headers?: Pick<RequestHeaders, 'acceptLanguage'> | undefined;
}

/** An error in our own shape (§7), with the message in the language of the request (contract §4). */
function ownRefusal(error: ApiError, { requestId, headers }: Asker): Refusal {
  const { field, details } = error.options;
  const shownDetails = error.status >= 500 ? { ...details, request_id: requestId } : details;
  return {
    status: error.status,
    body: {
      code: error.code,
      message: error.sentence[messageLanguage(headers?.acceptLanguage)],
      field,
      details: shownDetails,
    },
  };
}

/** The body of an error as text, for an answer that goes on. */
export function errorText(error: ApiError, asker: Asker): string {
  return JSON.stringify(ownRefusal(error, asker).body);
}

/**
 * The response to every error, in our format and never in Node's (§7).
 * @param foreign The error at an address of another service, which has that service's format and
 *   language (contract §12).
 */
export function errorAnswer(
  error: ApiError,
  asker: Asker,
  more: readonly string[],
  foreign?: Refusal,
): Answer {
  const refusal = foreign ?? ownRefusal(error, asker);
  const { retryAfterSec, scope, allow } = error.options;
  const body = bodyOf(JSON.stringify(refusal.body));
  const headers: string[] = [
    'X-Request-Id',
    asker.requestId,
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    'no-store',
    ...more,
  ];
  const retry = retryAfterSec ?? (error.status === 503 ? RETRY_AFTER_UNAVAILABLE_SEC : undefined);
  if (foreign === undefined) headers.push('Vary', 'Accept-Language');
  if (retry !== undefined) headers.push('Retry-After', `${retry}`);
  if (scope !== undefined) headers.push('X-RateLimit-Scope', scope);
  if (allow !== undefined) headers.push('Allow', allow);
  if (error.status === 401) {
    headers.push('WWW-Authenticate', `${refusal.scheme ?? 'ApiKey'} realm="vesfx"`);
  }
  return { status: refusal.status, headers, body };
}

/**
 * The quota headers of every answer to a known caller (contract §4).
 * @returns what gives them for a request: names and values alternating, none for an unknown caller.
 */
export function quotaHeadersOf(quota: Quota) {
  /** `RateLimit-Policy` of this month, by limit. */
  const policies = new Map<number, { readonly endsAt: Instant; readonly line: string }>();

  function policyOf(limit: number, endsAt: Instant): string {
    const policy = policies.get(limit);
    if (policy?.endsAt === endsAt) return policy.line;
    const { start, end } = utcMonthOf(endsAt - 1);
    const line = `"month";q=${limit};w=${(end - start) / SECOND_MS}`;
    policies.set(limit, { endsAt, line });
    return line;
  }

  return (
    { caller, now, reservation }: RequestContext,
    endpoint?: { readonly bulk?: true },
  ): readonly string[] => {
    if (caller === undefined) return [];
    const { unitsPerMonth: perMonth, bulkCallsPerHour: perHour } = caller.plan;
    const headers: string[] = [];
    if (perMonth !== null) {
      const { used, endsAt } = quota.monthUsage(caller.account.id, now);
      const left = `${Math.max(0, perMonth - used)}`;
      const reset = `${Math.max(1, Math.ceil((endsAt - now) / SECOND_MS))}`;
      headers.push('X-RateLimit-Limit', `${perMonth}`, 'X-RateLimit-Remaining', left);
      headers.push('X-RateLimit-Reset', reset, 'RateLimit-Policy', policyOf(perMonth, endsAt));
      headers.push('RateLimit', `"month";r=${left};t=${reset}`);
    }
    if (endpoint?.bulk === true && perHour !== null) {
      // Concurrent calls each report what was left after their own unit.
      const used = reservation?.hourUsed;
      const left =
        used === undefined
          ? quota.hourLeft(caller.account.id, perHour, now)
          : Math.max(0, perHour - used);
      headers.push('X-Bulk-RateLimit-Limit', `${perHour}`, 'X-Bulk-RateLimit-Remaining', `${left}`);
    }
    return headers;
  };
}

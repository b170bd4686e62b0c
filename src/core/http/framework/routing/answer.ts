import { hash } from 'node:crypto';
import { boundedCache } from '../../../app/bounded-cache.ts';
import type { ApiError } from '../../../domain/errors.ts';
import type { Instant } from '../../../domain/time.ts';
import { messageLanguage } from '../encoding/accept.ts';
import { type AnswerStream, EVENT_STREAM } from '../encoding/answer-stream.ts';
import { COMPRESSED_FROM_BYTES, compressed } from '../encoding/compression.ts';
import { type Body, bodyOf } from '../encoding/formats.ts';
import { keptBy } from '../encoding/made-once.ts';
import { type AcceptedCodings, acceptedCodings, type Coding } from '../encoding/negotiation.ts';
import { type WrittenAnswer, WrittenBody } from '../encoding/written-answer.ts';
import type { RequestContext, RequestHeaders } from './request-context.ts';

/** Caching rules of an answer, for clients and proxies: the headers of these names. */
export interface CacheRules {
  readonly lastModified: string;
  readonly cacheControl: string;
  readonly vary: string;
}

/** Characters of the digest in a tag: 132 bits, so that different answers have different tags. */
const TAG_LENGTH = 22;

/** An encoded answer with its compressed forms, each of which is made once. */
export class CachedAnswer {
  readonly contentType: string;
  readonly body: Body;
  /** Absent when no cache may keep it. */
  readonly rules: CacheRules | undefined;
  /** Headers of its endpoint, `[name, value, …]`. */
  readonly headers: readonly string[];
  /** Whether the body is long enough to compress. */
  readonly isCompressible: boolean;
  #compressed: Map<Coding, Buffer | Promise<Buffer>> | undefined;
  #tag: string | undefined;

  constructor(made: Pick<CachedAnswer, 'contentType' | 'body' | 'rules' | 'headers'>) {
    this.contentType = made.contentType;
    this.body = made.body;
    this.rules = made.rules;
    this.headers = made.headers;
    this.isCompressible = made.body.length >= COMPRESSED_FROM_BYTES;
  }

  /**
   * The strong `ETag` of a coding (RFC 9110 §8.8.3.3). It depends on the bytes alone, so an ingestion
   * that does not change an answer does not change its tag (contract §4).
   */
  etag(coding: Coding | 'identity'): string {
    this.#tag ??= hash('sha256', this.body, 'base64url').slice(0, TAG_LENGTH);
    return coding === 'identity' ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
  }

  compressed(coding: Coding): Buffer | Promise<Buffer> {
    this.#compressed ??= new Map();
    const made = this.#compressed.get(coding);
    if (made !== undefined) return made;
    const bytes = typeof this.body === 'string' ? Buffer.from(this.body, 'latin1') : this.body;
    const making = compressed(bytes, coding, 'quick');
    this.#compressed.set(coding, making);
    return making;
  }
}

/** Most bytes of cached answers per snapshot of the data; the least recently used goes first. */
// limit: Answers kept of a snapshot, what a short one counts | 16 MB, 16 KB | the least used made again | MIN_CACHED_ANSWER_BYTES
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** A short answer counts as one of this length, so there are at most about a thousand. */
const MIN_CACHED_ANSWER_BYTES = 16 * 1024;

/** The bytes of a text with its compressed forms, which together are shorter than the text. */
export function bytesWithForms(length: number): number {
  return 2 * length;
}

/** The cached answers of the data, by cache key. They go with them: nothing is invalidated. */
export const cachedAnswers = keptBy((_: object) =>
  boundedCache<CachedAnswer>(MAX_CACHED_ANSWER_BYTES, ({ body }) =>
    Math.max(MIN_CACHED_ANSWER_BYTES, bytesWithForms(body.length)),
  ),
);

/** Whether an `If-None-Match` names this version. Weak and strong forms of a tag are equal here. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

const dates = { second: Number.NaN, text: '' };

/** A time in the format of HTTP headers. Kept, because many answers have the same one. */
export function httpDate(instant: Instant): string {
  const second = Math.floor(instant / 1000);
  if (dates.second !== second) {
    dates.second = second;
    dates.text = new Date(instant).toUTCString();
  }
  return dates.text;
}

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
 * 304 without a body. `more` are headers for this request.
 */
export function successAnswer(
  { headers: request, requestId }: RequestContext,
  answer: CachedAnswer,
  status: number,
  more: readonly string[],
): Answer | Promise<Answer> {
  const headers: string[] = ['X-Request-Id', requestId, ...answer.headers, ...more];
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
  { requestId }: RequestContext,
  stream: AnswerStream,
  more: readonly string[],
): Answer {
  const headers = ['X-Request-Id', requestId, ...more];
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

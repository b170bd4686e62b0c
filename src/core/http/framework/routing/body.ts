import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { GrowingBytes } from '../../../app/growing-bytes.ts';
import { type Sentence, sentence } from '../../../domain/errors/sentence.ts';
import { ApiError, invalidFormat } from '../../../domain/errors.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import type { RequestHeaders } from './request-context.ts';

/** Longest `Content-Type` that is read: Node's parser takes quadratic time for some long ones. */
// limit: `Content-Type` | 200 characters | 415
const MAX_CONTENT_TYPE_LENGTH = 200;

/**
 * What programs send with JSON: its own type, or that of a client that was not told of one. `fetch`
 * sends text as `text/plain`, `curl -d` as a form. No page can use that to act for another: a key in
 * a header needs the permission of CORS, and the service knows no cookies.
 */
const JSON_TYPE = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)$/;
const NDJSON_TYPE = /^application\/(?:x-)?(?:nd)?json$/;
const UTF_8 = /^utf-?8$/i;

const SEND_NDJSON = sentence(
  'Send the body as UTF-8 NDJSON: Content-Type application/x-ndjson.',
  'Envíe el cuerpo como NDJSON en UTF-8: Content-Type application/x-ndjson.',
);

/** A request, and whether its body was cut because it came in too many small pieces. */
interface BodyRequest extends IncomingMessage {
  readonly isCut?: boolean;
}

/**
 * Reads a whole body as UTF-8 text; the empty text for a request without a body (contract §4).
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, or `invalid_format` for bytes
 *   that are not UTF-8, or that are no lines.
 * @param lines Of a body of lines: what is wrong with bytes of another format, if it is known.
 */
export async function readBody(
  request: BodyRequest,
  headers: RequestHeaders,
  lines?: (bytes: Uint8Array) => Sentence | undefined,
): Promise<string> {
  if (hasNoBody(headers)) return '';
  const { contentType } = headers;
  // Lines without their own type are refused: `curl -d` joins them before it sends them.
  const isTyped = lines !== undefined || contentType !== undefined;
  if (isTyped && !isUtf8Of(contentType, lines ? NDJSON_TYPE : JSON_TYPE)) {
    throw new ApiError('unsupported_media_type', lines ? { message: SEND_NDJSON } : {});
  }
  if (headers.contentEncoding !== undefined) {
    throw new ApiError('unsupported_media_type', {
      message: sentence(
        'Send the body without a Content-Encoding.',
        'Envíe el cuerpo sin Content-Encoding.',
      ),
    });
  }
  if (Number(headers.contentLength) > MAX_BODY_BYTES) throw tooLarge();
  const bytes = await collect(request);
  const problem = lines?.(bytes);
  if (problem !== undefined) throw invalidFormat(undefined, 'not_json', problem);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidFormat(
      undefined,
      'not_utf8',
      sentence('The body is not UTF-8.', 'El cuerpo no es UTF-8.'),
    );
  }
}

/** A parameter other than `charset` changes nothing about the bytes. Several types are none. */
function isUtf8Of(header: string | undefined, essence: RegExp): boolean {
  if (header === undefined || header.includes(',')) return false;
  if (header.length > MAX_CONTENT_TYPE_LENGTH) return false;
  try {
    const type = new MIMEType(header);
    return essence.test(type.essence) && UTF_8.test(type.params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

/** Without a length and a transfer coding there is no body (RFC 9112 §6.3). */
function hasNoBody({ contentLength, transferEncoding, contentType }: RequestHeaders): boolean {
  if (transferEncoding !== undefined) return false;
  return contentLength === undefined || (Number(contentLength) === 0 && contentType === undefined);
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', {
    message: sentence(
      `A body has at most ${MAX_BODY_BYTES} bytes.`,
      `Un cuerpo tiene como máximo ${MAX_BODY_BYTES} bytes.`,
    ),
    details: { max: MAX_BODY_BYTES },
  });
}

function tooManyPieces(): ApiError {
  return new ApiError('payload_too_large', {
    message: sentence(
      'The body comes in too many small chunks. Send larger ones.',
      'El cuerpo llega en demasiados trozos pequeños. Envíelos más grandes.',
    ),
  });
}

/** Uses events: iterating over the request would destroy the socket before a 413 is sent. */
function collect(request: BodyRequest): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const bytes = new GrowingBytes(MAX_BODY_BYTES);
  request.on('data', (chunk: Buffer) => {
    if (request.isCut !== true && bytes.add(chunk)) return;
    request.removeAllListeners('data').pause();
    reject(request.isCut === true ? tooManyPieces() : tooLarge());
  });
  request.once('end', () => resolve(bytes.toBytes()));
  // The client left or broke the transfer: nobody will read the answer.
  const cutOff = () =>
    reject(
      new ApiError('invalid_request', {
        message: sentence('The body is incomplete.', 'El cuerpo está incompleto.'),
      }),
    );
  request.once('error', cutOff);
  request.once('close', cutOff);
  return promise;
}

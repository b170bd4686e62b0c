import type { IncomingMessage } from 'node:http';
import { ApiError, type PlainErrorCode } from '../../domain/errors.ts';
import type { RequestHeaders } from '../routing/request-headers.ts';
import { MAX_HEADER_BYTES, MAX_URL_BYTES } from './limits.ts';

/** The target of a request: `path` still percent-encoded, `query` without its `?`. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** `http://host/path`, as clients send it to a proxy and every server must take (RFC 9112 §3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

export function targetOf(url: string): RequestTarget {
  const origin = url.startsWith('/') ? undefined : ABSOLUTE_FORM.exec(url)?.[0];
  const start = origin?.length ?? 0;
  const mark = url.indexOf('?', start);
  const path = url.slice(start, mark < 0 ? undefined : mark);
  return {
    path: origin !== undefined && path === '' ? '/' : path,
    query: mark < 0 ? '' : url.slice(mark + 1),
  };
}

/**
 * A host name or an address, with or without a port, or nothing (RFC 9110 §7.2, RFC 3986 §3.2.2).
 * The parser has removed blanks around it. No part of the pattern can match the same text in two
 * ways: a header may have 16 KB.
 */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** @throws ApiError for a request that is malformed or too large, whatever its path. */
export function requireSoundFrame(
  { url = '', httpVersion }: Pick<IncomingMessage, 'url' | 'httpVersion'>,
  { bytes, host = '', hosts, transferEncoding }: RequestHeaders,
): void {
  if (url.length > MAX_URL_BYTES) throw new ApiError('uri_too_long');
  if (bytes > MAX_HEADER_BYTES) throw new ApiError('headers_too_large');
  const isOld = httpVersion === '1.0';
  if (!isOld && httpVersion !== '1.1') {
    throw new ApiError('invalid_request', { message: 'This service speaks HTTP/1.1.' });
  }
  if (hosts !== 1 && !(hosts === 0 && isOld)) {
    throw new ApiError('invalid_request', { message: 'Send exactly one Host header.' });
  }
  if (!HOST.test(host)) {
    throw new ApiError('invalid_request', { message: 'The Host header is invalid.' });
  }
  if (transferEncoding === undefined) return;
  // Proxies may disagree on where such a body ends (RFC 9112 §6.1).
  if (isOld) {
    throw new ApiError('invalid_request', { message: 'HTTP/1.0 has no Transfer-Encoding.' });
  }
  if (transferEncoding.trim().toLowerCase() !== 'chunked') {
    throw new ApiError('invalid_request', {
      message: 'The only accepted transfer coding is chunked.',
    });
  }
}

/**
 * The bytes of a request that asks for another protocol, as clients write it; undefined for any
 * other. The service stays with HTTP, but Node's parser drops what it read behind such a request.
 */
export function bytesOfUpgrade(
  { method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  { upgrade, connection = '', bytes, contentLength = '0' }: RequestHeaders,
): number | undefined {
  if (upgrade === undefined || !/upgrade/i.test(connection)) return undefined;
  const line = `${method} ${url} HTTP/1.1\r\n`;
  // A chunked body matches no length: the connection ends.
  return line.length + bytes + '\r\n'.length + Number(contentLength);
}

/** The error code for bytes that the parser rejected. */
export function codeOfParserError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
): PlainErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      // The parser has one limit for URL and headers. If no line ends in its first packet, the URL
      // was too long.
      const packet = error.rawPacket ?? Buffer.alloc(0);
      const firstLine = packet.indexOf('\r\n');
      const isAddress = /^[A-Z]+ \//.test(packet.toString('latin1', 0, 16));
      return isAddress && (firstLine < 0 || firstLine > MAX_URL_BYTES)
        ? 'uri_too_long'
        : 'headers_too_large';
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'invalid_request';
  }
}

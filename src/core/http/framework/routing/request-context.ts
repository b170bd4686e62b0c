import type { IncomingMessage } from 'node:http';
import { sentence } from '../../../domain/errors/sentence.ts';
import { ApiError } from '../../../domain/errors.ts';
import type { Instant } from '../../../domain/time.ts';
import { MAX_HEADER_BYTES, MAX_URL_BYTES } from './limits.ts';

/** Parameters in the path by name, as sent and still percent-encoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** The headers that the service reads. Several lines of one name are one list (RFC 9110 §5.3). */
export class RequestHeaders {
  apiKey: string | undefined = undefined;
  authorization: string | undefined = undefined;
  ifNoneMatch: string | undefined = undefined;
  lastEventId: string | undefined = undefined;
  contentType: string | undefined = undefined;
  contentEncoding: string | undefined = undefined;
  contentLength: string | undefined = undefined;
  transferEncoding: string | undefined = undefined;
  origin: string | undefined = undefined;
  /** Where a browser says the request comes from: `same-origin`, `cross-site` … */
  fetchSite: string | undefined = undefined;
  forwardedFor: string | undefined = undefined;
  accept: string | undefined = undefined;
  acceptLanguage: string | undefined = undefined;
  acceptEncoding: string | undefined = undefined;
  connection: string | undefined = undefined;
  upgrade: string | undefined = undefined;
  /** The request has several keys, so none is accepted. */
  severalKeys = false;
  /** The last `Host`. A request with several is refused. */
  host: string | undefined = undefined;
  hosts = 0;
  /** Bytes of all header lines. */
  bytes = 0;

  /** Reads `[name, value, …]`. Node's `headers` merges repeated ones silently and is slower. */
  constructor(raw: readonly string[]) {
    for (let position = 0; position < raw.length; position += 2) {
      const name = raw[position] ?? '';
      const value = raw[position + 1] ?? '';
      this.bytes += name.length + value.length + ': \r\n'.length;
      this.#read(name.toLowerCase(), value);
    }
  }

  /** The names of most requests are cases: a field that is chosen by a table costs 140 ns a request. */
  #read(name: string, value: string): void {
    switch (name) {
      case 'host':
        this.host = value;
        this.hosts += 1;
        break;
      case 'x-api-key':
        this.severalKeys ||= this.apiKey !== undefined;
        this.apiKey = value;
        break;
      case 'authorization':
        this.authorization = value;
        break;
      case 'x-admin-token':
        this.authorization = `Bearer ${value}`;
        break;
      case 'content-length':
        this.contentLength = value;
        break;
      case 'upgrade':
        this.upgrade = value;
        break;
      default: {
        const field = JOINED.get(name);
        if (field === undefined) return;
        // Two values of a single-valued header become `a, b`, which later checks refuse. Choosing
        // one of them could differ from a proxy's choice.
        const previous = this[field];
        this[field] = previous === undefined ? value : `${previous}, ${value}`;
      }
    }
  }
}

/** Headers of which several are read as one list, by name. */
const JOINED_FIELDS = {
  accept: 'accept',
  'accept-encoding': 'acceptEncoding',
  'accept-language': 'acceptLanguage',
  connection: 'connection',
  'content-encoding': 'contentEncoding',
  'content-type': 'contentType',
  'if-none-match': 'ifNoneMatch',
  'last-event-id': 'lastEventId',
  origin: 'origin',
  'sec-fetch-site': 'fetchSite',
  'transfer-encoding': 'transferEncoding',
  'x-forwarded-for': 'forwardedFor',
} as const;
const JOINED = new Map<string, (typeof JOINED_FIELDS)[keyof typeof JOINED_FIELDS]>(
  Object.entries(JOINED_FIELDS),
);

/** The address to which a request with such headers is counted. */
export type AddressOf = (message: IncomingMessage, headers: RequestHeaders) => string;

/** `http://host/path`, as clients send it to a proxy and every server must take (RFC 9112 §3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * A host name or an address, with or without a port, or nothing (RFC 9110 §7.2, RFC 3986 §3.2.2).
 * The parser has removed blanks around it. No part of the pattern can match the same text in two
 * ways: a header may have 16 KB.
 */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

const NONE: readonly string[] = Object.freeze([]);
const NO_PARAMETERS: PathParameters = Object.freeze({});

/** A request as it came in. What a service finds out about it is added by a class of its own. */
export class RequestContext {
  readonly message: IncomingMessage;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly now: Instant;
  readonly method: string | undefined;
  /** The client's address. Called only where requests are counted by address. */
  readonly address: () => string;
  /** As sent, still percent-encoded. */
  readonly path: string;
  /** As sent, without its `?`. */
  readonly query: string;
  /** Set once the route is known. */
  pathParameters: PathParameters = NO_PARAMETERS;
  /** Origin whose pages may read the answer; `*` for all. */
  readableBy: string | undefined = undefined;
  /** Parameters and body fields that changed nothing, to be told. */
  ignored: readonly string[] = NONE;
  protected readonly addressOf: AddressOf;

  constructor(
    message: IncomingMessage,
    requestId: string,
    now: Instant,
    addressOf: AddressOf,
    method = message.method,
  ) {
    const { url = '' } = message;
    this.message = message;
    this.method = method;
    this.addressOf = addressOf;
    this.headers = new RequestHeaders(message.rawHeaders);
    this.requestId = requestId;
    this.now = now;
    this.address = () => addressOf(message, this.headers);
    const origin = url.startsWith('/') ? undefined : ABSOLUTE_FORM.exec(url)?.[0];
    const start = origin?.length ?? 0;
    const mark = url.indexOf('?', start);
    const path = url.slice(start, mark < 0 ? undefined : mark);
    this.path = origin !== undefined && path === '' ? '/' : path;
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  /** @throws ApiError for a request that is malformed or too large, whatever its path. */
  requireSound(): void {
    const { url = '', httpVersion } = this.message;
    const { bytes, host = '', hosts, transferEncoding } = this.headers;
    if (url.length > MAX_URL_BYTES) throw new ApiError('uri_too_long');
    if (bytes > MAX_HEADER_BYTES) throw new ApiError('headers_too_large');
    const isOld = httpVersion === '1.0';
    if (!isOld && httpVersion !== '1.1')
      throw unsound('This service speaks HTTP/1.1.', 'Este servicio habla HTTP/1.1.');
    if (hosts !== 1 && !(hosts === 0 && isOld))
      throw unsound('Send exactly one Host header.', 'Envíe exactamente un encabezado Host.');
    if (!HOST.test(host))
      throw unsound('The Host header is invalid.', 'El encabezado Host no es válido.');
    if (transferEncoding === undefined) return;
    // Proxies may disagree on where such a body ends (RFC 9112 §6.1).
    if (isOld)
      throw unsound('HTTP/1.0 has no Transfer-Encoding.', 'HTTP/1.0 no tiene Transfer-Encoding.');
    if (transferEncoding.trim().toLowerCase() !== 'chunked') {
      throw unsound(
        'The only accepted transfer coding is chunked.',
        'La única codificación de transferencia que se acepta es chunked.',
      );
    }
  }

  /**
   * Whether the client has left, so that nobody would read the answer. One that has closed only its
   * own side looks the same as one that has closed the connection, and few do so.
   */
  get isGone(): boolean {
    const { socket } = this.message;
    return socket.destroyed || socket.readableEnded;
  }
}

function unsound(en: string, es: string): ApiError {
  return new ApiError('invalid_request', { message: sentence(en, es) });
}

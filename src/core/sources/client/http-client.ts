import { isIP, type LookupFunction, connect as openTcp } from 'node:net';
import { addAbortSignal, type Duplex, pipeline, type Readable } from 'node:stream';
import { connect as openTls, type SecureContext } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type buildConnector, Client } from 'undici';
import { SourceFailure } from '../../app/failures.ts';
import { GrowingBytes } from '../../app/growing-bytes.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { UpstreamBody, UpstreamRequest } from '../../app/ports/sources.ts';
import type { Instant } from '../../domain/time.ts';
import { connectionError } from '../../outbound/connection-error.ts';
import { waitOf } from '../../outbound/retry-after.ts';
import { MAX_RETRY_AFTER_MS } from './host-throttle.ts';

/** Most bytes of a body, decoded. */
// limit: Upstream: body decoded, headers, added by a coding | 2 MB, 16 KB, 64 KB | `too_large` | MAX_ANSWER_HEADER_BYTES, MAX_CODING_OVERHEAD_BYTES
export const MAX_ANSWER_BYTES = 2 * 2 ** 20;
/** Most bytes of an answer's headers, and of its trailers. */
const MAX_ANSWER_HEADER_BYTES = 16 * 2 ** 10;
/** Most bytes by which an encoded body may exceed `MAX_ANSWER_BYTES`. */
const MAX_CODING_OVERHEAD_BYTES = 64 * 2 ** 10;
/** Most characters of an upstream's header in a message. */
// limit: Upstream's header in a message | 80 characters | cut
const MAX_HEADER_ECHO_LENGTH = 80;

/** The target of a request, and how its host is verified. */
export interface Target {
  readonly url: URL;
  readonly lookup: LookupFunction;
  /** Undefined for Node's default. */
  readonly secureContext: SecureContext | undefined;
}

interface HttpClientOptions {
  readonly userAgent: string;
  /** Aborts the request at any point. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Uses a connection of its own. An answer that is not the expected one is returned as a failure.
 * @throws SourceFailure when the host or the connection fails.
 */
export async function sendRequest(
  target: Target,
  request: UpstreamRequest,
  { userAgent, signal, clock }: HttpClientOptions,
): Promise<UpstreamBody | SourceFailure> {
  const { host, origin, pathname, search } = target.url;
  let broken: Error | undefined;
  const onBroken = (error: Error) => {
    broken = error;
  };
  // The client's own timeouts are off: the signal sets one deadline for the whole request.
  const client = new Client(origin, {
    connect: connectorTo(target, signal, onBroken),
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
    maxResponseSize: MAX_ANSWER_BYTES + MAX_CODING_OVERHEAD_BYTES,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      path: pathname + search,
      method: request.json === undefined ? 'GET' : 'POST',
      headers: headersOf(request, userAgent),
      body: request.json === undefined ? null : JSON.stringify(request.json),
      signal,
    });
    const header = (name: string) => [headers[name] ?? []].flat().join(', ');
    if (statusCode !== 200) {
      return otherStatus(host, statusCode, {
        location: header('location'),
        retryAfterMs: boundedWait(header('retry-after'), clock.now()),
      });
    }
    const contentType = header('content-type');
    const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
    if (!request.accept.some((accepted) => accepted.toLowerCase() === mediaType)) {
      const was = mediaType === '' ? 'without a type' : echo(mediaType);
      const wanted = request.accept.join(' or ');
      return new SourceFailure('content_type', `expected ${wanted} of ${host}, it was ${was}`);
    }
    const coding = header('content-encoding').trim().toLowerCase();
    const decoded = decode(body, coding);
    if (decoded === undefined) {
      const what = `expected no content coding of ${host} but ${ACCEPTED_CODINGS}`;
      return new SourceFailure('content_type', `${what}, it was ${echo(coding)}`);
    }
    const bytes = await readAll(decoded);
    if (bytes === undefined) {
      return new SourceFailure('too_large', `${host} sent more than ${MAX_ANSWER_BYTES} bytes`);
    }
    // A body without a length ends with its connection. undici accepts even a reset as its end.
    const hasLength = header('content-length') + header('transfer-encoding') !== '';
    if (broken !== undefined && !hasLength) throw broken;
    return { url: request.url, bytes, ...(contentType !== '' && { contentType }) };
  } catch (error) {
    throw failureOf(host, error);
  } finally {
    await client.destroy();
  }
}

/** The service's own headers replace those of the request. */
function headersOf(request: UpstreamRequest, userAgent: string): Record<string, string> {
  const own = Object.entries(request.headers ?? {});
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    'user-agent': userAgent,
    accept: request.accept.join(', '),
    'accept-encoding': ACCEPTED_CODINGS,
    ...(request.json !== undefined && { 'content-type': 'application/json' }),
  };
}

/** Opens a socket that the signal closes at any point. Later errors go to `onBroken`. */
function connectorTo(
  { lookup, secureContext }: Target,
  signal: AbortSignal,
  onBroken: (error: Error) => void,
): buildConnector.connector {
  return ({ hostname, port, protocol }, done) => {
    const isPlain = protocol === 'http:';
    const socket = isPlain
      ? openTcp({ host: hostname, port: Number(port || 80), lookup })
      : openTls({
          host: hostname,
          port: Number(port || 443),
          lookup,
          servername: isIP(hostname) === 0 ? hostname : '',
          ALPNProtocols: ['http/1.1'],
          // Explicit, because an environment variable can change the default.
          rejectUnauthorized: true,
          ...(secureContext !== undefined && { secureContext }),
        });
    addAbortSignal(signal, socket);
    const failed = (error: Error) => done(error, null);
    socket.once('error', failed);
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      socket.off('error', failed);
      socket.on('error', onBroken);
      done(null, socket);
    });
  };
}

/** Whether the status means that the host is overloaded, broken or blocks this service. */
const isHostFailure = (status: number) => status >= 500 || [403, 408, 425, 429].includes(status);

function otherStatus(
  host: string,
  status: number,
  { location, retryAfterMs }: { location: string; retryAfterMs: number | undefined },
): SourceFailure {
  if (status >= 300 && status < 400 && location !== '') {
    // Only the host, because the rest of an address may contain a secret.
    const base = `https://${host}`;
    const to = URL.canParse(location, base) ? echo(new URL(location, base).host) : 'elsewhere';
    return new SourceFailure('redirect', `${host} answered ${status} and points to ${to}`);
  }
  const failure = new SourceFailure('status', `${host} answered ${status}`, { retryAfterMs });
  if (isHostFailure(status)) throw failure;
  return failure;
}

function boundedWait(retryAfter: string, now: Instant): number | undefined {
  const wait = waitOf(retryAfter, now);
  return wait && Math.min(wait, MAX_RETRY_AFTER_MS);
}

function echo(text: string): string {
  const plain = text.replaceAll(/[^\x21-\x7e]+/g, ' ');
  return plain.length <= MAX_HEADER_ECHO_LENGTH
    ? plain
    : `${plain.slice(0, MAX_HEADER_ECHO_LENGTH)}…`;
}

const ACCEPTED_CODINGS = 'gzip, deflate, br';

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function decode(body: Readable, coding: string): AsyncIterable<Buffer> | undefined {
  if (coding === '' || coding === 'identity') return body;
  const decoder = DECODERS.get(coding)?.();
  // Errors of the body reach the reader through the decoder.
  return decoder && pipeline(body, decoder, () => undefined);
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Uint8Array | undefined> {
  const bytes = new GrowingBytes(MAX_ANSWER_BYTES);
  for await (const chunk of stream) {
    if (!bytes.add(chunk)) return undefined;
  }
  return bytes.toBytes();
}

const TLS_CODES =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_)/;
const TOO_LARGE_CODES = /^UND_ERR_(?:RES_EXCEEDED_MAX_SIZE|HEADERS_OVERFLOW)$/;
/** Error codes of zlib and its Brotli. */
const CODING_CODES = /^(?:Z_|ERR__|ERR_BROTLI_)/;

/** The message uses only the code of an error, because its text may repeat upstream data. */
function failureOf(host: string, error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const code = codeOf(error);
  if (TLS_CODES.test(code)) {
    return new SourceFailure('tls', `the certificate or TLS of ${host} is not in order: ${code}`);
  }
  if (TOO_LARGE_CODES.test(code)) {
    return new SourceFailure('too_large', `${host} sent more than is read: ${code}`);
  }
  if (CODING_CODES.test(code)) {
    return new SourceFailure('content', `the content coding of ${host} is broken: ${code}`);
  }
  return new SourceFailure('unreachable', `${host}: ${connectionError(code)}`);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

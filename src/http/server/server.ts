import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Peers, ProcessCounts } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { PageView } from '../../web/frame/page-view.ts';
import { allEndpoints, allPages } from '../endpoints/all.ts';
import { answerWithPage } from '../pages/page-answer.ts';
import { corsHeaders, preflightHeaders } from '../routing/cors.ts';
import type { Endpoint, Services } from '../routing/endpoint.ts';
import { type Answer, type Exchange, errorAnswer, Pipeline } from '../routing/pipeline.ts';
import { type RequestHeaders, readHeaders } from '../routing/request-headers.ts';
import { type Place, Router } from '../routing/router.ts';
import { closing } from './closing.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  MAX_URL_BYTES,
  PARSER_HEADER_BYTES,
  READER_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts';
import { Metrics } from './metrics.ts';

/** The settings of which the server needs to know. */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Other processes listen on the same port, and the system spreads connections over them. */
  readonly reusePort: boolean;
  readonly publicUrl: string | undefined;
  readonly adminToken: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly notice: PageView['notice'];
  /** How long requests are still taken once the server is told to stop. */
  readonly drainMs: number;
  readonly board: boolean;
  readonly boardHistoryDays: number;
}

export interface RunningServer {
  readonly url: string;
  /** From then on `/readyz` is 503. Answers what is in flight, then closes every connection. */
  close(): Promise<void>;
  /** What this process counted for `/metrics`. */
  counts(): Promise<ProcessCounts>;
}

export interface ServerParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: Services;
  readonly peers?: Peers | undefined;
}

// An import would load everything that the module has, WebSockets too: 50 ms of every start.
const { createServer } = process.getBuiltinModule('node:http');

const CONNECT_ALLOW = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** Opens the port and answers on it. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config } = parts;
  const state = { url: '', closing: false, portClosed: false };
  const front = new Front(parts, state);
  const server = createServer(
    {
      maxHeaderSize: PARSER_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A missing Host is answered in our own shape.
      requireHostHeader: false,
    },
    (request, response) => front.handle(request, response),
  );
  allowHalfOpen(server);
  server.setTimeout(READER_TIMEOUT_MS, (socket) => front.timedOut(socket));
  server.on('connection', (socket: Socket) => {
    // Node takes its own listener away from a socket that it hands over; a reset then would end the
    // process.
    socket.on('error', () => undefined);
  });
  const close = closing(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    front.refuseBytes(error, socket);
  });
  server.on('connect', (_request, socket: Socket) => {
    // A proxy's method: no address of ours takes it.
    front.refuse(new ApiError('method_not_allowed', { allow: CONNECT_ALLOW }), socket);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    front.write(response, front.refusal(new ApiError('expectation_failed')), undefined);
  });
  await listen(server, config);
  state.url = urlOf(server, config);
  return {
    url: state.url,
    close: () => {
      state.closing = true;
      const onPortClosed = () => {
        state.portClosed = true;
      };
      const othersClosed = async () => parts.peers?.portClosed();
      return close({ drainMs: config.drainMs, othersClosed, onPortClosed });
    },
    counts: () => front.counts(),
  };
}

/**
 * A client may close its side once its request is sent and still gets the answer. The property is
 * Node's own, but not among its types.
 */
function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

function listen(server: Server, { host, port, reusePort }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, { host }: ServerConfig): string {
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

interface State {
  url: string;
  /** Told to stop. */
  closing: boolean;
  portClosed: boolean;
}

/** A request for a page. */
interface Asked {
  readonly request: IncomingMessage;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
}

/** An answer on its way out. */
interface Written {
  readonly response: ServerResponse;
  readonly answer: Answer;
  readonly headers: RequestHeaders;
}

/** Takes requests from the sockets to the pipeline and the answers back. */
class Front {
  readonly #config: ServerConfig;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #state: State;
  readonly #pipeline: Pipeline;
  readonly #router: Router;
  readonly #metrics: Metrics;
  /** Request ids are this process's start and a count: unique without asking for randomness. */
  readonly #idPrefix: string;
  #requests = 0;
  /** Answers of this turn of the event loop; at most one a request in flight. */
  #written: Written[] = [];
  /** Requests whose answer is still being made, the last of each connection. */
  readonly #awaited = new Map<Socket, IncomingMessage>();
  /** The last request of each connection that is not answered yet. */
  readonly #newest = new WeakMap<Socket, IncomingMessage>();
  /** The last answer of each connection. */
  readonly #last = new WeakMap<Socket, ServerResponse>();
  /** Connections on which bytes came that are not HTTP: they end with the answer on its way. */
  readonly #spoilt = new WeakSet<Socket>();

  constructor({ config, clock, log, services, peers }: ServerParts, state: State) {
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
    this.#state = state;
    this.#idPrefix = `${clock.now().toString(36)}${process.pid.toString(36)}-`;
    this.#metrics = new Metrics({ services, clock, peers });
    const endpoints = allEndpoints({ admin: config.adminToken !== undefined });
    const pages = allPages({
      services,
      endpoints,
      metrics: this.#metrics,
      notice: config.notice,
      board: { enabled: config.board, historyDays: config.boardHistoryDays },
      admin: config.adminToken !== undefined,
      publicUrl: () => this.#publicUrl(),
      isClosing: () => state.closing,
    });
    this.#router = new Router(endpoints, pages);
    this.#pipeline = new Pipeline({
      services,
      clock,
      log,
      adminToken: config.adminToken,
      origin: () => this.#publicUrl(),
      endpoints,
    });
  }

  counts(): Promise<ProcessCounts> {
    return this.#metrics.counts();
  }

  /**
   * Of requests that are sent without waiting for answers one is taken at a time: a client that does
   * not read its answers then has one of them in memory, not one for each request.
   */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const last = this.#last.get(socket);
    this.#last.set(socket, response);
    this.#newest.set(socket, request);
    if (last === undefined || last.writableFinished) {
      this.#take(request, response);
      return;
    }
    this.#awaited.set(socket, request);
    last.once('finish', () => {
      this.#answered(request);
      this.#take(request, response);
    });
  }

  /** A client that takes no byte of its answer for so long, or is idle, is not waited for. */
  timedOut(socket: Socket): void {
    if (socket.writableLength > 0 || !this.#awaited.has(socket)) socket.destroy();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const started = performance.now();
    const headers = readHeaders(request.rawHeaders);
    const url = request.url ?? '';
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const match = this.#router.find(path);
    const requestId = this.#nextId();
    const done = (answer: Answer): void => {
      this.#writeSoon({ response, answer, headers });
      this.#metrics.answered(match?.place, answer.status, started);
    };
    try {
      this.#requireSound(request, headers, url);
      if (match === undefined) throw new ApiError('resource_not_found');
      const { place, values } = match;
      if (request.method === 'OPTIONS') {
        done(this.#options(place, requestId, headers));
        return;
      }
      const query = mark < 0 ? '' : url.slice(mark + 1);
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const endpoint = this.#endpointAt(place, method);
      const answer =
        endpoint === undefined
          ? this.#page(place, { request, headers, requestId, path, query })
          : this.#pipeline.answer({
              request,
              headers,
              address: () => this.#addressOf(request, headers),
              requestId,
              endpoint,
              query,
              path: byName(place.parameters, values),
              now: this.#clock.now(),
            } satisfies Exchange);
      if (answer instanceof Promise) this.#await(answer, request, done);
      else done(answer);
    } catch (error) {
      done(this.#refusalOf(error, requestId));
    }
  }

  write(response: ServerResponse, answer: Answer, headers: RequestHeaders | undefined): void {
    if (response.headersSent || response.destroyed) return;
    const { req: request } = response;
    const lines = answer.headers.concat('X-Content-Type-Options', 'nosniff');
    if (answer.body !== undefined) lines.push('Content-Length', `${answer.body.length}`);
    if (this.#config.notice !== undefined) lines.push('X-Vesfx-Notice', this.#config.notice.en);
    lines.push(...corsHeaders(this.#config.corsOrigins, headers?.origin));
    // What is left of a refused body is not read: the connection ends with this answer.
    const isUnread = answer.status >= 400 && !request.complete;
    // At the end the connection ends too, but not before the requests sent right behind this one.
    const isLast = this.#newest.get(request.socket) === request;
    if (isLast) this.#newest.delete(request.socket);
    if ((this.#state.portClosed && isLast) || isUnread || this.#spoilt.has(request.socket)) {
      lines.push('Connection', 'close');
    }
    response.writeHead(answer.status, lines);
    response.end(request.method === 'HEAD' ? undefined : answer.body, 'latin1');
  }

  #await(answer: Promise<Answer>, request: IncomingMessage, done: (answer: Answer) => void): void {
    // Where a later request of the connection waits for this one, it stays the last.
    if (!this.#awaited.has(request.socket)) this.#awaited.set(request.socket, request);
    answer.then(done, (error: unknown) => this.#lost(error)).finally(() => this.#answered(request));
  }

  #answered(request: IncomingMessage): void {
    const { socket } = request;
    if (this.#awaited.get(socket) === request) this.#awaited.delete(socket);
  }

  /**
   * Answers go out together at the end of a turn of the event loop. A client that waits is then
   * woken once for many and not for each, which halves what an answer costs under load.
   */
  #writeSoon(written: Written): void {
    if (this.#written.length === 0) setImmediate(() => this.#writeAll());
    this.#written.push(written);
  }

  #writeAll(): void {
    const written = this.#written;
    this.#written = [];
    for (const { response, answer, headers } of written) {
      try {
        this.write(response, answer, headers);
      } catch (error) {
        this.#lost(error);
        response.destroy();
      }
    }
  }

  refusal(error: ApiError): Answer {
    return errorAnswer(error, this.#nextId(), []);
  }

  /**
   * Answers bytes that never became a request. The answers to the requests before them go first; one
   * that is still being made is then the last on its connection.
   */
  refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
    // A request whose own body is broken is answered by the complaint.
    this.#written = this.#written.filter(
      ({ response: { req } }) => req.socket !== socket || req.complete,
    );
    this.#writeAll();
    if (this.#awaited.get(socket)?.complete) {
      this.#spoilt.add(socket);
      return;
    }
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.refuse(new ApiError(codeOfParserError(error)), socket);
  }

  /** Writes an error on a bare socket and closes it after the last byte, whoever may still send. */
  refuse(error: ApiError, socket: Socket): void {
    const { status, headers, body } = this.refusal(error);
    const lines = [`HTTP/1.1 ${status} ${error.code}`];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    lines.push(`Content-Length: ${body?.length ?? 0}`, 'Connection: close', '', '');
    socket.cork();
    socket.write(lines.join('\r\n'));
    socket.end(body ?? '', 'latin1');
    socket.destroySoon();
  }

  #nextId(): string {
    this.#requests += 1;
    return this.#idPrefix + this.#requests.toString(36);
  }

  #publicUrl(): string {
    return this.#config.publicUrl ?? this.#state.url;
  }

  /** @throws ApiError for a request whose frame is not acceptable, whatever it asks. */
  #requireSound(request: IncomingMessage, headers: RequestHeaders, url: string): void {
    if (url.length > MAX_URL_BYTES) throw new ApiError('uri_too_long');
    if (headers.bytes > MAX_HEADER_BYTES) throw new ApiError('headers_too_large');
    if (headers.hosts === 1) return;
    if (headers.hosts === 0 && request.httpVersion === '1.0') return;
    throw new ApiError('invalid_request', { message: 'Send exactly one Host header.' });
  }

  #endpointAt(place: Place, method: string | undefined): Endpoint | undefined {
    for (const [known, endpoint] of place.methods) if (known === method) return endpoint;
    if (place.page !== undefined && method === 'GET') return undefined;
    throw new ApiError('method_not_allowed', { allow: place.allow });
  }

  #options({ allow }: Place, requestId: string, { origin }: RequestHeaders): Answer {
    const headers = ['X-Request-Id', requestId, 'Allow', allow];
    if (origin !== undefined) {
      headers.push(...preflightHeaders(this.#config.corsOrigins, origin, allow));
    }
    return { status: 204, headers, body: undefined };
  }

  async #page({ page }: Place, asked: Asked): Promise<Answer> {
    const { request, headers, requestId, path, query } = asked;
    const address = () => this.#addressOf(request, headers);
    try {
      // Only a place with a page gets here: `#endpointAt` refuses the others.
      if (page === undefined) throw new ApiError('method_not_allowed');
      if (page.admin) this.#pipeline.requireAdmin(headers, address);
      const { acceptLanguage } = headers;
      const now = this.#clock.now();
      const answer = await page.respond({ path, query, acceptLanguage, address, now });
      return await answerWithPage(answer, { requestId, asked: headers });
    } catch (error) {
      const shown = this.#pipeline.shown(error, { requestId, path }, this.#clock.now());
      return errorAnswer(shown, requestId, []);
    }
  }

  #refusalOf(error: unknown, requestId: string): Answer {
    if (error instanceof ApiError) return errorAnswer(error, requestId, []);
    this.#log.error({ err: error, requestId }, 'a request failed');
    return errorAnswer(new ApiError('internal_error'), requestId, []);
  }

  #lost(error: unknown): void {
    this.#log.error({ err: error }, 'an answer could not be written');
  }

  #addressOf(request: IncomingMessage, headers: RequestHeaders): string {
    const forwarded = this.#config.trustProxy
      ? headers.forwardedFor?.split(',').at(-1)?.trim()
      : undefined;
    return forwarded || request.socket.remoteAddress || '';
  }
}

function byName(
  names: readonly string[],
  values: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, position) => [name, values[position] ?? '']));
}

function codeOfParserError(error: NodeJS.ErrnoException & { rawPacket?: Buffer }) {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      // The parser has one bound for both: an address that fills its first packet is the address.
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

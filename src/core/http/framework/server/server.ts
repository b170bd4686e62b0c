import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import { ThrottledLog } from '../../../app/throttled-log.ts';
import { ApiError, methodNotAllowed, type PlainErrorCode } from '../../../domain/errors.ts';
import { type Answer, errorAnswer } from '../routing/answer.ts';
import { type RequestContext, RequestHeaders } from '../routing/request-context.ts';
import { SERVED_METHODS } from '../routing/router.ts';
import type { Application, ServerState } from './application.ts';
import { BufferedRequest } from './buffered-request.ts';
import { callerAddress, clientAddress } from './client-address.ts';
import { closeServer } from './closing.ts';
import { type Connection, codeOfParserError } from './connection.ts';
import { Connections } from './connections.ts';
import { maxConnections } from './descriptors.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  PARSER_HEADER_BYTES,
  READER_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  STREAMS_END_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts';
import type { RequestCounts } from './request-counts.ts';
import { ResponseWriter } from './response-writer.ts';

export interface ListenerConfig {
  readonly host: string;
  readonly port: number;
  /** Whether other processes listen on the same port. The kernel spreads connections. */
  readonly reusePort: boolean;
  readonly trustProxy: boolean;
  /** At `debug` each answer has a line in the log. */
  readonly logLevel: string;
  /** Whether those lines have the addresses of callers. */
  readonly logAddresses: boolean;
  /** How long the server accepts new requests after a stop signal. */
  readonly drainMs: number;
}

interface ListenerParts {
  readonly config: ListenerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: ServerState;
  readonly counts: RequestCounts;
  /** Called when this process has closed the port; resolves when all that share it have. */
  readonly othersClosed: () => Promise<void>;
}

/** Opens the port, and passes its requests to the application. */
export async function openServer<Request extends RequestContext>(
  parts: ListenerParts,
  application: Application<Request>,
) {
  const { config, clock, log, state, othersClosed } = parts;
  const server = createServer({
    IncomingMessage: BufferedRequest,
    maxHeaderSize: PARSER_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // No `optimizeEmptyRequests`: with it a POST without a body hung.
    // A missing Host gets our own error.
    requireHostHeader: false,
  });
  // Lets a client close its side and still get the answer. Node's types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = new Connections(server, { max: maxConnections(), clock, log });
  let requests = new Requests(parts, application);
  server.on('request', (message, response) => {
    requests.take(connections.of(message.socket), message, response);
  });
  server.on('checkExpectation', (message, response: ServerResponse) => {
    requests.take(connections.of(message.socket), message, response, 'expectation_failed');
  });
  server.on('connect', (message, socket: Socket) => {
    // CONNECT is a method of proxies. No route takes it.
    requests.refuseRest(connections.of(socket), methodNotAllowed(SERVED_METHODS), { message });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    requests.refuseBytes(connections.of(socket), error);
  });
  server.setTimeout(READER_TIMEOUT_MS, (socket) => {
    // Close a client that is idle or has taken no byte of its answer for this long.
    if (socket.writableLength > 0 || !connections.of(socket).isInUse) socket.destroy();
  });
  await listen(server, config);
  const acceptLog = new ThrottledLog(log, 'a connection could not be accepted');
  server.on('error', (err) => acceptLog.warn({ err }, clock.now()));
  state.url = urlOf(server, config);
  return {
    /** Passes later requests to another application. Those in progress end as they began. */
    use(other: Application<Request>): void {
      requests = new Requests(parts, other);
    },
    /** Finishes the requests in flight, then closes every connection. */
    close(): Promise<void> {
      state.closing = true;
      return closeServer(server, connections, {
        drainMs: config.drainMs,
        othersClosed,
        onPortClosed: () => {
          state.portClosed = true;
          connections.endStreams(STREAMS_END_MS);
        },
      });
    },
  };
}

/** Passes requests from the connections to the application, and the answers back. */
class Requests<Request extends RequestContext> {
  readonly #parts: ListenerParts;
  readonly #application: Application<Request>;
  readonly #writer: ResponseWriter;
  /** A request id is the start of this process and a counter: unique without random numbers. */
  readonly #idPrefix: string;

  constructor(parts: ListenerParts, application: Application<Request>) {
    const { clock, log, state } = parts;
    this.#parts = parts;
    this.#application = application;
    this.#idPrefix = `${clock.now().toString(36)}${process.pid.toString(36)}-`;
    this.#writer = new ResponseWriter(application.headers, state, log);
  }

  /** Queues a request behind earlier ones of its connection. With `refused` it gets that error. */
  take(
    connection: Connection,
    message: IncomingMessage,
    response: ServerResponse,
    refused?: PlainErrorCode,
  ): void {
    connection.take(message, response, () => {
      if (connection.parserError !== undefined && !message.complete) {
        this.#refuse(connection, connection.parserError, message);
        return;
      }
      this.#answer(connection, message, response, refused && new ApiError(refused));
    });
  }

  #answer(
    connection: Connection,
    message: IncomingMessage,
    response: ServerResponse,
    refusal: ApiError | undefined,
  ): void {
    const started = performance.now();
    const { config, clock, counts } = this.#parts;
    const application = this.#application;
    const request = application.open(message, this.#nextId(), clock.now(), this.#addressOf);
    const { headers } = request;
    // Read now: a client that has left has no address any more.
    const caller = config.logAddresses
      ? callerAddress(...this.#senderOf(message, headers))
      : undefined;
    let isSound = false;
    const done = (answer: Answer): void => {
      this.#writer.writeSoon({ connection, response, answer, headers, isFinal: !isSound });
      counts.answered(application.routeOf(request), answer.status, started);
      if (config.logLevel === 'debug') {
        this.#logAccess(request, answer, performance.now() - started, caller);
      }
    };
    try {
      request.requireSound();
      isSound = refusal === undefined;
      const answer = application.answer(request, refusal);
      if (!(answer instanceof Promise)) done(answer);
      else answer.then(done).catch((error: unknown) => done(this.#refusalOf(error, request)));
    } catch (error) {
      done(this.#refusalOf(error, request));
    }
  }

  /** A line for each answered request. */
  #logAccess(request: Request, { status, body }: Answer, ms: number, address?: string): void {
    const { requestId, message } = request;
    const { method } = message;
    const { path, query, ...more } = this.#application.shown(request);
    const fields = {
      // Before all that callers choose, so that a program can read it without being misled.
      ...{ address, requestId, method, path, query, status },
      ms: Math.ceil(ms * 1_000) / 1_000,
      bytes: method === 'HEAD' ? 0 : (body?.length ?? 0),
      ...more,
    };
    this.#parts.log.debug(fields, 'request');
  }

  /** Answers bytes that the parser rejected. */
  refuseBytes(connection: Connection, error: NodeJS.ErrnoException): void {
    if (connection.isEnding || connection.hasDelayed(error)) return;
    this.refuseRest(connection, new ApiError(codeOfParserError(error)), {
      isGone: error.code === 'ECONNRESET',
    });
  }

  /**
   * Refuses what follows the requests that were read. Answers to them are sent first. If one of them
   * is still being made, the connection ends after it.
   * @param options.message The refused request; by default the one whose body is being read, if any.
   */
  refuseRest(
    connection: Connection,
    refusal: ApiError,
    { isGone = false, message }: { isGone?: boolean; message?: IncomingMessage } = {},
  ): void {
    // If the body of a request is malformed, this error answers that request.
    this.#writer.dropIncomplete(connection);
    this.#writer.writeAll();
    if (connection.isServed) connection.endAfterAnswers(refusal);
    else if (isGone || !connection.socket.writable) connection.socket.destroy();
    else this.#refuse(connection, refusal, message ?? connection.unfinished);
  }

  /** Writes an error to the socket without a response object, and closes the connection. */
  #refuse(connection: Connection, error: ApiError, message: IncomingMessage | undefined): void {
    const asker = {
      requestId: this.#nextId(),
      headers: message && new RequestHeaders(message.rawHeaders),
    };
    const { status, headers, body } = errorAnswer(error, asker, []);
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    const text = body?.toString('latin1') ?? '';
    lines.push(`Content-Length: ${text.length}`, 'Connection: close', '', text);
    connection.end(lines.join('\r\n'));
  }

  #nextId(): string {
    const { state } = this.#parts;
    state.requests += 1;
    return `${this.#idPrefix}${state.requests}`;
  }

  #refusalOf(error: unknown, { requestId, headers }: Request): Answer {
    const asker = { requestId, headers };
    if (error instanceof ApiError) return errorAnswer(error, asker, []);
    this.#parts.log.error({ err: error, requestId }, 'a request failed');
    return errorAnswer(new ApiError('internal_error'), asker, []);
  }

  readonly #addressOf = (message: IncomingMessage, headers: RequestHeaders): string =>
    clientAddress(...this.#senderOf(message, headers));

  #senderOf({ socket }: IncomingMessage, { forwardedFor }: RequestHeaders) {
    const { trustProxy } = this.#parts.config;
    return [socket.remoteAddress, trustProxy ? forwardedFor : undefined] as const;
  }
}

function listen(server: Server, { host, port, reusePort }: ListenerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, { host }: ListenerConfig): string {
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

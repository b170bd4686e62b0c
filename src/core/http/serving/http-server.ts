import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { ApiError, methodNotAllowed, notFound, type PlainErrorCode } from '../../domain/errors.ts';
import type { AddressLimit, AddressLimits } from '../framework/routing/address-limits.ts';
import { type Answer, errorAnswer, writtenAnswer } from '../framework/routing/answer.ts';
import { MAX_URL_BYTES } from '../framework/routing/limits.ts';
import { RequestContext, RequestHeaders } from '../framework/routing/request-context.ts';
import { wantsPage } from '../framework/server/accept.ts';
import { logAccess } from '../framework/server/access-log.ts';
import { callerAddress, clientAddress } from '../framework/server/client-address.ts';
import type { Connection } from '../framework/server/connection.ts';
import { ResponseWriter } from '../framework/server/response-writer.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import {
  acceptsBearer,
  type Page,
  type Place,
  type Route,
  Router,
  SERVED_METHODS,
} from '../pipeline/router.ts';
import { mayBeSampled } from '../samples/sample-answers.ts';
import { sampleAnswer, sampleRequest } from '../samples/sample-request.ts';
import type { Metrics } from './metrics.ts';
import { noContent, preflights } from './preflights.ts';
import { allRoutes } from './routes.ts';
import type { ServerParts, ServerState } from './server-parts.ts';

/** Passes requests from the connections to the pipeline or a page, and the answers back. */
export class HttpServer {
  readonly #parts: ServerParts;
  readonly #state: ServerState;
  readonly #metrics: Metrics;
  readonly #pipeline: Pipeline;
  readonly #router: Router;
  readonly #notFound: Page | undefined;
  readonly #preflight: ReturnType<typeof preflights>;
  readonly #writer: ResponseWriter;
  readonly #keyHosts: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /** Limits on requests without a key, by address. */
  readonly limits: AddressLimits;
  /** A request id is the start of this process and a counter: unique without random numbers. */
  readonly #idPrefix: string;

  constructor(parts: ServerParts, state: ServerState, metrics: Metrics) {
    const { config, clock, log, services } = parts;
    const { publicUrl, publicHosts, adminToken, metricsToken } = config;
    this.#parts = parts;
    this.#state = state;
    this.#metrics = metrics;
    this.#idPrefix = `${clock.now().toString(36)}${process.pid.toString(36)}-`;
    this.#writer = new ResponseWriter(parts, state);
    const byHost = new Map(publicHosts.map((origin) => [new URL(origin).host, origin]));
    const [firstOrigin] = byHost.values();
    const { endpoints, pages, notFound, limits } = allRoutes(parts, {
      metrics: () => metrics.text(),
      publicUrl: () => publicUrl ?? firstOrigin ?? state.url,
      isClosing: () => state.closing,
      ask: (address, body) => this.#sample(address, body),
    });
    this.endpoints = endpoints;
    this.limits = limits;
    this.#notFound = notFound;
    this.#preflight = preflights(services.store, config.corsOrigins);
    this.#router = new Router(endpoints, pages);
    this.#keyHosts = [...new Set(endpoints.flatMap(({ keyHost }) => keyHost ?? []))];
    this.#pipeline = new Pipeline({
      services,
      log,
      adminToken,
      metricsToken,
      limits,
      find: (path) => this.#router.find(path),
      // Anyone can send any `Host`, so only hosts that the operator has listed are used. Otherwise
      // a cache in front could serve links that one caller made up.
      originOf: ({ host }) =>
        publicUrl ?? byHost.get(host?.trim().toLowerCase() ?? '') ?? state.url,
    });
  }

  /** Queues a request behind earlier ones of its connection. With `refused` it gets that error. */
  take(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    refused?: PlainErrorCode,
  ): void {
    connection.take(request, response, () => {
      if (connection.parserError !== undefined && !request.complete) {
        this.#refuse(connection, connection.parserError, request);
        return;
      }
      this.#answer(connection, request, response, refused);
    });
  }

  #answer(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    refused: PlainErrorCode | undefined,
  ): void {
    const started = performance.now();
    const { config, log } = this.#parts;
    const context = new RequestContext(
      request,
      this.#nextId(),
      this.#parts.clock.now(),
      this.#addressOf,
    );
    const { headers, path } = context;
    // Read now: a client that has left has no address any more.
    const caller = config.logAddresses
      ? callerAddress(...this.#senderOf(request, headers))
      : undefined;
    const place = this.#router.place(path);
    let isSound = false;
    const done = (answer: Answer): void => {
      this.#writer.writeSoon({ connection, response, answer, headers, isFinal: !isSound });
      this.#metrics.answered(place.match?.route, answer.status, started);
      if (config.logLevel === 'debug') {
        logAccess(log, context, answer, { ms: performance.now() - started, caller });
      }
    };
    try {
      context.requireSound();
      isSound = refused === undefined;
      context.readKeys(this.#keyPlaces(place));
      const answer = this.#answerTo(context, place, refused);
      if (!(answer instanceof Promise)) done(answer);
      else answer.then(done).catch((error: unknown) => done(this.#refusalOf(error, context)));
    } catch (error) {
      done(this.#refusalOf(error, context));
    }
  }

  /** Where else keys may stand than in `X-API-Key` and `key=`; undefined when nowhere. */
  #keyPlaces(place: Place): Parameters<RequestContext['readKeys']>[0] {
    const { match, isForeign } = place;
    if (isForeign) return { ...keyPlacesOf(place), hosts: this.#keyHosts };
    if (match === undefined || !acceptsBearer(match.route)) return undefined;
    return { inPath: [], hosts: [], header: undefined };
  }

  /** Asks for a sample what anyone may ask; nothing is counted, logged or measured. */
  async #sample(address: string, body?: unknown): Promise<unknown> {
    const { config, clock, services } = this.#parts;
    const { host, pathname, search } = new URL(address, config.publicUrl ?? this.#state.url);
    const match = this.#router.find(pathname);
    const endpoint = match?.route.methods.get(body === undefined ? 'GET' : 'POST');
    if (endpoint === undefined || !mayBeSampled(endpoint)) throw notFound('unknown_path');
    const request = sampleRequest({ host, query: search.slice(1) }, services.plans, clock.now());
    request.pathParameters = match?.path ?? {};
    const call = this.#pipeline.open(request, endpoint);
    return sampleAnswer(call, body === undefined ? undefined : JSON.stringify(body));
  }

  #answerTo(
    context: RequestContext,
    { match, near }: Place,
    refused: PlainErrorCode | undefined,
  ): Answer | Promise<Answer> {
    const { message, requestId } = context;
    if (refused !== undefined) return this.#pipeline.refuse(context, new ApiError(refused));
    if (context.path === '*' && message.method === 'OPTIONS') {
      return noContent(['X-Request-Id', requestId, 'Allow', SERVED_METHODS]);
    }
    if (near !== undefined && message.method === 'OPTIONS') return this.#preflight(near, context);
    if (match === undefined) {
      return this.#notFound !== undefined && wantsPage(context)
        ? this.#page(this.#notFound, context)
        : this.#pipeline.refuse(context, notFound('unknown_path'), near && anEndpointOf(near));
    }
    const { route } = match;
    context.pathParameters = match.path;
    if (message.method === 'OPTIONS') return this.#preflight(route, context);
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    const endpoint = route.methods.get(method ?? '');
    if (endpoint !== undefined) return this.#pipeline.answer(context, endpoint);
    if (route.page !== undefined && method === 'GET') return this.#page(route.page, context);
    const refusal = methodNotAllowed(route.allow);
    // The endpoint of another method decides the error format: the path may be another service's.
    return this.#pipeline.refuse(context, refusal, anEndpointOf(route));
  }

  async #page(page: Page, context: RequestContext): Promise<Answer> {
    const { headers, path, query, address, now } = context;
    const { acceptLanguage } = headers;
    try {
      const inTurn = this.#pipeline.turnsOf(context);
      const take = (limit: AddressLimit) => this.limits.take(limit, address(), now);
      const answer = await page.respond({ path, query, acceptLanguage, take, now, inTurn });
      const write = () => writtenAnswer(answer, context);
      // In one turn: texts that waited for a second one would be as many as the requests of a burst.
      return await (typeof answer.body === 'function' ? inTurn(write) : write());
    } catch (error) {
      const apiError = this.#pipeline.apiErrorFor(error, context, path);
      return errorAnswer(apiError, context, []);
    }
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
   * @param options.request The refused request; by default the one whose body is being read, if any.
   */
  refuseRest(
    connection: Connection,
    refusal: ApiError,
    { isGone = false, request }: { isGone?: boolean; request?: IncomingMessage } = {},
  ): void {
    // If the body of a request is malformed, this error answers that request.
    this.#writer.dropIncomplete(connection);
    this.#writer.writeAll();
    if (connection.isServed) connection.endAfterAnswers(refusal);
    else if (isGone || !connection.socket.writable) connection.socket.destroy();
    else this.#refuse(connection, refusal, request ?? connection.unfinished);
  }

  /** Writes an error to the socket without a response object, and closes the connection. */
  #refuse(connection: Connection, error: ApiError, request: IncomingMessage | undefined): void {
    const asker = {
      requestId: this.#nextId(),
      headers: request && new RequestHeaders(request.rawHeaders),
    };
    const { status, headers, body } = errorAnswer(error, asker, []);
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    const text = body?.toString('latin1') ?? '';
    lines.push(`Content-Length: ${text.length}`, 'Connection: close', '', text);
    connection.end(lines.join('\r\n'));
  }

  #nextId(): string {
    this.#state.requests += 1;
    return `${this.#idPrefix}${this.#state.requests}`;
  }

  #refusalOf(error: unknown, context: RequestContext): Answer {
    if (error instanceof ApiError) return errorAnswer(error, context, []);
    this.#parts.log.error({ err: error, requestId: context.requestId }, 'a request failed');
    return errorAnswer(new ApiError('internal_error'), context, []);
  }

  readonly #addressOf = (message: IncomingMessage, headers: RequestHeaders): string =>
    clientAddress(...this.#senderOf(message, headers));

  #senderOf({ socket }: IncomingMessage, { forwardedFor }: RequestHeaders) {
    const { trustProxy } = this.#parts.config;
    return [socket.remoteAddress, trustProxy ? forwardedFor : undefined] as const;
  }
}

function anEndpointOf({ methods }: Route) {
  const [one] = methods.values();
  return one;
}

/** Where a request to another service's address has keys, beside the places of all. */
function keyPlacesOf({ match, pathKeys: inPath }: Place) {
  return { inPath, header: match && anEndpointOf(match.route)?.keyHeader };
}

/** The error code for bytes that the parser rejected. */
function codeOfParserError(
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

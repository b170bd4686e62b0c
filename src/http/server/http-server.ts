import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ApiError, notFound, type PlainErrorCode } from '../../domain/errors.ts';
import type { AddressLimits } from '../routing/address-limits.ts';
import { type Answer, errorAnswer, writtenAnswer } from '../routing/answer.ts';
import { ANY_HEADERS, preflightHeaders } from '../routing/cors.ts';
import { takesPublishableKeys } from '../routing/endpoint.ts';
import { Pipeline } from '../routing/pipeline.ts';
import { presentedKeys, withoutKeys, withoutPathKey } from '../routing/presented-key.ts';
import type { RequestContext, RequestFrame } from '../routing/request-context.ts';
import { readHeaders } from '../routing/request-headers.ts';
import {
  allowsAnyOrigin,
  endpointAt,
  isOfOtherService,
  type Match,
  type Page,
  type Route,
  Router,
  SERVED_METHODS,
} from '../routing/router.ts';
import { logAccess } from './access-log.ts';
import { clientAddress } from './client-address.ts';
import { type Connection, hasLeft } from './connection.ts';
import type { Metrics } from './metrics.ts';
import { Preflights } from './preflights.ts';
import { PublicOrigin } from './public-origin.ts';
import { type Received, wantsPage } from './received.ts';
import { codeOfParserError, requireSoundFrame, targetOf } from './request-frame.ts';
import { ResponseWriter } from './response-writer.ts';
import { allRoutes } from './routes.ts';
import type { ServerConfig, ServerParts, ServerState } from './server-parts.ts';

/** Passes requests from the connections to the pipeline or a page, and the answers back. */
export class HttpServer {
  readonly #config: ServerConfig;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #logsAccess: boolean;
  readonly #pipeline: Pipeline;
  readonly #router: Router;
  readonly #notFound: Page;
  readonly #preflights: Preflights;
  /** Limits on requests without a key, by address. */
  readonly limits: AddressLimits;
  readonly #metrics: Metrics;
  readonly #writer: ResponseWriter;
  /** A request id is the start of this process and a counter: unique without random numbers. */
  readonly #idPrefix: string;
  readonly #state: ServerState;

  constructor(
    { config, clock, log, services, peers }: ServerParts,
    state: ServerState,
    metrics: Metrics,
  ) {
    this.#state = state;
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
    this.#logsAccess = config.logLevel === 'debug';
    this.#idPrefix = `${clock.now().toString(36)}${process.pid.toString(36)}-`;
    this.#metrics = metrics;
    this.#writer = new ResponseWriter({
      corsOrigins: config.corsOrigins,
      notice: config.notice?.en,
      isPortClosed: () => state.portClosed,
      log,
    });
    const origin = new PublicOrigin({ ...config, listening: () => state.url });
    const { endpoints, pages, notFound, limits } = allRoutes({
      config,
      services,
      metrics,
      publicUrl: () => origin.own,
      isClosing: () => state.closing,
      peers,
    });
    this.limits = limits;
    this.#notFound = notFound;
    this.#preflights = new Preflights(services.store);
    this.#router = new Router(endpoints, pages);
    this.#pipeline = new Pipeline({
      services,
      clock,
      log,
      adminToken: config.adminToken,
      metricsToken: config.metricsToken,
      limits,
      origin: (headers) => origin.for(headers),
      endpoints,
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
        this.#refuse(connection, connection.parserError);
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
    const headers = readHeaders(request.rawHeaders);
    const target = targetOf(request.url ?? '');
    const { match, pathKeys } = this.#find(target.path);
    const requestId = this.#nextId();
    const received: Received = {
      ...target,
      pathKeys,
      request,
      headers,
      requestId,
      frame: undefined,
    };
    let isSound = false;
    const done = (answer: Answer): void => {
      this.#writer.writeSoon({ connection, response, answer, headers, isFinal: !isSound });
      this.#metrics.answered(match?.route, answer.status, started);
      if (this.#logsAccess) logAccess(this.#log, received, answer, performance.now() - started);
    };
    try {
      requireSoundFrame(request, headers);
      isSound = refused === undefined;
      const answer = this.#answerTo(received, match, refused);
      if (!(answer instanceof Promise)) done(answer);
      else answer.then(done).catch((error: unknown) => done(this.#refusalOf(error, received)));
    } catch (error) {
      done(this.#refusalOf(error, received));
    }
  }

  /** The route of a path. Only addresses of other services accept a key in front of it. */
  #find(path: string): { readonly match: Match | undefined; readonly pathKeys: readonly string[] } {
    const keyed = this.#config.compat.length > 0 ? withoutPathKey(path) : undefined;
    const match = this.#router.find(keyed?.path ?? path);
    if (keyed === undefined || match === undefined) return { match, pathKeys: [] };
    return isOfOtherService(match.route)
      ? { match, pathKeys: [keyed.key] }
      : { match: undefined, pathKeys: [] };
  }

  #answerTo(
    received: Received,
    match: Match | undefined,
    refused: PlainErrorCode | undefined,
  ): Answer | Promise<Answer> {
    const { request, headers, requestId } = received;
    const { query, keys } = withoutKeys(received.query);
    const frame = {
      headers,
      presented: presentedKeys(headers, [...keys, ...received.pathKeys]),
      address: () => this.#addressOf(received),
      requestId,
      now: this.#clock.now(),
    };
    received.frame = frame;
    if (refused !== undefined) return this.#pipeline.refuse(frame, new ApiError(refused));
    if (received.path === '*' && request.method === 'OPTIONS') {
      return noContent(['X-Request-Id', requestId, 'Allow', SERVED_METHODS]);
    }
    if (match === undefined) {
      return wantsPage(received)
        ? this.#page(this.#notFound, received)
        : this.#pipeline.refuse(frame, notFound('unknown_path'));
    }
    const { route, path } = match;
    if (request.method === 'OPTIONS') return this.#options(route, received, frame);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = endpointAt(route, method);
    if (endpoint === undefined) {
      if (route.page !== undefined && method === 'GET') return this.#page(route.page, received);
      const refusal = new ApiError('method_not_allowed', { allow: route.allow });
      // The endpoint of another method decides the error format: the path may be another service's.
      const [otherMethod] = route.methods.values();
      return this.#pipeline.refuse(frame, refusal, otherMethod);
    }
    const context = {
      ...frame,
      request,
      endpoint,
      isGone: () => hasLeft(request),
      query,
      path,
    } satisfies RequestContext;
    received.frame = context;
    return this.#pipeline.answer(context);
  }

  #options(
    route: Route,
    { requestId, headers: { origin } }: Received,
    { address, now }: RequestFrame,
  ): Answer | Promise<Answer> {
    const { allow } = route;
    const headers = ['X-Request-Id', requestId, 'Allow', allow];
    const answer = noContent(headers);
    if ([...route.methods.values()].some(({ access }) => access === 'optional')) {
      const open = [...headers, ...preflightHeaders(allow, ANY_HEADERS)];
      return { ...answer, headers: open, cors: { origin: '*' } };
    }
    if (origin === undefined) return answer;
    const permitted = { ...answer, headers: [...headers, ...preflightHeaders(allow)] };
    if (allowsAnyOrigin(route)) return { ...permitted, cors: { origin: '*' } };
    if (this.#config.corsOrigins.includes(origin)) return permitted;
    if (!route.methods.values().some(takesPublishableKeys)) return answer;
    return this.#preflights
      .admits(origin, address, now)
      .then((admitted) =>
        admitted ? { ...permitted, cors: { origin } } : { ...answer, cors: { origin: undefined } },
      );
  }

  async #page(page: Page, received: Received): Promise<Answer> {
    const { headers, requestId, path, query } = received;
    const address = () => this.#addressOf(received);
    const now = this.#clock.now();
    try {
      const { acceptLanguage } = headers;
      const inTurn = this.#pipeline.turnsOf(address, () => hasLeft(received.request));
      const answer = await page.respond({ path, query, acceptLanguage, address, now, inTurn });
      const write = () => writtenAnswer(answer, { requestId, request: headers });
      // A text was made for this request alone: a burst of them must not be compressed at once.
      return typeof answer.body === 'string' ? await inTurn(write) : await write();
    } catch (error) {
      const apiError = this.#pipeline.apiErrorFor(error, { requestId, path }, now);
      return errorAnswer(apiError, requestId, []);
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
   */
  refuseRest(connection: Connection, refusal: ApiError, { isGone = false } = {}): void {
    // If the body of a request is malformed, this error answers that request.
    this.#writer.dropIncomplete(connection);
    this.#writer.writeAll();
    if (connection.isServed) connection.endAfterAnswers(refusal);
    else if (isGone || !connection.socket.writable) connection.socket.destroy();
    else this.#refuse(connection, refusal);
  }

  /** Writes an error to the socket without a response object, and closes the connection. */
  #refuse(connection: Connection, error: ApiError): void {
    const { status, headers, body } = errorAnswer(error, this.#nextId(), []);
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

  #refusalOf(error: unknown, { requestId }: Received): Answer {
    if (error instanceof ApiError) return errorAnswer(error, requestId, []);
    this.#log.error({ err: error, requestId }, 'a request failed');
    return errorAnswer(new ApiError('internal_error'), requestId, []);
  }

  #addressOf({ request, headers }: Received): string {
    const forwardedFor = this.#config.trustProxy ? headers.forwardedFor : undefined;
    return clientAddress(request.socket.remoteAddress, forwardedFor);
  }
}

function noContent(headers: string[]) {
  return { status: 204, headers, body: undefined };
}

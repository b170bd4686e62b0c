import type { IncomingMessage } from 'node:http';
import { type ApiError, methodNotAllowed, notFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import { prefersHtml } from '../framework/encoding/accept.ts';
import { type Answer, errorAnswer, writtenAnswer } from '../framework/routing/answer.ts';
import type { AddressOf } from '../framework/routing/request-context.ts';
import { Router, SERVED_METHODS } from '../framework/routing/router.ts';
import type { Application, CommonHeaders, ServerState } from '../framework/server/application.ts';
import type { AddressLimit, AddressLimits } from '../pipeline/address-limits.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import { ForeignPlaces } from '../pipeline/foreign-places.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import {
  anEndpointOf,
  NOWHERE,
  type Page,
  type Place,
  type Route,
  routesOf,
} from '../pipeline/route.ts';
import { type KeyPlaces, ServiceRequest } from '../pipeline/service-request.ts';
import { mayBeSampled } from '../samples/sample-answers.ts';
import { sampleAnswer, sampleRequest } from '../samples/sample-request.ts';
import type { Metrics } from './metrics.ts';
import { noContent, preflights, READABLE_HEADERS } from './preflights.ts';
import { allRoutes } from './routes.ts';
import type { ServerParts } from './server-parts.ts';
import { shownRequest } from './shown-request.ts';

/** A request whose place is known. */
class PlacedRequest extends ServiceRequest {
  place: Place = NOWHERE;
}

/** Passes requests to the pipeline or a page. */
export class ServiceApplication implements Application<PlacedRequest> {
  readonly #parts: ServerParts;
  readonly #state: ServerState;
  readonly #pipeline: Pipeline;
  readonly #router: Router<Route>;
  readonly #foreign: ForeignPlaces | undefined;
  readonly #notFound: Page | undefined;
  readonly #preflight: ReturnType<typeof preflights>;
  readonly #keyHosts: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /** Limits on requests without a key, by address. */
  readonly limits: AddressLimits;
  readonly headers: CommonHeaders;

  constructor(parts: ServerParts, state: ServerState, metrics: Metrics) {
    const { config, log, services } = parts;
    const { publicUrl, publicHosts, adminToken, metricsToken, corsOrigins, notice } = config;
    const byHost = new Map(publicHosts.map((origin) => [new URL(origin).host, origin]));
    const [firstOrigin] = byHost.values();
    const { endpoints, pages, notFound, limits } = allRoutes(parts, {
      metrics: () => metrics.text(),
      publicUrl: () => publicUrl ?? firstOrigin ?? state.url,
      isClosing: () => state.closing,
      ask: (address, body) => this.#sample(address, body),
    });
    this.#parts = parts;
    this.#state = state;
    const more = notice === undefined ? [] : ['X-Vesfx-Notice', notice.en];
    this.headers = { corsOrigins, readable: READABLE_HEADERS, more };
    this.endpoints = endpoints;
    this.limits = limits;
    this.#notFound = notFound;
    this.#preflight = preflights(services.store, corsOrigins);
    const routes = routesOf(endpoints, pages);
    this.#router = new Router(routes);
    this.#foreign = routes.some(({ isForeign }) => isForeign)
      ? new ForeignPlaces(this.#router, routes)
      : undefined;
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

  open(message: IncomingMessage, requestId: string, now: Instant, addressOf: AddressOf) {
    const request = new PlacedRequest(message, requestId, now, addressOf);
    const { path } = request;
    request.place = this.#foreign?.of(path) ?? { ...NOWHERE, match: this.#router.find(path) };
    return request;
  }

  answer(request: PlacedRequest, refusal: ApiError | undefined): Answer | Promise<Answer> {
    request.readKeys(this.#keyPlaces(request.place));
    if (refusal !== undefined) return this.#pipeline.refuse(request, refusal);
    const { message, requestId, path, place } = request;
    const { match, near } = place;
    const isOptions = message.method === 'OPTIONS';
    if (path === '*' && isOptions) {
      return noContent(['X-Request-Id', requestId, 'Allow', SERVED_METHODS]);
    }
    if (near !== undefined && isOptions) return this.#preflight(near, request);
    if (match === undefined) {
      return this.#notFound !== undefined && wantsPage(request)
        ? this.#page(this.#notFound, request)
        : this.#pipeline.refuse(request, notFound('unknown_path'), near && anEndpointOf(near));
    }
    const { route } = match;
    request.pathParameters = match.path;
    if (isOptions) return this.#preflight(route, request);
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    const endpoint = route.methods.get(method ?? '');
    if (endpoint !== undefined) return this.#pipeline.answer(request, endpoint);
    if (route.page !== undefined && method === 'GET') return this.#page(route.page, request);
    // The endpoint of another method decides the error format: the path may be another service's.
    return this.#pipeline.refuse(request, methodNotAllowed(route.allow), anEndpointOf(route));
  }

  /** Where else keys may stand than in `X-API-Key` and `key=`; undefined when nowhere. */
  #keyPlaces({ match, isForeign, pathKeys: inPath }: Place): KeyPlaces | undefined {
    if (isForeign) {
      return {
        inPath,
        hosts: this.#keyHosts,
        header: match && anEndpointOf(match.route)?.keyHeader,
      };
    }
    if (match?.route.acceptsBearer !== true) return undefined;
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

  routeOf({ place }: PlacedRequest): string | undefined {
    return place.match?.route.path;
  }

  shown(request: ServiceRequest) {
    return shownRequest(request);
  }

  async #page(page: Page, request: ServiceRequest): Promise<Answer> {
    const { headers, path, query, address, now } = request;
    const { acceptLanguage } = headers;
    try {
      const inTurn = this.#pipeline.turnsOf(request);
      const take = (limit: AddressLimit) => this.limits.take(limit, address(), now);
      const answer = await page.respond({ path, query, acceptLanguage, take, now, inTurn });
      const write = () => writtenAnswer(answer, request);
      // In one turn: texts that waited for a second one would be as many as the requests of a burst.
      return await (typeof answer.body === 'function' ? inTurn(write) : write());
    } catch (error) {
      return errorAnswer(this.#pipeline.apiErrorFor(error, request, path), request, []);
    }
  }
}

/** Whether a 404 is a page for a person. Programs get JSON. */
function wantsPage({ message: { method }, headers, path }: ServiceRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v1(?:\/|$)/.test(path) && prefersHtml(headers.accept);
}

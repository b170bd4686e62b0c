import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type Caller,
  requireFeature,
  requireFormat,
  requireMarket,
} from '../../app/access/access.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Reservation } from '../../app/quota/quota-leases.ts';
import { limitsOf } from '../../app/quota/window-limits.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Market } from '../../domain/markets.ts';
import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import { type Body, bodyOf, encode, encodeInSlices, isLong } from '../encoding/formats.ts';
import { whenThereIsRoom } from '../encoding/slices.ts';
import { etagOf, httpDate, matches } from '../encoding/validators.ts';
import { readBody } from './body.ts';
import type { Call, Endpoint, Services } from './endpoint.ts';
import { unknownMarket } from './market-name.ts';
import {
  type ParameterReader,
  type Parameters,
  parameterReader,
  readJsonBody,
} from './parameters.ts';
import type { RequestHeaders } from './request-headers.ts';
import { pathParameters } from './router.ts';

/** An answer ready to be written: a flat list of header names and values, and the bytes. */
export interface Answer {
  readonly status: number;
  /** Text only: Node takes numbers too, but slowly. */
  readonly headers: readonly string[];
  readonly body: Body | undefined;
}

/** A request on its way through the checks. What is found out is kept for the answer, error or not. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly headers: RequestHeaders;
  /** Asked for only when a key is wrong. */
  readonly address: () => string;
  readonly requestId: string;
  readonly endpoint: Endpoint;
  readonly query: string;
  /** Path parameters by name, as sent. */
  readonly path: Readonly<Record<string, string>>;
  readonly now: Instant;
  caller?: Caller;
  reservation?: Reservation;
}

/** Request details that do not depend on who calls. */
interface Question extends Parameters {
  readonly body: unknown;
  readonly market: Market | undefined;
  readonly marketField: string | undefined;
}

/** An encoded answer, with what caches are told of it. */
interface Encoded {
  readonly contentType: string;
  readonly body: Body;
  readonly etag: string | undefined;
  /** For how long a cache may keep it; only with an ETag. */
  readonly maxAgeSec: number;
  readonly own: readonly string[];
}

const RETRY_AFTER_UNAVAILABLE_SEC = 1;

/** Goes on with a value at once, or when it is there: most requests never wait. */
function then<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * The way of a request through the checks, in the one order of decisions §4: key, feature,
 * parameters, format, market, minute, bulk hour, month, answer, encoding.
 */
export class Pipeline {
  readonly #services: Services;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #storeLog: ThrottledLog;
  readonly #adminToken: Buffer | undefined;
  readonly #origin: () => string;
  readonly #readers = new Map<Endpoint, ParameterReader>();
  /** `RateLimit-Policy` of this month, by limit. */
  readonly #policies = new Map<number, { readonly endsAt: Instant; readonly line: string }>();

  constructor({
    services,
    clock,
    log,
    adminToken,
    origin,
    endpoints,
  }: {
    readonly services: Services;
    readonly clock: Clock;
    readonly log: Log;
    readonly adminToken: string | undefined;
    readonly origin: () => string;
    readonly endpoints: readonly Endpoint[];
  }) {
    this.#services = services;
    this.#clock = clock;
    this.#log = log;
    this.#storeLog = new ThrottledLog(log, 'the store did not answer in time');
    this.#adminToken = adminToken === undefined ? undefined : Buffer.from(adminToken);
    this.#origin = origin;
    for (const endpoint of endpoints) {
      const names = pathParameters(endpoint.path);
      this.#readers.set(endpoint, parameterReader(endpoint, names));
    }
  }

  /** The answer to a request, whatever happens on the way; never rejects. */
  answer(exchange: Exchange): Answer | Promise<Answer> {
    try {
      const answer = this.#run(exchange);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => this.#failed(exchange, error))
        : answer;
    } catch (error) {
      return this.#failed(exchange, error);
    }
  }

  /** @throws ApiError unless the request carries the admin token. */
  requireAdmin(headers: RequestHeaders, address: () => string): void {
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new ApiError('missing_api_key', {
        message: 'Send the admin token as Authorization: Bearer.',
      });
    }
    const given = Buffer.from(token);
    const expected = this.#adminToken;
    const matches =
      expected !== undefined &&
      given.length === expected.length &&
      timingSafeEqual(given, expected);
    if (!matches) throw this.#services.access.refuse(address(), this.#clock.now());
  }

  #run(exchange: Exchange): Answer | Promise<Answer> {
    if (exchange.endpoint.admin) {
      this.requireAdmin(exchange.headers, exchange.address);
      return this.#asked(exchange);
    }
    return then(this.#authenticate(exchange), (caller) => {
      exchange.caller = caller;
      const { feature } = exchange.endpoint;
      if (feature !== undefined) requireFeature(this.#services.plans, caller.plan, feature);
      return this.#asked(exchange);
    });
  }

  #authenticate({ headers, address, now }: Exchange): Caller | Promise<Caller> {
    const { apiKey, severalKeys } = headers;
    if (severalKeys) throw this.#services.access.refuse(address(), now);
    if (apiKey === undefined || apiKey === '') throw new ApiError('missing_api_key');
    return this.#services.access.authenticate(apiKey, address, now);
  }

  #asked(exchange: Exchange): Answer | Promise<Answer> {
    const { endpoint, query, path } = exchange;
    const parameters = this.#reader(endpoint).read(query, path);
    if (endpoint.body === undefined && endpoint.textBody === undefined) {
      return this.#checked(exchange, parameters, undefined);
    }
    const lines = endpoint.textBody === true;
    return readBody(exchange.request, exchange.headers, { lines }).then((text) => {
      const body = endpoint.body === undefined ? text : readJsonBody(endpoint.body, text);
      return this.#checked(exchange, parameters, body);
    });
  }

  #reader(endpoint: Endpoint): ParameterReader {
    const reader = this.#readers.get(endpoint);
    if (reader === undefined) throw new Error(`no parameter reader for ${endpoint.path}`);
    return reader;
  }

  #checked(exchange: Exchange, parameters: Parameters, body: unknown): Answer | Promise<Answer> {
    const { endpoint, caller, now } = exchange;
    const { input, format } = parameters;
    const { plans, markets } = this.#services;
    const services = this.#services;
    const choice = endpoint.market?.(input, body);
    const market = choice && markets.find(choice.name);
    endpoint.check?.({ input, body, caller, now, services }, market);
    if (caller !== undefined) {
      requireFormat(plans, caller.plan, format);
      const feature = endpoint.featureOf?.(input);
      if (feature !== undefined) requireFeature(plans, caller.plan, feature);
    }
    if (choice !== undefined && market === undefined) {
      throw unknownMarket(markets, choice.name, choice.field);
    }
    if (caller !== undefined && market !== undefined) requireMarket(plans, caller.plan, market);
    const question = { ...parameters, body, market, marketField: choice?.field };
    if (caller === undefined || endpoint.cost === 0) return this.#handled(exchange, question);
    const limits = limitsOf(caller.plan, { bulk: endpoint.bulk === true });
    return then(this.#services.quotaLeases.reserve(caller.account.id, limits), (reservation) => {
      exchange.reservation = reservation;
      return this.#handled(exchange, question);
    });
  }

  #handled(exchange: Exchange, question: Question): Answer | Promise<Answer> {
    const { endpoint, caller } = exchange;
    const snapshot = this.#services.snapshots.at(exchange.now);
    const { now } = exchange;
    const { input, format, market, isNew } = question;
    const memo = isNew ? undefined : endpoint.memo?.(input, market, { snapshot, now });
    const id =
      memo === undefined
        ? undefined
        : `${endpoint.path} ${memo} ${format} ${caller?.plan.name ?? ''}`;
    if (id !== undefined) {
      const kept = snapshot.encoded.get(id);
      if (kept !== undefined) return this.#written(exchange, snapshot, keptEncoding(kept));
    }
    const call = this.#call(exchange, question, snapshot);
    const make = () =>
      then(endpoint.handle(call), (answer) => this.#encoded(exchange, question, call, answer));
    return then(endpoint.long === true ? whenThereIsRoom(make) : make(), (encoded) => {
      if (id !== undefined) snapshot.encoded.set(id, encoded);
      return this.#written(exchange, snapshot, encoded);
    });
  }

  /**
   * The call as its handler sees it. The cast is safe: an endpoint without a key or a market does
   * not declare that it reads one.
   */
  #call(exchange: Exchange, question: Question, snapshot: Snapshot) {
    const { input, body, market, marketField } = question;
    const { caller, now } = exchange;
    const services = this.#services;
    const origin = this.#origin();
    return { input, body, caller, snapshot, now, services, origin, market, marketField } as Call<
      unknown,
      unknown
    >;
  }

  #encoded(
    { endpoint, request }: Exchange,
    { format, input }: Question,
    call: Call<unknown, unknown>,
    answer: unknown,
  ): Encoded | Promise<Encoded> {
    const own = endpoint.headers?.(answer, call) ?? [];
    if (endpoint.status === 204) {
      return { contentType: '', body: '', etag: undefined, maxAgeSec: 0, own };
    }
    const object = answerObject(answer);
    const written = isLong(endpoint, object)
      ? encodeInSlices(endpoint, object, format)
      : encode(endpoint, object, format);
    return then(written, ({ contentType, body }) => {
      const cacheable = endpoint.maxAgeSec !== undefined && request.method !== 'POST';
      const etag = cacheable ? etagOf(call.snapshot.version, body) : undefined;
      const { maxAgeSec = 0 } = endpoint;
      const age = typeof maxAgeSec === 'number' ? maxAgeSec : maxAgeSec(input);
      return { contentType, body, etag, maxAgeSec: age, own };
    });
  }

  #written(exchange: Exchange, snapshot: Snapshot, encoded: Encoded): Answer {
    const { endpoint, headers: asked } = exchange;
    const { contentType, body, etag, maxAgeSec, own } = encoded;
    this.#count(exchange, endpoint.status ?? 200, endpoint.cost);
    const headers: string[] = ['X-Request-Id', exchange.requestId, ...own];
    if (etag === undefined) headers.push('Cache-Control', 'no-store');
    else {
      headers.push('ETag', etag);
      headers.push('Last-Modified', httpDate(snapshot.fetchedAt));
      headers.push('Cache-Control', `private, max-age=${maxAgeSec}`);
    }
    this.#addQuota(headers, exchange);
    if (endpoint.cost > 0) headers.push('X-RateLimit-Cost', '1');
    if (etag !== undefined && matches(asked.ifNoneMatch, etag)) {
      return { status: 304, headers, body: undefined };
    }
    if (endpoint.status === 204) return { status: 204, headers, body: undefined };
    headers.push('Content-Type', contentType);
    return { status: endpoint.status ?? 200, headers, body };
  }

  /** Counts the call for its account to look at; calls that cost nothing are not worth a row. */
  #count({ endpoint, caller, now }: Exchange, status: number, units: number): void {
    if (caller === undefined || endpoint.cost === 0) return;
    this.#services.usageDays.count(caller.account.id, endpoint, { status, units, now });
  }

  /** The month's quota, on every answer to a known caller (decisions §4). */
  #addQuota(headers: string[], { caller, now }: Exchange): void {
    if (caller === undefined) return;
    const limit = caller.plan.unitsPerMonth;
    if (limit === null) return;
    const { used, endsAt } = this.#services.quotaLeases.monthUsage(caller.account.id, now);
    const left = Math.max(0, limit - used);
    const reset = Math.max(1, Math.ceil((endsAt - now) / SECOND_MS));
    headers.push(
      'X-RateLimit-Limit',
      `${limit}`,
      'X-RateLimit-Remaining',
      `${left}`,
      'X-RateLimit-Reset',
      `${reset}`,
      'RateLimit-Policy',
      this.#policy(limit, endsAt),
      'RateLimit',
      `"month";r=${left};t=${reset}`,
    );
  }

  #policy(limit: number, endsAt: Instant): string {
    const known = this.#policies.get(limit);
    if (known?.endsAt === endsAt) return known.line;
    const { start, end } = utcMonthOf(endsAt - 1);
    const line = `"month";q=${limit};w=${(end - start) / SECOND_MS}`;
    this.#policies.set(limit, { endsAt, line });
    return line;
  }

  #failed(exchange: Exchange, error: unknown): Answer {
    if (exchange.reservation !== undefined)
      void this.#services.quotaLeases.refund(exchange.reservation);
    const { requestId, endpoint, now } = exchange;
    const shown = this.shown(error, { requestId, path: endpoint.path }, now);
    this.#count(exchange, shown.status, 0);
    const headers: string[] = [];
    this.#addQuota(headers, exchange);
    return errorAnswer(shown, exchange.requestId, headers);
  }

  /** What the client is told of whatever was thrown; what is not meant for it is logged. */
  shown(
    error: unknown,
    { requestId, path }: { readonly requestId: string; readonly path: string },
    now: Instant,
  ): ApiError {
    if (error instanceof ApiError) return error;
    const fields = { err: error, requestId, path };
    if (error instanceof StoreUnavailable) {
      this.#storeLog.warn(fields, now);
      return new ApiError('service_unavailable', {
        retryAfterSec: RETRY_AFTER_UNAVAILABLE_SEC,
      });
    }
    this.#log.error(fields, 'a request failed');
    return new ApiError('internal_error');
  }
}

/** The body of every error: ours, never the framework's (§7). */
export function errorAnswer(error: ApiError, requestId: string, more: readonly string[]): Answer {
  const { field, details, retryAfterSec, scope, allow } = error.options;
  const shownDetails = error.status >= 500 ? { ...details, request_id: requestId } : details;
  const body = bodyOf(
    JSON.stringify({
      code: error.code,
      message: error.message,
      ...(field !== undefined && { field }),
      ...(shownDetails !== undefined && { details: shownDetails }),
    }),
  );
  const headers: string[] = [
    'X-Request-Id',
    requestId,
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    'no-store',
    ...more,
  ];
  const retry = retryAfterSec ?? (error.status === 503 ? RETRY_AFTER_UNAVAILABLE_SEC : undefined);
  if (retry !== undefined) headers.push('Retry-After', `${retry}`);
  if (scope !== undefined) headers.push('X-RateLimit-Scope', scope);
  if (allow !== undefined) headers.push('Allow', allow);
  if (error.status === 401) headers.push('WWW-Authenticate', 'ApiKey realm="vesfx"');
  return { status: error.status, headers, body };
}

/** Only this file puts anything into `Snapshot.encoded`, and only this. */
function keptEncoding(kept: object): Encoded {
  return kept as Encoded;
}

/** Answers with a body are objects: every answer schema but the empty one is. */
function answerObject(answer: unknown): object {
  return answer as object;
}

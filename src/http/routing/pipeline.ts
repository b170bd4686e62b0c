import {
  type Caller,
  requireActive,
  requireFeature,
  requireOrigin,
  requireScope,
} from '../../app/access/access.ts';
import { kindOfKey } from '../../app/access/keys.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { freeLimitsOf, limitsOf } from '../../app/quota/window-limits.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import { CachedAnswer, cachedAnswers } from '../encoding/cached-answer.ts';
import { encode, encodeInSlices, isLong } from '../encoding/formats.ts';
import { type Asker, LongAnswers } from '../encoding/long-answers.ts';
import { ClientGone } from '../encoding/slices.ts';
import { httpDate } from '../encoding/validators.ts';
import { KEYLESS_REQUESTS_PER_MINUTE, RequestLimit } from '../server/request-limit.ts';
import { AdminToken } from './admin-token.ts';
import { type Answer, errorAnswer, RETRY_AFTER_UNAVAILABLE_SEC, successAnswer } from './answer.ts';
import { readBody } from './body.ts';
import { type CheckedMarket, checkedMarket } from './checks.ts';
import type { Call, Endpoint, Services } from './endpoint.ts';
import {
  type ParameterReader,
  type Parameters,
  parameterReader,
  readJsonBody,
} from './parameters.ts';
import { QuotaHeaders } from './quota-headers.ts';
import type { RequestContext, RequestFrame } from './request-context.ts';
import type { RequestHeaders } from './request-headers.ts';
import { pathParameters } from './router.ts';
import { whenReady } from './when-ready.ts';

/** Request details that do not depend on who calls. */
interface Question extends Parameters, CheckedMarket {
  readonly body: unknown;
}

/**
 * The way of a request through the checks, in the one order of decisions §4: key, feature,
 * parameters, format, market, minute, bulk hour, month, answer, encoding.
 */
export class Pipeline {
  readonly #services: Services;
  readonly #log: Log;
  readonly #storeLog: ThrottledLog;
  readonly #secretLog: ThrottledLog;
  readonly #openLimit = new RequestLimit(
    KEYLESS_REQUESTS_PER_MINUTE,
    'Too many requests without a key from this address.',
  );
  readonly #adminToken: AdminToken;
  readonly #origin: (headers: RequestHeaders) => string;
  readonly #readers = new Map<Endpoint, ParameterReader>();
  readonly #quotaHeaders: QuotaHeaders;
  readonly #longAnswers = new LongAnswers();
  readonly #keyless = new RequestLimit(
    KEYLESS_REQUESTS_PER_MINUTE,
    'Too many requests without a key from this address.',
  );

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
    /** `scheme://host` for links to the service itself. */
    readonly origin: (headers: RequestHeaders) => string;
    readonly endpoints: readonly Endpoint[];
  }) {
    this.#services = services;
    this.#quotaHeaders = new QuotaHeaders(services.quotaLeases);
    this.#log = log;
    this.#storeLog = new ThrottledLog(log, 'the store did not answer in time');
    this.#secretLog = new ThrottledLog(log, 'a secret key was sent in an address, and refused');
    this.#adminToken = new AdminToken({ token: adminToken, access: services.access, clock, log });
    this.#origin = origin;
    for (const endpoint of endpoints) {
      const names = pathParameters(endpoint.path);
      this.#readers.set(endpoint, parameterReader(endpoint, names));
    }
  }

  /** The answer to a request, whatever happens on the way; never rejects. */
  answer(context: RequestContext): Answer | Promise<Answer> {
    return whenReady(this.#answered(context), (answer) => {
      const cors = corsOf(context);
      return cors === undefined ? answer : { ...answer, ...cors };
    });
  }

  #answered(context: RequestContext): Answer | Promise<Answer> {
    try {
      const answer = this.#run(context);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => this.#failed(context, error))
        : answer;
    } catch (error) {
      return this.#failed(context, error);
    }
  }

  /** @throws ApiError unless the request carries the admin token. */
  requireAdmin(headers: RequestHeaders, address: () => string): void {
    this.#adminToken.require(headers, address);
  }

  #run(context: RequestContext): Answer | Promise<Answer> {
    if (context.endpoint.admin) {
      this.requireAdmin(context.headers, context.address);
      return this.#asked(context);
    }
    const { open, keyless } = context.endpoint;
    if (open || (keyless === true && context.presented.keys.length === 0)) {
      // First, so that pages can read the refusal too.
      context.readableBy = '*';
      const limit = open ? this.#openLimit : this.#keyless;
      limit.take(context.address(), context.now);
      return this.#asked(context);
    }
    return whenReady(this.#authenticate(context), (caller) => {
      context.caller = caller;
      requireActive(caller);
      const { feature, scope } = context.endpoint;
      this.#requireOrigin(context, caller);
      if (scope !== null) requireScope(caller, scope);
      if (feature !== undefined) requireFeature(this.#services.plans, caller.plan, feature);
      return this.#asked(context);
    });
  }

  /**
   * Refuses a request that no endpoint takes. A caller whose key is right is told of their quota, as on
   * every other answer (decisions §4); a wrong key counts as everywhere, but the refusal stays what it is.
   */
  refuse(
    frame: RequestFrame,
    error: ApiError,
    endpoint?: Pick<Endpoint, 'refusal'>,
  ): Answer | Promise<Answer> {
    const refusal = endpoint?.refusal?.(error);
    const refused = () =>
      errorAnswer(error, frame.requestId, this.#quotaHeaders.of(frame), refusal);
    if (frame.presented.keys.length !== 1) return refused();
    const known = (caller: Caller) => {
      frame.caller = caller;
      try {
        this.#requireOrigin(frame, caller);
      } catch {
        // The refusal stays what it is, but the page may not read it.
      }
      return { ...refused(), ...corsOf(frame) };
    };
    try {
      const caller = this.#authenticate(frame);
      return caller instanceof Promise ? caller.then(known, refused) : known(caller);
    } catch {
      return refused();
    }
  }

  #authenticate({ presented, address, now }: RequestFrame): Caller | Promise<Caller> {
    const { access } = this.#services;
    const [key, ...others] = presented.keys;
    if (key === undefined) throw new ApiError('missing_api_key');
    const isPlaced = !presented.inAddress || kindOfKey(key) === 'publishable';
    if (others.length > 0 || !isPlaced) {
      if (!isPlaced) this.#secretLog.warn({}, now);
      throw access.refuse(address(), now);
    }
    return access.authenticate(key, address, now);
  }

  /** @throws ApiError `origin_not_allowed`; otherwise the page that asks may read the answer. */
  #requireOrigin(frame: RequestFrame, caller: Caller): void {
    if (caller.key.grant.kind !== 'publishable') return;
    const { origin, fetchSite } = frame.headers;
    requireOrigin(caller, { origin, isSameOrigin: fetchSite === 'same-origin' });
    if (origin !== undefined) frame.readableBy = origin;
  }

  #asked(context: RequestContext): Answer | Promise<Answer> {
    const { endpoint, query, path } = context;
    const parameters = this.#reader(endpoint).read(query, path);
    if (endpoint.body === undefined && endpoint.textBody === undefined) {
      return this.#checked(context, parameters, undefined);
    }
    const lines = endpoint.textBody === true;
    return readBody(context.request, context.headers, { lines }).then((text) => {
      const body = endpoint.body === undefined ? text : readJsonBody(endpoint.body, text);
      return this.#checked(context, parameters, body);
    });
  }

  #reader(endpoint: Endpoint): ParameterReader {
    const reader = this.#readers.get(endpoint);
    if (reader === undefined) throw new Error(`no parameter reader for ${endpoint.path}`);
    return reader;
  }

  #checked(
    context: RequestContext,
    parameters: Parameters,
    body: unknown,
  ): Answer | Promise<Answer> {
    const { endpoint, caller } = context;
    const choice = checkedMarket(context, parameters, body, this.#services);
    const question = { ...parameters, body, ...choice };
    if (caller === undefined) return this.#handled(context, question);
    const limits =
      endpoint.cost === 0
        ? freeLimitsOf(caller.plan)
        : limitsOf(caller.plan, { bulk: endpoint.bulk === true });
    const reserved = whenReady(this.#reserveOfKey(caller), () =>
      this.#services.quotaLeases.reserve(caller.account.id, limits),
    );
    return whenReady(reserved, (reservation) => {
      context.reservation = reservation;
      return this.#handled(context, question);
    });
  }

  /**
   * Publishable keys have a minute of their own before that of their account (decisions §11). Keys and
   * accounts have ids of different forms, so both are counted in the same way.
   */
  #reserveOfKey({ key }: Caller): unknown {
    if (key.grant.kind !== 'publishable') return undefined;
    return this.#services.quotaLeases.reserve(key.id, { minute: key.grant.requestsPerMinute });
  }

  #handled(context: RequestContext, question: Question): Answer | Promise<Answer> {
    const { endpoint, caller, now } = context;
    const snapshot = this.#services.snapshots.at(now);
    const { input, format, locale, market } = question;
    const origin = this.#origin(context.headers);
    const memo = endpoint.memo?.(input, market, { snapshot, now });
    const id =
      memo === undefined
        ? undefined
        : `${endpoint.path} ${memo} ${format} ${locale} ${caller?.plan.name ?? ''} ${origin}`;
    const cache = cachedAnswers(snapshot);
    const cached = id === undefined ? undefined : cache.get(id);
    if (cached !== undefined) return this.#succeeded(context, cached);
    const call = this.#call(context, question, { snapshot, origin });
    const make = () =>
      whenReady(endpoint.handle(call), (answer) => this.#encoded(context, question, call, answer));
    return whenReady(
      endpoint.long === true ? this.#longAnswers.make(askerOf(context), make) : make(),
      (encoded) => {
        if (id !== undefined) cache.set(id, encoded);
        return this.#succeeded(context, encoded);
      },
    );
  }

  /**
   * The call as its handler sees it. The cast is safe: an endpoint without a key or a market does
   * not declare that it reads one.
   */
  #call(
    { caller, now, isGone }: RequestContext,
    { input, body, market, marketField }: Question,
    { snapshot, origin }: Pick<Call, 'snapshot' | 'origin'>,
  ) {
    const services = this.#services;
    return {
      input,
      body,
      caller,
      snapshot,
      now,
      services,
      origin,
      market,
      marketField,
      isGone,
    } as Call<unknown, unknown>;
  }

  #encoded(
    { endpoint, request, now }: RequestContext,
    { format, locale, input }: Question,
    call: Call<unknown, unknown>,
    answer: unknown,
  ): CachedAnswer | Promise<CachedAnswer> {
    const headers = endpoint.headers?.(answer, call) ?? [];
    if (endpoint.status === 204) {
      return new CachedAnswer({ contentType: '', body: '', rules: undefined, headers });
    }
    const object = answerObject(answer);
    const written = isLong(endpoint, object)
      ? encodeInSlices(endpoint, object, format, call.isGone, locale)
      : encode(endpoint, object, format, locale);
    const { maxAgeSec } = endpoint;
    const changedAt = endpoint.lastModified?.(answer, call) ?? call.snapshot.changedAt;
    const rules =
      maxAgeSec === undefined || request.method === 'POST'
        ? undefined
        : {
            // A time to come would mean nothing to a cache (RFC 9110 §8.8.2.1).
            lastModified: httpDate(Math.min(changedAt, now)),
            maxAgeSec: typeof maxAgeSec === 'number' ? maxAgeSec : maxAgeSec(input),
          };
    return whenReady(written, (one) => new CachedAnswer({ ...one, rules, headers }));
  }

  #succeeded(context: RequestContext, cached: CachedAnswer): Answer | Promise<Answer> {
    const { endpoint } = context;
    this.#count(context, endpoint.status ?? 200, endpoint.cost);
    return successAnswer(context, cached, this.#quotaHeaders.of(context));
  }

  /** Counts the call for its account to look at; calls that cost nothing are not worth a row. */
  #count({ endpoint, caller, now }: RequestContext, status: number, units: number): void {
    if (caller === undefined || endpoint.cost === 0) return;
    this.#services.usageDays.count(caller.account.id, endpoint, { status, units, now });
  }

  #failed(context: RequestContext, error: unknown): Answer {
    const { reservation, requestId, endpoint, now } = context;
    if (reservation !== undefined) {
      void this.#services.quotaLeases.refund(reservation);
      delete context.reservation;
    }
    const shown = this.shown(error, { requestId, path: endpoint.path }, now);
    this.#count(context, shown.status, 0);
    const refusal = endpoint.refusal?.(shown);
    return errorAnswer(shown, requestId, this.#quotaHeaders.of(context), refusal);
  }

  /** What the client is told of whatever was thrown; what is not meant for it is logged. */
  shown(
    error: unknown,
    { requestId, path }: { readonly requestId: string; readonly path: string },
    now: Instant,
  ): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClientGone) return new ApiError('invalid_request');
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

/** Whose turn a long answer takes; the operator's own calls are one account. */
function askerOf({ caller, isGone }: RequestContext): Asker {
  return { accountId: caller?.account.id ?? '', isGone };
}

/** Answers to publishable keys differ by the origin that asks; others by what the operator allows. */
function corsOf({ caller, readableBy }: RequestFrame): Pick<Answer, 'cors'> | undefined {
  if (readableBy === undefined && caller?.key.grant.kind !== 'publishable') return undefined;
  return { cors: { origin: readableBy } };
}

/** Answers with a body are objects: every answer schema but the empty one is. */
function answerObject(answer: unknown): object {
  return answer as object;
}

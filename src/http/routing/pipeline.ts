import type { Caller } from '../../app/access/access.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Reservation } from '../../app/quota/account-meters.ts';
import { freeLimitsOf, limitsOf } from '../../app/quota/windows.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { CachedAnswer } from '../encoding/cached-answer.ts';
import { type InTurn, LongAnswers } from '../encoding/long-answers.ts';
import { ClientGone } from '../encoding/slices.ts';
import type { AddressLimits } from './address-limits.ts';
import { type Answer, errorAnswer, RETRY_AFTER_UNAVAILABLE_SEC, successAnswer } from './answer.ts';
import { AnswerMaker, type Question } from './answer-maker.ts';
import { readBody } from './body.ts';
import { Callers } from './callers.ts';
import { checkRequest } from './checks.ts';
import type { Endpoint, Services } from './endpoint.ts';
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
import { ignoredHeader } from './unknown-names.ts';
import { whenReady } from './when-ready.ts';

/** For a client that closed only its own side, and still reads. */
const LEFT = 'The client closed its side of the connection before its turn came.';

/**
 * Runs the checks of a request, then its handler. The order of the checks is that of decisions §4;
 * `docs/architecture.md` lists all of them under "The way of a request".
 */
export class Pipeline {
  readonly #services: Services;
  readonly #log: Log;
  readonly #storeLog: ThrottledLog;
  readonly #callers: Callers;
  readonly #readers = new Map<Endpoint, ParameterReader>();
  readonly #quotaHeaders: QuotaHeaders;
  readonly #answers: AnswerMaker;
  readonly #longAnswers = new LongAnswers();

  constructor(parts: {
    readonly services: Services;
    readonly clock: Clock;
    readonly log: Log;
    readonly adminToken: string | undefined;
    readonly metricsToken: string | undefined;
    readonly limits: AddressLimits;
    /** `scheme://host` for links to the service itself. */
    readonly origin: (headers: RequestHeaders) => string;
    readonly endpoints: readonly Endpoint[];
  }) {
    const { services, log } = parts;
    this.#services = services;
    this.#callers = new Callers(parts);
    this.#answers = new AnswerMaker({ ...parts, longAnswers: this.#longAnswers });
    this.#quotaHeaders = new QuotaHeaders(services.quotaLeases);
    this.#log = log;
    this.#storeLog = new ThrottledLog(log, 'the store did not answer in time');
    for (const endpoint of parts.endpoints) {
      const names = pathParameters(endpoint.path);
      this.#readers.set(endpoint, parameterReader(endpoint, names));
    }
  }

  /** The turns of a client of a page, which take their places with those of the endpoints. */
  turnsOf(address: () => string, isGone: () => boolean): InTurn {
    return (work) => this.#longAnswers.make({ id: address(), isWithoutKey: true, isGone }, work);
  }

  /** The answer to a request, also when it fails; never rejects. */
  answer(context: RequestContext): Answer | Promise<Answer> {
    return whenReady(this.#answerOrRefuse(context), (answer) => {
      const cors = corsOf(context);
      const { ignored = [] } = context;
      if (cors === undefined && ignored.length === 0) return answer;
      return { ...answer, ...cors, headers: [...answer.headers, ...ignoredHeader(ignored)] };
    });
  }

  #answerOrRefuse(context: RequestContext): Answer | Promise<Answer> {
    try {
      const answer = this.#run(context);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => this.#refundAndRefuse(context, error))
        : answer;
    } catch (error) {
      return this.#refundAndRefuse(context, error);
    }
  }

  #run(context: RequestContext): Answer | Promise<Answer> {
    const { access } = context.endpoint;
    if (access === 'key' || (access === 'optional' && context.presented.keys.length > 0)) {
      return whenReady(this.#callers.authenticate(context), (caller) => {
        this.#callers.admit(context, caller);
        return this.#readInput(context);
      });
    }
    this.#callers.admitWithoutKey(context);
    return this.#readInput(context);
  }

  /**
   * Refuses a request that no endpoint accepts. A caller with a valid key gets the headers of their
   * quota, as on every other answer (decisions §4). A wrong key counts as on every other request,
   * but the refusal does not change.
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
        this.#callers.requireOrigin(frame, caller);
      } catch {
        // The refusal does not change, but the page may not read it.
      }
      return { ...refused(), ...corsOf(frame) };
    };
    try {
      const caller = this.#callers.authenticate(frame);
      return caller instanceof Promise ? caller.then(known, refused) : known(caller);
    } catch {
      return refused();
    }
  }

  /** Reads the parameters and the body of an admitted caller. */
  #readInput(context: RequestContext): Answer | Promise<Answer> {
    const { endpoint, query, path } = context;
    const parameters = this.#reader(endpoint).read(query, path);
    context.ignored = parameters.ignored;
    if (endpoint.body === undefined && endpoint.textBody === undefined) {
      return this.#checkAndReserve(context, parameters, undefined);
    }
    const lines = endpoint.textBody === true;
    return readBody(context.request, context.headers, { lines }).then((text) => {
      if (endpoint.body === undefined) return this.#checkAndReserve(context, parameters, text);
      const { value, ignored } = readJsonBody(endpoint.body, text);
      context.ignored = [...ignored, ...parameters.ignored];
      return this.#checkAndReserve(context, parameters, value);
    });
  }

  #reader(endpoint: Endpoint): ParameterReader {
    const reader = this.#readers.get(endpoint);
    if (reader === undefined) throw new Error(`no parameter reader for ${endpoint.path}`);
    return reader;
  }

  #checkAndReserve(
    context: RequestContext,
    parameters: Parameters,
    body: unknown,
  ): Answer | Promise<Answer> {
    const { endpoint, caller } = context;
    const choice = checkRequest(context, parameters, body, this.#services);
    const question = { ...parameters, body, ...choice };
    if (caller === undefined) {
      return endpoint.written === true
        ? this.#answers.write(context, question)
        : this.#makeAnswer(context, question);
    }
    const limits =
      endpoint.cost === 0
        ? freeLimitsOf(caller.plan)
        : limitsOf(caller.plan, { bulk: endpoint.bulk === true });
    const reserved = whenReady(this.#reserveOfKey(caller), (ofKey) => {
      const ofAccount = this.#services.quotaLeases.reserve(caller.account.id, limits);
      if (ofKey === undefined || !(ofAccount instanceof Promise)) return ofAccount;
      return ofAccount.catch((error: unknown) => {
        // A refused call does not count (decisions §14).
        void this.#services.quotaLeases.cancel(ofKey);
        throw error;
      });
    });
    return whenReady(reserved, (reservation) => {
      context.reservation = reservation;
      return this.#makeAnswer(context, question);
    });
  }

  /**
   * A publishable key has a limit per minute of its own, checked before that of its account
   * (decisions §11). Ids of keys and accounts differ in form, so both can be counted in the same
   * way.
   */
  #reserveOfKey({ key }: Caller): Reservation | Promise<Reservation> | undefined {
    if (key.grant.kind !== 'publishable') return undefined;
    return this.#services.quotaLeases.reserve(key.id, { minute: key.grant.requestsPerMinute });
  }

  #makeAnswer(context: RequestContext, question: Question): Answer | Promise<Answer> {
    const answer = this.#answers.make(context, question);
    return answer instanceof Promise
      ? answer.then((one) => this.#answerOf(context, one))
      : this.#answerOf(context, answer);
  }

  #answerOf(context: RequestContext, answer: CachedAnswer): Answer | Promise<Answer> {
    const { endpoint } = context;
    this.#count(context, endpoint.status ?? 200, endpoint.cost);
    return successAnswer(context, answer, this.#quotaHeaders.of(context));
  }

  /** Adds the call to the account's usage by day. Calls that cost nothing are not counted. */
  #count({ endpoint, caller, now }: RequestContext, status: number, units: number): void {
    if (caller === undefined || endpoint.cost === 0) return;
    this.#services.usageDays.count(caller.account.id, endpoint, { status, units, now });
  }

  #refundAndRefuse(context: RequestContext, error: unknown): Answer {
    const { reservation, requestId, endpoint, now } = context;
    if (reservation !== undefined) {
      void this.#services.quotaLeases.refund(reservation);
      delete context.reservation;
    }
    const apiError = this.apiErrorFor(error, { requestId, path: endpoint.path }, now);
    this.#count(context, apiError.status, 0);
    const refusal = endpoint.refusal?.(apiError);
    return errorAnswer(apiError, requestId, this.#quotaHeaders.of(context), refusal);
  }

  /** Turns anything thrown into the error for the client. Details go to the log only. */
  apiErrorFor(
    error: unknown,
    { requestId, path }: { readonly requestId: string; readonly path: string },
    now: Instant,
  ): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClientGone) return new ApiError('invalid_request', { message: LEFT });
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

/** Who may read the answer: for a publishable key its page, else the configured origins. */
function corsOf({ caller, readableBy }: RequestFrame): Pick<Answer, 'cors'> | undefined {
  if (readableBy === undefined && caller?.key.grant.kind !== 'publishable') return undefined;
  return { cors: { origin: readableBy } };
}

import type { Caller } from '../../app/access/access.ts';
import { actingAs } from '../../app/audit/author.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import { otherFormatOf } from '../../app/ingest/other-format.ts';
import type { Author } from '../../app/ports/audit.ts';
import type { Log } from '../../app/ports/log.ts';
import { STORE_AWAY_RETRY_SEC } from '../../app/quota/block-limits.ts';
import type { Reservation } from '../../app/quota/quota.ts';
import { freeLimitsOf, limitsOf } from '../../app/quota/windows.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError, notFound } from '../../domain/errors.ts';
import { parseJson } from '../../domain/exact-json.ts';
import { ClientGone } from '../framework/encoding/slices.ts';
import {
  type Answer,
  errorAnswer,
  errorText,
  RETRY_AFTER_UNAVAILABLE_SEC,
  streamAnswer,
  successAnswer,
  writtenAnswer,
} from '../framework/routing/answer.ts';
import { readBody } from '../framework/routing/body.ts';
import type { Router } from '../framework/routing/router.ts';
import type { Told } from './call.ts';
import { Callers, type CallersParts, quotaHeadersOf } from './callers.ts';
import type { Endpoint } from './endpoint.ts';
import { type CallParts, type OpenCall, whenReady } from './endpoint-call.ts';
import { ignoredHeader } from './field-rules.ts';
import { type InTurn, LongAnswers } from './long-answers.ts';
import type { Route } from './route.ts';
import type { ServiceRequest } from './service-request.ts';
import type { Services } from './services.ts';

/** For a client that closed only its own side, and still reads. */
const LEFT = sentence(
  'The client closed its side of the connection before its turn came.',
  'El cliente cerró su lado de la conexión antes de que llegara su turno.',
);

type PipelineParts = CallersParts &
  Pick<CallParts, 'services' | 'originOf'> & { readonly find: Router<Route>['find'] };

/**
 * Runs the checks of a request, then its handler. The order of the checks is that of contract §4;
 * `docs/architecture.md` lists all of them under "The way of a request".
 */
export class Pipeline {
  readonly #services: Services;
  readonly #log: Log;
  readonly #storeLog: ThrottledLog;
  readonly #callers: Callers;
  readonly #quotaHeaders: ReturnType<typeof quotaHeadersOf>;
  readonly #longAnswers = new LongAnswers();
  readonly #find: PipelineParts['find'];
  readonly #callParts: CallParts;

  constructor(parts: PipelineParts) {
    const { services, log, originOf, find } = parts;
    this.#find = find;
    this.#services = services;
    this.#callers = new Callers(parts);
    this.#callParts = {
      ...{ services, originOf },
      turnsOf: (request) => this.turnsOf(request),
      ask: (request, address) => this.#ask(request, address),
      errorText,
    };
    this.#quotaHeaders = quotaHeadersOf(services.quota);
    this.#log = log;
    this.#storeLog = new ThrottledLog(log, 'the store did not answer in time');
  }

  /** The turns of a client: an account's or, without a key, those of an address. */
  turnsOf(request: ServiceRequest): InTurn {
    const { caller } = request;
    const isGone = () => request.isGone;
    const id = caller === undefined ? request.address() : caller.account.id;
    return (work) =>
      this.#longAnswers.make({ id, isWithoutKey: caller === undefined, isGone }, work);
  }

  /** The answer to a request, also when it fails; never rejects. */
  answer(request: ServiceRequest, endpoint: Endpoint): Answer | Promise<Answer> {
    const refused = (error: unknown) => this.#refundAndRefuse(request, endpoint, error);
    try {
      const answer = this.#run(request, endpoint);
      return answer instanceof Promise
        ? answer.catch(refused).then((made) => withCors(request, made))
        : withCors(request, answer);
    } catch (error) {
      return withCors(request, refused(error));
    }
  }

  /** Runs all checks again: what a key may ask for does not depend on what asks in its name. */
  async #ask(request: ServiceRequest, address: string): Promise<Told> {
    const [path = '', query = ''] = address.split('?', 2);
    const match = this.#find(path);
    const endpoint = match?.route.methods.get('GET');
    if (match === undefined || endpoint === undefined) throw notFound('unknown_path');
    const {
      status,
      headers,
      body = '',
    } = await this.answer(request.asking(match.path, query), endpoint);
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    const told = new Headers();
    for (let at = 0; at < headers.length; at += 2)
      told.set(headers[at] ?? '', headers[at + 1] ?? '');
    return { status, headers: told, json: parseJson(bytes.toString()) };
  }

  /** A call past the checks of callers and limits, for a sample. */
  open(request: ServiceRequest, endpoint: Endpoint): OpenCall {
    return endpoint.open(endpoint, request, this.#callParts);
  }

  #run(request: ServiceRequest, endpoint: Endpoint): Answer | Promise<Answer> {
    const { access } = endpoint;
    if (access === 'key' || (access === 'optional' && request.keys.length > 0)) {
      return whenReady(this.#callers.authenticate(request), (caller) => {
        this.#callers.admit(request, endpoint, caller);
        this.#services.keyUses.note(caller.key.id, request.now);
        return this.#readInput(request, endpoint);
      });
    }
    this.#callers.admitWithoutKey(request, endpoint);
    return this.#readInput(request, endpoint);
  }

  /**
   * Refuses a request that no endpoint accepts. A caller with a valid key gets the headers of their
   * quota, as on every other answer (contract §4). A wrong key counts as on every other request,
   * but the refusal does not change.
   */
  async refuse(
    request: ServiceRequest,
    error: ApiError,
    endpoint?: Pick<Endpoint, 'refusal' | 'anyOrigin'>,
  ): Promise<Answer> {
    const refusal = endpoint?.refusal?.(error);
    if (refusal !== undefined && endpoint?.anyOrigin === true) request.readableBy = '*';
    try {
      if (request.keys.length === 1) {
        request.caller = await this.#callers.authenticate(request);
        this.#callers.requireOrigin(request, request.caller);
      }
    } catch {
      // The refusal does not change, but a page of another origin may not read it.
    }
    const refused = errorAnswer(error, request, this.#quotaHeaders(request), refusal);
    return { ...refused, ...corsOf(request) };
  }

  /** Reads the parameters and the body of an admitted caller. */
  #readInput(request: ServiceRequest, endpoint: Endpoint): Answer | Promise<Answer> {
    const call = this.open(request, endpoint);
    const lines = endpoint.textBody === true ? otherFormatOf : undefined;
    if (endpoint.body === undefined && lines === undefined) {
      return this.#checkAndReserve(request, endpoint, call);
    }
    return readBody(request.message, request.headers, lines).then((text) => {
      call.takeBody(text);
      return this.#checkAndReserve(request, endpoint, call);
    });
  }

  #checkAndReserve(
    request: ServiceRequest,
    endpoint: Endpoint,
    call: OpenCall,
  ): Answer | Promise<Answer> {
    call.check();
    const { caller } = request;
    if (caller === undefined) return this.#makeAnswer(request, endpoint, call);
    const reserved = this.#reserve(caller, endpoint);
    const units = reserved instanceof Promise ? this.#withoutUnits(reserved, request) : reserved;
    return whenReady(units, (reservation) => {
      request.reservation = reservation;
      return this.#makeAnswer(request, endpoint, call);
    });
  }

  /**
   * A publishable key has a limit per minute of its own, checked before that of its account
   * (contract §11). Ids of keys and accounts differ in form, so both can be counted in the same
   * way.
   */
  #reserve(
    { account, key: { id, grant }, plan }: Caller,
    { cost, bulk }: Endpoint,
  ): Reservation | Promise<Reservation> {
    const { quota } = this.#services;
    const limits = cost === 0 ? freeLimitsOf(plan) : limitsOf(plan, { bulk: bulk === true });
    if (grant.kind !== 'publishable') return quota.reserve(account.id, limits);
    return whenReady(quota.reserve(id, { minute: grant.requestsPerMinute }), (ofKey) => {
      const ofAccount = quota.reserve(account.id, limits);
      if (!(ofAccount instanceof Promise)) return ofAccount;
      return ofAccount.catch((error: unknown) => {
        // A refused call does not count (contract §14).
        void quota.cancel(ofKey);
        throw error;
      });
    });
  }

  /** Without the store there are no new units (contract §3). */
  async #withoutUnits(reserved: Promise<Reservation>, { requestId, now }: ServiceRequest) {
    try {
      return await reserved;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.#storeLog.warn({ err: error, requestId }, now);
      throw new ApiError('service_unavailable', { retryAfterSec: STORE_AWAY_RETRY_SEC });
    }
  }

  #makeAnswer(
    request: ServiceRequest,
    endpoint: Endpoint,
    call: OpenCall,
  ): Answer | Promise<Answer> {
    if (call.written !== undefined) {
      return call.written().then((written) => {
        const write = () => writtenAnswer(written, request);
        return typeof written.body === 'function' ? this.turnsOf(request)(write) : write();
      });
    }
    if (call.stream !== undefined) {
      return call.stream().then((stream) => {
        this.#count(request, endpoint, 200, endpoint.cost);
        return streamAnswer(request, stream, this.#quotaHeaders(request, endpoint, true));
      });
    }
    const answered =
      endpoint.method === 'GET'
        ? call.answer()
        : actingAs(authorOf(request, endpoint), () => call.answer());
    return whenReady(answered, (answer) => {
      const { status = 200 } = endpoint;
      this.#count(request, endpoint, status, endpoint.cost);
      return successAnswer(request, answer, status, this.#quotaHeaders(request, endpoint, true));
    });
  }

  /** Adds the call to the account's usage by day. Calls that cost nothing are not counted. */
  #count(request: ServiceRequest, endpoint: Endpoint, status: number, units: number): void {
    const { caller, now } = request;
    if (caller === undefined || endpoint.cost === 0) return;
    this.#services.usageDays.count(caller, endpoint, { status, units, now });
  }

  #refundAndRefuse(request: ServiceRequest, endpoint: Endpoint, error: unknown): Answer {
    const { reservation } = request;
    if (reservation !== undefined) {
      void this.#services.quota.refund(reservation);
      request.reservation = undefined;
    }
    const apiError = this.apiErrorFor(error, request, endpoint.path);
    this.#count(request, endpoint, apiError.status, 0);
    const refusal = endpoint.refusal?.(apiError);
    return errorAnswer(apiError, request, this.#quotaHeaders(request, endpoint), refusal);
  }

  /** Turns anything thrown into the error for the client. Details go to the log only. */
  apiErrorFor(error: unknown, { requestId, now }: ServiceRequest, path: string): ApiError {
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

/** In whose name a request that may change something is answered. */
function authorOf({ caller, now }: ServiceRequest, { method, path, access }: Endpoint): Author {
  const actor = caller?.key.id ?? access;
  return { kind: 'request', via: `${method} ${path}`, actor, now: () => now };
}

/** Who may read the answer: for a publishable key its page, else the configured origins. */
function corsOf({ caller, readableBy }: ServiceRequest): Pick<Answer, 'cors'> | undefined {
  if (readableBy === undefined && caller?.key.grant.kind !== 'publishable') return undefined;
  return { cors: { origin: readableBy } };
}

function withCors(request: ServiceRequest, answer: Answer): Answer {
  const cors = corsOf(request);
  const { ignored } = request;
  if (cors === undefined && ignored.length === 0) return answer;
  return { ...answer, ...cors, headers: [...answer.headers, ...ignoredHeader(ignored)] };
}

import { timingSafeEqual } from 'node:crypto';
import {
  type Access,
  type Caller,
  requireActive,
  requireFeature,
  requireNoGrace,
  requireOrigin,
  requireScope,
} from '../../app/access/access.ts';
import { looksSecret } from '../../app/access/keys.ts';
import type { Log } from '../../app/ports/log.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plans } from '../../domain/plans.ts';
import type { AddressLimits } from './address-limits.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';

const SECRET_IN_ADDRESS = {
  message:
    'Only a publishable key may stand in the address: send a secret key in the X-API-Key header.',
  spanish:
    'Solo una clave publicable puede ir en la dirección: envíe una clave secreta en el encabezado X-API-Key.',
};

export interface CallersParts {
  readonly services: { readonly access: Access; readonly plans: Plans };
  readonly limits: AddressLimits;
  readonly adminToken: string | undefined;
  readonly metricsToken: string | undefined;
  readonly log: Log;
}

/**
 * The first two checks (decisions §4): who calls and whether they may call this endpoint, and
 * whether their plan has its feature.
 */
export class Callers {
  readonly #parts: CallersParts;
  readonly #adminToken: OperatorToken;
  readonly #metricsToken: OperatorToken;
  readonly #secretLog: ThrottledLog;

  constructor(parts: CallersParts) {
    const { adminToken, metricsToken, log } = parts;
    this.#parts = parts;
    this.#adminToken = new OperatorToken('admin token', adminToken, parts);
    this.#metricsToken =
      metricsToken === undefined
        ? this.#adminToken
        : new OperatorToken('metrics token', metricsToken, parts);
    this.#secretLog = new ThrottledLog(log, 'a secret key in an address was refused');
  }

  /**
   * Admits a call without a key.
   * @throws ApiError without the operator's token where the endpoint needs one, or over its limit by
   *   address.
   */
  admitWithoutKey(request: RequestContext, endpoint: Endpoint): void {
    const { access, anyOrigin, addressLimit } = endpoint;
    if (access === 'admin' || access === 'metrics') {
      const token = access === 'admin' ? this.#adminToken : this.#metricsToken;
      token.require(request);
      return;
    }
    // Set before the limit is checked, so that pages can read that refusal too.
    if (anyOrigin === true) request.readableBy = '*';
    if (addressLimit !== undefined)
      this.#parts.limits.take(addressLimit, request.address(), request.now);
  }

  /** @throws ApiError unless the request has exactly one key, in an allowed place and live. */
  authenticate(request: RequestContext): Caller | Promise<Caller> {
    const { keys, address, now } = request;
    const [key] = keys;
    if (key === undefined) throw new ApiError('missing_api_key');
    const { access } = this.#parts.services;
    if (request.keysInAddress.some(looksSecret)) {
      this.#secretLog.warn({}, now);
      throw access.refuse(address(), now, SECRET_IN_ADDRESS);
    }
    if (keys.length > 1) throw access.refuse(address(), now);
    return access.authenticate(key, address, now);
  }

  /** @throws ApiError unless the caller of a live key may call the endpoint. */
  admit(
    request: RequestContext,
    endpoint: Endpoint,
    path: Readonly<Record<string, string>>,
    caller: Caller,
  ): void {
    request.caller = caller;
    requireActive(caller);
    const { feature, inGrace, scopeOf } = endpoint;
    const scope = scopeOf?.({ path, query: request.keylessQuery }) ?? endpoint.scope;
    this.requireOrigin(request, caller);
    if (scope !== undefined) requireScope(caller, scope);
    const isOwn = inGrace === 'itself' && path['id'] === caller.key.id;
    if (inGrace !== undefined && !isOwn) requireNoGrace(caller);
    if (feature !== undefined) requireFeature(this.#parts.services.plans, caller.plan, feature);
  }

  /**
   * Records that the page may read the answer.
   * @throws ApiError `origin_not_allowed`.
   */
  requireOrigin(request: RequestContext, caller: Caller): void {
    if (caller.key.grant.kind !== 'publishable') return;
    const { origin, fetchSite } = request.headers;
    requireOrigin(caller, { origin, isSameOrigin: fetchSite === 'same-origin' });
    if (origin !== undefined) request.readableBy = origin;
  }
}

/** Checks a token of the operator (decisions §4 "Bad keys"). */
class OperatorToken {
  readonly #name: string;
  readonly #expected: Buffer | undefined;
  readonly #access: Access;
  readonly #overLimitLog: ThrottledLog;

  /** @param token undefined where the operator set none: then no token is accepted. */
  constructor(name: string, token: string | undefined, { services, log }: CallersParts) {
    this.#name = name;
    this.#expected = token === undefined ? undefined : Buffer.from(token);
    this.#access = services.access;
    this.#overLimitLog = new ThrottledLog(
      log,
      'admin calls are refused after too many wrong keys or tokens from an address',
    );
  }

  /**
   * @throws ApiError unless the request carries the token. An address over its limit of wrong
   *   tokens gets `rate_limit_exceeded` before anything is compared, even with the right token.
   */
  require({ headers, now, address: addressOf }: RequestContext): void {
    const address = addressOf();
    try {
      this.#access.requireFewBadKeys(address, now);
    } catch (error) {
      this.#overLimitLog.warn({ address }, now);
      throw error;
    }
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new ApiError('missing_api_key', {
        message: `Send the ${this.#name} as Authorization: Bearer.`,
      });
    }
    if (!this.#isRight(Buffer.from(token))) throw this.#access.refuse(address, now);
  }

  #isRight(token: Buffer): boolean {
    const expected = this.#expected;
    return (
      expected !== undefined && token.length === expected.length && timingSafeEqual(token, expected)
    );
  }
}

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
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plans } from '../../domain/plans.ts';
import type { AddressLimits } from './address-limits.ts';
import { OperatorToken } from './operator-token.ts';
import type { RequestContext, RequestFrame } from './request-context.ts';

const SECRET_IN_ADDRESS = {
  message:
    'Only a publishable key may stand in the address: send a secret key in the X-API-Key header.',
  spanish:
    'Solo una clave publicable puede ir en la dirección: envíe una clave secreta en el encabezado X-API-Key.',
};

interface CallersParts {
  readonly services: { readonly access: Access; readonly plans: Plans };
  readonly limits: AddressLimits;
  readonly adminToken: string | undefined;
  readonly metricsToken: string | undefined;
  readonly clock: Clock;
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
    const { adminToken, metricsToken, clock, log } = parts;
    const { access } = parts.services;
    const admin = { name: 'admin token', token: adminToken, access, clock, log };
    this.#parts = parts;
    this.#adminToken = new OperatorToken(admin);
    this.#metricsToken = new OperatorToken(
      metricsToken === undefined ? admin : { ...admin, name: 'metrics token', token: metricsToken },
    );
    this.#secretLog = new ThrottledLog(log, 'a secret key in an address was refused');
  }

  /**
   * Admits a call without a key.
   * @throws ApiError without the operator's token where the endpoint needs one, or over its limit by
   *   address.
   */
  admitWithoutKey(context: RequestContext): void {
    const { access, anyOrigin, addressLimit } = context.endpoint;
    if (access === 'admin' || access === 'metrics') {
      const token = access === 'admin' ? this.#adminToken : this.#metricsToken;
      token.require(context.headers, context.address);
      return;
    }
    // Set before the limit is checked, so that pages can read that refusal too.
    if (anyOrigin === true) context.readableBy = '*';
    if (addressLimit !== undefined)
      this.#parts.limits.take(addressLimit, context.address(), context.now);
  }

  /** @throws ApiError unless the request has exactly one key, in an allowed place and live. */
  authenticate({ presented, address, now }: RequestFrame): Caller | Promise<Caller> {
    const [key, ...others] = presented.keys;
    if (key === undefined) throw new ApiError('missing_api_key');
    const { access } = this.#parts.services;
    if (presented.inAddress.some(looksSecret)) {
      this.#secretLog.warn({}, now);
      throw access.refuse(address(), now, SECRET_IN_ADDRESS);
    }
    if (others.length > 0) throw access.refuse(address(), now);
    return access.authenticate(key, address, now);
  }

  /** @throws ApiError unless the caller of a live key may call the endpoint. */
  admit(context: RequestContext, caller: Caller): void {
    context.caller = caller;
    requireActive(caller);
    const { feature, inGrace, scopeOf } = context.endpoint;
    const scope = scopeOf?.(context) ?? context.endpoint.scope;
    this.requireOrigin(context, caller);
    if (scope !== undefined) requireScope(caller, scope);
    const isOwn = inGrace === 'itself' && context.path['id'] === caller.key.id;
    if (inGrace !== undefined && !isOwn) requireNoGrace(caller);
    if (feature !== undefined) requireFeature(this.#parts.services.plans, caller.plan, feature);
  }

  /**
   * Records that the page may read the answer.
   * @throws ApiError `origin_not_allowed`.
   */
  requireOrigin(frame: RequestFrame, caller: Caller): void {
    if (caller.key.grant.kind !== 'publishable') return;
    const { origin, fetchSite } = frame.headers;
    requireOrigin(caller, { origin, isSameOrigin: fetchSite === 'same-origin' });
    if (origin !== undefined) frame.readableBy = origin;
  }
}

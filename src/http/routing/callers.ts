import {
  type Access,
  type Caller,
  requireActive,
  requireFeature,
  requireOrigin,
  requireScope,
} from '../../app/access/access.ts';
import { kindOfKey } from '../../app/access/keys.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plans } from '../../domain/plans.ts';
import type { AddressLimits } from './address-limits.ts';
import { AdminToken } from './admin-token.ts';
import type { RequestContext, RequestFrame } from './request-context.ts';

interface CallersParts {
  readonly services: { readonly access: Access; readonly plans: Plans };
  readonly limits: AddressLimits;
  readonly adminToken: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The first two checks (decisions §4): who calls and whether they may call this endpoint, and
 * whether their plan has its feature.
 */
export class Callers {
  readonly #parts: CallersParts;
  readonly #adminToken: AdminToken;
  readonly #secretLog: ThrottledLog;

  constructor(parts: CallersParts) {
    const { adminToken: token, clock, log } = parts;
    this.#parts = parts;
    this.#adminToken = new AdminToken({ token, access: parts.services.access, clock, log });
    this.#secretLog = new ThrottledLog(log, 'a secret key in an address was refused');
  }

  /**
   * Admits a call without a key.
   * @throws ApiError without the admin token where the endpoint needs it, or over its limit by
   *   address.
   */
  admitWithoutKey(context: RequestContext): void {
    const { access, anyOrigin, addressLimit } = context.endpoint;
    if (access === 'admin') {
      this.#adminToken.require(context.headers, context.address);
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
    const isPlaced = !presented.inAddress || kindOfKey(key) === 'publishable';
    if (others.length > 0 || !isPlaced) {
      if (!isPlaced) this.#secretLog.warn({}, now);
      throw this.#parts.services.access.refuse(address(), now);
    }
    return this.#parts.services.access.authenticate(key, address, now);
  }

  /** @throws ApiError unless the caller of a live key may call the endpoint. */
  admit(context: RequestContext, caller: Caller): void {
    context.caller = caller;
    requireActive(caller);
    const { feature, scope } = context.endpoint;
    this.requireOrigin(context, caller);
    if (scope !== undefined) requireScope(caller, scope);
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

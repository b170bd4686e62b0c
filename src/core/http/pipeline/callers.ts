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
import type { Quota } from '../../app/quota/quota.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plans } from '../../domain/plans.ts';
import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type { AddressLimits } from './address-limits.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServiceRequest } from './service-request.ts';

const SECRET_IN_ADDRESS = {
  message: sentence(
    'Only a publishable key may stand in the address: send a secret key in the X-API-Key header.',
    'Solo una clave publicable puede ir en la dirección: envíe una clave secreta en el encabezado X-API-Key.',
  ),
};

/** Of a limit by address. */
export const TOO_MANY_WITHOUT_KEY = sentence(
  'Too many requests without a key from this address.',
  'Demasiadas consultas sin clave desde esta dirección.',
);

const ADMIN_TOKEN = sentence('admin token', 'el token del operador');
const METRICS_TOKEN = sentence('metrics token', 'el token de las métricas');

export interface CallersParts {
  readonly services: { readonly access: Access; readonly plans: Plans };
  readonly limits: AddressLimits;
  readonly adminToken: string | undefined;
  readonly metricsToken: string | undefined;
  readonly log: Log;
}

/**
 * The first two checks (contract §4): who calls and whether they may call this endpoint, and
 * whether their plan has its feature.
 */
export class Callers {
  readonly #parts: CallersParts;
  readonly #requireAdminToken: ReturnType<typeof operatorToken>;
  readonly #requireMetricsToken: ReturnType<typeof operatorToken>;
  readonly #secretLog: ThrottledLog;

  constructor(parts: CallersParts) {
    const { adminToken, metricsToken, log } = parts;
    this.#parts = parts;
    this.#requireAdminToken = operatorToken(ADMIN_TOKEN, adminToken, parts);
    this.#requireMetricsToken =
      metricsToken === undefined
        ? this.#requireAdminToken
        : operatorToken(METRICS_TOKEN, metricsToken, parts);
    this.#secretLog = new ThrottledLog(log, 'a secret key in an address was refused');
  }

  /**
   * Admits a call without a key.
   * @throws ApiError without the operator's token where the endpoint needs one, or over its limit by
   *   address.
   */
  admitWithoutKey(request: ServiceRequest, endpoint: Endpoint): void {
    const { access, anyOrigin, addressLimit } = endpoint;
    if (access === 'admin') this.#requireAdminToken(request);
    else if (access === 'metrics') this.#requireMetricsToken(request);
    else {
      // Set before the limit is checked, so that pages can read that refusal too.
      if (anyOrigin === true) request.readableBy = '*';
      if (addressLimit !== undefined) {
        this.#parts.limits.take(addressLimit, request.address(), request.now);
      }
    }
  }

  /** @throws ApiError unless the request has exactly one key, in an allowed place and live. */
  authenticate(request: ServiceRequest): Caller | Promise<Caller> {
    const { keys, address, now } = request;
    const [key] = keys;
    if (key === undefined) throw new ApiError('missing_api_key');
    const { access } = this.#parts.services;
    if (request.keysInAddress.some(looksSecret)) {
      this.#secretLog.warn({}, now);
      throw access.refuse(address(), now, SECRET_IN_ADDRESS);
    }
    if (keys.length > 1) throw access.refuse(address(), now);
    return access.authenticate(key, address, now, () => request.isGone);
  }

  /** @throws ApiError unless the caller of a live key may call the endpoint. */
  admit(request: ServiceRequest, endpoint: Endpoint, caller: Caller): void {
    const { pathParameters: path } = request;
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
  requireOrigin(request: ServiceRequest, caller: Caller): void {
    if (caller.key.grant.kind !== 'publishable') return;
    const { origin, fetchSite } = request.headers;
    requireOrigin(caller, { origin, isSameOrigin: fetchSite === 'same-origin' });
    if (origin !== undefined) request.readableBy = origin;
  }
}

/**
 * A check of a token of the operator (contract §4 "Bad keys"). An address over its limit of wrong
 * tokens gets `rate_limit_exceeded` before anything is compared, even with the right token.
 * @param token undefined where the operator set none: then no token is accepted.
 * @returns a function that throws an ApiError unless the request carries the token.
 */
function operatorToken(name: Sentence, token: string | undefined, { services, log }: CallersParts) {
  const { access } = services;
  const expected = token === undefined ? undefined : Buffer.from(token);
  const overLimitLog = new ThrottledLog(
    log,
    'admin calls are refused after too many wrong keys or tokens from an address',
  );
  const isRight = (sent: Buffer) =>
    expected !== undefined && sent.length === expected.length && timingSafeEqual(sent, expected);

  return ({ headers, now, address: addressOf }: ServiceRequest): void => {
    const address = addressOf();
    try {
      access.requireFewBadKeys(address, now);
    } catch (error) {
      overLimitLog.warn({ address }, now);
      throw error;
    }
    const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (sent === undefined) {
      throw new ApiError('missing_api_key', {
        message: sentence(
          `Send the ${name.en} as Authorization: Bearer.`,
          `Envíe ${name.es} como Authorization: Bearer.`,
        ),
      });
    }
    if (!isRight(Buffer.from(sent))) throw access.refuse(address, now);
  };
}

/**
 * The quota headers of every answer to a known caller (contract §4).
 * @returns what gives them for a request, refused or answered: names and values alternating, none
 *   for an unknown caller.
 */
export function quotaHeadersOf(quota: Quota) {
  /** `RateLimit-Policy` of this month, by limit. */
  const policies = new Map<number, { readonly endsAt: Instant; readonly line: string }>();

  function policyOf(limit: number, endsAt: Instant): string {
    const policy = policies.get(limit);
    if (policy?.endsAt === endsAt) return policy.line;
    const { start, end } = utcMonthOf(endsAt - 1);
    const line = `"month";q=${limit};w=${(end - start) / SECOND_MS}`;
    policies.set(limit, { endsAt, line });
    return line;
  }

  return (
    { caller, now, reservation }: ServiceRequest,
    endpoint?: Endpoint,
    isAnswer = false,
  ): readonly string[] => {
    if (caller === undefined) return [];
    const { unitsPerMonth: perMonth, bulkCallsPerHour: perHour } = caller.plan;
    const headers: string[] = [];
    if (perMonth !== null) {
      const { used, endsAt } = quota.monthUsage(caller.account.id, now);
      const left = `${Math.max(0, perMonth - used)}`;
      const reset = `${Math.max(1, Math.ceil((endsAt - now) / SECOND_MS))}`;
      headers.push('X-RateLimit-Limit', `${perMonth}`, 'X-RateLimit-Remaining', left);
      headers.push('X-RateLimit-Reset', reset, 'RateLimit-Policy', policyOf(perMonth, endsAt));
      headers.push('RateLimit', `"month";r=${left};t=${reset}`);
    }
    if (endpoint?.bulk === true && perHour !== null) {
      // Concurrent calls each report what was left after their own unit.
      const used = reservation?.hourUsed;
      const left =
        used === undefined
          ? quota.hourLeft(caller.account.id, perHour, now)
          : Math.max(0, perHour - used);
      headers.push('X-Bulk-RateLimit-Limit', `${perHour}`, 'X-Bulk-RateLimit-Remaining', `${left}`);
    }
    if (isAnswer && endpoint?.cost === 1) headers.push('X-RateLimit-Cost', '1');
    return headers;
  };
}

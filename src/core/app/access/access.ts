import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError, type ErrorOptions } from '../../domain/errors.ts';
import {
  admitsOrigin,
  hasScope,
  isInGrace,
  isLive,
  type RequestOrigin,
  type Scope,
} from '../../domain/keys.ts';
import type { Market } from '../../domain/markets.ts';
import type { MarkupRule } from '../../domain/markup.ts';
import {
  cheapestPlan,
  type Format,
  type Plan,
  type PlanNeed,
  type Plans,
  planHas,
  planReaches,
} from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Account, ApiKey, KeyHolder } from '../ports/accounts.ts';
import type { Store } from '../ports/store.ts';
import { RequestLimit } from '../request-limit.ts';
import { isDemoKey, keyDigest, kindOfKey } from './keys.ts';
import { LookUpTurns } from './look-up-turns.ts';

// limit: Keys in memory | 20,000 | looked up again
const MAX_KNOWN_KEYS = 20_000;
// limit: Wrong keys from one address | 60 a minute | 429
export const BAD_KEYS_PER_MINUTE = 60;
// limit: Look-ups of unknown keys at once, by address | as many as may still be wrong in the minute, 4 at least | the others wait
export const LOOK_UPS_PAST_LIMIT = 4;

const TOO_MANY = {
  message: sentence(
    'Too many keys of this address wait to be looked up.',
    'Hay demasiadas claves de esta dirección en espera de ser buscadas.',
  ),
  retryAfterSec: 1,
};

const LEFT = {
  message: sentence(
    'The client left before its key was looked up.',
    'El cliente se fue antes de que se buscara su clave.',
  ),
};

/** The account, key and plan behind a request. */
export interface Caller {
  readonly account: Account;
  readonly key: ApiKey;
  readonly plan: Plan;
  /** Oldest first. Rules beyond the plan's limit are listed but do not apply (contract §6). */
  readonly markups: readonly MarkupRule[];
}

interface AccessParts {
  readonly store: Pick<Store, 'findKeyHolder'>;
  readonly plans: Plans;
  /** Only a demonstration admits the keys that documents show. */
  readonly isDemonstration?: boolean;
  /** Called before a key's first answer, to load what the account needs. */
  readonly onFirstUse: (accountId: string) => Promise<void>;
  /** Called for each wrong key that counts towards its address's limit. */
  readonly onBadKey?: (address: string) => void;
}

/** Authentication by API key, with a cache of callers. Quotas are in `quota.ts`. */
export class Access {
  readonly #parts: AccessParts;
  /** By the key as presented, because hashing it costs more than the rest of a request. */
  readonly #callers = boundedCache<Caller>(MAX_KNOWN_KEYS);
  readonly #badKeys = new RequestLimit(BAD_KEYS_PER_MINUTE, {
    message: sentence(
      'Too many wrong keys from this address.',
      'Demasiadas claves incorrectas desde esta dirección.',
    ),
  });
  readonly #turns = new LookUpTurns();
  /** Look-ups in progress, by digest. Concurrent requests with one key share a look-up. */
  readonly #lookUps = new Map<string, Promise<KeyHolder | undefined>>();
  /** Grows with every `forget`, so that a look-up begun earlier is not cached. */
  #epoch = 0;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Finds the caller of a key, synchronously when the key is cached. The account may be suspended:
   * see `requireActive`.
   * @param isGone Whether the client has left: then a key that waited for its turn is not looked up.
   * @throws ApiError `invalid_api_key` (the same for every reason), or `rate_limit_exceeded` for
   *   an address that sent too many wrong keys.
   */
  authenticate(
    presented: string,
    address: () => string,
    now: Instant,
    isGone: () => boolean = () => false,
  ): Caller | Promise<Caller> {
    const caller = this.#callers.get(presented);
    if (caller !== undefined) return this.#admit(caller, address, now);
    return this.#lookUp(presented, address, now, isGone);
  }

  /** Removes changed accounts from the cache. */
  forget(accountIds: readonly string[]): void {
    this.#epoch += 1;
    // They may have read the accounts before the change.
    this.#lookUps.clear();
    const changed = new Set(accountIds);
    for (const [presented, caller] of this.#callers.entries()) {
      if (changed.has(caller.account.id)) this.#callers.delete(presented);
    }
  }

  async #lookUp(
    presented: string,
    address: () => string,
    now: Instant,
    isGone: () => boolean,
  ): Promise<Caller> {
    const kind = kindOfKey(presented);
    // A database of a demonstration may become that of another service.
    const isForEveryone = isDemoKey(presented) && this.#parts.isDemonstration !== true;
    if (kind === undefined || isForEveryone) throw this.refuse(address(), now);
    // Before the first await, so that the turns are in the order of the requests.
    const { epoch, holder } = await this.#inTurn(address(), now, isGone, async () => ({
      epoch: this.#epoch,
      holder: await this.#holderOf(keyDigest(presented)),
    }));
    // The stored kind must match the kind in the key's text, so that a key never has more rights
    // than it shows.
    const isKey = holder?.key.grant.kind === kind && isLive(holder.key, now);
    if (holder === undefined || !isKey) throw this.refuse(address(), now);
    const plan = this.#parts.plans.of(holder.account);
    const caller = Object.freeze({ ...holder, plan });
    await this.#parts.onFirstUse(holder.account.id);
    if (epoch === this.#epoch) this.#callers.set(presented, caller);
    return this.#admit(caller, address, now);
  }

  /**
   * Any of the keys that arrive together may be wrong, so as many are looked up at once as may still
   * be wrong in this minute. Past the limit it is a few: the address may have valid ones too.
   */
  async #inTurn<T>(
    address: string,
    now: Instant,
    isGone: () => boolean,
    lookUp: () => Promise<T>,
  ): Promise<T> {
    const atOnce = () => Math.max(LOOK_UPS_PAST_LIMIT, this.#badKeys.left(address, now));
    const waited = await this.#turns.begin(address, atOnce);
    if (waited === undefined) {
      throw this.#badKeys.refusal(address, now) ?? new ApiError('service_unavailable', TOO_MANY);
    }
    try {
      if (waited && isGone()) throw new ApiError('invalid_request', LEFT);
      return await lookUp();
    } finally {
      this.#turns.end(address, atOnce);
    }
  }

  #holderOf(digest: string): Promise<KeyHolder | undefined> {
    const begun = this.#lookUps.get(digest);
    if (begun !== undefined) return begun;
    const lookUp = this.#parts.store.findKeyHolder(digest).finally(() => {
      if (this.#lookUps.get(digest) === lookUp) this.#lookUps.delete(digest);
    });
    this.#lookUps.set(digest, lookUp);
    return lookUp;
  }

  #admit(caller: Caller, address: () => string, now: Instant): Caller {
    if (!isLive(caller.key, now)) throw this.refuse(address(), now);
    return caller;
  }

  /**
   * Counts a wrong key or admin token from the address.
   * @returns the error to answer.
   */
  refuse(address: string, now: Instant, options: Pick<ErrorOptions, 'message'> = {}): ApiError {
    const refusal = this.#badKeys.count(address, now);
    if (refusal !== undefined) return refusal;
    this.#parts.onBadKey?.(address);
    return new ApiError('invalid_api_key', options);
  }

  /**
   * Protects the admin token: no token is compared while the address has sent too many wrong ones.
   * @throws ApiError `rate_limit_exceeded` while the address is at its limit.
   */
  requireFewBadKeys(address: string, now: Instant): void {
    const refusal = this.#badKeys.refusal(address, now);
    if (refusal !== undefined) throw refusal;
  }

  /** Counts a wrong key that another process refused. */
  countBadKeyOfPeer(address: string, now: Instant): void {
    this.#badKeys.count(address, now);
  }
}

/**
 * Separate from `authenticate`, so that the refusal can name the caller's quota.
 * @throws ApiError `account_suspended`.
 */
export function requireActive({ account }: Caller): void {
  if (account.status === 'suspended') throw new ApiError('account_suspended');
}

/** @throws ApiError `origin_not_allowed` for an origin that may not use the publishable key. */
export function requireOrigin({ key: { grant } }: Caller, request: RequestOrigin): void {
  if (grant.kind !== 'publishable' || admitsOrigin(grant, request)) return;
  throw new ApiError('origin_not_allowed');
}

/** @throws ApiError `scope_missing`, with the scope. */
export function requireScope({ key: { grant } }: Caller, scope: Scope): void {
  if (hasScope(grant, scope)) return;
  throw new ApiError('scope_missing', {
    message: sentence(
      `This key lacks the scope ${scope}.`,
      `A esta clave le falta el permiso ${scope}.`,
    ),
    details: { scope },
  });
}

/** @throws ApiError `key_in_grace` for a key that was rotated. */
export function requireNoGrace({ key }: Caller): void {
  if (isInGrace(key)) throw new ApiError('key_in_grace');
}

function notInPlan(
  plans: Plans,
  plan: Plan,
  feature: string,
  includes: (plan: Plan) => boolean,
  {
    message = sentence(
      `${plan.name} does not include ${feature}.`,
      `El plan ${plan.name} no incluye ${feature}.`,
    ),
    ...more
  }: { readonly message?: Sentence; readonly max?: number | null } = {},
): ApiError {
  const required_plan = cheapestPlan(plans, includes)?.name ?? null;
  const details = { feature, current_plan: plan.name, required_plan, ...more };
  return new ApiError('feature_not_in_plan', { message, details });
}

/** The error for a key or rule beyond the plan's limit. Null from `limitOf` means no limit. */
export function beyondPlan(
  plans: Plans,
  plan: Plan,
  limit: {
    readonly feature: 'keys' | 'public_keys' | 'markup' | 'webhooks';
    readonly limitOf: (plan: Plan) => number | null;
    readonly message: Sentence;
  },
): ApiError {
  const { feature, limitOf, message } = limit;
  const max = limitOf(plan);
  const isMore = (other: Plan) => (limitOf(other) ?? Infinity) > (max ?? Infinity);
  return notInPlan(plans, plan, feature, isMore, { message, max });
}

export function requireFeature(plans: Plans, plan: Plan, need: PlanNeed): void {
  if (planHas(plan, need)) return;
  const limit = need === 'webhooks' ? { max: 0 } : {};
  throw notInPlan(plans, plan, need, (other) => planHas(other, need), limit);
}

export function requireFormat(plans: Plans, plan: Plan, format: Format): void {
  if (plan.formats.includes(format)) return;
  throw notInPlan(plans, plan, `format_${format}`, (other) => other.formats.includes(format));
}

export function marketInPlan(plans: Plans, plan: Plan, market: Market): boolean {
  return planReaches(plans, plan, market.requiredPlan);
}

export function requireMarket(plans: Plans, plan: Plan, market: Market): void {
  if (marketInPlan(plans, plan, market)) return;
  const includes = (other: Plan) => marketInPlan(plans, other, market);
  throw notInPlan(plans, plan, `market:${market.id}`, includes);
}

import { boundedCache } from '../../app/bounded-cache.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Store } from '../../app/ports/store.ts';
import { ApiError } from '../../domain/errors.ts';
import { isOrigin, PUBLISHABLE_SCOPES } from '../../domain/keys.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { Route } from '../routing/router.ts';
import { RequestLimit } from './request-limit.ts';

/** Preflights from one address in a minute, of each process, for which the store is asked. */
export const PREFLIGHTS_PER_MINUTE = 60;
/** Origins of keys that are remembered; the least used is asked for again. */
export const KNOWN_ORIGINS_MAX = 10_000;
/** A revoked key is refused everywhere within as long. */
const KEPT_MS = 5 * SECOND_MS;

/** Whether a key that pages may have opens anything at the path. */
export function takesPublishableKeys({ methods }: Route): boolean {
  const scopes: readonly string[] = PUBLISHABLE_SCOPES;
  return [...methods.values()].some(({ scope }) => scope !== undefined && scopes.includes(scope));
}

/**
 * Says which pages may send a key at all. A preflight brings no key, so any live publishable key
 * with the origin will do; the request itself is then checked against its own.
 */
export class Preflights {
  readonly #store: Pick<Store, 'isKeyOrigin'>;
  /** When each was last found; those that no key has are asked for each time. */
  readonly #known = boundedCache<{ readonly foundAt: Instant }>(KNOWN_ORIGINS_MAX);
  readonly #limit = new RequestLimit(PREFLIGHTS_PER_MINUTE, 'Too many preflights.');

  constructor(store: Pick<Store, 'isKeyOrigin'>) {
    this.#store = store;
  }

  /** False too while the store does not answer, and for an address that asks too often. */
  async admits(origin: string, address: () => string, now: Instant): Promise<boolean> {
    if (!isOrigin(origin)) return false;
    const known = this.#known.get(origin);
    if (known !== undefined && Math.abs(now - known.foundAt) < KEPT_MS) return true;
    try {
      this.#limit.take(address(), now);
      const admitted = await this.#store.isKeyOrigin(origin, now);
      if (admitted) this.#known.set(origin, { foundAt: now });
      return admitted;
    } catch (error) {
      if (error instanceof ApiError || error instanceof StoreUnavailable) return false;
      throw error;
    }
  }
}

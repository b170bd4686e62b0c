import { boundedCache } from '../../app/bounded-cache.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Store } from '../../app/ports/store.ts';
import { RequestLimit } from '../../app/request-limit.ts';
import { ApiError } from '../../domain/errors.ts';
import { isOrigin } from '../../domain/keys.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';

/** Preflights per minute and address, in each process, for which the store is asked. */
export const PREFLIGHTS_PER_MINUTE = 60;
/** Origins of keys kept in memory; the least recently used goes first. */
export const MAX_KNOWN_ORIGINS = 10_000;
/** Kept as long as a revoked key may still be accepted elsewhere. */
const KEPT_MS = 5 * SECOND_MS;

/**
 * Decides which pages may send a key at all. A preflight carries no key, so one live publishable
 * key with that origin is enough. The request itself is checked against its own key.
 */
export class Preflights {
  readonly #store: Pick<Store, 'isKeyOrigin'>;
  /** When each origin was last found. Origins of no key are looked up every time. */
  readonly #known = boundedCache<{ readonly foundAt: Instant }>(MAX_KNOWN_ORIGINS);
  readonly #limit = new RequestLimit(PREFLIGHTS_PER_MINUTE, {});

  constructor(store: Pick<Store, 'isKeyOrigin'>) {
    this.#store = store;
  }

  /** Also false while the store does not answer, and for an address with too many preflights. */
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

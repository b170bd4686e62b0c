import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { repeat } from '../repeat.ts';

/** How long revoked and expired keys are kept, so that their account can see when they ended. */
export const DEAD_KEYS_KEPT_MS = 30 * DAY_MS;
const DEAD_KEYS_EVERY_MS = HOUR_MS;

/**
 * Removes dead keys now, and regularly while the service runs.
 * @returns a function that ends it, once no removal is in progress.
 */
export function startKeyRetention(
  store: Store,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const remove = async () => {
    const before = clock.now() - DEAD_KEYS_KEPT_MS;
    try {
      while ((await store.forgetDeadKeys(before)) > 0);
    } catch (error) {
      log.warn({ err: error }, 'ended keys could not be deleted');
    }
  };
  const first = remove();
  const stop = repeat(DEAD_KEYS_EVERY_MS, remove);
  return async () => {
    await Promise.all([first, stop()]);
  };
}

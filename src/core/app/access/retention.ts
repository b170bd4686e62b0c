import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { repeat } from '../repeat.ts';

/** How long revoked and expired keys are kept, so that their account can see when they ended. */
export const DEAD_KEYS_KEPT_MS = 30 * DAY_MS;
/** How long the audit log keeps a change: a year, and a month to look at it. */
// limit: Kept: audited changes, ended keys | 400 days, 30 days | removed | DEAD_KEYS_KEPT_MS
export const AUDIT_KEPT_MS = 400 * DAY_MS;
const FORGOTTEN_EVERY_MS = HOUR_MS;

interface Kept {
  readonly what: string;
  readonly keptMs: number;
  /** Removes some from before the instant. @returns how many; 0 at the end. */
  readonly forget: (before: Instant) => Promise<number>;
}

/**
 * Removes dead keys and old changes of the audit log now, and regularly while the service runs.
 * @returns a function that ends it, once no removal is in progress.
 */
export function startRetention(
  store: Pick<Store, 'forgetDeadKeys' | 'forgetAudit'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const kept: readonly Kept[] = [
    { what: 'ended keys', keptMs: DEAD_KEYS_KEPT_MS, forget: (at) => store.forgetDeadKeys(at) },
    { what: 'audited changes', keptMs: AUDIT_KEPT_MS, forget: (at) => store.forgetAudit(at) },
  ];
  const remove = async () => {
    for (const { what, keptMs, forget } of kept) {
      try {
        while ((await forget(clock.now() - keptMs)) > 0);
      } catch (error) {
        log.warn({ err: error, what }, 'what is too old could not be deleted');
      }
    }
  };
  const first = remove();
  const stop = repeat(FORGOTTEN_EVERY_MS, remove);
  return async () => {
    await Promise.all([first, stop()]);
  };
}

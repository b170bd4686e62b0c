import { setTimeout as pause } from 'node:timers/promises';
import { REMEMBERED_MS } from '../domain/judgement/quote-memory.ts';
import type { Plans } from '../domain/plans.ts';
import { addUtcDays, DAY_MS, type Instant, startOfUtcDay, utcDayOf } from '../domain/time.ts';
import type { Lease } from './ports/lease.ts';
import type { Store } from './ports/store.ts';

/** Pause after each thinned part, in which other processes can use the store. */
const PRUNE_PAUSE_MS = 50;
/** Batches are kept longer than captures, because captures of the same reading may be younger. */
const BATCH_MARGIN_MS = DAY_MS;

/** Whatever plans show, captures of this time stay: late readings are judged beside them (contract §8). */
const JUDGED_BY_MS = 2 * REMEMBERED_MS;

/**
 * The first instant from which every capture is kept, because some plan (§4.3, retention) or
 * judgement reads it; undefined when a plan has no limit. Before it, every answer needs only the
 * last capture of each UTC day.
 */
export function rawKeptFrom(plans: Plans, now: Instant): Instant | undefined {
  const days = plans.list.map(({ historyDays }) => historyDays ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(...days);
  if (longest === Number.POSITIVE_INFINITY) return undefined;
  const shown = addUtcDays(utcDayOf(now), -longest);
  return Math.min(startOfUtcDay(shown), startOfUtcDay(utcDayOf(now - JUDGED_BY_MS)));
}

interface PrunedMarket {
  readonly market: string;
  readonly captures: number;
  readonly thinned: number;
}

interface Pruned {
  readonly markets: readonly PrunedMarket[];
  /** Number of deleted batches without records. A dry run does not look for them. */
  readonly batches: number;
}

interface PruneOptions {
  readonly before: Instant;
  readonly dryRun?: boolean;
  readonly lease?: Lease;
  /** Stops between two parts. */
  readonly signal?: AbortSignal;
  /** Called with the milliseconds of a market's past that were processed. */
  readonly onAdvance?: (milliseconds: number) => void;
}

/**
 * Thins the captures before `before` to the last of each UTC day, in the order of daily history,
 * and deletes batches without records. It uses short transactions with pauses, so that others can
 * read and write. Finished parts stay when it ends early.
 * @throws LeaseLost, StoreUnavailable, or the reason of `signal`.
 */
export async function prune(store: Store, options: PruneOptions): Promise<Pruned> {
  const { before, dryRun = false, lease, signal, onAdvance } = options;
  const markets: PrunedMarket[] = [];
  for (const [market, first] of await store.firstCaptures()) {
    let [captures, thinned] = [0, 0];
    let from: Instant | undefined = first < before ? first : undefined;
    while (from !== undefined) {
      signal?.throwIfAborted();
      const place = { market, from, before };
      const part = await store.thinCaptures(place, { dryRun, lease });
      captures += part.captures;
      thinned += part.thinned;
      onAdvance?.((part.next ?? before) - from);
      from = part.next;
      await pause(part.thinned > 0 && !dryRun ? PRUNE_PAUSE_MS : 0);
    }
    if (captures > 0) markets.push({ market, captures, thinned });
  }
  return { markets, batches: dryRun ? 0 : await forgetBatches(store, options) };
}

async function forgetBatches(
  store: Store,
  { before: shownFrom, lease, signal }: PruneOptions,
): Promise<number> {
  const before = shownFrom - BATCH_MARGIN_MS;
  const keep = await store.referencedBatches(shownFrom);
  let forgotten = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    signal?.throwIfAborted();
    const step = await store.forgetBatches({ after, before, keep, lease });
    forgotten += step.forgotten;
    after = step.next;
    await pause(step.forgotten > 0 ? PRUNE_PAUSE_MS : 0);
  }
  return forgotten;
}

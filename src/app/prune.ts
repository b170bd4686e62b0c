import type { Plans } from '../domain/plans.ts';
import { addUtcDays, DAY_MS, type Instant, startOfUtcDay, utcDayOf } from '../domain/time.ts';
import type { Lease } from './ports/lease.ts';
import type { Store } from './ports/store.ts';

/** After each stretch that was thinned the store is left to others for so long. */
const PRUNE_PAUSE_MS = 50;
/** Batches are kept for longer than captures: those of the same reading may be younger. */
const BATCH_MARGIN_MS = DAY_MS;

/**
 * From when on some plan shows every capture (§4.3, retention); undefined when one shows all.
 * Before, the last capture of each UTC day is enough for every answer.
 */
export function rawShownFrom(plans: Plans, now: Instant): Instant | undefined {
  const days = plans.list.map(({ historyDays }) => historyDays ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(...days);
  if (longest === Number.POSITIVE_INFINITY) return undefined;
  return startOfUtcDay(addUtcDays(utcDayOf(now), -longest));
}

/** What became of a market's captures from before. */
export interface PrunedMarket {
  readonly market: string;
  readonly captures: number;
  readonly thinned: number;
}

export interface Pruned {
  readonly markets: readonly PrunedMarket[];
  /** Batches of which nothing was left; a dry run does not look for them. */
  readonly batches: number;
}

export interface PruneOptions {
  readonly before: Instant;
  readonly dryRun?: boolean;
  /** The collectors' lease under which it is done. */
  readonly lease?: Lease;
  /** Ends it between two stretches. */
  readonly signal?: AbortSignal;
  /** Told how many milliseconds of a market's past were gone through. */
  readonly onAdvance?: (milliseconds: number) => void;
}

/**
 * Thins the captures from before `before` to the last of each UTC day, by the order of daily
 * history, and forgets the batches of which nothing is left. It does so in short transactions with
 * pauses in between, so that others read and write meanwhile; what was done stays when it ends early.
 * @throws LeaseLost, StoreUnavailable, or the reason of `signal`.
 */
export async function prune(store: Store, options: PruneOptions): Promise<Pruned> {
  const { before, dryRun = false, lease, signal, onAdvance } = options;
  const under = lease === undefined ? {} : { lease };
  const markets: PrunedMarket[] = [];
  for (const [market, first] of await store.firstCaptures()) {
    let [captures, thinned] = [0, 0];
    let from: Instant | undefined = first < before ? first : undefined;
    while (from !== undefined) {
      signal?.throwIfAborted();
      const place = { market, from, before };
      const stretch = await store.thinCaptures(place, { dryRun, ...under });
      captures += stretch.captures;
      thinned += stretch.thinned;
      onAdvance?.((stretch.next ?? before) - from);
      from = stretch.next;
      await pause(stretch.thinned > 0 && !dryRun ? PRUNE_PAUSE_MS : 0);
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
    const under = lease === undefined ? {} : { lease };
    const step = await store.forgetBatches({ after, before, keep, ...under });
    forgotten += step.forgotten;
    after = step.next;
    await pause(step.forgotten > 0 ? PRUNE_PAUSE_MS : 0);
  }
  return forgotten;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

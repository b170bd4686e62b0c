import type { Instant } from '../../domain/time.ts';
import type { Lease } from './lease.ts';

/** Removes data that no answer needs any more, in short steps. */
export interface PruningStore {
  /** The time of the first capture of each market, by id. */
  firstCaptures(): Promise<ReadonlyMap<string, Instant>>;
  /**
   * Processes a short part of a market's captures in `[from, before)`. Removes each capture that
   * another one of the same UTC day and value date follows; a dry run only counts them.
   * @returns the number of captures seen and removed, and the start of the next part; undefined at
   *   the end.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  thinCaptures(
    place: { readonly market: string; readonly from: Instant; readonly before: Instant },
    options: { readonly dryRun: boolean; readonly lease?: Lease },
  ): Promise<{
    readonly captures: number;
    readonly thinned: number;
    readonly next: Instant | undefined;
  }>;
  /** Batches from before `before` that must be kept: at least those with remaining records. */
  referencedBatches(before: Instant): Promise<ReadonlySet<number>>;
  /**
   * Processes some batches after `after`. Deletes those received before `before` that are not in
   * `keep`, but never the newest batch of a source.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  forgetBatches(stretch: {
    readonly after: number;
    readonly before: Instant;
    readonly keep: ReadonlySet<number>;
    readonly lease?: Lease;
  }): Promise<{ readonly forgotten: number; readonly next: number | undefined }>;
}

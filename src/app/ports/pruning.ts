import type { Instant } from '../../domain/time.ts';
import type { Lease } from './lease.ts';

/** Removes what no answer needs any more, in short stretches. */
export interface PruningStore {
  /** When each market was captured first, by its id. */
  firstCaptures(): Promise<ReadonlyMap<string, Instant>>;
  /**
   * Goes through a short stretch of a market's captures in `[from, before)`. Removes those after
   * which another came on the same UTC day, of the same value date; a dry run counts them.
   * @returns what it met, what of it is gone, and where to go on: undefined at the end.
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
  /** Of the batches received before, at least all of which something is left. */
  referencedBatches(before: Instant): Promise<ReadonlySet<number>>;
  /**
   * Goes through some batches after the one given. Forgets those received before that are not to be
   * kept, but never the newest of a source.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  forgetBatches(stretch: {
    readonly after: number;
    readonly before: Instant;
    readonly keep: ReadonlySet<number>;
    readonly lease?: Lease;
  }): Promise<{ readonly forgotten: number; readonly next: number | undefined }>;
}

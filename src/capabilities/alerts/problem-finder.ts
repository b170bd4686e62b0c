import { withoutStore } from '../../core/app/failures.ts';
import { buildSnapshot } from '../../core/app/snapshot.ts';
import type { ProcessParts } from '../../core/capability.ts';
import { caracasDayOf, type Instant } from '../../core/domain/time.ts';
import { freeBytesIn } from '../../core/storage/sqlite/data-folder.ts';
import { type Problem, problemsOf } from './problems.ts';

// limit: Held records checked | 1,000 | not reported
const MAX_ALERTED_HELD = 1_000;

/** Finds the problems of now. What takes its time from the start of the process counts from this call. */
export function problemFinder({
  config: { dataDir, postgres },
  edition,
  monitor,
  clock,
}: Pick<ProcessParts, 'config' | 'edition' | 'monitor' | 'clock'>): () => Promise<
  readonly Problem[]
> {
  const startedAt = clock.now();
  const stored = async (now: Instant) => {
    const { watch, store, markets, ...rules } = edition();
    const records = await store.currentRecords(caracasDayOf(now));
    return {
      health: await watch.health(),
      held: await store.listHeld('held', MAX_ALERTED_HELD),
      snapshot: buildSnapshot(records, markets, { ...rules, now, startedAt }),
    };
  };
  return async () => {
    const now = clock.now();
    return problemsOf({
      stored: await withoutStore(stored(now), undefined),
      database: monitor.condition,
      freeDiskBytes: postgres === undefined ? freeBytesIn(dataDir) : undefined,
      ...{ startedAt, now },
    });
  };
}

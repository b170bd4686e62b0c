import type { Store } from '../../src/core/app/ports/store.ts';
import { caracasDayOf } from '../../src/core/domain/time.ts';

/** Stores an official dollar of a value date long past, with which quotes can be judged. */
export async function storeOfficialRate(store: Store, mid: number): Promise<void> {
  const effectiveDate = caracasDayOf(0);
  const times = { updatedAt: 0, capturedAt: 0, observedAt: 0 };
  const captures = [{ market: 'reference', mid, effectiveDate, ...times }];
  await store.appendBatch({ source: 'test', receivedAt: 0 }, [{ captures }], () => ({}));
}

import type { Store } from '../ports/store.ts';

/** What taking records in asks of a store. */
export type IngestStore = Pick<
  Store,
  | 'appendBatch'
  | 'bankTablesBefore'
  | 'countingHeld'
  | 'currentRecords'
  | 'findHeld'
  | 'lastCaptureBefore'
  | 'lastPublicationBefore'
  | 'latestCaptures'
  | 'listHeld'
  | 'officialRateUpTo'
  | 'publicationsFor'
  | 'publicationsRead'
  | 'valueDatesSince'
>;

import type { Store } from '../ports/store.ts';

/** The part of the store that ingest uses. */
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

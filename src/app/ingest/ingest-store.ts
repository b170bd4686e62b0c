import type { Store } from '../ports/store.ts';

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

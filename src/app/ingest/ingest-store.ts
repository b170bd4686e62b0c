import type { Store } from '../ports/store.ts';

export type IngestStore = Pick<
  Store,
  | 'appendBatch'
  | 'bankTablesBefore'
  | 'capturesAt'
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

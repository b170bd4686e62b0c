import type { CatalogueRules } from '../../domain/judgement.ts';
import type { Redenominations, StoredRedenominations } from '../../domain/redenomination.ts';
import type { Instant } from '../../domain/time.ts';
import type { CurrentRecords } from '../ports/records.ts';
import type { Store } from '../ports/store.ts';
import type { ReadingOrder } from './quotes/reading-order.ts';

/** What ingestion needs of the store. */
export type IngestStore = Pick<
  Store,
  | 'appendBatch'
  | 'bankTablesBefore'
  | 'countingHeld'
  | 'currentRecords'
  | 'findHeld'
  | 'keepWitnessReading'
  | 'lastPublicationBefore'
  | 'lastQuotesBefore'
  | 'listHeld'
  | 'listPublications'
  | 'officialRateUpTo'
  | 'publicationsFor'
  | 'publicationsRead'
  | 'quotesRead'
  | 'uncheckedPublication'
  | 'valueDatesSince'
  | 'witnessReadings'
>;

/**
 * The lowest and highest plausible rate of a market, both inclusive: `between` of the source.
 * Undefined where the source sets none.
 */
export type Between = (market: string) => readonly [number, number] | undefined;

/** Returns the origin of a source's figures of a subject. */
export type Origins = (source: string, subject: string) => string;

/** The rules that the records of a batch are judged by, and where they come from. */
export interface BatchContext extends CatalogueRules {
  readonly redenominations: StoredRedenominations;
  readonly reforms: Pick<Redenominations, 'rebased'>;
  readonly store: IngestStore;
  readonly originOf: Origins;
  readonly now: Instant;
  /** The current records when the batch began. */
  readonly current: CurrentRecords;
  /** The order of their quotes, also after the clock was set back. */
  readonly order: ReadingOrder;
  /** `now`, or just after the last batch, so that captures keep their order. */
  readonly receivedAt: Instant;
  /** Whether the records come from a page read now, not from an archive or the operator. */
  readonly isPage: boolean;
  /** Whether the records come from an archive, which has each value date once. */
  readonly isArchive: boolean;
  /** The range of the source being read; undefined for pushed records. */
  readonly between: Between | undefined;
}

import type { PublicationRules } from '../../domain/judgement/value-dates.ts';
import type { StoredRedenominations } from '../../domain/redenomination.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { IngestStore, KnownRecords } from '../ports/ingest-store.ts';
import type { ReadingOrder } from './quotes/reading-order.ts';
import type { Candidate, Surroundings } from './record-entry.ts';

/**
 * The lowest and highest plausible rate of a market, both inclusive: `between` of the source.
 * Undefined where the source sets none.
 */
export type Between = (market: string) => readonly [number, number] | undefined;

/** Returns the origin of a source's figures of a subject. */
export type Origins = (source: string, subject: string) => string;

/** The rules that the records of a batch are judged by, and where they come from. */
export interface BatchContext extends PublicationRules, Surroundings {
  readonly redenominations: StoredRedenominations;
  readonly store: IngestStore;
  readonly originOf: Origins;
  /** The current records when the batch began. */
  readonly current: KnownRecords;
  /** The order of their quotes, also after the clock was set back. */
  readonly order: ReadingOrder;
  /** The range of the source being read; undefined for pushed records. */
  readonly between: Between | undefined;
  /** Parses a held record; undefined when its market is gone. */
  candidateOf(held: HeldRecord): Candidate | undefined;
}

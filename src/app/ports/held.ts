import type { Publication } from '../../domain/bcv.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { Provenance } from './provenance.ts';
import type { SourceRecord } from './sources.ts';

/** `withdrawn`: a later publication corrected its date. */
export type HeldStatus = 'held' | 'released' | 'rejected' | 'withdrawn';

/** A record that judgement does not let pass. */
export interface Suspect {
  /** The id of a market, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  /** With its `captured_at`. */
  readonly record: SourceRecord;
  readonly capturedAt: Instant;
  /** Why, in one word and in words. */
  readonly reason: string;
  readonly message: string;
  /** Whether it still counts towards a confirmation; see `confirmedBy`. */
  readonly counts: boolean;
}

export interface HeldRecord extends Suspect {
  readonly id: string;
  readonly source: string;
  readonly provenance?: Provenance;
  readonly heldAt: Instant;
  readonly status: HeldStatus;
}

/** What a batch does besides storing its entries. */
export interface Settlement {
  readonly hold: readonly Suspect[];
  /** Held records, by id, that the batch stores after all. */
  readonly release: readonly string[];
  /** Held records, by id, that a good reading of their source has followed. */
  readonly discount: readonly string[];
  /** Held records, by id, of which the batch has a correction. */
  readonly withdraw?: readonly string[];
  /** Stored publications that the batch corrects or replaces. */
  readonly supersede?: readonly SupersededPublication[];
}

/**
 * What becomes of stored publications of a value date. `withdrawn`: those with these figures stood
 * under a wrong date, so their rates leave the official rates and the history. `replaced`: those
 * with other figures stay as what was published before; their rates leave the history as far as they
 * never took effect.
 */
export interface SupersededPublication {
  readonly valueDate: CaracasDay;
  readonly rates: Publication['rates'];
  readonly state: 'withdrawn' | 'replaced';
}

/** The records that judgement held. */
export interface HeldStore {
  /** Held records, newest first, at most `limit`. */
  listHeld(status: HeldStatus, limit: number): Promise<readonly HeldRecord[]>;
  /** Those that still count towards a confirmation, oldest first, of each subject and source. */
  countingHeld(): Promise<readonly HeldRecord[]>;
  findHeld(id: string): Promise<HeldRecord | undefined>;
  /** How many records of each source are held. */
  countHeld(): Promise<ReadonlyMap<string, number>>;
  /** @returns false when it is not held (any more). */
  rejectHeld(id: string): Promise<boolean>;
}

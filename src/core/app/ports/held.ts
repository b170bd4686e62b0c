import type { SupersededPublication } from '../../domain/judgement/value-dates.ts';
import type { Instant } from '../../domain/time.ts';
import type { Provenance } from './provenance.ts';
import type { QuoteCheckpoint, StoredMemory, UnpublishedQuote } from './quotes.ts';
import type { SourceRecord } from './sources.ts';

/** `withdrawn`: a later publication corrected its date. `insisted` is found in older databases: released. */
type HeldStatus = 'held' | 'released' | 'insisted' | 'rejected' | 'withdrawn';

export interface Suspect {
  /** The id of a market, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  /** With its `captured_at`. */
  readonly record: SourceRecord;
  readonly capturedAt: Instant;
  /** Why it is held: a code, and a message for people. */
  readonly reason: string;
  readonly message: string;
  /** The codes of all its doubts, the gravest first: `reason` is one of them. */
  readonly reasons?: readonly string[];
  /** Whether it still counts towards a confirmation; see `confirmedBy`. */
  readonly counts: boolean;
  /** Its source; without one, that of the batch. */
  readonly source?: string;
}

export interface HeldRecord extends Suspect {
  readonly id: string;
  readonly source: string;
  readonly provenance?: Provenance;
  readonly heldAt: Instant;
  readonly status: HeldStatus;
}

/** What becomes of a held record. */
export interface SettledRecord extends Partial<Pick<Suspect, 'reason' | 'message' | 'reasons'>> {
  readonly id: string;
  /** `released`: its figures are published. Without a status it stays held. */
  readonly status?: 'released' | 'withdrawn';
  /** Without it, it counts no longer: an accepted reading of its origin followed. */
  readonly counts?: boolean;
}

/** The changes that a batch makes besides storing its entries. */
export interface Settlement {
  readonly hold?: readonly Suspect[];
  /** Held records that are so no longer, or that other readings put in another light. */
  readonly settle?: readonly SettledRecord[];
  /** Stored publications that the batch corrects or replaces. */
  readonly supersede?: readonly SupersededPublication[];
  /** Published quotes that are so no longer. */
  readonly unpublish?: readonly UnpublishedQuote[];
  /** What is remembered of the markets of the batch. */
  readonly memories?: readonly StoredMemory[];
  /** A time, both ends inclusive, of which readings came: its checkpoints are no longer true. */
  readonly outdated?: readonly [from: Instant, to: Instant];
  /** New ones, oldest first. */
  readonly checkpoints?: readonly QuoteCheckpoint[];
}

export interface HeldStore {
  /** Held records, newest first, at most `limit`. */
  listHeld(status: HeldStatus, limit: number): Promise<readonly HeldRecord[]>;
  /** The held records that still count towards a confirmation, oldest first. */
  countingHeld(): Promise<readonly HeldRecord[]>;
  findHeld(id: string): Promise<HeldRecord | undefined>;
  countHeld(): Promise<ReadonlyMap<string, number>>;
  /** @returns false when it is not or no longer held. */
  rejectHeld(id: string): Promise<boolean>;
}

import type { QuoteReading, QuotesState } from '../../../domain/judgement/quote-memory.ts';
import type { Instant } from '../../../domain/time.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { StoredQuote } from '../../ports/quotes.ts';
import type { Candidate } from '../record-entry.ts';

/** Most moments that are kept in memory. Readings of before them are read from the store. */
// limit: Moments kept to judge again | 500 | read from the database
const MAX_RECENT_MOMENTS = 500;

/** A held record, with what it says. */
export interface HeldCandidate {
  readonly held: HeldRecord;
  readonly candidate: Candidate;
}

/** What a reading is in the store. */
export type StoredReading =
  | { readonly quote: StoredQuote; readonly held?: undefined }
  | (HeldCandidate & { readonly quote?: undefined });

/** The readings of one moment, and what was known before them. */
export interface Moment {
  readonly at: Instant;
  readonly before: QuotesState;
  readonly readings: readonly QuoteReading[];
}

/**
 * The last readings that this process judged. Several sources are read at nearly the same time, so a
 * reading often comes just after a later one: then those few are judged again from memory.
 */
export class RecentQuotes {
  readonly stored = new WeakMap<QuoteReading, StoredReading>();
  #moments: readonly Moment[] = [];
  #state: QuotesState | undefined;
  #judged: number | undefined;

  /** What is known now, if nobody else has changed what judgement is made from. */
  stateOf(judged: number): QuotesState | undefined {
    return judged === this.#judged ? this.#state : undefined;
  }

  /** The moments from `from` on, and what was known before them; undefined when not all are here. */
  since(from: Instant): Moment | undefined {
    const state = this.#state;
    const later = this.#moments.filter(({ at }) => at >= from);
    const before = later[0]?.before ?? state;
    if (before === undefined || before.at >= from) return undefined;
    return { at: from, before, readings: later.flatMap(({ readings }) => readings) };
  }

  /**
   * Takes the last moments, and what is known after them.
   * @param judged The version of what judgement is made from.
   */
  keep(moments: readonly Moment[], state: QuotesState, judged: number): void {
    const from = moments[0]?.at ?? Number.POSITIVE_INFINITY;
    const earlier = this.#moments.filter(({ at }) => at < from);
    this.#moments = [...earlier, ...moments].slice(-MAX_RECENT_MOMENTS);
    this.#state = state;
    this.#judged = judged;
  }

  forget(): void {
    this.#moments = [];
    this.#state = undefined;
  }
}

import type { MarketMemory } from '../../domain/judgement/quote-memory.ts';
import type { KnownRate } from '../../domain/judgement/value-dates.ts';
import type { Instant } from '../../domain/time.ts';

/** A stored quote, with the market by id and both the source's time and the time of the capture. */
export interface StoredQuote extends KnownRate {
  /** For a current quote without value dates: the source of its batch. */
  readonly source?: string;
}

/** What is remembered of a market without value dates, but its held readings, which are records. */
export type StoredMemory = Omit<MarketMemory, 'market' | 'held' | 'shown'> & {
  readonly market: string;
  /** Its figures are in the unit of the day of this instant. */
  readonly at: Instant;
};

/** What judgement knew of the markets without value dates after all that was read up to an instant. */
export interface QuoteCheckpoint {
  readonly at: Instant;
  /** Text of `checkpointsOf`. */
  readonly markets: string;
}

/** A stored quote of a market without value dates. */
export interface QuoteCapture {
  readonly quote: StoredQuote;
  readonly source: string;
  /** Whether an operator has checked it. */
  readonly isTrusted: boolean;
}

/**
 * A published quote that other readings put in another light. It is in doubt now, and `is` takes its
 * place (undefined without one); or it was read at `readAt`, and counts from another
 * instant, `placedAt`, or has another time.
 */
export type UnpublishedQuote = { readonly quote: StoredQuote } & (
  | { readonly is: number | undefined; readonly placedAt?: undefined }
  | { readonly placedAt: Instant; readonly readAt: Instant; readonly updatedAt: Instant }
);

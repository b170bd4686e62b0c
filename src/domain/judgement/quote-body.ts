import type { Thresholds } from '../judgement.ts';
import type { Market } from '../markets.ts';
import type { CaracasDay, Instant } from '../time.ts';
import type { HeldDoubt, PastFigure, QuoteReading } from './quote-memory.ts';
import type { UnitRules } from './quote-units.ts';

/** All that was read at one moment, each market once. Its quotes are judged together. */
export interface QuoteBody {
  readonly at: Instant;
  readonly readings: readonly QuoteReading[];
}

/** What readings of markets without value dates are judged by, besides each other. */
export interface QuoteRules extends UnitRules {
  readonly thresholds: Thresholds;
  /** The official rate in force on a day, in the unit of that day; before the first one, the first. */
  officialOn(market: Market, day: CaracasDay): number | undefined;
}

/** What became of a reading. The last change of a reading counts. */
export interface QuoteChange {
  readonly reading: QuoteReading;
  /** `passed_over`: neither stored nor held. */
  readonly status: 'published' | 'held' | 'passed_over';
  /** The time of its figures; the same content read again keeps the time of its first reading. */
  readonly updatedAt: Instant;
  /** Published as history, from this instant: its source dates it before the current quote. */
  readonly placedAt?: Instant;
  /** The current quote that it corrects by returning to the one before. */
  readonly restoredFrom?: PastFigure;
  /** Why it is held or passed over, hardest to overcome first. */
  readonly doubts?: readonly HeldDoubt[];
  /** Whether a held reading no longer counts towards a confirmation. */
  readonly isEnded?: true;
}

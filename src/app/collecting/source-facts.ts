import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import type { SourceDay } from '../../domain/source-health.ts';
import { type CaracasDay, type Instant, MINUTE_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { CurrentRecords, StandingQuote } from '../ports/records.ts';
import type { Source } from '../ports/sources.ts';
import type { StuckVenue } from './stuck-venues.ts';

/** What the health of sources is judged by. */

/** A turn that is late by more than this, longer than any reading takes, does not come. */
export const OVERDUE_AFTER_MS = 6 * MINUTE_MS;

/** A source reports a market as missing after this long without a quote of it. */
export const MISSING_AFTER_MS = 30 * MINUTE_MS;

/** Days that the history of a source shows, today included, and that are kept of it. */
export const HEALTH_DAYS = 90;

/** Days, today included, of which a value date without a rate is told. */
export const VALUE_DATE_DAYS = 30;

/** Most held records that are told of one by one; the others are counted. */
export const MAX_SHOWN_HELD = 20;

/** What the store knows of the sources. */
export interface KnownOfSources {
  readonly states: readonly SourceState[];
  readonly records: Pick<CurrentRecords, 'fetchedAt' | 'quotes'>;
  /** How many records of each source are held. */
  readonly held: ReadonlyMap<string, number>;
  /** The newest of them, at most `MAX_SHOWN_HELD`. */
  readonly heldRecords: readonly Pick<HeldRecord, 'subject' | 'source' | 'reason' | 'heldAt'>[];
  /** When records were last pushed. */
  readonly pushedAt: Instant | undefined;
  /** Quotes that were pushed. */
  readonly pushed: readonly StandingQuote[];
  /** From `firstDayOf` on. */
  readonly days: readonly SourceDay[];
  /** Stored value dates of the official dollar, from `firstValueDateOf` on. */
  readonly valueDates: readonly CaracasDay[];
  /** Venues whose figures only flicker while the others move. */
  readonly stuck: readonly StuckVenue[];
}

export interface HealthRules {
  readonly markets: Markets;
  readonly calendar: BankCalendar;
  readonly thresholds: Thresholds;
}

/** A source with all that its health is judged by. */
export interface SourceFacts {
  readonly source: Source;
  readonly state: SourceState | undefined;
  /** False while the source that this one stands in for is well, or not needed either. */
  readonly needed: boolean;
  readonly known: KnownOfSources;
  readonly rules: HealthRules;
  readonly now: Instant;
}

/** Of its markets, those that it has not brought for `MISSING_AFTER_MS`, by id. */
export function missingMarketsOf({ source, state, now }: SourceFacts): readonly string[] {
  const { missing = {} } = state ?? {};
  if (!source.enabled || state?.failure !== undefined) return [];
  return source.markets.filter((market) => {
    const since = Object.hasOwn(missing, market) ? missing[market] : undefined;
    return since !== undefined && now - since >= MISSING_AFTER_MS;
  });
}

/** Whether it is read by its schedule, not only when it is needed. */
export function hasOwnTurns({ enabled, fallbackFor, schedule }: Source): boolean {
  return enabled && fallbackFor === undefined && schedule.length > 0;
}

/** Whether its turn has passed, and no process read it. */
export function isOverdue({ nextRunAt }: SourceState, now: Instant): boolean {
  return nextRunAt !== undefined && now > nextRunAt + OVERDUE_AFTER_MS;
}

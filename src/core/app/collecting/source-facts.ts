import type { CatalogueRules } from '../../domain/judgement.ts';
import type { SourceDay } from '../../domain/source-health.ts';
import { type CaracasDay, type Instant, MINUTE_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { CurrentRecords, StandingQuote } from '../ports/records.ts';
import type { Source } from '../ports/sources.ts';
import type { StuckVenue } from './stuck-venues.ts';

/** The facts that determine the health of sources. */

/** A turn that is later than this counts as missed. It is longer than any reading. */
export const OVERDUE_AFTER_MS = 6 * MINUTE_MS;

/** A source reports a market as missing after this long without a quote of it. */
export const MISSING_AFTER_MS = 30 * MINUTE_MS;

/** Days of history of a source that are kept and reported, including today. */
// limit: Days of reading results kept | 90 | deleted
export const HEALTH_DAYS = 90;

/** Days, including today, in which a business day without a rate is reported. */
// limit: Days of missing value dates in `/v1/status` | 30 | not listed
export const VALUE_DATE_DAYS = 30;

/** Most held records listed one by one. The others are only counted. */
// limit: Held records on `/status` | 20 | counted
export const MAX_SHOWN_HELD = 20;

/** What the store knows of the sources. */
export interface KnownOfSources {
  /** The end of the last lease to collect, past or future; 0 when none was ever taken. */
  readonly leaseEnd: Instant;
  readonly states: readonly SourceState[];
  readonly records: Pick<CurrentRecords, 'fetchedAt' | 'quotes'>;
  readonly held: ReadonlyMap<string, number>;
  /** The newest held records, at most `MAX_SHOWN_HELD`. */
  readonly heldRecords: readonly Pick<HeldRecord, 'subject' | 'source' | 'reason' | 'heldAt'>[];
  readonly pushedAt: Instant | undefined;
  readonly pushed: readonly StandingQuote[];
  /** Daily counts since `firstDayOf`. */
  readonly days: readonly SourceDay[];
  /** Stored value dates of the official USD rate since `firstValueDateOf`. */
  readonly valueDates: readonly CaracasDay[];
  /** Venues whose figures stayed steady while most others moved. */
  readonly stuck: readonly StuckVenue[];
}

/** A source with everything that determines its health. */
export interface SourceFacts {
  readonly source: Source;
  readonly state: SourceState | undefined;
  /**
   * The state that holds the next turn of this source. A fallback uses the state of the first source
   * in its chain. Undefined for a source that only a command reads.
   */
  readonly scheduledState: SourceState | undefined;
  /** False for a fallback whose source works, or whose source is itself an unneeded fallback. */
  readonly needed: boolean;
  readonly known: KnownOfSources;
  readonly rules: CatalogueRules;
  readonly now: Instant;
}

/** Ids of its markets without a quote for `MISSING_AFTER_MS`. */
export function missingMarketsOf({ source, state, now }: SourceFacts): readonly string[] {
  const { missing = {} } = state ?? {};
  if (!source.enabled || state?.failure !== undefined) return [];
  return source.markets.filter((market) => {
    const since = Object.hasOwn(missing, market) ? missing[market] : undefined;
    return since !== undefined && now - since >= MISSING_AFTER_MS;
  });
}

/** Whether it is read on its own schedule, not only as a fallback. */
export function hasOwnTurns({ enabled, fallbackFor, schedule }: Source): boolean {
  return enabled && fallbackFor === undefined && schedule.length > 0;
}

/** Whether its turn has passed without a reading. */
export function isOverdue({ nextRunAt }: SourceState, now: Instant): boolean {
  return nextRunAt !== undefined && now > nextRunAt + OVERDUE_AFTER_MS;
}

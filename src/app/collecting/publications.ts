import type { Thresholds } from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import { addCaracasDays, type CaracasDay, caracasDayOf, type Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import { expectsPublications } from './schedule.ts';
import {
  type HealthRules,
  type KnownOfSources,
  type SourceFacts,
  VALUE_DATE_DAYS,
} from './source-facts.ts';

/** Which publications of the central bank are stored, and which should be. */

export interface MissedPublications {
  readonly count: number;
  /** When the first of them should have been there. */
  readonly since: Instant;
}

/**
 * The newest official value date among the quotes that can be of a publication so far; undefined
 * when there is none. One that is further ahead than is believed without doubt is not: published
 * after all, it would make the wait for the next publication last until then.
 */
export function newestValueDate(
  quotes: readonly StoredQuote[],
  { valueDateDaysAhead }: Thresholds,
  now: Instant,
): CaracasDay | undefined {
  const last = addCaracasDays(caracasDayOf(now), valueDateDaysAhead);
  return quotes
    .filter(({ market }) => market === OFFICIAL_USD)
    .flatMap(({ effectiveDate }) => effectiveDate ?? [])
    .filter((date) => date <= last)
    .sort()
    .at(-1);
}

/** A publication of the central bank that has not come yet. */
export interface ExpectedPublication {
  readonly valueDate: CaracasDay;
  /** When it should be there at the latest; past when it is late. */
  readonly by: Instant;
}

/** The publication after the newest one that is stored; undefined while none is stored. */
export function nextPublicationAt(
  now: Instant,
  { records }: KnownOfSources,
  { calendar, thresholds }: HealthRules,
): ExpectedPublication | undefined {
  const newest = newestValueDate(records.quotes, thresholds, now);
  if (newest === undefined) return undefined;
  const valueDate = calendar.nextValueDate(newest);
  return { valueDate, by: calendar.publishedBy(valueDate) };
}

/** The publications that are missing, whichever source should bring them; undefined while none is. */
export function publicationsMissedAt(
  now: Instant,
  { records }: KnownOfSources,
  { calendar, thresholds }: HealthRules,
): MissedPublications | undefined {
  const newest = newestValueDate(records.quotes, thresholds, now);
  if (newest === undefined) return undefined;
  const count = calendar.missedPublications({ newestValueDate: newest, now });
  if (count === 0) return undefined;
  return { count, since: calendar.publishedBy(calendar.nextValueDate(newest)) };
}

/** How many a source that brings publications has missed; undefined for the others. */
export function missedBy({ source, known, rules, now }: SourceFacts): number | undefined {
  if (!source.enabled || !expectsPublications(source)) return undefined;
  const newest = newestValueDate(known.records.quotes, rules.thresholds, now);
  return newest && rules.calendar.missedPublications({ newestValueDate: newest, now });
}

/**
 * The business days up to today that no rate is stored for. Those before the first rate of all do
 * not count: the service may not have been there.
 */
export function valueDatesMissing({ known, rules, now }: SourceFacts): readonly CaracasDay[] {
  const stored = new Set(known.valueDates);
  const [first] = known.valueDates;
  if (first === undefined) return [];
  const today = caracasDayOf(now);
  const days = Array.from({ length: VALUE_DATE_DAYS }, (_, ago) => addCaracasDays(today, -ago));
  return days
    .filter((day) => day > first && rules.calendar.isBusinessDay(day) && !stored.has(day))
    .reverse();
}

import type { CatalogueRules, Thresholds } from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import { addCaracasDays, type CaracasDay, caracasDayOf, type Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { Source } from '../ports/sources.ts';
import { expectsPublications } from './schedule.ts';
import { type KnownOfSources, type SourceFacts, VALUE_DATE_DAYS } from './source-facts.ts';

/** The publications of the central bank that are due and not stored. */

export interface MissedPublications {
  readonly count: number;
  readonly since: Instant;
}

/**
 * The newest plausible official value date among the quotes; undefined when there is none. A date
 * too far ahead is ignored, because it would delay the expected next publication until then.
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

/** A publication of the central bank that is not stored yet. */
export interface ExpectedPublication {
  readonly valueDate: CaracasDay;
  /** When it is due. An instant in the past means that it is late. */
  readonly by: Instant;
}

/** The publications after the newest stored one; undefined while none is stored. */
export function publicationsAt(
  now: Instant,
  { records }: KnownOfSources,
  { calendar, thresholds }: CatalogueRules,
): { readonly next: ExpectedPublication; readonly missed: number } | undefined {
  const newest = newestValueDate(records.quotes, thresholds, now);
  if (newest === undefined) return undefined;
  const valueDate = calendar.nextValueDate(newest);
  return {
    next: { valueDate, by: calendar.expected(valueDate).until },
    missed: calendar.missedPublications({ newestValueDate: newest, now }),
  };
}

/** Whether it reads the publications. While no source does, the operator brings them. */
export function readsPublications(source: Source): boolean {
  return source.enabled && expectsPublications(source);
}

/** How many publications a source has missed; undefined for a source without publications. */
export function missedBy({ source, known, rules, now }: SourceFacts): number | undefined {
  if (!readsPublications(source)) return undefined;
  return publicationsAt(now, known, rules)?.missed;
}

/** Recent business days without a stored rate. Days before the first stored rate do not count. */
export function valueDatesMissing({
  known,
  rules,
  now,
}: Pick<SourceFacts, 'known' | 'rules' | 'now'>): readonly CaracasDay[] {
  const stored = new Set(known.valueDates);
  const [first] = known.valueDates;
  if (first === undefined) return [];
  const today = caracasDayOf(now);
  const days = Array.from({ length: VALUE_DATE_DAYS }, (_, ago) => addCaracasDays(today, -ago));
  return days
    .filter((day) => day > first && rules.calendar.isBusinessDay(day) && !stored.has(day))
    .reverse();
}

import { crossOf, isPublishedDaily, OTHER_CURRENCIES, type Publication } from '../bcv.ts';
import type { CorrectionReason } from '../history/corrections.ts';
import { type CatalogueRules, haveSameFigures, type PublicationObservation } from '../judgement.ts';
import { officialNameOf } from '../markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  SECOND_MS,
  startOfCaracasDay,
} from '../time.ts';
import {
  areNear,
  besideIn,
  CURRENCIES_OF_IDENTITY,
  type DatedRates,
  type PageContext,
} from './page-judgement.ts';
import {
  figuresIn,
  inUnitOf,
  type KnownRate,
  type OfficialEntry,
  type PublicationRules,
  publicationsFor,
  rateAfter,
  rateOn,
  ratesUpTo,
  rateUpTo,
  returnOf,
  type SupersededPublication,
  type ValueDates,
} from './value-dates.ts';

export type PublicationContext = ReturnType<typeof contextOf>;

/**
 * What a publication, or an official rate that came as a quote, is compared with, of what is known of
 * its value date and of those around it.
 */
export function contextOf(
  publication: PublicationObservation,
  capturedAt: Instant,
  dates: ValueDates,
  rules: PublicationRules,
) {
  const { rates, valueDate } = publication;
  const names = Object.keys(rates);
  const known = (span: { readonly from?: CaracasDay; readonly to: CaracasDay }) =>
    ratesUpTo(names, { ...span, unit: valueDate }, dates, rules);
  const before = known({ to: addCaracasDays(valueDate, -1) });
  const near = [...before].filter(([, { date }]) => areNear({ from: date, to: valueDate }));
  const next = nextFigures(names, valueDate, dates, rules);
  const readOn = caracasDayOf(capturedAt);
  return {
    /** The last rate of each currency up to the value date, that date included. */
    last: { ...next, ...figuresIn(known({ to: valueDate })) },
    /** The rates stored for the value date, and the last ones before it with their value dates. */
    stored: figuresIn(known({ from: valueDate, to: valueDate })),
    before: figuresIn(before),
    beforeOn: Object.fromEntries([...before].map(([name, { date }]) => [name, date])),
    lastCurrencies: Object.keys(lastRead(dates, capturedAt)?.rates ?? {}).filter(isPublishedDaily),
    crosses: crossesOf(publication, dates, rules),
    readOn,
    today: caracasDayOf(rules.receivedAt),
    nextValueDate: rules.calendar.nextValueDate(readOn),
    closing: rules.calendar.closingOn(valueDate),
    /** Set for a page that is read now. An operator and an archive may bring past publications. */
    page: rules.isPage ? pageContextOf({ valueDate, rates, capturedAt }, dates, rules) : undefined,
    /** Whether it comes from an archive, where other value dates take the place of repeated readings. */
    isOfArchive: rules.isArchive,
    /** What is beside it in an archive. */
    neighbours: rules.isArchive
      ? {
          before: figuresIn(new Map(near)),
          after: next,
          ...besideIn(dates.archive?.publications ?? [], valueDate),
        }
      : undefined,
    /** What makes the whole archive doubtful. */
    repetition: dates.archive?.repetition,
  };
}

/**
 * The first rate of each currency shortly after a value date. A late publication without an
 * earlier rate is compared with these. Otherwise any figure would pass.
 */
function nextFigures(
  names: readonly string[],
  from: CaracasDay,
  dates: ValueDates,
  rules: PublicationRules,
): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const next = rateAfter(dates, officialNameOf(name), from);
      return next !== undefined && areNear({ from, to: next.date })
        ? [[name, inUnitOf(from, next, rules).mid]]
        : [];
    }),
  );
}

/** The publication that was read last at an instant; without one, the last of the batch. */
function lastRead({ publications }: ValueDates, at: Instant): Publication | undefined {
  const earlier = publications.filter(
    ({ state, capturedAt }) => state !== 'withdrawn' && capturedAt <= at,
  );
  return (
    earlier.toSorted((a, b) => a.capturedAt - b.capturedAt).at(-1) ??
    publications.findLast(({ isOfBatch }) => isOfBatch)
  );
}

/** What a currency costs in dollars. */
export interface Cross {
  readonly name: string;
  readonly value: number;
  /** What it cost on the last value date that has both, and how many business days later this is. */
  readonly known: readonly {
    readonly value: number;
    readonly on: CaracasDay;
    readonly days: number;
  }[];
}

/**
 * What each currency of a publication costs in dollars, and what it cost before. Value dates of an
 * archive may lie months apart, in which only the euro stays near the dollar.
 */
function crossesOf(
  { rates, valueDate }: DatedRates,
  dates: ValueDates,
  rules: PublicationRules,
): readonly Cross[] {
  const names = rules.isArchive ? (['EUR'] as const) : OTHER_CURRENCIES;
  return names.flatMap((name) => {
    if (rates.USD === undefined && rates[name] === undefined) return [];
    const stored = ratesUpTo(['USD', name], { from: valueDate, to: valueDate }, dates, rules);
    // The record's own rates take precedence over stored ones.
    const value = crossOf({ ...figuresIn(stored), ...rates }, name);
    // A figure that would be replaced is no step on the way to a larger one.
    const known = [valueDate, addCaracasDays(valueDate, -1)].flatMap((to) => {
      const last = lastCross(name, to, dates, rules);
      return last === undefined
        ? []
        : [{ ...last, days: businessDaysTo(valueDate, last.on, rules) }];
    });
    return value === undefined ? [] : [{ name, value, known }];
  });
}

/** A currency over USD on the older of the last value dates of the two. */
function lastCross(name: string, to: CaracasDay, dates: ValueDates, rules: PublicationRules) {
  const last = ratesUpTo(['USD', name], { to }, dates, rules);
  const [on, later] = [...last.values()].map(({ date }) => date).sort();
  if (on === undefined || later === undefined) return undefined;
  const value = crossOf(
    figuresIn(ratesUpTo(['USD', name], { from: on, to: on }, dates, rules)),
    name,
  );
  return value === undefined ? undefined : { value, on };
}

/** Over so many business days a currency may move by any figure. */
// limit: Business days over which a currency may move | 100 | more count as so many
const MAX_BUSINESS_DAYS = 100;

/** How many value dates lie after a day up to another one; at least one. */
function businessDaysTo(to: CaracasDay, from: CaracasDay, { calendar }: PublicationRules): number {
  let days = 0;
  for (let date = from; date < to && days < MAX_BUSINESS_DAYS; days += 1) {
    date = calendar.nextValueDate(date);
  }
  return Math.max(1, days);
}

function pageContextOf(page: Publication, dates: ValueDates, rules: PublicationRules): PageContext {
  const { rates, valueDate, capturedAt } = page;
  const inForce = ratesUpTo(Object.keys(rates), { to: caracasDayOf(capturedAt) }, dates, rules);
  const days = [...inForce.values()].map(({ date }) => date).sort();
  const since = capturedAt - (rules.thresholds.repeatedWithinDays ?? 0) * DAY_MS;
  const recent = publishedBetween(since, capturedAt, dates).filter(
    (earlier) => earlier.valueDate !== valueDate && !corrects(page, earlier, rules),
  );
  return { inForce: days.at(-1), recent };
}

/** The publications with other currencies than USD that were read then and still count. */
function publishedBetween(since: Instant, until: Instant, { publications }: ValueDates) {
  return publications.filter(
    ({ capturedAt, state, rates }) =>
      state === 'published' &&
      capturedAt >= since &&
      capturedAt <= until &&
      OTHER_CURRENCIES.some((currency) => rates[currency] !== undefined),
  );
}

/**
 * Whether `next` corrects the date of `before`: it has the same figures with another date and was
 * read soon after. The corrected date must lie in the future or be a day on which banks are closed,
 * so a rate that rightly took effect is never undone.
 */
export function corrects(
  next: Publication,
  before: Publication,
  { thresholds, calendar }: Pick<CatalogueRules, 'thresholds' | 'calendar'>,
): boolean {
  const later = next.capturedAt - before.capturedAt;
  return (
    next.valueDate !== before.valueDate &&
    later >= 0 &&
    later <= thresholds.correctionWithinSec * SECOND_MS &&
    Object.keys(next.rates).length >= CURRENCIES_OF_IDENTITY &&
    haveSameFigures(next.rates, before.rates) &&
    (before.valueDate > caracasDayOf(next.capturedAt) || !calendar.isBusinessDay(before.valueDate))
  );
}

/**
 * An entry as it is stored, with the instants from which its captures count, and the publications that
 * it replaces or withdraws.
 */
export function published<Entry extends OfficialEntry>(
  entry: Entry,
  dates: ValueDates,
  rules: PublicationRules,
) {
  const { captures, publication } = entry;
  const returned = publication && returnOf(publication, dates);
  // It counts as if it had not been replaced.
  const since =
    returned && Math.max(returned.first.capturedAt, startOfCaracasDay(returned.first.valueDate));
  const timed = captures.map((capture) => ({
    ...withEffectiveTime(capture, dates),
    ...(since !== undefined && { capturedAt: since }),
  }));
  return {
    entry: { ...(returned && { why: 'page_returned' as const }), ...entry, captures: timed },
    superseded:
      publication === undefined ? [] : supersededBy(publication, returned?.wrong, dates, rules),
  };
}

/**
 * Returns a capture with the instant from which it counts in history. For an official rate that is
 * the later of its reading and its effect. A rate read while a newer value date is in force counts
 * from its effect (contract §1), an earlier reading of what is stored from when that counts. A
 * correction never counts before the capture that it corrects.
 */
function withEffectiveTime(capture: KnownRate, dates: ValueDates): KnownRate {
  const { market, effectiveDate, observedAt } = capture;
  if (effectiveDate === undefined || observedAt === undefined) return capture;
  const known = rateOn(dates, market, effectiveDate);
  const isCopy = known?.mid === capture.mid && observedAt < (known.observedAt ?? 0);
  if (isCopy) return { ...capture, capturedAt: known.capturedAt };
  const inForce = rateUpTo(dates, market, caracasDayOf(observedAt));
  const isLate = inForce !== undefined && inForce.date > effectiveDate;
  const counted = isLate ? startOfCaracasDay(effectiveDate) : capture.capturedAt;
  const corrected = (dates.rates.get(market) ?? [])
    .filter(({ date, observedAt: at = 0 }) => date === effectiveDate && at < observedAt)
    .map((earlier) => earlier.capturedAt);
  return { ...capture, capturedAt: Math.max(counted, ...corrected) };
}

/**
 * The publications that a new one replaces or withdraws. If another one for its date was read
 * later, as when the operator releases a record late, that one replaces it.
 * @param wrong The one in whose place it returns.
 */
function supersededBy(
  publication: Publication,
  wrong: Publication | undefined,
  dates: ValueDates,
  rules: PublicationRules,
): readonly SupersededPublication[] {
  const { valueDate, rates, capturedAt } = publication;
  const others = publicationsFor(dates, valueDate).filter(
    (other) => other.state === 'published' && !haveSameFigures(other.rates, rates),
  );
  const since = capturedAt - rules.thresholds.correctionWithinSec * SECOND_MS;
  const corrected = publishedBetween(since, capturedAt, dates).filter((earlier) =>
    corrects(publication, earlier, rules),
  );
  const later = others.findLast((other) => other.capturedAt > capturedAt);
  const withdrawn = ({ valueDate: date, rates: figures }: Publication, why: CorrectionReason) =>
    ({ valueDate: date, rates: figures, state: 'withdrawn', why }) as const;
  const replaced: SupersededPublication =
    wrong === undefined
      ? { valueDate, rates: later?.rates ?? rates, state: 'replaced' }
      : { ...withdrawn(wrong, 'page_returned'), restored: rates };
  return [
    ...(others.length === 0 ? [] : [replaced]),
    ...corrected.map((earlier) => withdrawn(earlier, 'wrong_date')),
  ];
}

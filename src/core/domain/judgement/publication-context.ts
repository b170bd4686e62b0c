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
import { areNear, besideIn, CURRENCIES_OF_IDENTITY, type PageContext } from './page-judgement.ts';
import {
  figuresIn,
  inUnitOf,
  type KnownRate,
  type OfficialEntry,
  type PublicationRules,
  publicationsFor,
  rateAfter,
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
  const known = (span: { readonly from?: CaracasDay; readonly to: CaracasDay }, of = names) =>
    ratesUpTo(of, { ...span, unit: valueDate }, dates, rules);
  const before = known({ to: addCaracasDays(valueDate, -1) });
  const near = [...before].filter(([, { date }]) => areNear({ from: date, to: valueDate }));
  const next = nextFigures(names, valueDate, dates, rules);
  const sameDate = { from: valueDate, to: valueDate };
  const readOn = caracasDayOf(capturedAt);
  return {
    /** The last rate of each currency up to the value date, that date included. */
    last: { ...next, ...figuresIn(known({ to: valueDate })) },
    /** The rates stored for the value date, and the last ones before it with their value dates. */
    stored: figuresIn(known(sameDate)),
    before: figuresIn(before),
    beforeOn: Object.fromEntries([...before].map(([name, { date }]) => [name, date])),
    lastCurrencies: Object.keys(lastRead(dates, capturedAt)?.rates ?? {}).filter(isPublishedDaily),
    /** EUR over USD of the newest value date that has both, and of this one. */
    lastCross: lastCross(valueDate, dates, rules),
    // The record's own rates take precedence over stored ones.
    cross: crossOf({ ...figuresIn(known(sameDate, ['USD', 'EUR'])), ...rates }),
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
  return figuresIn(
    new Map(
      names.flatMap((name) => {
        const next = rateAfter(dates, officialNameOf(name), from);
        return next !== undefined && areNear({ from, to: next.date })
          ? [[name, inUnitOf(from, next, rules)] as const]
          : [];
      }),
    ),
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

/** EUR over USD of the older of the last value dates of the two. */
function lastCross(to: CaracasDay, dates: ValueDates, rules: PublicationRules) {
  const last = (span: { readonly from?: CaracasDay; readonly to: CaracasDay }) =>
    ratesUpTo(['USD', 'EUR'], span, dates, rules);
  const [usd, eur] = ['USD', 'EUR'].map((name) => last({ to }).get(name)?.date);
  if (usd === undefined || eur === undefined) return undefined;
  const on = usd < eur ? usd : eur;
  const pair = usd === eur ? last({ to }) : last({ from: on, to: on });
  const value = crossOf(figuresIn(pair));
  return value === undefined ? undefined : { value, on };
}

function pageContextOf(page: Publication, dates: ValueDates, rules: PublicationRules): PageContext {
  const { rates, valueDate, capturedAt } = page;
  const readOn = caracasDayOf(capturedAt);
  const inForce = [...ratesUpTo(Object.keys(rates), { to: readOn }, dates, rules).values()];
  const days = inForce.map(({ date }) => date).sort();
  const since = capturedAt - (rules.thresholds.repeatedWithinDays ?? 0) * DAY_MS;
  const recent = publishedBetween(since, capturedAt, dates).filter(
    (earlier) => earlier.valueDate !== valueDate && !corrects(page, earlier, rules),
  );
  const cross = lastCross(valueDate, dates, rules);
  const isNext = cross !== undefined && valueDate <= rules.calendar.nextValueDate(cross.on);
  return { inForce: days.at(-1), isNext, recent };
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
  {
    thresholds: { correctionWithinSec },
    calendar,
  }: Pick<CatalogueRules, 'thresholds' | 'calendar'>,
): boolean {
  const later = next.capturedAt - before.capturedAt;
  return (
    next.valueDate !== before.valueDate &&
    later >= 0 &&
    later <= correctionWithinSec * SECOND_MS &&
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
  const timed = captures.map((capture) => {
    const one = withEffectiveTime(capture, dates);
    return { ...one, capturedAt: since ?? one.capturedAt };
  });
  return {
    entry: { ...(returned && { why: 'page_returned' as const }), ...entry, captures: timed },
    superseded:
      publication === undefined ? [] : supersededBy(publication, returned?.wrong, dates, rules),
  };
}

/**
 * Returns a capture with the instant from which it counts in history. For an official rate that is
 * the later of its reading and its effect. A rate read while a newer value date is in force counts
 * from its effect (contract §1). A correction never counts before the capture that it corrects.
 */
function withEffectiveTime(capture: KnownRate, dates: ValueDates): KnownRate {
  const { market, effectiveDate, observedAt } = capture;
  if (effectiveDate === undefined || observedAt === undefined) return capture;
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

import type { BankTable, Publication } from '../bcv.ts';
import type { CorrectionReason } from '../history/corrections.ts';
import { areRoundedFrom, type CatalogueRules, type Doubt, haveSameFigures } from '../judgement.ts';
import { officialNameOf } from '../markets.ts';
import type { StoredRedenominations } from '../redenomination.ts';
import type { CaracasDay, Instant } from '../time.ts';
import { agrees, contradictions, countsUntil, type SourcedWord } from './witness.ts';

/** An official rate with its value date. */
export interface DatedRate {
  readonly date: CaracasDay;
  readonly mid: number;
}

/** An official rate as it is stored, or as a batch publishes it. */
export interface KnownRate {
  readonly market: string;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly updatedAt: Instant;
  readonly capturedAt: Instant;
  /**
   * When it was read. Given for an official rate, which is captured when it takes effect at the
   * earliest, and for a quote without a time of its source, or with one of before the current quote.
   */
  readonly observedAt?: Instant;
  /** Value date of an official rate. */
  readonly effectiveDate?: CaracasDay;
}

/** Whether a batch published it, so that it is not stored yet. */
interface OfBatch {
  readonly isOfBatch?: true;
}

export interface StoredPublication extends Publication {
  readonly state: 'published' | 'replaced' | 'withdrawn';
  /** Whether only repeated readings of its source released it. */
  readonly insisted?: true;
}

/** One of which the operator has said nothing: witnesses may contradict it. */
export interface UncheckedPublication extends StoredPublication {
  readonly source: string;
}

/** What witnesses showed for a value date when they were last read. */
export interface WitnessedDate {
  readonly words: readonly (SourcedWord & { readonly capturedAt: Instant })[];
  /** The publication of that date, if it is one. */
  readonly unchecked: UncheckedPublication | undefined;
}

/**
 * What publications and bank tables are compared with: what is stored for their value dates and
 * around them, and what their batch has published so far. A value: nothing is read while they are judged.
 */
export interface ValueDates {
  /** By market, oldest value date first, the last of a date counts. */
  readonly rates: ReadonlyMap<string, readonly (KnownRate & DatedRate)[]>;
  /** Those of the value dates and those read lately, oldest reading first. */
  readonly publications: readonly (StoredPublication & OfBatch)[];
  readonly witnessed: ReadonlyMap<CaracasDay, WitnessedDate>;
  /** Oldest first. */
  readonly bankTables: readonly (BankTable & OfBatch)[];
  /** The publications of the archive that is judged, and the doubt about all of them. */
  readonly archive?: {
    readonly publications: readonly Publication[];
    readonly repetition: Doubt | undefined;
  };
}

/** What publications are judged by. */
export interface PublicationRules extends CatalogueRules {
  readonly redenominations: Pick<StoredRedenominations, 'rebased'>;
  readonly now: Instant;
  readonly receivedAt: Instant;
  /** Whether the records come from a page read now, not from an archive or the operator. */
  readonly isPage: boolean;
  /** Whether the records come from an archive, which has each value date once. */
  readonly isArchive: boolean;
}

/** What a record would publish. */
export interface OfficialEntry {
  readonly captures: readonly KnownRate[];
  readonly publication?: Publication;
  readonly bankTable?: BankTable;
}

/** What is known once a batch has published these entries too. */
export function withPublished(dates: ValueDates, entries: readonly OfficialEntry[]): ValueDates {
  const rates = new Map(dates.rates);
  for (const capture of entries.flatMap(({ captures }) => captures)) {
    const { market, effectiveDate: date } = capture;
    if (date === undefined) continue;
    const known = rates.get(market) ?? [];
    const place = known.findLastIndex((one) => one.date <= date) + 1;
    rates.set(market, known.toSpliced(place, 0, { ...capture, date }));
  }
  const ofBatch = { isOfBatch: true } as const;
  const publications = entries.flatMap(({ publication }) =>
    publication === undefined ? [] : [{ ...publication, state: 'published' as const, ...ofBatch }],
  );
  const tables = entries.flatMap(({ bankTable }) =>
    bankTable === undefined ? [] : [{ ...bankTable, ...ofBatch }],
  );
  return {
    ...dates,
    rates,
    publications: [...dates.publications, ...publications],
    bankTables: [...dates.bankTables, ...tables],
  };
}

/**
 * A change of known publications of a value date. `withdrawn`: publications with these figures had
 * a wrong date or are refuted by a witness, so their rates are removed from the official rates and
 * the history. `replaced`: publications with other figures stay as a record of what was published;
 * their rates are removed from the history unless they took effect.
 */
export interface SupersededPublication {
  readonly valueDate: CaracasDay;
  readonly rates: Publication['rates'];
  readonly state: 'withdrawn' | 'replaced';
  /** Figures for the same value date that take the place of withdrawn ones. */
  readonly restored?: Publication['rates'];
  /** Why withdrawn figures are no longer true. */
  readonly why?: CorrectionReason;
}

/** What is known once publications are replaced or withdrawn. */
export function withSuperseded(
  dates: ValueDates,
  superseded: readonly SupersededPublication[],
): ValueDates {
  return superseded.reduce(withOneSuperseded, dates);
}

function withOneSuperseded(
  dates: ValueDates,
  { valueDate, rates, state, restored = {} }: SupersededPublication,
): ValueDates {
  const isWithdrawn = state === 'withdrawn';
  const publications = dates.publications.map((one) => {
    const isMeant = one.valueDate === valueDate && one.state === 'published';
    return isMeant && haveSameFigures(one.rates, rates) === isWithdrawn ? { ...one, state } : one;
  });
  if (!isWithdrawn) return { ...dates, publications };
  const left = new Map(dates.rates);
  for (const [name, rate] of Object.entries(rates)) {
    const market = officialNameOf(name);
    const known = left.get(market) ?? [];
    const isRight = ({ date, mid }: DatedRate) =>
      date !== valueDate || mid !== rate || mid === restored[name];
    left.set(market, known.filter(isRight));
  }
  return { ...dates, publications, rates: left };
}

/** The rate of the newest value date up to a day. */
export function rateUpTo({ rates }: ValueDates, market: string, day: CaracasDay) {
  return rates.get(market)?.findLast(({ date }) => date <= day);
}

/** The rate of a value date. */
export function rateOn(dates: ValueDates, market: string, day: CaracasDay) {
  const rate = rateUpTo(dates, market, day);
  return rate?.date === day ? rate : undefined;
}

/** The rate of the first value date after a day. */
export function rateAfter(dates: ValueDates, market: string, day: CaracasDay) {
  const next = dates.rates.get(market)?.find(({ date }) => date > day);
  return next && rateUpTo(dates, market, next.date);
}

/** The rate in force on a day, or else the first one after it, in the unit of that day. */
export function rateAround(
  dates: ValueDates,
  market: string,
  day: CaracasDay,
  rules: Pick<PublicationRules, 'redenominations'>,
): number | undefined {
  const rate = rateUpTo(dates, market, day) ?? rateAfter(dates, market, day);
  return rate && inUnitOf(day, rate, rules).mid;
}

export function inUnitOf(
  to: CaracasDay,
  { date, mid }: DatedRate,
  { redenominations }: Pick<PublicationRules, 'redenominations'>,
): DatedRate {
  return { date, mid: redenominations.rebased(mid, { from: date, to }) };
}

/** The last rate of each currency with a value date in `[from, to]`, in the unit of a day. */
export function ratesUpTo(
  names: readonly string[],
  {
    from = '',
    to,
    unit = to,
  }: { readonly from?: string; readonly to: CaracasDay; readonly unit?: CaracasDay },
  dates: ValueDates,
  rules: PublicationRules,
): ReadonlyMap<string, DatedRate> {
  return new Map(
    names.flatMap((name) => {
      const rate = rateUpTo(dates, officialNameOf(name), to);
      return rate === undefined || rate.date < from
        ? []
        : [[name, inUnitOf(unit, rate, rules)] as const];
    }),
  );
}

export function figuresIn(rates: ReadonlyMap<string, DatedRate>): Record<string, number> {
  return Object.fromEntries([...rates].map(([name, { mid }]) => [name, mid]));
}

/** The publications of a value date, oldest reading first. */
export function publicationsFor({ publications }: ValueDates, valueDate: CaracasDay) {
  return publications.filter((one) => one.valueDate === valueDate);
}

/** What witnesses that were read shortly before `at` show for a value date. */
export function wordsFor(
  { witnessed }: ValueDates,
  valueDate: CaracasDay,
  at: Instant,
  { thresholds }: PublicationRules,
) {
  const { words = [] } = witnessed.get(valueDate) ?? {};
  return words.filter((word) => at <= countsUntil(word, thresholds));
}

/**
 * The first reading of a publication that was published before a page which insisted on other figures,
 * and that page: then the publication may return, however often, and the replacement was wrong.
 */
export function returnOf({ valueDate, rates }: Publication, dates: ValueDates) {
  const sameDate = publicationsFor(dates, valueDate);
  const published = sameDate.filter(({ state }) => state === 'published');
  const isSame = (other: Publication) => haveSameFigures(other.rates, rates);
  const first = sameDate.find(isSame);
  const wrong = published.some(isSame) ? undefined : published.find((other) => other.insisted);
  return first === undefined || wrong === undefined ? undefined : { first, wrong };
}

/** Whether the same figures are known for the same date, whatever was read in between. */
export function isDuplicate(
  { captures: [capture], publication }: OfficialEntry,
  { isTrusted }: { readonly isTrusted: boolean },
  dates: ValueDates,
  rules: PublicationRules,
): boolean {
  if (publication === undefined) return capture !== undefined && isKnownRate(capture, dates);
  const { valueDate, rates } = publication;
  const sameDate = publicationsFor(dates, valueDate);
  const published = sameDate.filter(({ state }) => state === 'published');
  if (rules.isPage && published.some((other) => areRoundedFrom(rates, other.rates))) return true;
  if (!sameDate.some((other) => haveSameFigures(other.rates, rates))) return false;
  if (!isTrusted) return !rules.isPage || !mayReturn(publication, dates, rules);
  // The operator may restore a replaced or withdrawn publication, or vouch for a contradicted one.
  if (isContradicted(publication, dates, rules)) return false;
  const only = { from: valueDate, to: valueDate };
  return haveSameFigures(figuresIn(ratesUpTo(Object.keys(rates), only, dates, rules)), rates);
}

/** Whether figures that are not published now may be again: by their page, or a witness that has them. */
function mayReturn(publication: Publication, dates: ValueDates, rules: PublicationRules): boolean {
  const { valueDate, rates, capturedAt } = publication;
  if (returnOf(publication, dates) !== undefined) return true;
  const published = dates.publications.filter(({ state }) => state === 'published');
  // Witnesses refuted what was published for its date, and no page has corrected that date since.
  const isRefuted = !published.some(
    (one) => one.valueDate === valueDate || haveSameFigures(one.rates, rates),
  );
  const words = wordsFor(dates, valueDate, capturedAt, rules);
  return isRefuted || words.some((word) => agrees(word, rates, rules.thresholds));
}

function isKnownRate(given: KnownRate, dates: ValueDates): boolean {
  const { market, effectiveDate } = given;
  const known = effectiveDate && rateOn(dates, market, effectiveDate);
  if (!known) return false;
  return (['mid', 'ask', 'bid', 'updatedAt'] as const).every((name) => known[name] === given[name]);
}

/** Whether a witness contradicts it now, and neither another one nor the operator spoke for it. */
function isContradicted(given: Publication, dates: ValueDates, rules: PublicationRules) {
  const { valueDate, rates } = given;
  const words = wordsFor(dates, valueDate, rules.now, rules);
  return (
    contradictions(words, rates, rules.thresholds).length > 0 &&
    dates.witnessed.get(valueDate)?.unchecked !== undefined
  );
}

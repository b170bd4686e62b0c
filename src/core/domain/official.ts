import { PUBLISHED_CURRENCIES, type Publication, type PublishedCurrency } from './bcv.ts';
import { divide, multiply, RATE_DECIMALS, round, subtract, toNumber } from './decimal.ts';
import { laterDay, type Redenominations, shownUnits } from './redenomination.ts';
import { type CaracasDay, type Instant, startOfCaracasDay } from './time.ts';

const PERCENT_DECIMALS = 4;

/** An official rate as stored: VES for one unit of the currency, on a value date. */
export interface ObservedRate {
  readonly currency: PublishedCurrency;
  readonly valueDate: CaracasDay;
  readonly rate: number;
}

export interface RateChange {
  /** VES, 8 decimals; negative when the rate fell. */
  readonly amount: number;
  /** Percent of the rate before, 4 decimals. */
  readonly percent: number;
}

export interface OfficialRate {
  readonly rate: number;
  readonly valueDate: CaracasDay;
  /** 00:00 in Caracas of the value date. */
  readonly effectiveAt: Instant;
}

export interface ChangedRate extends OfficialRate {
  /** Compared with the rate before it; absent when that one is not known. */
  readonly change?: RateChange;
}

export interface OfficialRates {
  /** The rate of the newest value date up to the day, inclusive (contract §1). */
  readonly inForce?: ChangedRate;
  readonly previous?: OfficialRate;
  /** The rate of the first value date after the day. */
  readonly next?: ChangedRate;
}

/** Rates by currency, in the order of `PUBLISHED_CURRENCIES`; no entry without rates. */
export type OfficialBoard = ReadonlyMap<PublishedCurrency, OfficialRates>;

/**
 * The rates around `today`, each in the unit of today or of its later value date. Value dates after
 * the next one are ignored.
 * @param observed In any order, at most one for each currency and value date.
 */
export function officialRates(
  observed: readonly ObservedRate[],
  today: CaracasDay,
  reforms: Pick<Redenominations, 'rebased'>,
): OfficialBoard {
  const { inUnitOf, changed } = shownRates(today, reforms);
  const board = new Map<PublishedCurrency, OfficialRates>();
  for (const [currency, known] of byCurrency(observed)) {
    const upToToday = known.filter(({ valueDate }) => valueDate <= today);
    const [inForce, previous] = [upToToday.at(-1), upToToday.at(-2)];
    const next = known[upToToday.length];
    board.set(currency, {
      inForce: inForce && changed(inForce, previous),
      previous: previous && officialRate(inUnitOf(today, previous)),
      next: next && changed(next, inForce),
    });
  }
  return board;
}

/** The same of the rates in force and of all later ones, by currency and value date. */
export function ratesFromNow(
  observed: readonly ObservedRate[],
  today: CaracasDay,
  reforms: Pick<Redenominations, 'rebased'>,
): readonly (ChangedRate & { readonly currency: PublishedCurrency })[] {
  const { changed } = shownRates(today, reforms);
  return [...byCurrency(observed)].flatMap(([currency, known]) => {
    const inForce = known.findLastIndex(({ valueDate }) => valueDate <= today);
    return known.flatMap((one, place) =>
      place < inForce ? [] : [{ currency, ...changed(one, known[place - 1]) }],
    );
  });
}

function* byCurrency(observed: readonly ObservedRate[]) {
  for (const currency of PUBLISHED_CURRENCIES) {
    const known = observed.filter((one) => one.currency === currency).sort(byValueDate);
    if (known.length > 0) yield [currency, known] as const;
  }
}

function shownRates(today: CaracasDay, { rebased }: Pick<Redenominations, 'rebased'>) {
  const inUnitOf = (day: CaracasDay, one: ObservedRate): ObservedRate => {
    const units = shownUnits(one.valueDate, { on: laterDay(day, today) });
    return { ...one, rate: rebased(one.rate, units) };
  };
  const changed = (one: ObservedRate, before: ObservedRate | undefined) =>
    changedRate(inUnitOf(today, one), before && inUnitOf(one.valueDate, before));
  return { inUnitOf, changed };
}

/** Orders rates by value date, those of one date as they are. */
export function byValueDate(
  { valueDate: a }: Pick<ObservedRate, 'valueDate'>,
  { valueDate: b }: Pick<ObservedRate, 'valueDate'>,
): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A held publication: it is not published, whatever its value date. */
export interface DoubtfulPublication extends Publication {
  readonly source: string;
  /** Codes, the gravest first. */
  readonly reasons: readonly string[];
}

/** A rate in doubt: of a held publication, or a published one that a witness contradicts. */
export interface DoubtfulRate extends Omit<OfficialRate, 'effectiveAt'> {
  readonly currency: PublishedCurrency;
  readonly reasons: readonly string[];
  /** The first of the readings in a row of its page that showed it. */
  readonly since: Instant;
}

/**
 * The rates in doubt for value dates that are not in force, by value date and currency, each in the
 * unit of today or of its later value date. Of each value date the last reading counts. A rate that is
 * stored for that date is in no doubt.
 * @param held Newest reading first.
 */
export function doubtfulRates(
  held: readonly DoubtfulPublication[],
  board: OfficialBoard,
  today: CaracasDay,
  { rebased }: Pick<Redenominations, 'rebased'>,
): readonly DoubtfulRate[] {
  const dates = [...new Set(held.map(({ valueDate }) => valueDate))].sort();
  return dates.flatMap((valueDate) => {
    const ofDate = held.filter((one) => one.valueDate === valueDate);
    const [last] = ofDate;
    if (last === undefined) return [];
    const { rates, reasons, source } = last;
    const own = ofDate.filter((one) => one.source === source);
    const end = own.findIndex((one) => !areSameRates(one.rates, rates));
    const first = own.at(end === -1 ? -1 : end - 1) ?? last;
    return PUBLISHED_CURRENCIES.flatMap((currency) => {
      const rate = rates[currency];
      const { inForce, next } = board.get(currency) ?? {};
      const isPast = inForce !== undefined && valueDate <= inForce.valueDate;
      const isStored = next?.valueDate === valueDate && next.rate === rate;
      if (rate === undefined || isPast || isStored) return [];
      const shown = rebased(rate, shownUnits(valueDate, { on: today }));
      return [{ currency, valueDate, rate: shown, reasons, since: first.capturedAt }];
    });
  });
}

function areSameRates(a: Publication['rates'], b: Publication['rates']): boolean {
  return PUBLISHED_CURRENCIES.every((currency) => a[currency] === b[currency]);
}

function officialRate({ rate, valueDate }: ObservedRate): OfficialRate {
  return { rate, valueDate, effectiveAt: startOfCaracasDay(valueDate) };
}

function changedRate(observed: ObservedRate, before: ObservedRate | undefined): ChangedRate {
  const change = before && changeOf(observed.rate, { from: before.rate });
  return { ...officialRate(observed), change };
}

export function changeOf(rate: number, { from }: { readonly from: number }): RateChange {
  const difference = subtract(rate, from);
  return {
    amount: toNumber(round(difference, RATE_DECIMALS)),
    percent: toNumber(divide(multiply(difference, 100), from, PERCENT_DECIMALS)),
  };
}

/** A stored publication as it is shown on a day. */
export function publicationIn<Shown extends Publication>(
  publication: Shown,
  { on }: { readonly on: CaracasDay },
  { rebased }: Pick<Redenominations, 'rebased'>,
): Shown {
  const units = shownUnits(publication.valueDate, { on });
  const rates = Object.entries(publication.rates).map(([currency, rate]) => [
    currency,
    rate && rebased(rate, units),
  ]);
  return { ...publication, rates: Object.fromEntries(rates) };
}

import { crossOf, DOLLAR_DECIMALS, FIRST_DIGITAL_DAY, type Publication } from '../bcv.ts';
import { isAway, isRatioOver } from '../calculations/ratio.ts';
import { compare, decimalPlaces, divide, multiply, subtract, toNumber } from '../decimal.ts';
import {
  type Doubt,
  isRoundedFrom,
  type PublicationObservation,
  type PublishedRates,
  type Thresholds,
} from '../judgement.ts';
import { type CaracasDay, daysBetween } from '../time.ts';

/** The rates of the value dates before and after a publication of an archive, if there are any near. */
export interface Neighbours {
  readonly before: PublishedRates;
  readonly after: PublishedRates;
}

/** Over more days than this, longer than any bank holiday, rates move too far to compare. */
// limit: Days between compared official rates | 7 | not compared
export const MAX_DAYS_BETWEEN_RATES = 7;

export function areNear(days: { readonly from: CaracasDay; readonly to: CaracasDay }): boolean {
  return Math.abs(daysBetween(days)) <= MAX_DAYS_BETWEEN_RATES;
}

export type DatedRates = Pick<Publication, 'valueDate' | 'rates'>;

/** The rates nearest to a value date on each side among the publications of an archive. */
export function besideIn(archived: readonly DatedRates[], date: CaracasDay): Partial<Neighbours> {
  const near = archived
    .filter(({ valueDate }) => areNear({ from: date, to: valueDate }))
    .sort((a, b) => (a.valueDate < b.valueDate ? -1 : 1));
  const before = near.findLast(({ valueDate }) => valueDate < date)?.rates;
  const after = near.find(({ valueDate }) => valueDate > date)?.rates;
  return { ...(before && { before }), ...(after && { after }) };
}

/** What a page of the central bank that is read now is compared with, besides other publications. */
export interface PageContext {
  /** The newest value date in force. A page with an earlier date is doubtful. */
  readonly inForce: CaracasDay | undefined;
  /**
   * Publications of other value dates that were read lately, oldest first, without those whose
   * date this one corrects.
   */
  readonly recent: readonly DatedRates[];
}

/**
 * The doubt about an archive that has the figures of one value date for another one too. Two dates
 * never had the same figures, so rows stand under wrong dates, and nobody can tell which.
 *
 * @param archived Its publications, those whose value dates are stored among them.
 * @param stored What is stored for their value dates and those near them.
 */
export function archiveRepetition(
  archived: readonly DatedRates[],
  stored: readonly DatedRates[],
): Doubt | undefined {
  const known = new Map(stored.flatMap((one) => keysOf(one).map((key) => [key, one])));
  for (const row of archived) {
    for (const key of keysOf(row)) {
      const other = known.get(key) ?? row;
      known.set(key, row);
      if (other.valueDate === row.valueDate || !areSameWhereBoth(row.rates, other.rates)) continue;
      const message = `the archive's ${key} of ${row.valueDate} is the figure of ${other.valueDate}: rows of it stand under wrong dates`;
      return { reason: 'figure_repeated', message };
    }
  }
  return undefined;
}

function keysOf({ rates }: DatedRates): readonly string[] {
  return computedIn(rates).map(([name, rate]) => `${name} ${rate}`);
}

function areSameWhereBoth(a: PublishedRates, b: PublishedRates): boolean {
  return Object.entries(a).every(([name, rate]) => rate === (b[name] ?? rate));
}

/**
 * The doubts about the figures of a page that are possible, but that no right page ever had.
 * @param known The last figures before its value date.
 */
export function pageDoubts(
  page: PublicationObservation,
  { recent }: PageContext,
  known: PublishedRates,
  { crossDecimals }: Thresholds,
): readonly Doubt[] {
  const { rates } = page;
  return [
    repeatedDoubt(rates, recent),
    unrelatedDoubt(page, recent.slice(-PUBLICATIONS_ASKED), crossDecimals) ??
      swappedDoubt(rates, known),
  ].filter((doubt) => doubt !== undefined);
}

/** Nearer currencies may pass each other. Of 1,540 right value dates since 2020 none looks swapped. */
export const APART_RATIO = 1.01;

/** Two currencies whose figures, measured in dollars, are each nearer to the last one of the other. */
function swappedDoubt(rates: PublishedRates, known: PublishedRates): Doubt | undefined {
  const crosses = Object.keys(rates).flatMap((name) => {
    const [here, last] = [crossOf(rates, name), crossOf(known, name)];
    return name === 'USD' || here === undefined || last === undefined ? [] : [{ name, here, last }];
  });
  const isNearer = (value: number, to: number, than: number) =>
    compare(distance(value, to), distance(value, than)) < 0;
  for (const [place, one] of crosses.entries()) {
    const other = crosses
      .slice(place + 1)
      .find(
        ({ here, last }) =>
          isRatioOver(one.last, last, APART_RATIO) &&
          isNearer(one.here, last, one.last) &&
          isNearer(here, one.last, last),
      );
    if (other === undefined) continue;
    const currencies = [one.name, other.name];
    const message = `${currencies.map((name) => `${name} ${rates[name]}`).join(' and ')} stand in each other's place`;
    return { reason: 'figures_unrelated', message, currencies };
  }
  return undefined;
}

function distance(a: number, b: number) {
  return subtract(Math.max(a, b), Math.min(a, b));
}

/** The doubt about figures of an archive that do not belong between those of its neighbours. */
export function archiveDoubt(
  row: PublicationObservation,
  { before, after }: Neighbours,
  { archiveApartPercent, crossDecimals }: Thresholds,
): Doubt | undefined {
  const { valueDate, rates } = row;
  const beside = [before, after].map((one) => ({ valueDate, rates: one }));
  const isUsual = beside.every((one) => keepsTo(one, crossDecimals));
  const doubt =
    apartDoubt(
      [before, rates, after].map((one) => crossOf(one)),
      archiveApartPercent,
    ) ?? (isUsual && hasOwnDecimals(row) ? unrelatedDoubt(row, beside, crossDecimals) : undefined);
  // The next value dates agree whatever this one is, so they confirm nothing.
  return doubt && { ...doubt, isLasting: true };
}

function apartDoubt(
  [before, here, after]: readonly (number | undefined)[],
  percent: number | undefined,
): Doubt | undefined {
  if (before === undefined || here === undefined || after === undefined) return undefined;
  const isBetween = here > before !== here > after;
  if (percent === undefined || isBetween) return undefined;
  if (!isAway(here, before, percent) || !isAway(here, after, percent)) return undefined;
  const message = `EUR over USD, ${here}, is more than ${percent}% away from ${before} before it and ${after} after it`;
  return { reason: 'figures_unrelated', message };
}

/**
 * The currencies of a page that the bank computed from the dollar. No such figure ever came twice. A
 * shorter one, as an aggregator rounds it, may.
 */
function computedIn(rates: PublishedRates): readonly (readonly [string, number])[] {
  return Object.entries(rates).flatMap(([name, rate]) =>
    name === 'USD' || rate === undefined || decimalPlaces(rate) <= DOLLAR_DECIMALS
      ? []
      : [[name, rate] as const],
  );
}

/** A figure of another value date shows that the page has new figures or a new date only in part. */
function repeatedDoubt(rates: PublishedRates, recent: PageContext['recent']): Doubt | undefined {
  const whole = recent.find((other) => isSamePage(rates, other.rates));
  const figures = whole === undefined ? computedIn(rates) : Object.entries(rates);
  const repeated = figures.flatMap(([name, rate]) => {
    const same = whole ?? recent.find((other) => other.rates[name] === rate);
    return same === undefined ? [] : [{ name, rate, of: same.valueDate }];
  });
  const [first] = repeated;
  if (first === undefined) return undefined;
  const message = `${first.name} ${first.rate} is the figure of ${first.of}`;
  return { reason: 'figure_repeated', message, currencies: repeated.map(({ name }) => name) };
}

/** Fewest currencies that identify a publication. Two rates never stayed the same in a day. */
export const CURRENCIES_OF_IDENTITY = 2;

/**
 * Whether all figures of a page are those of another publication, which may have been cut to fewer
 * decimals: no two of 1,540 value dates have them all to the dollar's decimals, but many do to fewer.
 */
function isSamePage(rates: PublishedRates, other: PublishedRates): boolean {
  const figures = Object.entries(rates);
  return (
    figures.length >= CURRENCIES_OF_IDENTITY &&
    figures.some(([, rate = 0]) => decimalPlaces(rate) >= DOLLAR_DECIMALS) &&
    figures.every(([name, rate = 0]) => isRoundedFrom(rate, other[name] ?? 0))
  );
}

/** Publications that show how the bank computes. One of them may have a wrong figure itself. */
const PUBLICATIONS_ASKED = 3;

/**
 * The bank computes each currency from its USD and a market quote with few decimals, so one wrong
 * digit in either figure leaves no such quote. A page is held to this only while one of the last
 * publications kept to it, an archive's row while those beside it do: the bank may compute otherwise some day.
 */
function unrelatedDoubt(
  page: DatedRates,
  asked: readonly DatedRates[],
  crossDecimals: number | undefined,
): Doubt | undefined {
  if (crossDecimals === undefined) return undefined;
  const doesBankKeepToIt = asked.some((one) => keepsTo(one, crossDecimals));
  const currencies = doesBankKeepToIt ? unrelatedIn(page, crossDecimals) : [];
  const [name] = currencies;
  if (name === undefined) return undefined;
  const { USD: usd, [name]: rate } = page.rates;
  const other = sameIn(page.rates, name);
  const message =
    other !== undefined
      ? `${name} has the figure of ${other}, ${rate}`
      : `${name} ${rate} and USD ${usd} fit no quote of ${crossDecimals} decimals between them`;
  return { reason: 'figures_unrelated', message, currencies };
}

/** Whether all figures follow from that of USD. */
function keepsTo(page: DatedRates, crossDecimals = 0): boolean {
  return isComputed(page.rates) && unrelatedIn(page, crossDecimals).length === 0;
}

/** Whether the figures have no more decimals than the bank gave them, unlike those of a conversion. */
function hasOwnDecimals({ valueDate, rates }: DatedRates): boolean {
  const most = COMPUTED_DECIMALS + decimalsMoved(valueDate);
  return Object.values(rates).every((rate = 0) => decimalPlaces(rate) <= most);
}

/** Whether a page has the dollar and figures that the bank computed from it. */
export function isComputed(rates: PublishedRates): boolean {
  return rates['USD'] !== undefined && computedIn(rates).length > 0;
}

/** Another currency with the same figure. */
function sameIn(rates: PublishedRates, name: string): string | undefined {
  return Object.keys(rates).find((other) => other !== name && rates[other] === rates[name]);
}

/**
 * The currencies whose figure does not follow from that of USD, or is that of another. A dollar with more
 * decimals than the bank gives it is another currency.
 */
function unrelatedIn({ valueDate, rates }: DatedRates, crossDecimals: number): readonly string[] {
  const { USD: usd } = rates;
  if (usd === undefined) return [];
  const moved = decimalsMoved(valueDate);
  const names = Object.keys(rates).filter((name) => name !== 'USD');
  const same = names.filter((name) => sameIn(rates, name) !== undefined);
  // One that lost its decimals is wrong beside others that have theirs.
  const computed = isComputed(rates) ? Object.entries(rates) : [];
  const others = computed.flatMap(([name, rate = 0]) =>
    name === 'USD' || isRelated({ name, rate, usd }, { crossDecimals, moved }) ? [] : [name],
  );
  const wrong = [...new Set([...same, ...others])];
  return decimalPlaces(usd) > DOLLAR_DECIMALS + moved ? ['USD', ...wrong] : wrong;
}

/** Decimals of a computed figure. The bank cuts off the rest. */
const COMPUTED_DECIMALS = 8;
/** Zeros that the bolívar lost on `FIRST_DIGITAL_DAY`. */
const ZEROS_LOST = 6;
const COMPARED_DECIMALS = 18;

/** How many more decimals a figure of an older bolívar has, because it is stored in that of `FIRST_DIGITAL_DAY`. */
function decimalsMoved(valueDate: CaracasDay): number {
  return valueDate < FIRST_DIGITAL_DAY ? ZEROS_LOST : 0;
}

/** Whether a quote with so many decimals leads from the dollar's figure to the currency's. */
function isRelated(
  { name, rate, usd }: { readonly name: string; readonly rate: number; readonly usd: number },
  { crossDecimals, moved }: { readonly crossDecimals: number; readonly moved: number },
): boolean {
  // The euro is quoted in dollars, the others are quoted for one dollar.
  const isEuro = name === 'EUR';
  const quote = toNumber(
    isEuro ? divide(rate, usd, crossDecimals) : divide(usd, rate, crossDecimals),
  );
  if (quote === 0) return false;
  const computed = toNumber(isEuro ? multiply(usd, quote) : divide(usd, quote, COMPARED_DECIMALS));
  // Who converted a figure of an older bolívar may have rounded it.
  const places =
    moved > 0 ? Math.min(decimalPlaces(rate), COMPUTED_DECIMALS + moved) : COMPUTED_DECIMALS;
  return compare(distance(computed, rate), `1e-${places}`) <= 0;
}

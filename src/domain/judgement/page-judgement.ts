import { isAway, medianOf } from '../calculations/ratio.ts';
import { compare, decimalPlaces, divide, RATE_DECIMALS, subtract, toNumber } from '../decimal.ts';
import type { Doubt, PublicationObservation, PublishedRates, Thresholds } from '../judgement.ts';
import type { CaracasDay } from '../time.ts';

/** What a page of the central bank that is read now is compared with, besides other publications. */
export interface PageContext {
  /** The newest value date in force. A page with an earlier date is doubtful. */
  readonly inForce: CaracasDay | undefined;
  /** Publications of other value dates that were read lately, without those that it corrects. */
  readonly recent: readonly { readonly valueDate: CaracasDay; readonly rates: PublishedRates }[];
  /** The rates of the business day before its value date; undefined when they are not stored. */
  readonly dayBefore: PublishedRates | undefined;
  /** The rates already stored for its value date. */
  readonly stored: PublishedRates;
}

/** The doubts about the figures of a page that are possible, but that no right page ever had. */
export function pageDoubts(
  publication: PublicationObservation,
  page: PageContext,
  thresholds: Thresholds,
): readonly Doubt[] {
  return [repeatedDoubt(publication, page), dollarDoubt(publication, page, thresholds)].filter(
    (doubt) => doubt !== undefined,
  );
}

/**
 * Decimals of the dollar's figure. The bank computes the other currencies with twice as many, and
 * no such figure ever came twice. A shorter one, as an aggregator rounds it, may.
 */
const DOLLAR_DECIMALS = 4;

/** A figure of another value date shows that the page has new figures or a new date only in part. */
function repeatedDoubt(
  { rates }: PublicationObservation,
  { recent }: PageContext,
): Doubt | undefined {
  for (const [name, rate] of Object.entries(rates)) {
    if (name === 'USD' || rate === undefined || decimalPlaces(rate) <= DOLLAR_DECIMALS) continue;
    const same = recent.find((other) => other.rates[name] === rate);
    if (same === undefined) continue;
    const message = `${name} ${rate} is the figure of ${same.valueDate}`;
    return { reason: 'figure_repeated', message };
  }
  return undefined;
}

/** Fewest other currencies that tell a wrong dollar from a real move of one of them. */
const OTHERS_NEEDED = 3;

/**
 * If all other currencies move over the dollar in one direction, the dollar's figure is wrong: it
 * is the only one that they share.
 */
function dollarDoubt(
  { rates }: PublicationObservation,
  { dayBefore, stored }: PageContext,
  { dollarPercent }: Thresholds,
): Doubt | undefined {
  if (dollarPercent === undefined || dayBefore === undefined) return undefined;
  const isApart =
    haveAllMoved(rates, dayBefore, dollarPercent) ||
    // Of two pages for one date the wrong one is the one that is further from the day before.
    (haveAllMoved(rates, stored, dollarPercent) &&
      compare(usualMove(rates, dayBefore), usualMove(stored, dayBefore)) > 0);
  if (!isApart) return undefined;
  const message = `all other currencies moved over USD, ${rates['USD']}, in one direction by more than ${dollarPercent}%`;
  return { reason: 'cross_moved', message };
}

function haveAllMoved(now: PublishedRates, before: PublishedRates, percent: number): boolean {
  const pairs = quotients(now, before);
  const areAway = pairs.every((pair) => isAway(pair.now, pair.before, percent));
  const rises = pairs.filter((pair) => pair.now > pair.before).length;
  return pairs.length >= OTHERS_NEEDED && areAway && (rises === 0 || rises === pairs.length);
}

/** How far the other currencies moved over the dollar, as a share: their median. */
function usualMove(now: PublishedRates, before: PublishedRates): number {
  const moves = quotients(now, before).map((pair) =>
    toNumber(divide(pair.now, pair.before, RATE_DECIMALS)),
  );
  const median = medianOf(moves) ?? 1;
  return toNumber(subtract(Math.max(median, 1), Math.min(median, 1)));
}

/** Each other currency over the dollar, in both publications. */
function quotients(
  now: PublishedRates,
  before: PublishedRates,
): readonly { readonly now: number; readonly before: number }[] {
  const over = (rates: PublishedRates, name: string) => {
    const [rate, usd] = [rates[name], rates['USD']];
    if (rate === undefined || usd === undefined) return undefined;
    return toNumber(divide(rate, usd, RATE_DECIMALS));
  };
  return Object.keys(now).flatMap((name) => {
    const [here, known] = [over(now, name), over(before, name)];
    return name === 'USD' || here === undefined || known === undefined
      ? []
      : [{ now: here, before: known }];
  });
}

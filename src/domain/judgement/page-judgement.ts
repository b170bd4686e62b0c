import { DOLLAR_DECIMALS } from '../bcv.ts';
import { compare, decimalPlaces, divide, multiply, subtract, toNumber } from '../decimal.ts';
import type { Doubt, PublicationObservation, PublishedRates, Thresholds } from '../judgement.ts';
import type { CaracasDay } from '../time.ts';

/** What a page of the central bank that is read now is compared with, besides other publications. */
export interface PageContext {
  /** The newest value date in force. A page with an earlier date is doubtful. */
  readonly inForce: CaracasDay | undefined;
  /**
   * Publications of other value dates that were read lately, oldest first, without those whose
   * date this one corrects.
   */
  readonly recent: readonly { readonly valueDate: CaracasDay; readonly rates: PublishedRates }[];
}

/** The doubts about the figures of a page that are possible, but that no right page ever had. */
export function pageDoubts(
  { rates }: PublicationObservation,
  { recent }: PageContext,
  { crossDecimals }: Thresholds,
): readonly Doubt[] {
  return [repeatedDoubt(rates, recent), unrelatedDoubt(rates, recent, crossDecimals)].filter(
    (doubt) => doubt !== undefined,
  );
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
  for (const [name, rate] of computedIn(rates)) {
    const same = recent.find((other) => other.rates[name] === rate);
    if (same === undefined) continue;
    const message = `${name} ${rate} is the figure of ${same.valueDate}`;
    return { reason: 'figure_repeated', message };
  }
  return undefined;
}

/** Publications that show how the bank computes. One of them may have a wrong figure itself. */
const PUBLICATIONS_ASKED = 3;

/**
 * The bank computes each currency from its USD and a market quote with few decimals, so one wrong
 * digit in either figure leaves no such quote. A page is held to this only while one of the last
 * publications kept to it: the bank may compute otherwise some day.
 */
function unrelatedDoubt(
  rates: PublishedRates,
  recent: PageContext['recent'],
  crossDecimals: number | undefined,
): Doubt | undefined {
  if (crossDecimals === undefined || !isComputed(rates)) return undefined;
  const doesBankKeepToIt = recent
    .slice(-PUBLICATIONS_ASKED)
    .some((one) => isComputed(one.rates) && unrelatedIn(one.rates, crossDecimals).length === 0);
  const [name] = doesBankKeepToIt ? unrelatedIn(rates, crossDecimals) : [];
  if (name === undefined) return undefined;
  const message = `${name} ${rates[name]} and USD ${rates['USD']} fit no quote of ${crossDecimals} decimals between them`;
  return { reason: 'figures_unrelated', message };
}

function isComputed(rates: PublishedRates): boolean {
  return rates['USD'] !== undefined && computedIn(rates).length > 0;
}

/** The currencies whose figure does not follow from that of USD. */
function unrelatedIn(rates: PublishedRates, crossDecimals: number): readonly string[] {
  const { USD: usd } = rates;
  if (usd === undefined) return [];
  return computedIn(rates).flatMap(([name, rate]) =>
    isRelated({ name, rate, usd }, crossDecimals) ? [] : [name],
  );
}

/** The last decimal of a computed figure, which the bank cuts off. */
const LAST_DECIMAL = 0.00000001;
const COMPARED_DECIMALS = 12;

/** Whether a quote with so many decimals leads from the dollar's figure to the currency's. */
function isRelated(
  { name, rate, usd }: { readonly name: string; readonly rate: number; readonly usd: number },
  crossDecimals: number,
): boolean {
  // The euro is quoted in dollars, the others are quoted for one dollar.
  const isEuro = name === 'EUR';
  const quote = toNumber(
    isEuro ? divide(rate, usd, crossDecimals) : divide(usd, rate, crossDecimals),
  );
  if (quote === 0) return false;
  const computed = toNumber(isEuro ? multiply(usd, quote) : divide(usd, quote, COMPARED_DECIMALS));
  const apart = subtract(Math.max(computed, rate), Math.min(computed, rate));
  return compare(apart, LAST_DECIMAL) <= 0;
}

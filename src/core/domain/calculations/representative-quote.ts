import {
  compare,
  type Decimal,
  decimal,
  median,
  multiply,
  RATE_DECIMALS,
  round,
  subtract,
  toNumber,
} from '../decimal.ts';

/** How offers of a P2P venue become one quote. `docs/sources.md` has the rule too: change both. */

/** `ask`: advertisers who sell, so the price at which a person buys. `bid`: advertisers who buy. */
export type Side = 'ask' | 'bid';
export const SIDES: readonly Side[] = ['ask', 'bid'];

/** An advertisement to sell or to buy dollar tokens for bolivars. */
export interface Offer {
  /** Identifies one merchant of the venue. */
  readonly merchant: string;
  /** VES for one token. */
  readonly price: number;
  /** Smallest and largest order, in VES. */
  readonly minVes: number;
  readonly maxVes: number;
  /** Tokens still on offer. */
  readonly available: number;
  /** Orders that the merchant has completed, as the venue counts them; 0 when it does not say. */
  readonly orders: number;
  /** Share of orders that the merchant completed, 0 to 100; 0 when the venue does not say. */
  readonly completionPercent: number;
}

/** The limits that an operator may set. */
export interface OfferRule {
  /** Size of the order that an offer must accept, in VES. */
  readonly orderSizeVes: number;
  readonly minOrders: number;
  readonly minCompletionPercent: number;
}

/** Merchants that must remain on each side. */
// limit: Merchants per side | at least 5 | no quote
export const MIN_MERCHANTS = 5;

/**
 * An offer may lie this many median absolute deviations from the median of its side. A small share
 * is always allowed, because in a quiet book half of the offers have one price and the deviation is
 * zero. A large share is never allowed, because absurd prices in half of a book make the deviation
 * absurd too.
 */
const DEVIATIONS_ALLOWED = 5;
const SHARE_ALWAYS_ALLOWED = '0.02';
// limit: Offer from its side's median | 20 % | left out
const MAX_SHARE_FROM_MEDIAN = '0.2';

/**
 * Sides further apart than this factor do not belong to one market. In a year of real captures the
 * factor never exceeded 1.56, in the shock of January 2026. A median of absurd bids gives 500.
 */
// limit: Sides of a P2P quote | a factor of 2 | no quote
const MAX_SIDES_FACTOR = 2;

type RepresentativeQuote =
  | { readonly outcome: 'quote'; readonly ask: number; readonly bid: number }
  | { readonly outcome: 'too_few'; readonly side: Side; readonly merchants: number }
  | { readonly outcome: 'sides_apart'; readonly ask: number; readonly bid: number };

/**
 * Takes the median of each side. Only offers of proven merchants that accept the ticket count, each
 * merchant with the best one, and outliers are removed. `ask` may be below `bid`: on real venues it
 * often is. The order of the offers has no effect.
 */
export function representativeQuote(
  offers: Readonly<Record<Side, readonly Offer[]>>,
  rule: OfferRule,
): RepresentativeQuote {
  const prices = {
    ask: withoutOutliers(merchantPrices('ask', offers.ask, rule)),
    bid: withoutOutliers(merchantPrices('bid', offers.bid, rule)),
  };
  for (const side of SIDES) {
    const merchants = prices[side].length;
    if (merchants < MIN_MERCHANTS) return { outcome: 'too_few', side, merchants };
  }
  const [ask, bid] = [toRate(median(prices.ask)), toRate(median(prices.bid))];
  return { outcome: sidesBelongTogether(ask, bid) ? 'quote' : 'sides_apart', ask, bid };
}

/** Whether both sides can belong to one market. Either side may be the higher one. */
export function sidesBelongTogether(ask: number, bid: number): boolean {
  const [low, high] = ask < bid ? [ask, bid] : [bid, ask];
  return compare(high, multiply(low, MAX_SIDES_FACTOR)) <= 0;
}

/** The price of each merchant with a fitting offer: the best one for a person. */
function merchantPrices(side: Side, offers: readonly Offer[], rule: OfferRule): readonly Decimal[] {
  const best = new Map<string, number>();
  for (const { merchant, price } of offers.filter((offer) => fits(offer, rule))) {
    const other = best.get(merchant) ?? price;
    best.set(merchant, side === 'ask' ? Math.min(other, price) : Math.max(other, price));
  }
  return [...best.values()].map(decimal);
}

function fits(offer: Offer, { orderSizeVes, minOrders, minCompletionPercent }: OfferRule): boolean {
  return (
    offer.minVes <= orderSizeVes &&
    offer.maxVes >= orderSizeVes &&
    compare(multiply(offer.available, offer.price), orderSizeVes) >= 0 &&
    offer.orders >= minOrders &&
    offer.completionPercent >= minCompletionPercent
  );
}

function withoutOutliers(prices: readonly Decimal[]): readonly Decimal[] {
  if (prices.length === 0) return prices;
  const center = median(prices);
  const distance = (price: Decimal) => subtract(price, center).abs();
  const deviations = multiply(median(prices.map(distance)), DEVIATIONS_ALLOWED);
  const allowed = smaller(
    larger(deviations, multiply(center, SHARE_ALWAYS_ALLOWED)),
    multiply(center, MAX_SHARE_FROM_MEDIAN),
  );
  return prices.filter((price) => compare(distance(price), allowed) <= 0);
}

const smaller = (a: Decimal, b: Decimal) => (compare(a, b) < 0 ? a : b);
const larger = (a: Decimal, b: Decimal) => (compare(a, b) > 0 ? a : b);

const toRate = (value: Decimal) => toNumber(round(value, RATE_DECIMALS));

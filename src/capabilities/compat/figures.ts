import { marketInPlan } from '../../core/app/access/access.ts';
import type { PublishedCurrency } from '../../core/domain/bcv.ts';
import { notFound } from '../../core/domain/errors.ts';
import { type Market, OFFICIAL_RATES, PARALLEL_MARKET } from '../../core/domain/markets.ts';
import type { OfficialRates, RateChange } from '../../core/domain/official.ts';
import type { Quote } from '../../core/domain/quotes.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';
import type { ForeignCall } from './foreign-endpoint.ts';

/** A current rate, of which each service shows what it knows. */
export interface Figure {
  readonly currency: PublishedCurrency;
  readonly rate: number;
  readonly updatedAt: Instant;
  /** Of an official rate. */
  readonly valueDate?: CaracasDay;
  /** The official rate before it, and how it changed. */
  readonly previous?: number | undefined;
  readonly change?: RateChange | undefined;
  /** Of a market. */
  readonly quote?: Quote;
  /** What the answer rests on that shows it: none for a currency without a market. */
  readonly quotes: readonly Quote[];
}

/** The figures as a service shows them. The answer rests on them. */
export function shown<Of extends Figure, Shown>(
  call: Pick<ForeignCall, 'restsOn'>,
  figures: readonly Of[],
  view: (figure: Of) => Shown,
): readonly Shown[] {
  for (const { quotes } of figures) call.restsOn(quotes);
  return figures.map(view);
}

/** The only item of a list that may be empty. @throws ApiError without one. */
export function required<Item>([item]: readonly Item[], field?: string): Item {
  if (item === undefined) throw notFound('no_quote', field === undefined ? {} : { field });
  return item;
}

/** The official rate in force, if there is one and the plan includes it. */
export function officialFigure(call: ForeignCall, currency: PublishedCurrency) {
  const rates = officialOf(call, currency);
  if (rates?.inForce === undefined) return [];
  const { rate, change, valueDate, effectiveAt: updatedAt } = rates.inForce;
  const { services, snapshot } = call;
  const market = services.markets.find(OFFICIAL_RATES[currency]);
  const quote = market && snapshot.quoteOf(market);
  const quotes = quote === undefined ? [] : [quote];
  const previous = rates.previous?.rate;
  return [{ currency, rate, updatedAt, valueDate, previous, change, quotes }] satisfies Figure[];
}

/** The dollar in the parallel market, if it has a quote and the plan includes it. */
export function parallelFigure(call: ForeignCall) {
  const market = marketOfPlan(call, PARALLEL_MARKET);
  const quote = market && call.snapshot.quoteOf(market);
  return quote === undefined ? [] : [figureOf(quote)];
}

/** The dollar of each P2P market of the plan that has a side. */
export function p2pFigures({ services: { plans }, plan, snapshot }: ForeignCall) {
  return snapshot.quotes
    .filter(
      ({ market, ask, bid }) =>
        market.type === 'p2p' &&
        marketInPlan(plans, plan, market) &&
        (ask !== undefined || bid !== undefined),
    )
    .map(figureOf);
}

function figureOf(quote: Quote) {
  const { market, mid: rate, updatedAt } = quote;
  return { currency: market.base, rate, updatedAt, quote, quotes: [quote] } satisfies Figure;
}

export function marketOfPlan({ services, plan }: ForeignCall, id: string): Market | undefined {
  const market = services.markets.find(id);
  return market && marketInPlan(services.plans, plan, market) ? market : undefined;
}

/** Whether the plan includes an official rate. CNY, TRY and RUB have no market: every plan has them. */
export function isOfficialInPlan(
  { services, plan }: ForeignCall,
  currency: PublishedCurrency,
): boolean {
  const market = services.markets.find(OFFICIAL_RATES[currency]);
  return market === undefined || marketInPlan(services.plans, plan, market);
}

function officialOf(call: ForeignCall, currency: PublishedCurrency): OfficialRates | undefined {
  return isOfficialInPlan(call, currency) ? call.snapshot.official.get(currency) : undefined;
}

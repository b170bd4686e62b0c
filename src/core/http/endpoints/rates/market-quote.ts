import { type PastRate, pastRate } from '../../../app/past-rates.ts';
import { asOfView } from '../../../app/views.ts';
import { type PastDate, pastDepth, requireDayInDepth } from '../../../domain/history/past-dates.ts';
import type { Quote } from '../../../domain/quotes.ts';
import type { Call } from '../../pipeline/call.ts';
import { noQuote } from './rate-rows.ts';

/** The quote of the market of a request, now or on a past day. */

/**
 * The current quote of the market, on which the answer then rests.
 * @throws ApiError `resource_not_found` when the market has no quote (contract §2).
 */
export function requireQuote({
  snapshot,
  market,
  marketField: field,
  restsOn,
}: Pick<Call, 'snapshot' | 'market' | 'marketField' | 'restsOn'>): Quote {
  const quote = snapshot.quoteOf(market);
  if (quote !== undefined) {
    restsOn([quote]);
    return quote;
  }
  throw noQuote(market, field);
}

export function withAsOf<View extends object>(view: (quote: Quote) => View) {
  return ({ quote, asOf }: PastRate) => ({ ...view(quote), as_of: asOfView(asOf) });
}

/**
 * A view of the rate of the request's market on a past day.
 * @throws ApiError `history_out_of_retention`, `rate_not_published` or `resource_not_found`
 *   (contract §9).
 */
export async function pastView<View extends object>(
  { market, caller, services, now }: Pick<Call, 'market' | 'caller' | 'services' | 'now'>,
  pastDate: PastDate,
  view: (quote: Quote) => View,
) {
  requireDayInDepth(pastDepth(caller.plan, services.plans, [market]), pastDate.date, now);
  return withAsOf(view)(await pastRate(market, pastDate, { ...services, now }));
}

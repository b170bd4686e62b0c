import type { Quote } from '../../core/domain/quotes.ts';
import { dayOfCapture, shownUnits } from '../../core/domain/redenomination.ts';
import { caracasDayOf, startOfCaracasDay } from '../../core/domain/time.ts';
import type { ForeignCall } from './foreign-endpoint.ts';

/** The last quote of a market before today, in the unit of today. A quote from before today has none. */
export async function quoteOfDayBefore({ services, now }: ForeignCall, quote: Quote) {
  const today = caracasDayOf(now);
  const start = startOfCaracasDay(today);
  // It would be compared with itself.
  if (quote.updatedAt < start) return undefined;
  const [before] = await services.store.lastQuotesBefore([quote.market.id], start);
  const units = before && shownUnits(dayOfCapture(before), { on: today });
  return units && services.redenominations.rebasedSides(before, units);
}

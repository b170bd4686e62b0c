import type { Confidence } from '../../app/confidence.ts';
import type { Quote } from '../../domain/quotes.ts';
import { stalenessSec } from '../../domain/quotes.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';

/** Many answers show the same quote, so its time is formatted once. */
const updateTimes = new WeakMap<Quote, string>();

function updateTimeOf(quote: Quote): string {
  let text = updateTimes.get(quote);
  if (text === undefined) {
    text = isoInstant(quote.updatedAt);
    updateTimes.set(quote, text);
  }
  return text;
}

/** A quote as a rate of §2.2. */
export function rateView(quote: Quote) {
  return {
    market: quote.market.id,
    type: quote.market.type,
    base: quote.market.base,
    mid: quote.mid,
    ...(quote.ask !== undefined && { ask: quote.ask }),
    ...(quote.bid !== undefined && { bid: quote.bid }),
    updated_at: updateTimeOf(quote),
    ...(quote.effectiveDate !== undefined && { effective_date: quote.effectiveDate }),
    stale_after_sec: quote.market.staleAfterSec,
  };
}

/** How reliable a published quote is, for `details=true` (§4.2). */
export function confidenceView({
  source,
  agreeingSources,
  observedAt,
  held,
  evidence,
}: Confidence) {
  return {
    ...(source !== undefined && { source }),
    sources: agreeingSources,
    observed_at: isoInstant(observedAt),
    held:
      held === undefined
        ? null
        : {
            captured_at: isoInstant(held.capturedAt),
            reason: held.reason,
            message: held.message,
          },
    evidence,
  };
}

/** The fields that tell where the rate of a converted amount is from. */
export function quotedBy(quote: Quote) {
  return {
    market: quote.market.id,
    type: quote.market.type,
    updated_at: updateTimeOf(quote),
  };
}

export function ageView(quote: Quote, now: Instant) {
  const age = stalenessSec(quote, now);
  return { staleness_sec: age, stale: age > quote.market.staleAfterSec };
}

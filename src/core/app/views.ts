import { convertAmount, type Direction } from '../domain/calculations/convert.ts';
import { type Decimal, toNumber } from '../domain/decimal.ts';
import type { AsOf } from '../domain/history/past-dates.ts';
import { type Quote, stalenessSec } from '../domain/quotes.ts';
import type { Redenomination } from '../domain/redenomination.ts';
import { type Instant, isoInstant, SECOND_MS } from '../domain/time.ts';
import type { Confidence } from './confidence.ts';

/** Quotes in the format of the contract, for answers over HTTP and for the command line. */

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
    ask: quote.ask,
    bid: quote.bid,
    updated_at: updateTimeOf(quote),
    effective_date: quote.effectiveDate,
    stale_after_sec: quote.market.staleAfterSec,
  };
}

/** Until when the quote is not stale (contract §1). */
export function staleAtView({ updatedAt, market }: Quote) {
  return isoInstant(updatedAt + market.staleAfterSec * SECOND_MS);
}

/** Since when its figures are the same, and whether that is too long (contract §8). */
export function standingView({ unchangedSince, isFrozen }: Quote) {
  return {
    unchanged_since: unchangedSince === undefined ? undefined : isoInstant(unchangedSince),
    frozen: isFrozen === true,
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
    source,
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

/** Age in seconds, and whether it exceeds the maximum age of the market. */
export function ageView(quote: Quote, now: Instant) {
  const age = stalenessSec(quote, now);
  return { staleness_sec: age, stale: age > quote.market.staleAfterSec };
}

/** An amount converted at a quote, without its age (§4.5). */
export function conversionView(
  amount: Decimal,
  { from, to, toVes }: Pick<Direction, 'from' | 'to' | 'toVes'>,
  quote: Quote,
) {
  return {
    from: { currency: from, amount: toNumber(amount) },
    to: { currency: to, amount: toNumber(convertAmount(amount, quote.mid, toVes)) },
    rate: quote.mid,
    ...quotedBy(quote),
    effective_date: quote.effectiveDate,
  };
}

/** Where the rate of a past day comes from (contract §9). */
export function asOfView({ date, businessDay, capturedAt, unitChanges, official }: AsOf) {
  return {
    date,
    rule: official?.rule,
    business_day: businessDay,
    value_date: official?.valueDate,
    captured_at: isoInstant(capturedAt),
    carried_days: official?.carriedDays,
    ...unitChangesView(unitChanges),
  };
}

/** The reforms between figures of an answer, or since its figures; none when there was no reform. */
export function unitChangesView(reforms: readonly Redenomination[]) {
  const changes = reforms.map(({ on, factor }) => ({ on, factor }));
  return changes.length === 0 ? {} : { unit_changes: changes };
}

import type { BankCalendar } from '../domain/calendar.ts';
import {
  type AsOf,
  carriedDays,
  nothingStoredYet,
  type PastDate,
  rateNotPublished,
  wantedRate,
} from '../domain/history/past-dates.ts';
import { isOfficial, type Market } from '../domain/markets.ts';
import { type Quote, shownTime } from '../domain/quotes.ts';
import type { Redenominations } from '../domain/redenomination.ts';
import { DAY_MS, type Instant, startOfCaracasDay } from '../domain/time.ts';
import type { StoredQuote } from './ports/records.ts';
import type { Store } from './ports/store.ts';
import { quoteFrom } from './snapshot.ts';

/** The rate of a market on a past day, and where it comes from. */
export interface PastRate {
  readonly quote: Quote;
  readonly asOf: AsOf;
}

interface Parts {
  readonly store: Pick<Store, 'officialRateUpTo' | 'lastQuotesBefore'>;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  readonly now: Instant;
}

/**
 * The rate of one market on a past day (decisions §9).
 * @throws ApiError `rate_not_published` for an official value date that is missing,
 *   `resource_not_found` when nothing is stored that early.
 */
export async function pastRate(
  market: Market,
  pastDate: PastDate,
  parts: Parts,
): Promise<PastRate> {
  const [found] = await pastRates([market], pastDate, parts);
  if (found === undefined) throw nothingStoredYet();
  return found;
}

/**
 * The rates of several markets on a past day, in the given order. A market without a record that
 * early is left out.
 * @throws ApiError `rate_not_published` when an official value date is missing.
 */
export async function pastRates(
  markets: readonly Market[],
  pastDate: PastDate,
  parts: Parts,
): Promise<readonly PastRate[]> {
  const others = markets.filter((market) => !isOfficial(market));
  const stored = new Map(
    (await othersOn(others, pastDate, parts)).map((quote) => [quote.market, quote]),
  );
  const rates: PastRate[] = [];
  for (const market of markets) {
    const other = stored.get(market.id);
    const rate = isOfficial(market)
      ? await officialOn(market, pastDate, parts)
      : other && {
          quote: quoteFrom(other, market, unitOn(pastDate, parts)),
          asOf: asOf(other, pastDate, parts),
        };
    if (rate !== undefined) rates.push(rate);
  }
  return rates;
}

/** A rate that was still in force then is shown in the unit of the requested day. */
function unitOn({ date: day }: PastDate, { now, redenominations }: Parts) {
  return { now, day, redenominations };
}

function asOf(stored: StoredQuote, { date }: PastDate, { calendar, now }: Parts): AsOf {
  const readAt = stored.observedAt ?? stored.capturedAt;
  return {
    date,
    businessDay: calendar.isBusinessDay(date),
    // The same as in history. A rate that has not taken effect has only its reading.
    capturedAt: shownTime(stored.capturedAt, { readAt, now }),
  };
}

async function othersOn(
  markets: readonly Market[],
  { date }: PastDate,
  { store, now }: Parts,
): Promise<readonly StoredQuote[]> {
  if (markets.length === 0) return [];
  const ids = markets.map(({ id }) => id);
  // A capture that takes effect later is not history yet.
  const end = Math.min(startOfCaracasDay(date) + DAY_MS, now + 1);
  return store.lastQuotesBefore(ids, end);
}

async function officialOn(
  market: Market,
  pastDate: PastDate,
  parts: Parts,
): Promise<PastRate | undefined> {
  const { store, calendar } = parts;
  const { date, rule } = pastDate;
  const { expected, upTo } = wantedRate(pastDate, calendar);
  const stored = await store.officialRateUpTo(market.id, upTo);
  const valueDate = stored?.effectiveDate;
  if (stored === undefined || valueDate === undefined) return undefined;
  if (valueDate < expected) throw rateNotPublished(market, { expected, last: valueDate });
  return {
    quote: quoteFrom(stored, market, unitOn(pastDate, parts)),
    asOf: {
      ...asOf(stored, pastDate, parts),
      official: { rule, valueDate, carriedDays: carriedDays(valueDate, date) },
    },
  };
}

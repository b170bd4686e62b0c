import type { BankCalendar } from '../domain/calendar.ts';
import type { DayCandle } from '../domain/history/candles.ts';
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
import { dayOfUnit, type Redenominations, unitAtEndOf } from '../domain/redenomination.ts';
import {
  type CaracasDay,
  DAY_MS,
  endOfUtcDay,
  type Instant,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../domain/time.ts';
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

/** Most captures, the newest, of which the candle of a day with two units is computed. */
const MAX_CAPTURES_OF_MIXED_DAY = 20_000;

interface CandleParts {
  readonly store: Pick<Store, 'dayCandles' | 'latestCaptures'>;
  readonly redenominations: Redenominations;
  readonly now: Instant;
}

/**
 * The candle of each UTC day in `[start, end)`, oldest first, in the unit of `unitOf`. A stored
 * candle of the UTC day in which the unit changes mixes both, so it is computed from captures. Of a
 * day that was thinned only the first rate and the captures that are left count.
 */
export async function dayCandlesIn(
  market: string,
  { start, end }: { readonly start: Instant; readonly end: Instant },
  unitOf: (day: DayCandle) => CaracasDay,
  { store, redenominations, now }: CandleParts,
): Promise<readonly DayCandle[]> {
  const days = [...(await store.dayCandles(market, start, end))];
  const from = unitAtEndOf(utcDayOf(start - 1), now);
  for (const { on } of redenominations.after({ from, to: unitAtEndOf(utcDayOf(end), now) })) {
    const place = days.findIndex(({ day }) => day === utcDayOf(startOfCaracasDay(on)));
    const stored = days[place];
    if (stored === undefined) continue;
    const span = {
      start: startOfUtcDay(stored.day),
      end: Math.min(endOfUtcDay(stored.day), end),
    };
    const captures = await store.latestCaptures(market, span, MAX_CAPTURES_OF_MIXED_DAY);
    const to = unitAtEndOf(stored.day, now);
    const rates = captures.map((capture) =>
      redenominations.rebased(capture.mid, { from: dayOfUnit(capture), to }),
    );
    const opened = dayOfUnit({ capturedAt: stored.openedAt });
    const open = redenominations.rebased(stored.open, { from: opened, to });
    const close = rates.at(-1) ?? stored.close;
    const extremes = [open, ...rates];
    days[place] = {
      ...{ ...stored, open, close },
      ...{ high: Math.max(...extremes), low: Math.min(...extremes) },
    };
  }
  return days.map((day) => {
    const units = { from: unitAtEndOf(day.day, now), to: unitOf(day) };
    if (redenominations.rebased(1, units) === 1) return day;
    const inUnit = (rate: number) => redenominations.rebased(rate, units);
    const { open, high, low, close } = day;
    return {
      ...day,
      ...{ open: inUnit(open), high: inUnit(high), low: inUnit(low), close: inUnit(close) },
    };
  });
}

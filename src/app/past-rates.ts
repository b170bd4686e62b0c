import type { BankCalendar, CaracasRange } from '../domain/calendar.ts';
import { notFound } from '../domain/errors.ts';
import type { DayCandle } from '../domain/history/candles.ts';
import {
  type DayChoice,
  type OfficialDay,
  officialDays,
  valueDatesFor,
} from '../domain/history/official-days.ts';
import {
  type AsOf,
  carriedDays,
  nothingStoredYet,
  type PastDate,
  rateNotPublished,
  wantedRate,
} from '../domain/history/past-dates.ts';
import { isOfficial, type Market, officialNameOf } from '../domain/markets.ts';
import { type Quote, shownTime } from '../domain/quotes.ts';
import { dayOfCapture, type Redenominations, unitAtEndOf } from '../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  endOfUtcDay,
  type Instant,
  isoInstant,
  startOfCaracasDay,
  startOfUtcDay,
  type UtcDay,
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
  readonly store: Pick<
    Store,
    'officialRateUpTo' | 'lastQuotesBefore' | 'officialSeries' | 'firstCaptureAt'
  >;
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
  if (found === undefined) throw nothingStoredYet(await firstStoredDay([market], parts.store));
  return found;
}

/** The first day that has a rate of one of the markets; undefined when nothing is stored of them. */
export async function firstStoredDay(
  markets: readonly Market[],
  store: Pick<Store, 'officialSeries' | 'firstCaptureAt'>,
): Promise<CaracasDay | undefined> {
  const days: CaracasDay[] = [];
  for (const market of markets) {
    if (isOfficial(market)) {
      // A series has the first value date of all too.
      const [first] = await store.officialSeries(market.id, NO_DAYS);
      if (first !== undefined) days.push(first.valueDate);
    } else {
      const at = await store.firstCaptureAt(market.id);
      if (at !== undefined) days.push(caracasDayOf(at));
    }
  }
  return days.sort()[0];
}

/** A range before every value date. */
const NO_DAYS = { from: caracasDayOf(0), to: caracasDayOf(0) };

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
  // Nobody knows later rates of other markets.
  if (markets.length === 0 || startOfCaracasDay(date) > now) return [];
  const ids = markets.map(({ id }) => id);
  // A capture for a later instant is not history yet.
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

/** Most captures, the newest, that are read to compute the candle of a day with two units. */
const MAX_CAPTURES_OF_MIXED_DAY = 20_000;

interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

interface CandleParts {
  readonly store: Pick<Store, 'dayCandles' | 'latestCaptures'>;
  readonly redenominations: Redenominations;
  readonly now: Instant;
}

/**
 * The candle of each UTC day in `[start, end)`, oldest first, in the unit of `unitOf`. A stored
 * candle with captures in several units is computed from them. Of a day that was thinned only the
 * first rate and the captures that are left count.
 */
export async function dayCandlesIn(
  market: Market,
  { start, end }: Span,
  unitOf: (day: DayCandle) => CaracasDay,
  { store, redenominations, now }: CandleParts,
): Promise<readonly DayCandle[]> {
  const days = [...(await store.dayCandles(market.id, start, end))];
  for (const mixed of await mixedDays(market, { start, end }, { store, redenominations, now })) {
    const place = days.findIndex(({ day }) => day === mixed);
    const stored = days[place];
    if (stored === undefined) continue;
    const span = {
      start: startOfUtcDay(stored.day),
      end: Math.min(endOfUtcDay(stored.day), end),
    };
    const captures = await store.latestCaptures(market.id, span, MAX_CAPTURES_OF_MIXED_DAY);
    const to = unitAtEndOf(stored.day, now);
    const rates = captures.map((capture) =>
      redenominations.rebased(capture.mid, { from: dayOfCapture(capture, market), to }),
    );
    const first = captures.find(({ capturedAt }) => capturedAt === stored.openedAt);
    const opened = first ? dayOfCapture(first, market) : caracasDayOf(stored.openedAt);
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

/**
 * The UTC days in which not all captures are in the unit of the end: those of a reform, and those on
 * which an official rate of before it was first read.
 */
async function mixedDays(
  market: Market,
  { start, end }: Span,
  { store, redenominations, now }: CandleParts,
): Promise<readonly UtcDay[]> {
  const from = unitAtEndOf(utcDayOf(start - 1), now);
  const reforms = redenominations.after({ from, to: unitAtEndOf(utcDayOf(end), now) });
  const days = reforms.map(({ on }) => utcDayOf(startOfCaracasDay(on)));
  if (!isOfficial(market) || redenominations.newestAt(now) === 0) return days;
  const captures = await store.latestCaptures(market.id, { start, end }, MAX_CAPTURES_OF_MIXED_DAY);
  const late = captures.filter((capture) => {
    const units = { from: dayOfCapture(capture, market), to: caracasDayOf(capture.capturedAt) };
    return redenominations.after(units).length > 0;
  });
  return [...new Set([...days, ...late.map(({ capturedAt }) => utcDayOf(capturedAt))])];
}

/** The rate of the other rule for days without banks (decisions §9), beside that of a day. */
export function nextBankingView({ nextBanking }: Pick<OfficialDay, 'nextBanking'>) {
  const { valueDate = null, rate = null } = nextBanking ?? {};
  return { next_banking_day: valueDate, next_banking_day_rate: rate };
}

/**
 * The official rates of a currency by day, as answers show them (decisions §21).
 * @param code In capitals.
 * @throws ApiError `resource_not_found` when no rate of the currency is stored.
 */
export async function officialHistoryView(
  code: string,
  range: CaracasRange,
  choice: DayChoice,
  {
    store,
    now,
    ...rules
  }: Pick<Parts, 'calendar' | 'redenominations' | 'now'> & {
    readonly store: Pick<Store, 'officialSeries'>;
  },
) {
  const read = valueDatesFor(range, rules.calendar);
  const stored = await store.officialSeries(officialNameOf(code), read);
  if (stored.length === 0) {
    throw notFound('no_data', {
      field: 'currency',
      message: `No official rate of ${code} is stored.`,
    });
  }
  const { rows, missing } = officialDays(stored, range, choice, rules);
  return {
    ...{ currency: code, ...range, days: choice, count: rows.length },
    rows: rows.map((row) => ({
      ...{ date: row.date, rate: row.rate, value_date: row.valueDate },
      ...{ business_day: row.isBusinessDay, carried_days: row.carriedDays },
      captured_at: isoInstant(Math.min(row.readAt, now)),
      ...(choice === 'all' && nextBankingView(row)),
    })),
    missing: [...missing],
  };
}

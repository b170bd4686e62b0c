import type { BankCalendar, CaracasRange } from '../domain/calendar.ts';
import { sentence } from '../domain/errors/sentence.ts';
import { notFound } from '../domain/errors.ts';
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
import {
  laterDay,
  type Redenominations,
  unitAt,
  unitOfDay,
  unitsSince,
} from '../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  isoInstant,
  startOfCaracasDay,
} from '../domain/time.ts';
import type { StoredQuote } from './ports/quotes.ts';
import type { Store } from './ports/store.ts';
import { quoteFrom } from './snapshot.ts';
import { unitChangesView } from './views.ts';

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
 * The rate of one market on a past day (contract §9).
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
          quote: quoteFrom(other, market, unitOfPast(pastDate, parts)),
          asOf: asOf(other, pastDate, parts),
        };
    if (rate !== undefined) rates.push(rate);
  }
  return rates;
}

/** A rate that was still in force then is shown in the unit of the requested day, or of today. */
export function unitOfPast(
  { date, isAdjusted }: PastDate,
  { now, redenominations }: Pick<Parts, 'now' | 'redenominations'>,
) {
  return { now, day: isAdjusted ? laterDay(date, caracasDayOf(now)) : date, redenominations };
}

function asOf(stored: StoredQuote, pastDate: PastDate, parts: Parts): AsOf {
  const { date } = pastDate;
  const { calendar, redenominations, now } = parts;
  const readAt = stored.observedAt ?? stored.capturedAt;
  return {
    date,
    businessDay: calendar.isBusinessDay(date),
    // The same as in history. A rate that has not taken effect has only its reading.
    capturedAt: shownTime(stored.capturedAt, { readAt, now }),
    unitChanges: redenominations.after({
      from: unitOfDay(unitOfPast(pastDate, parts).day),
      to: unitAt(now),
    }),
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
  const unit = unitOfPast(pastDate, parts);
  const quote = quoteFrom(stored, market, unit);
  // The rate of the next banking day prices an amount of the day that was asked for, in its unit.
  const units = { from: unitOfDay(laterDay(valueDate, unit.day)), to: unitOfDay(unit.day) };
  return {
    quote: Object.freeze(parts.redenominations.rebasedSides(quote, units)),
    asOf: {
      ...asOf(stored, pastDate, parts),
      official: { rule, valueDate, carriedDays: carriedDays(valueDate, date) },
    },
  };
}

/** The rate of the other rule for days without banks (contract §9), beside that of a day. */
export function nextBankingView({ nextBanking }: Pick<OfficialDay, 'nextBanking'>) {
  const { valueDate = null, rate = null } = nextBanking ?? {};
  return { next_banking_day: valueDate, next_banking_day_rate: rate };
}

/**
 * The official rates of a currency by day, as answers show them (contract §21).
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
    isAdjusted = false,
    ...rules
  }: Pick<Parts, 'calendar' | 'redenominations' | 'now'> & {
    /** Whether all rates are in the unit of today. */
    readonly isAdjusted?: boolean;
    readonly store: Pick<Store, 'officialSeries'>;
  },
) {
  const read = valueDatesFor(range, rules.calendar);
  const stored = await store.officialSeries(officialNameOf(code), read);
  if (stored.length === 0) {
    throw notFound('no_data', {
      field: 'currency',
      message: sentence(
        `No official rate of ${code} is stored.`,
        `No hay guardada una tasa oficial de ${code}.`,
      ),
    });
  }
  const { rows, missing } = officialDays(stored, range, choice, {
    ...rules,
    unitOf: isAdjusted ? caracasDayOf(now) : undefined,
  });
  return {
    ...{ currency: code, ...range, days: choice, count: rows.length },
    ...unitChangesView(isAdjusted ? [] : rules.redenominations.after(unitsSince(range, now))),
    rows: rows.map((row) => ({
      ...{ date: row.date, rate: row.rate, value_date: row.valueDate },
      ...{ business_day: row.isBusinessDay, carried_days: row.carriedDays },
      captured_at: isoInstant(Math.min(row.readAt, now)),
      ...(choice === 'all' && nextBankingView(row)),
    })),
    missing: [...missing],
  };
}

/** A table of days, as `officialHistoryView` gives it. */
export type OfficialTable = Awaited<ReturnType<typeof officialHistoryView>>;

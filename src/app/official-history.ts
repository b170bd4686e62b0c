import type { BankCalendar, CaracasRange } from '../domain/calendar.ts';
import { notFound } from '../domain/errors.ts';
import { type DayChoice, officialDays } from '../domain/history/official-days.ts';
import { officialNameOf } from '../domain/markets.ts';
import type { Redenominations } from '../domain/redenomination.ts';
import { type Instant, isoInstant } from '../domain/time.ts';
import type { Store } from './ports/store.ts';

interface Parts {
  readonly store: Pick<Store, 'officialSeries'>;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  readonly now: Instant;
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
  { store, now, ...rules }: Parts,
) {
  const stored = await store.officialSeries(officialNameOf(code), range);
  if (stored.length === 0) {
    throw notFound('no_data', {
      field: 'currency',
      message: `No official rate of ${code} is stored.`,
    });
  }
  const { rows, missing } = officialDays(stored, range, choice, rules);
  return {
    ...{ currency: code, ...range, days: choice, count: rows.length },
    rows: rows.map(({ date, rate, valueDate, isBusinessDay, carriedDays, readAt }) => ({
      ...{ date, rate, value_date: valueDate, business_day: isBusinessDay },
      carried_days: carriedDays,
      captured_at: isoInstant(Math.min(readAt, now)),
    })),
    missing: [...missing],
  };
}

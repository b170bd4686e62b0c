import { ownTurn } from '../../core/app/lower-priority.ts';
import { nextBankingView } from '../../core/app/past-rates.ts';
import type { Store } from '../../core/app/ports/store.ts';
import { unitChangesView } from '../../core/app/views.ts';
import { PUBLISHED_CURRENCIES } from '../../core/domain/bcv.ts';
import { type BankCalendar, type CaracasRange, daysOf } from '../../core/domain/calendar.ts';
import {
  type OfficialDay,
  officialDays,
  valueDatesFor,
} from '../../core/domain/history/official-days.ts';
import { currencyOf } from '../../core/domain/markets.ts';
import { type Redenominations, unitAt, unitOfDay } from '../../core/domain/redenomination.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';
import { csvPieces } from '../../core/http/framework/encoding/csv.ts';
import { officialDayPath, officialYearPath } from './copy-paths.ts';
import type { CopyFile } from './copy-types.ts';

const COLUMNS = [
  ...['date', 'currency', 'rate', 'value_date', 'business_day', 'carried_days'],
  ...['next_banking_day', 'next_banking_day_rate', 'unit_since'],
].map((name) => ({ name, path: [name] }));

/** Days after which other work gets a turn. */
const DAYS_PER_TURN = 100;

interface OfficialParts {
  readonly store: Pick<Store, 'officialSeries'>;
  readonly calendar: Pick<BankCalendar, 'isBusinessDay' | 'nextValueDate'>;
  readonly redenominations: Redenominations;
  readonly now: Instant;
}

/** The rate in force of one currency on a day. */
interface CurrencyDay extends OfficialDay {
  readonly currency: string;
}

/**
 * The days of a year with the rates in force on them, and the same as one table.
 * @param names The stored names of all currencies.
 * @param range Days of one year.
 */
export async function* officialYear(
  year: number,
  { names, range }: { readonly names: readonly string[]; readonly range: CaracasRange },
  parts: OfficialParts,
): AsyncGenerator<CopyFile> {
  const byDay = new Map<CaracasDay, CurrencyDay[]>();
  for (const [currency, name] of inOrder(names)) {
    await ownTurn();
    const read = valueDatesFor(range, parts.calendar);
    const stored = await parts.store.officialSeries(name, read);
    for (const row of officialDays(stored, range, 'all', parts).rows) {
      const rows = byDay.get(row.date) ?? [];
      byDay.set(row.date, rows);
      rows.push({ ...row, currency });
    }
  }
  const days = daysOf(range);
  for (const [place, date] of days.entries()) {
    if (place % DAYS_PER_TURN === 0) await ownTurn();
    const isBusinessDay = parts.calendar.isBusinessDay(date);
    const view = dayView(date, isBusinessDay, byDay.get(date) ?? []);
    const changes = 'missing' in view ? {} : changesSince(date, parts);
    yield { path: officialDayPath(date), text: JSON.stringify({ ...view, ...changes }) };
  }
  await ownTurn();
  const rows = days.flatMap((date) => byDay.get(date) ?? []).map((row) => rowView(row, parts));
  yield { path: officialYearPath(year), text: [...csvPieces(rows, COLUMNS)].join('') };
}

/** The currencies with the names under which they are stored: those of today, then older ones. */
function inOrder(names: readonly string[]): readonly (readonly [string, string])[] {
  const codes = new Map(names.map((name) => [currencyOf(name) ?? name, name]));
  const order: readonly string[] = PUBLISHED_CURRENCIES;
  const placeOf = (code: string) => (order.includes(code) ? order.indexOf(code) : order.length);
  return [...codes].sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

function dayView(date: CaracasDay, business_day: boolean, rows: readonly CurrencyDay[]) {
  if (rows.length === 0) return { date, business_day, missing: true, rates: {} };
  return {
    date,
    business_day,
    // From the newest value date on the day.
    carried_days: Math.min(...rows.map(({ carriedDays }) => carriedDays)),
    // One for all currencies: the next business day, or the day itself.
    next_banking_day: rows.find(({ nextBanking }) => nextBanking)?.nextBanking?.valueDate ?? null,
    rates: Object.fromEntries(
      rows.map(({ currency, rate, valueDate, nextBanking }) => [
        currency,
        { rate, value_date: valueDate, next_banking_day_rate: nextBanking?.rate ?? null },
      ]),
    ),
  };
}

function rowView(
  { isBusinessDay, carriedDays, valueDate, ...day }: CurrencyDay,
  { redenominations }: Pick<OfficialParts, 'redenominations'>,
) {
  return {
    ...{ date: day.date, currency: day.currency, rate: day.rate, value_date: valueDate },
    ...{ business_day: isBusinessDay, carried_days: carriedDays },
    ...nextBankingView(day),
    unit_since: redenominations.since(unitOfDay(day.date)),
  };
}

/** The reforms since a day until now. */
function changesSince(
  date: CaracasDay,
  { redenominations, now }: Pick<OfficialParts, 'redenominations' | 'now'>,
) {
  return unitChangesView(redenominations.after({ from: unitOfDay(date), to: unitAt(now) }));
}

import type { OfficialMonth } from '../../../core/app/history/official-month.ts';
import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import type { BankCalendar } from '../../../core/domain/calendar.ts';
import { monthOf } from '../../../core/domain/history/month.ts';
import { type Redenominations, unitOfDay } from '../../../core/domain/redenomination.ts';
import { addCaracasDays, type CaracasDay, isWeekend } from '../../../core/domain/time.ts';
import type { AroundMonth } from './month-request.ts';

/** A month day by day, also the days of which nothing is known. */

type Row = OfficialMonth['rows'][number];

/** Why a day has no rate: its publication is missing, one before it is, or it is before all rates. */
export type Gap = 'missing' | 'unknown' | 'tooEarly';

export interface MonthDay {
  readonly date: CaracasDay;
  readonly row: Row | undefined;
  readonly gap: Gap | undefined;
  readonly isBusinessDay: boolean;
  /** The name of a holiday on which banks are closed; weekends have none. */
  readonly holiday: string | undefined;
  /** Whether a new unit of the currency began on it. */
  readonly isNewUnit: boolean;
  /** Of a value date, over the rate in force before it, both in the unit of the day. */
  readonly change: number | undefined;
}

interface Parts {
  readonly calendar: Pick<BankCalendar, 'isBusinessDay' | 'holidayOn'>;
  readonly redenominations: Pick<Redenominations, 'rebased'>;
  readonly around: Pick<AroundMonth, 'before' | 'firstStored'>;
}

export function monthDays(
  { first, last, rows, missing, unit_changes: changes = [] }: OfficialMonth,
  { calendar, redenominations, around }: Parts,
): readonly MonthDay[] {
  const byDay = new Map(rows.map((row) => [row.date, row]));
  const days: MonthDay[] = [];
  let before = around.before === undefined ? undefined : { rate: around.before, date: first };
  for (let date = first; date <= last; date = addCaracasDays(date, 1)) {
    const row = byDay.get(date);
    const isBusinessDay = row?.business_day ?? calendar.isBusinessDay(date);
    const isValueDate = row !== undefined && row.value_date === date;
    days.push({
      ...{ date, row, isBusinessDay },
      gap: row === undefined ? gapOn(date, missing, around) : undefined,
      holiday: isBusinessDay || isWeekend(date) ? undefined : calendar.holidayOn(date),
      isNewUnit: changes.some(({ on }) => on === date),
      change: isValueDate && before ? changeOver(before, row, redenominations) : undefined,
    });
    before = row;
  }
  return days;
}

function gapOn(
  date: CaracasDay,
  missing: readonly string[],
  { firstStored }: Pick<AroundMonth, 'firstStored'>,
): Gap {
  if (firstStored === undefined || date < firstStored) return 'tooEarly';
  return missing.includes(date) ? 'missing' : 'unknown';
}

interface DatedRate {
  readonly rate: number;
  readonly date: CaracasDay;
}

/** In percent, as between any two rates. */
function changeOver(
  before: DatedRate,
  { rate, date }: DatedRate,
  { rebased }: Pick<Redenominations, 'rebased'>,
): number {
  const reference = rebased(before.rate, { from: unitOfDay(before.date), to: unitOfDay(date) });
  return premiumOf({ reference, compared: rate }).percentage;
}

/** The rates of the days in the unit of the last one, which the drawing compares. */
export function comparedRates(
  days: readonly MonthDay[],
  { rebased }: Pick<Redenominations, 'rebased'>,
): readonly (number | undefined)[] {
  const last = days.at(-1)?.date;
  return days.map(
    ({ row, date }) =>
      row && last && rebased(row.rate, { from: unitOfDay(date), to: unitOfDay(last) }),
  );
}

/** Whether the table reaches the end of the month. */
export function isWhole({ last }: Pick<OfficialMonth, 'last'>): boolean {
  return monthOf(addCaracasDays(last, 1)) !== monthOf(last);
}

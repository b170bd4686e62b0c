import type { BankRow } from '../bcv.ts';
import { isOutside, isRatioOver } from '../calculations/ratio.ts';
import { compare, multiply } from '../decimal.ts';
import {
  type BankTableObservation,
  type Doubt,
  isNear,
  type Reading,
  type Thresholds,
} from '../judgement.ts';
import { OFFICIAL_USD } from '../markets.ts';
import { type CaracasDay, caracasDayOf, daysBetween, type Instant } from '../time.ts';
import { type PublicationRules, rateAround, type ValueDates } from './value-dates.ts';

/** Most tables searched for a bank's last row. A bank absent for longer has none. */
// limit: Bank tables searched for a bank | 10 | counts as new
export const MAX_BANK_TABLES_COMPARED = 10;

/** The tables that were published up to an instant, newest first. */
function tablesUpTo({ bankTables }: ValueDates, at: Instant) {
  return bankTables
    .filter(({ capturedAt }) => capturedAt <= at)
    .toReversed()
    .sort((a, b) => b.capturedAt - a.capturedAt)
    .slice(0, MAX_BANK_TABLES_COMPARED);
}

/** The doubts about a bank table as a whole, beside the last one that was published. */
export function tableDoubts(
  { indicatorDate, rows }: BankTableObservation,
  capturedAt: Instant,
  dates: ValueDates,
  { thresholds: { valueDateDaysAhead, bankRowsPercent } }: Pick<PublicationRules, 'thresholds'>,
): readonly Doubt[] {
  const last =
    tablesUpTo(dates, capturedAt)[0] ?? dates.bankTables.findLast((one) => one.isOfBatch);
  const doubts: Doubt[] = [];
  const readOn = caracasDayOf(capturedAt);
  if (daysBetween({ from: readOn, to: indicatorDate }) > valueDateDaysAhead) {
    const message = `the date ${indicatorDate} is more than ${valueDateDaysAhead} days after ${readOn}, the day of the reading`;
    doubts.push({ reason: 'date_ahead', message });
  }
  if (last === undefined) return doubts;
  // Only a table that was read earlier can show that a date went back.
  if (last.capturedAt < capturedAt && indicatorDate < last.indicatorDate) {
    const message = `the date ${indicatorDate} is before ${last.indicatorDate}, the date of the last accepted table`;
    doubts.push({ reason: 'date_back', message });
  }
  const count = last.rows.length;
  if (compare(multiply(rows.length, 100), multiply(count, bankRowsPercent)) < 0) {
    const message = `${rows.length} rows are less than ${bankRowsPercent}% of the ${count} rows of the last accepted table`;
    doubts.push({ reason: 'rows_lost', message });
  }
  return doubts;
}

/**
 * Tells the rows to publish from the doubtful ones.
 * @param held The held readings of tables. A good row of a bank ends those before it.
 */
export function judgedRows(
  { indicatorDate, rows }: BankTableObservation,
  capturedAt: Instant,
  held: readonly Reading[],
  dates: ValueDates,
  rules: PublicationRules,
) {
  const tables = tablesUpTo(dates, capturedAt);
  const inUnitOf = (to: CaracasDay, row: BankRow): BankRow => {
    const side = (value: number | undefined) =>
      value && rules.redenominations.rebased(value, { from: row.date, to });
    return { ...row, buy: side(row.buy), sell: side(row.sell) };
  };
  const good: BankRow[] = [];
  const bad: BankRow[] = [];
  let doubt: Doubt | undefined;
  for (const row of rows) {
    const rowIn = (of: readonly BankRow[]) => of.find(({ bank }) => bank === row.bank);
    const table = tables.find((one) => rowIn(one.rows) !== undefined);
    const last = table && rowIn(table.rows);
    const repeated = held.flatMap(({ observation, capturedAt: readAt }) =>
      observation.kind === 'bank_table' &&
      observation.indicatorDate !== indicatorDate &&
      readAt > (table?.capturedAt ?? 0)
        ? observation.rows.filter(({ bank }) => bank === row.bank)
        : [],
    );
    const context = {
      official: rateAround(dates, OFFICIAL_USD, row.date, rules),
      last: last && inUnitOf(row.date, last),
      held: repeated.map((one) => inUnitOf(row.date, one)),
    };
    const rowDoubt = bankRowDoubt(row, context, rules.thresholds);
    doubt ??= rowDoubt;
    (rowDoubt === undefined ? good : bad).push(row);
  }
  const rest = bad.length === 1 ? '' : `, and of ${bad.length - 1} more banks`;
  return { good, bad, doubt: doubt && { ...doubt, message: doubt.message + rest } };
}

const SIDES = ['buy', 'sell'] as const;

/** The figures that a bank's row is compared with. */
export interface BankRowContext {
  /** The official USD rate in force on the row's date. */
  readonly official: number | undefined;
  readonly last: BankRow | undefined;
  readonly held: readonly BankRow[];
}

/** Why a bank's row is held, if it is. A held row of another table that agrees releases it. */
export function bankRowDoubt(
  row: BankRow,
  { official, last, held }: BankRowContext,
  { bankBand, bankRatio, agreementPercent }: Thresholds,
): Doubt | undefined {
  const doubt = SIDES.map((side): Doubt | undefined => {
    const [value, before] = [row[side], last?.[side]];
    if (value === undefined) return undefined;
    if (official !== undefined && isOutside(value, official, bankBand)) {
      const message = `${side} ${value} of ${row.bank} is outside of ${bankBand.low} to ${bankBand.high} times the official rate on ${row.date}, ${official}`;
      return { reason: 'row_apart', message };
    }
    if (before === undefined || !isRatioOver(value, before, bankRatio)) return undefined;
    const message = `${side} ${value} of ${row.bank} is over a ratio of ${bankRatio} to the bank's last one, ${before}`;
    return { reason: 'row_apart', message };
  }).find((one) => one !== undefined);
  const isRepeated = held.some((other) =>
    SIDES.every((side) => isNear(row[side], other[side], agreementPercent)),
  );
  return isRepeated ? undefined : doubt;
}

import type { BankRow } from '../bcv.ts';
import { isOutside, isRatioOver } from '../calculations/ratio.ts';
import { compare, multiply } from '../decimal.ts';
import { type BankTableObservation, type Doubt, isNear, type Thresholds } from '../judgement.ts';
import { type CaracasDay, caracasDayOf, daysBetween, type Instant } from '../time.ts';

/** The doubts about a bank table as a whole. `bankRowDoubt` judges its rows one by one. */
export function bankTableDoubts(
  { indicatorDate, rows }: BankTableObservation,
  around: {
    /** The last accepted table read before this one. */
    readonly last: { readonly indicatorDate: CaracasDay; readonly rows: number } | undefined;
    readonly capturedAt: Instant;
  },
  { valueDateDaysAhead, bankRowsPercent }: Thresholds,
): readonly Doubt[] {
  const { last, capturedAt } = around;
  const doubts: Doubt[] = [];
  const readOn = caracasDayOf(capturedAt);
  if (daysBetween({ from: readOn, to: indicatorDate }) > valueDateDaysAhead) {
    const message = `the date ${indicatorDate} is more than ${valueDateDaysAhead} days after ${readOn}, the day of the reading`;
    doubts.push({ reason: 'date_ahead', message });
  }
  if (last === undefined) return doubts;
  if (indicatorDate < last.indicatorDate) {
    const message = `the date ${indicatorDate} is before ${last.indicatorDate}, the date of the last accepted table`;
    doubts.push({ reason: 'date_back', message });
  }
  if (compare(multiply(rows.length, 100), multiply(last.rows, bankRowsPercent)) < 0) {
    const message = `${rows.length} rows are less than ${bankRowsPercent}% of the ${last.rows} rows of the last accepted table`;
    doubts.push({ reason: 'rows_lost', message });
  }
  return doubts;
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

import type { ArchivedPublication } from '../../app/ports/sources.ts';
import { FIRST_DIGITAL_DAY, FIRST_SOBERANO_DAY, type PublishedCurrency } from '../../domain/bcv.ts';
import {
  compare,
  type Decimal,
  type DecimalInput,
  MAX_SIGNIFICANT_DIGITS,
  multiply,
  RATE_DECIMALS,
  round,
  significantDigits,
  toNumber,
} from '../../domain/decimal.ts';
import { type CaracasDay, type Instant, parseCaracasDay } from '../../domain/time.ts';
import { excerpt } from '../body/excerpt.ts';

/** A sheet or row of the archive is not accepted. The message says why. */
export class SheetFault extends Error {}

/** The bolívar of a period, and its value in today's bolívares. */
interface BolivarUnit {
  readonly name: string;
  readonly inTodays: DecimalInput;
}

const TODAYS: BolivarUnit = { name: "today's bolívares", inTodays: 1 };
export const SOBERANOS: BolivarUnit = { name: 'bolívares soberanos', inTodays: '0.000001' };
const FUERTES: BolivarUnit = { name: 'bolívares fuertes', inTodays: '0.00000000001' };

/** The dollar cost at least 6 fuertes, then 60 soberanos, then less than 6 digital bolívares. */
const LEAST_DOLLAR_IN_FUERTES = 6;
const LEAST_DOLLAR_IN_SOBERANOS = 50;

/**
 * The dollar at the start of each quarter from 2020 to July 2026, in today's bolívares. A workbook
 * that is the first of its store has nothing else to be compared with.
 */
const FIRST_KNOWN_YEAR = 2020;
const DOLLAR_BY_QUARTER = [
  [0.0466, 0.0809, 0.204, 0.437],
  [1.11, 1.99, 3.22, 4.18],
  [4.6, 4.38, 5.54, 8.2],
  [17.5, 24.5, 28, 34.4],
  [36, 36.3, 36.4, 36.9],
  [52, 69.8, 108, 179],
  [301, 474, 633],
].flat();

/**
 * A figure of a quarter may be outside the dollar at its start and end by this factor. In a quarter
 * it rose by 2.6 times at most, so ten times a figure is always outside, and a tenth of it too.
 */
const QUARTER_TOLERANCE = 3;

/**
 * The unit of a day.
 * @param dollar The figure of the dollar. Its size must fit the unit, because a figure in another
 *   unit would be wrong by a factor of a million.
 * @throws SheetFault when the size does not fit.
 */
export function unitOn(day: CaracasDay, dollar: number): BolivarUnit {
  if (day < FIRST_SOBERANO_DAY) return confirmed(FUERTES, dollar >= LEAST_DOLLAR_IN_FUERTES);
  const unit = day < FIRST_DIGITAL_DAY ? SOBERANOS : TODAYS;
  const isLarge = unit === TODAYS || dollar >= LEAST_DOLLAR_IN_SOBERANOS;
  return confirmed(unit, isLarge && isDollarOf(day, multiply(dollar, unit.inTodays)));
}

/** Whether the dollar, in today's bolívares, has the size of that day's; true for unknown days. */
function isDollarOf(day: CaracasDay, dollar: Decimal): boolean {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const quarter = (year - FIRST_KNOWN_YEAR) * 4 + Math.floor((month - 1) / 3);
  const [start, end] = [DOLLAR_BY_QUARTER[quarter], DOLLAR_BY_QUARTER[quarter + 1]];
  if (start === undefined || end === undefined) return true;
  const [low, high] = [Math.min(start, end), Math.max(start, end)];
  return (
    compare(multiply(dollar, QUARTER_TOLERANCE), low) >= 0 &&
    compare(dollar, multiply(high, QUARTER_TOLERANCE)) <= 0
  );
}

function confirmed(unit: BolivarUnit, isConfirmed: boolean): BolivarUnit {
  if (isConfirmed) return unit;
  throw new SheetFault(`its figure of the dollar is not in ${unit.name}, the unit of that day`);
}

/** The publication in today's bolívares. The conversion is exact. */
export function publicationOf(published: {
  readonly valueDate: CaracasDay;
  /** The figures in `unit`. */
  readonly figures: ReadonlyMap<PublishedCurrency, number>;
  readonly unit: BolivarUnit;
  readonly capturedAt: Instant;
}): ArchivedPublication {
  const { valueDate, figures, unit, capturedAt } = published;
  const rates: Partial<Record<PublishedCurrency, number>> = {};
  for (const [currency, figure] of figures) {
    rates[currency] = toNumber(multiply(figure, unit.inTodays));
  }
  return { valueDate, rates, capturedAt, isConverted: unit !== TODAYS };
}

/** A figure that the bank can publish: positive, with at most 8 decimals and 15 digits. */
export function figureIn(cell: string | number | undefined, name: string): number {
  if (typeof cell !== 'number') {
    throw new SheetFault(`${name} is ${cell === undefined ? 'missing' : `"${excerpt(cell)}"`}`);
  }
  const isPublishable =
    cell > 0 &&
    significantDigits(cell) <= MAX_SIGNIFICANT_DIGITS &&
    compare(cell, round(cell, RATE_DECIMALS)) === 0;
  if (!isPublishable) throw new SheetFault(`${name} is ${cell}, which is no published figure`);
  return cell;
}

/** @returns undefined for a day that does not exist. */
export function dayOf(day: string, month: string, year: string): CaracasDay | undefined {
  return parseCaracasDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

import type { ArchivedPublication } from '../../../core/app/ports/sources.ts';
import { FIRST_DIGITAL_DAY, FIRST_SOBERANO_DAY, leastDollarOn } from '../../../core/domain/bcv.ts';
import {
  compare,
  type DecimalInput,
  MAX_SIGNIFICANT_DIGITS,
  multiply,
  RATE_DECIMALS,
  round,
  significantDigits,
  toNumber,
} from '../../../core/domain/decimal.ts';
import { MAX_RATE } from '../../../core/domain/quotes.ts';
import { type CaracasDay, type Instant, parseCaracasDay } from '../../../core/domain/time.ts';
import { excerpt } from '../../../core/sources/body/excerpt.ts';

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

/** Until then a dollar in digital bolívares cost less than the least one in soberanos. */
const DIGITAL_DOLLAR_KNOWN_UNTIL = '2022-01-01';

/**
 * The unit of a day.
 * @param dollar The figure of the dollar. Its size must fit the unit, because a figure in another
 *   unit would be wrong by a factor of a million.
 * @throws SheetFault when the size does not fit.
 */
export function unitOn(day: CaracasDay, dollar: number): BolivarUnit {
  const least = leastDollarOn(day);
  if (day < FIRST_SOBERANO_DAY) return confirmed(FUERTES, dollar >= least);
  if (day < FIRST_DIGITAL_DAY) return confirmed(SOBERANOS, dollar >= least);
  const isKnown = day < DIGITAL_DOLLAR_KNOWN_UNTIL;
  return confirmed(TODAYS, !isKnown || dollar < least);
}

function confirmed(unit: BolivarUnit, isConfirmed: boolean): BolivarUnit {
  if (isConfirmed) return unit;
  throw new SheetFault(`its figure of the dollar is not in ${unit.name}, the unit of that day`);
}

/** The publication in today's bolívares. The conversion is exact. */
export function archivePublication(published: {
  readonly valueDate: CaracasDay;
  /** The figures in `unit`. */
  readonly figures: ReadonlyMap<string, number>;
  readonly unit: BolivarUnit;
  readonly capturedAt: Instant;
}): ArchivedPublication {
  const { valueDate, figures, unit, capturedAt } = published;
  const rates: Record<string, number> = {};
  for (const [currency, figure] of figures) {
    rates[currency] = toNumber(multiply(figure, unit.inTodays));
  }
  return { valueDate, rates, capturedAt, isConverted: unit !== TODAYS };
}

/** A figure that the bank can publish: positive, at most `MAX_RATE`, with 8 decimals and 15 digits. */
export function figureIn(cell: string | number | undefined, name: string): number {
  if (typeof cell !== 'number') {
    throw new SheetFault(`${name} is ${cell === undefined ? 'missing' : `"${excerpt(cell)}"`}`);
  }
  const isPublishable =
    cell > 0 &&
    cell <= MAX_RATE &&
    significantDigits(cell) <= MAX_SIGNIFICANT_DIGITS &&
    compare(cell, round(cell, RATE_DECIMALS)) === 0;
  if (!isPublishable) throw new SheetFault(`${name} is ${cell}, which is no published figure`);
  return cell;
}

/** @returns undefined for a day that does not exist. */
export function dayOf(day: string, month: string, year: string): CaracasDay | undefined {
  return parseCaracasDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

import { FIRST_DIGITAL_DAY, leastDollarOn, MOST_DOLLAR_BEFORE_DIGITAL } from '../bcv.ts';
import type { Doubt } from '../judgement.ts';
import type { CaracasDay } from '../time.ts';

/** The figure of a dollar or a euro on a day of before 1 October 2021, as a record has it. */
export interface DatedFigure {
  /** The currency or the market. */
  readonly name: string;
  readonly day: CaracasDay;
  readonly figure: number;
  /** Whether the record says that it is in the unit of its day. Else it is in the stored one. */
  readonly isOfDay: boolean;
}

/**
 * The doubt about a figure that is right in the other unit: by its size alone, because nothing need be
 * stored of those years. A wrong unit is a factor of a million, and the units do not overlap.
 */
export function unitDoubt({ name, day, figure, isOfDay }: DatedFigure): Doubt | undefined {
  if (day >= FIRST_DIGITAL_DAY) return undefined;
  if (isOfDay) {
    if (figure >= leastDollarOn(day)) return undefined;
    const message = `${name} ${figure} looks like the bolívar of ${FIRST_DIGITAL_DAY}, not that of ${day}: leave out "unit": "day"`;
    return { reason: 'other_unit', message };
  }
  if (figure < MOST_DOLLAR_BEFORE_DIGITAL) return undefined;
  const message = `${name} ${figure} looks like the bolívar of its day, ${day}, not that of ${FIRST_DIGITAL_DAY}: say "unit": "day"`;
  return { reason: 'other_unit', message };
}

import { FIRST_DIGITAL_DAY, leastDollarOn, MOST_DOLLAR_BEFORE_DIGITAL } from '../bcv.ts';
import type { Doubt } from '../judgement.ts';
import type { CaracasDay } from '../time.ts';

/**
 * The doubt about a dollar or a euro of before 1 October 2021 that is right in the other unit: by its
 * size alone, because nothing need be stored of those years. A wrong unit is a factor of a million,
 * and the units do not overlap.
 * @param name Its currency or market.
 * @param isOfDay Whether the record says that it is in the unit of its day. Else it is in the stored one.
 */
export function unitDoubt(
  name: string,
  day: CaracasDay,
  figure: number,
  isOfDay: boolean,
): Doubt | undefined {
  if (day >= FIRST_DIGITAL_DAY) return undefined;
  if (isOfDay ? figure >= leastDollarOn(day) : figure < MOST_DOLLAR_BEFORE_DIGITAL)
    return undefined;
  const message = isOfDay
    ? `${name} ${figure} looks like the bolívar of ${FIRST_DIGITAL_DAY}, not that of ${day}: leave out "unit": "day"`
    : `${name} ${figure} looks like the bolívar of its day, ${day}, not that of ${FIRST_DIGITAL_DAY}: say "unit": "day"`;
  return { reason: 'other_unit', message };
}

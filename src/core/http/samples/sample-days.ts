import {
  addCaracasDays,
  type CaracasDay,
  daysBetween,
  parseCaracasDay,
} from '../../domain/time.ts';

/** The Saturday of the declared samples: the days of the week before it have rates, as in the guides. */
const DECLARED = parsed('2026-11-21');

const DAYS_A_WEEK = 7;

function parsed(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day`);
  return day;
}

/**
 * Moves the days of the declared samples by whole weeks, so that their Saturday is the last one that has
 * begun: a Sunday stays a Sunday, and the rates of the week before are known.
 */
export function sampleDays(today: CaracasDay): (text: string) => string {
  const weeks = Math.floor(daysBetween({ from: DECLARED, to: today }) / DAYS_A_WEEK);
  const moved = (text: string) => {
    const day = parseCaracasDay(text);
    return day === undefined ? text : addCaracasDays(day, weeks * DAYS_A_WEEK);
  };
  return (text) =>
    text
      .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, moved)
      .replace(/^(\d{4}-\d\d)$/, (month) => moved(`${month}-20`).slice(0, month.length));
}

import {
  addCaracasDays,
  type CaracasDay,
  isWeekend,
  parseCaracasDay,
} from '../../../core/domain/time.ts';
import type { BoardDays } from './board-figures.ts';

type ClosedDays = Pick<BoardDays, 'closed'>;

/** Whether banks are closed on the day, as far as the page knows. */
export function isClosedDay(day: string, { closed }: ClosedDays): boolean {
  const known = parseCaracasDay(day);
  return known !== undefined && (isWeekend(known) || closed.includes(known));
}

/** The first day after it on which banks work, as far as the page knows. */
export function nextBankingDay(after: CaracasDay, days: ClosedDays): CaracasDay {
  let day = addCaracasDays(after, 1);
  while (isClosedDay(day, days)) day = addCaracasDays(day, 1);
  return day;
}

import { OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { shownUnits } from '../../../core/domain/redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
  isWeekend,
} from '../../../core/domain/time.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { BoardDays } from '../board/board-figures.ts';

/** Days of the curve of the official dollar. */
const STEP_DAYS = 30;
/** How far the page knows the days on which banks are closed. */
const CLOSED_DAYS_BACK = 400;
const CLOSED_DAYS_AHEAD = 14;

/** What the page knows of the days around today. Figures of an earlier unit are in that of today. */
export async function boardDays(
  now: Instant,
  {
    services: { store, calendar, redenominations },
    historyDays,
  }: {
    readonly services: Pick<Services, 'store' | 'calendar' | 'redenominations'>;
    readonly historyDays: number;
  },
): Promise<BoardDays> {
  const today = caracasDayOf(now);
  const from = addCaracasDays(today, -Math.min(STEP_DAYS, historyDays));
  const before = await store.officialRateUpTo(OFFICIAL_USD, from);
  const since = await store.officialRates(OFFICIAL_USD, { from, to: today });
  const steps = [...(before ? [before] : []), ...since].flatMap(({ effectiveDate, mid }) =>
    effectiveDate === undefined
      ? []
      : [
          {
            from: effectiveDate,
            rate: redenominations.rebased(mid, shownUnits(effectiveDate, { on: today })),
          },
        ],
  );
  const closed: CaracasDay[] = [];
  const last = addCaracasDays(today, CLOSED_DAYS_AHEAD);
  for (
    let day = addCaracasDays(today, -CLOSED_DAYS_BACK);
    day <= last;
    day = addCaracasDays(day, 1)
  ) {
    if (!isWeekend(day) && !calendar.isBusinessDay(day)) closed.push(day);
  }
  // The rate in force on the first day may be of that day.
  return {
    steps: steps.filter((step, place) => step.from !== steps[place + 1]?.from),
    closed,
    next_by: calendar.expected(calendar.nextValueDate(today)).until,
  };
}

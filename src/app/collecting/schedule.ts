import { Cron } from 'croner';
import type { BankCalendar } from '../../domain/calendar.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { ScheduleRule, Source } from '../ports/sources.ts';

/**
 * Days for which a publication that is not expected puts a turn off; no stretch of bank holidays is
 * nearly as long.
 */
const MAX_DAYS_PUT_OFF = 60;

/** What tells whether a publication is still expected. */
export interface Expectation {
  readonly calendar: BankCalendar;
  /** The newest official value date that is stored; undefined before the first. */
  readonly newestValueDate: CaracasDay | undefined;
}

/** Whether the source brings the publications of business days. */
export function expectsPublications({ schedule }: Source): boolean {
  return schedule.some(({ whileExpected }) => whileExpected);
}

/**
 * The first time after `after`, exclusive, at which a rule wants a reading; undefined when there is
 * none. A rule `whileExpected` wants none on a day on which nothing is published, nor on one whose
 * publication is stored already.
 */
export function nextTurn(
  rules: readonly ScheduleRule[],
  after: Instant,
  { calendar, newestValueDate }: Expectation,
): Instant | undefined {
  const times = rules.flatMap(({ cron, whileExpected }) => {
    const nextTime = timesOf(cron);
    let time = nextTime(after);
    if (!whileExpected) return time ?? [];
    while (time !== undefined && time < after + MAX_DAYS_PUT_OFF * DAY_MS) {
      const day = caracasDayOf(time);
      if (calendar.mayPublishOn(day, newestValueDate)) break;
      time = nextTime(startOfCaracasDay(day) + DAY_MS - 1);
    }
    return time ?? [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The times of a five-field cron pattern, in Caracas: the first one after an instant, exclusive. */
function timesOf(cron: string): (after: Instant) => Instant | undefined {
  const times = new Cron(cron, { mode: '5-part', timezone: 'America/Caracas', paused: true });
  return (after) => times.nextRun(new Date(after))?.getTime();
}

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

/** Most days that a turn is postponed. No series of bank holidays is nearly as long. */
const MAX_DAYS_PUT_OFF = 60;

interface Expectation {
  readonly calendar: BankCalendar;
  /** The newest official value date that is stored; undefined before the first. */
  readonly newestValueDate: CaracasDay | undefined;
}

/** Whether the source reads publications of business days. */
export function expectsPublications({ schedule }: Source): boolean {
  return schedule.some(({ whileExpected }) => whileExpected);
}

/**
 * The first scheduled time after `after` (exclusive); undefined when there is none. A
 * `whileExpected` rule skips days without a publication, and days whose publication is already
 * stored.
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

/** Finds the first time of a five-field cron pattern, in Caracas, after an instant. */
function timesOf(cron: string): (after: Instant) => Instant | undefined {
  const times = new Cron(cron, { mode: '5-part', timezone: 'America/Caracas', paused: true });
  return (after) => times.nextRun(new Date(after))?.getTime();
}

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
// limit: Put off while no publication is expected | 60 days
const MAX_DAYS_PUT_OFF = 60;

/** Whether the source reads publications of business days. */
export function expectsPublications({ schedule }: Source): boolean {
  return schedule.some(({ whileExpected }) => whileExpected);
}

/**
 * The first scheduled time after `after` (exclusive); undefined when there is none. A
 * `whileExpected` rule skips days without a publication, and days whose publication is already
 * stored.
 * @param newestValueDate The newest official value date that is stored; undefined before the first.
 */
export function nextTurn(
  rules: readonly ScheduleRule[],
  after: Instant,
  {
    calendar,
    newestValueDate,
  }: { readonly calendar: BankCalendar; readonly newestValueDate: CaracasDay | undefined },
): Instant | undefined {
  const times = rules.map(({ cron, whileExpected }) => {
    const nextTime = timesOf(cron);
    let time = nextTime(after);
    if (!whileExpected) return time;
    while (time !== undefined && time < after + MAX_DAYS_PUT_OFF * DAY_MS) {
      const day = caracasDayOf(time);
      if (calendar.mayPublishOn(day, newestValueDate)) break;
      time = nextTime(startOfCaracasDay(day) + DAY_MS - 1);
    }
    return time;
  });
  return earliest(...times);
}

/** The first of these instants; undefined without any. */
export function earliest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  const planned = instants.filter((instant) => instant !== undefined);
  return planned.length === 0 ? undefined : Math.min(...planned);
}

/** Finds the first time of a five-field cron pattern, in Caracas, after an instant. */
function timesOf(cron: string): (after: Instant) => Instant | undefined {
  const times = new Cron(cron, { mode: '5-part', timezone: 'America/Caracas', paused: true });
  return (after) => times.nextRun(new Date(after))?.getTime();
}

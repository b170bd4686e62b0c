import type { Language } from '../../../../core/domain/words/language.ts';
import { dayAndMonth, monthAndYear } from '../../frame/format.ts';
import type { ChartView } from './chart-view.ts';

/** From this many days in sight on, the axis names months with their year. */
const MONTHS_FROM = 120;
/** Room of one name, in pixels. */
const DAY_ROOM = 72;
const MONTH_ROOM = 84;

/** The named days below a plot of that width: `26 oct`, or `ene 2026` for half a year and more. */
export function dayTicks(
  days: readonly string[],
  { from, to }: ChartView,
  { width, language }: { readonly width: number; readonly language: Language },
) {
  const first = Math.max(0, Math.ceil(from));
  const last = Math.min(days.length - 1, Math.floor(to));
  const shown = days.slice(first, last + 1).map((day, place) => ({ day, at: first + place }));
  if (to - from >= MONTHS_FROM) {
    const months = shown.filter(({ day }) => day.endsWith('-01'));
    const step = stepOf(months.length, width / MONTH_ROOM, [1, 2, 3, 6, 12]);
    return months
      .filter(({ day }) => (Number(day.slice(5, 7)) - 1) % step === 0)
      .map(({ day, at }) => ({ at, text: monthAndYear(day, language) }));
  }
  const step = stepOf(shown.length, width / DAY_ROOM, [1, 2, 3, 5, 7, 10, 14, 21, 30, 60]);
  // The last day has no close yet, and in the evening of Caracas its name is that of tomorrow.
  const end = Math.min(last, days.length - 2);
  return shown
    .filter(({ at }) => at <= end && (end - at) % step === 0)
    .map(({ day, at }) => ({ at, text: dayAndMonth(day, language) }));
}

/** The smallest step at which no more are left than have room. */
function stepOf(count: number, room: number, steps: readonly number[]): number {
  return steps.find((step) => count / step <= Math.max(1, room)) ?? steps.at(-1) ?? 1;
}

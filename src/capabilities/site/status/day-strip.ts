import type { SourceDay } from '../../../core/domain/source-health.ts';
import { addCaracasDays, caracasDayOf } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { shortDay } from '../frame/format.ts';
import type { StatusTexts } from '../texts/es/status.ts';
import type { ReadStatus } from './status-view.ts';

type DayMark = keyof StatusTexts['marks'];

/** Days of the strip, today included. */
export const STRIP_DAYS = 90;
/** A day with one failure in this many readings is not marked. */
const READINGS_A_FAILURE = 20;

/** The mark of a day. Single failures among many readings do not count. */
function markOf(day: SourceDay | undefined): DayMark {
  if (day === undefined) return 'none';
  const { successes, failures } = day;
  if (successes === 0) return failures === 0 ? 'none' : 'bad';
  return failures * READINGS_A_FAILURE > successes + failures ? 'some' : 'good';
}

/** The last days as a row of marks, with a text for screen readers. */
export function dayStrip(
  days: readonly SourceDay[],
  { now, language, words }: Pick<ReadStatus, 'now' | 'language' | 'words'>,
): Html {
  const today = caracasDayOf(now);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const counts = { good: 0, some: 0, bad: 0, none: 0 };
  const marks = Array.from({ length: STRIP_DAYS }, (_, index) => {
    const day = addCaracasDays(today, index + 1 - STRIP_DAYS);
    const found = byDay.get(day);
    const mark = markOf(found);
    counts[mark] += 1;
    const good = found?.failures === 0 ? words.noFailures : words.fewFailures;
    const said = mark === 'good' ? good : words.marks[mark];
    const count = found && ` (${words.dayCounts(found.successes, found.failures)})`;
    return html`<i class="${mark}" title="${shortDay(day, language)}: ${said}${count ?? ''}"></i>`;
  });
  return html`<div class="strip" role="img" aria-label="${words.days(STRIP_DAYS)}: ${words.marksCount(counts)}">
${marks}
</div>
<p class="strip-ends quiet" aria-hidden="true"><span>${words.daysAgo(STRIP_DAYS - 1)}</span><span>${words.today}</span></p>`;
}

/** Legend of the strips' colours. */
export function stripLegend({ words: { marks } }: ReadStatus): Html {
  const order: readonly DayMark[] = ['good', 'some', 'bad', 'none'];
  return html`<ul class="legend">
${order.map((mark) => html`<li><span class="strip" aria-hidden="true"><i class="${mark}"></i></span> ${marks[mark]}</li>\n`)}</ul>`;
}

import type { SourceDay } from '../../domain/source-health.ts';
import { addCaracasDays, caracasDayOf, type Instant } from '../../domain/time.ts';
import { shortDay } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { StatusTexts } from './status-texts-es.ts';

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
export function dayStrip(days: readonly SourceDay[], now: Instant, language: Language): Html {
  const words = STATUS_TEXTS[language];
  const today = caracasDayOf(now);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const shown = Array.from({ length: STRIP_DAYS }, (_, index) => {
    const day = addCaracasDays(today, index + 1 - STRIP_DAYS);
    const found = byDay.get(day);
    return { day, found, mark: markOf(found) };
  });
  const counts = { good: 0, some: 0, bad: 0, none: 0 };
  for (const { mark } of shown) counts[mark] += 1;
  const titleOfDay = ({ day, found, mark }: (typeof shown)[number]) => {
    if (found === undefined) return `${shortDay(day, language)}: ${words.marks[mark]}`;
    const { successes, failures } = found;
    const good = failures === 0 ? words.noFailures : words.fewFailures;
    const said = mark === 'good' ? good : words.marks[mark];
    return `${shortDay(day, language)}: ${said} (${words.dayCounts(successes, failures)})`;
  };
  return html`<div class="strip" role="img" aria-label="${words.days(STRIP_DAYS)}: ${words.marksCount(counts)}">
${shown.map((one) => html`<i class="${one.mark}" title="${titleOfDay(one)}"></i>`)}
</div>
<p class="strip-ends quiet" aria-hidden="true"><span>${words.daysAgo(STRIP_DAYS - 1)}</span><span>${words.today}</span></p>`;
}

/** Legend of the strips' colours. */
export function stripLegend(language: Language): Html {
  const { marks } = STATUS_TEXTS[language];
  const order: readonly DayMark[] = ['good', 'some', 'bad', 'none'];
  return html`<ul class="legend">
${order.map((mark) => html`<li><span class="strip" aria-hidden="true"><i class="${mark}"></i></span> ${marks[mark]}</li>\n`)}</ul>`;
}

import type { CaracasDay } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { nearDayShort, percentText, rateText, wholeRateText } from '../frame/format.ts';
import { MONTH_TEXTS, WEEKDAYS } from '../texts/texts.ts';
import { isWhole, type MonthDay } from './month-days.ts';
import type { MonthView } from './month-view.ts';

const SHORT_LETTERS = 3;

/** Every day of the month, the rates of both rules side by side. */
export function daysPanel({ days, currency, language, ...view }: MonthView): Html {
  const texts = MONTH_TEXTS[language];
  const { columns } = texts;
  return html`<section class="panel days-panel" aria-label="${texts.days}"><table class="days"><colgroup><col class="d" /><col class="r" /><col class="r" /><col class="c" /></colgroup>
<thead><tr><th scope="col">${columns.day}</th><th scope="col" class="figure">${columns.inForce}</th><th scope="col" class="figure">${columns.next}</th><th scope="col" class="figure change">${columns.change}</th></tr></thead>
<tbody>${days.map((day) => dayRow(day, { language, ...view }))}</tbody></table>
<p class="note">${texts.perUnit[currency]} ${texts.legend}</p></section>`;
}

type RowParts = Pick<MonthView, 'language' | 'today' | 'table' | 'doubtful'>;

function dayRow(day: MonthDay, { language, today, table, doubtful }: RowParts): Html {
  const texts = MONTH_TEXTS[language];
  const { date, row, gap, isBusinessDay, holiday, isNewUnit, change } = day;
  const isClose = isWhole(table) && date === table.last && row !== undefined;
  const isDoubtful = doubtful.some(
    ({ value_date: on, rate }) => row?.value_date === on && row.rate === rate,
  );
  const tags = [
    holiday !== undefined && tag(texts.holiday, 'amber', holiday),
    isNewUnit && tag(texts.newUnit),
    date === today && tag(texts.today, 'accent'),
    isClose && tag(texts.close),
    isDoubtful && tag(texts.inDoubt, 'amber'),
  ];
  const kinds = [isBusinessDay ? '' : 'closed', date === today ? 'today' : ''];
  const weekday = WEEKDAYS[language][new Date(`${date}T00:00:00Z`).getUTCDay()];
  const head = html`<th scope="row"><time datetime=${date}><span class="wd">${weekday?.slice(0, SHORT_LETTERS)}</span> ${Number(date.slice(-2))}</time> ${tags}</th>`;
  if (row === undefined) {
    const why = gap && texts[gap];
    return html`<tr class=${kinds.join(' ').trim()}>${head}<td class="figure none" colspan="2">${why}</td><td class="figure change"></td></tr>\n`;
  }
  const next = row.next_banking_day_rate;
  const nextDay = row.next_banking_day;
  return html`<tr class=${kinds.join(' ').trim()}>${head}${figure(row.rate, row.value_date, { date, language })}${
    next == null || nextDay == null
      ? html`<td class="figure none">${texts.notYet}</td>`
      : figure(next, nextDay, { date, language })
  }<td class="figure change">${change !== undefined && changeText(change, language)}</td></tr>\n`;
}

const tag = (text: string, kind = '', title?: string): Html =>
  html`<span class=${`tag ${kind}`.trim()} title=${title}>${text}</span> `;

/** A rate; that of another day names it. */
function figure(
  rate: number,
  valueDate: CaracasDay,
  { date, language }: { readonly date: CaracasDay; readonly language: Language },
): Html {
  const of = MONTH_TEXTS[language].of(nearDayShort(valueDate, date, language));
  return html`<td class="figure"><span title=${wholeRateText(rate, language)}>${valueDate !== date && html`<span class="of">${of}</span> `}${rateText(rate, language)}</span></td>`;
}

/** `▲ 0,69 %`: the arrow stands in place of the sign, which is only heard. */
function changeText(percent: number, language: Language): Html {
  const text = percentText(percent, language);
  if (percent === 0) return text;
  return html`<span aria-hidden="true">${percent > 0 ? '▲' : '▼'}</span><span class="unseen">${text.slice(0, 1)}</span> ${text.slice(1)}`;
}

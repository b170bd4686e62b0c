import { useState } from 'preact/hooks';
import { percentText, rateText, shortDay } from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import type { ChartData } from './chart-data.ts';
import { CHART_TEXTS } from './chart-texts.ts';

interface Column {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly write: (value: number, language: Language) => string;
}

/** The chart's data as a table, newest day first. It is written when it is opened. */
export function ChartTable({
  data,
  language,
}: {
  readonly data: ChartData;
  readonly language: Language;
}): Html {
  const texts = CHART_TEXTS[language];
  const [isOpen, setOpen] = useState(false);
  return html`<details id="chart-data" class="no-print" onToggle=${() => setOpen(true)}><summary>${texts.table}</summary>${
    isOpen &&
    html`<div class="scroll" role="region" aria-label="${texts.table}" tabindex="0">${rows(data, language)}</div>`
  }</details>`;
}

function rows(data: ChartData, language: Language): Html {
  const columns = columnsOf(data, language);
  const day = CHART_TEXTS[language].day;
  const row = (date: string, at: number) =>
    html`<tr><th scope="row">${shortDay(date, language)}</th>${columns.map(({ values, write }) => {
      const value = values[at];
      return html`<td class="figure">${typeof value === 'number' && write(value, language)}</td>`;
    })}</tr>`;
  return html`<table><thead><tr><th scope="col">${day}</th>${columns.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)}</tr></thead><tbody>${data.days.map(row).toReversed()}</tbody></table>`;
}

function columnsOf(
  { series, values, candles, compared, premium }: ChartData,
  language: Language,
): readonly Column[] {
  const { opens, highest, lowest, closes, premiumOf } = CHART_TEXTS[language];
  const rates = series.flatMap((one, position) => {
    const name = nameIn(one, language);
    const close = { name, values: values[position] ?? [], write: rateText };
    if (position !== candles?.position) return [close];
    const part = (text: string, figures: Column['values']) => ({
      ...{ name: `${name}, ${text}`, values: figures, write: rateText },
    });
    return [
      part(opens, candles.open),
      part(highest, candles.high),
      part(lowest, candles.low),
      part(closes, close.values),
    ];
  });
  if (compared === undefined || premium === undefined) return rates;
  const last = { name: premiumOf(nameIn(compared, language)), values: premium, write: percentText };
  return [...rates, last];
}

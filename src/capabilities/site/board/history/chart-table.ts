import { useState } from 'preact/hooks';
import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { shortDay } from '../../frame/format.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import { type ChartData, figureColumns } from './chart-data.ts';

interface TableParts {
  readonly data: ChartData;
  readonly language: Language;
}

/** The chart's data as a table, newest day first. It is written when it is opened. */
export function ChartTable({ data, language }: TableParts): Html {
  const texts = CHART_TEXTS[language];
  const [isOpen, setOpen] = useState(false);
  return html`<details id="chart-data" onToggle=${() => setOpen(true)}><summary>${texts.table}</summary>${
    isOpen &&
    html`<p class="quiet">${texts.tableAbout}</p><div class="scroll" role="region" aria-label="${texts.table}" tabindex="0">${table(data, language)}</div>`
  }</details>`;
}

function table({ days, rates, premium }: ChartData, language: Language): Html {
  const { day, newest } = CHART_TEXTS[language];
  const columns = [...rates, ...(premium ? [{ ...premium, title: premium.name }] : [])].flatMap(
    (line) =>
      figureColumns(line, language).map(({ part, values }) => ({
        ...{ ...line, values, title: part === undefined ? line.title : `${line.title}, ${part}` },
      })),
  );
  const row = (date: string, at: number) =>
    html`<tr><th scope="row">${at === days.length - 1 ? newest : shortDay(date, language)}</th>${columns.map(
      ({ values, write }) => {
        const value = values[at];
        return html`<td class="figure">${typeof value === 'number' && write(value, language)}</td>`;
      },
    )}</tr>`;
  return html`<table><thead><tr><th scope="col">${day}</th>${columns.map(({ title }) => html`<th scope="col" class="figure">${title}</th>`)}</tr></thead><tbody>${days.map(row).toReversed()}</tbody></table>`;
}

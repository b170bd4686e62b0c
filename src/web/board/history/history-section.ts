import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import type { BoardReader } from '../age.ts';
import type { BoardFigures } from '../board-figures.ts';
import { chartChoice } from './chart-choice.ts';
import { CHART_TEXTS } from './chart-texts.ts';

export interface LiveChart {
  /** Newer figures arrived. */
  figures(figures: BoardFigures): void;
  /** The service answers. The chart requests again a history that could not be loaded. */
  answered(): void;
}

/** Draws the chart into the elements of the page. */
export type StartChart = (language: Language) => LiveChart;

interface HistoryParts {
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  /** How often the service answered. */
  readonly answers: number;
  readonly start: StartChart | undefined;
}

/** The chart. Its script changes the elements, so they are written once. */
export function HistorySection({
  figures,
  reader: { language },
  answers,
  start,
}: HistoryParts): Html {
  const [written] = useState(() => chartSection(figures, language));
  const chart = useRef<LiveChart>(undefined);
  useEffect(() => {
    chart.current = start?.(language);
  }, [start, language]);
  useEffect(() => chart.current?.figures(figures), [figures.version]);
  useEffect(() => chart.current?.answered(), [answers]);
  return written;
}

function chartSection(figures: BoardFigures, language: Language): Html {
  const texts = CHART_TEXTS[language];
  const heading = html`<h2>${texts.heading}</h2>`;
  if (figures.history_days === 0) {
    return html`<section class="panel history">${heading}<p class="quiet">${texts.off}</p></section>`;
  }
  return html`<section class="panel history">${heading}
${chartChoice(figures, language)}
<p id="chart-state" class="quiet" role="status"><noscript>${texts.needsScript}</noscript></p>
<div class="charts"><div id="chart" class="chart"></div>
<div id="chart-premium-plot" class="chart small-chart"></div>
<button type="button" id="chart-whole" hidden>${texts.zoomOut}</button></div>
<p class="quiet small">${texts.about} <span id="chart-candles-about"></span> <span id="chart-units"></span></p>
<details id="chart-data" hidden><summary>${texts.table}</summary><div class="scroll" role="region" aria-label="${texts.table}" tabindex="0"><table><thead></thead><tbody></tbody></table></div></details>
</section>`;
}

import uPlot from 'uplot';
import { element, show } from '../../frame/browser/elements.ts';
import { numberText, percentText, rateText, shortDay } from '../../frame/format.ts';
import { html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import type { BoardFigures, BoardHistory, BoardSeries } from '../board-figures.ts';
import { MAX_BOARD_SERIES } from '../board-figures.ts';
import { CHART_TEXTS } from '../board-texts.ts';
import { historyAddress } from '../chart-choice.ts';

const CHART_HEIGHT = 340;
const READ_TIMEOUT_MS = 20_000;
/** Of the shown days, by one key press. */
const ZOOM_STEP = 0.2;
/** Up to so many points each is drawn: of one alone there is no line. */
const DOTTED_POINTS = 10;

/** Rows of the chart: the days, then each series' values, then the premium. */
interface ChartData {
  readonly days: readonly string[];
  readonly series: readonly BoardSeries[];
  readonly values: readonly (readonly (number | null)[])[];
  /** The series whose premium over the official rate is drawn: the first that has one. */
  readonly compared: BoardSeries | undefined;
  readonly premium: readonly (number | null)[] | undefined;
}

/** The chart of the history: chosen markets over chosen days, and the premium on an axis of its own. */
export function liveChart(language: Language): { figures(figures: BoardFigures): void } {
  const form = document.getElementById('chart-choice');
  // An operator may show no history; then there is no form.
  if (!(form instanceof HTMLFormElement)) return { figures: () => {} };
  return drawnChart(form, language);
}

function drawnChart(form: HTMLFormElement, language: Language) {
  const texts = CHART_TEXTS[language];
  const days = element('chart-days', HTMLSelectElement);
  const withPremium = element('chart-premium', HTMLInputElement);
  const state = element('chart-state', HTMLElement);
  const place = element('chart', HTMLElement);
  const csv = element('chart-csv', HTMLAnchorElement);
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name=market]')];
  let plot: uPlot | undefined;
  let data: ChartData | undefined;
  let asked = '';

  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);

  async function read(again = false): Promise<void> {
    const markets = chosen();
    for (const box of boxes) box.disabled = !box.checked && markets.length >= MAX_BOARD_SERIES;
    if (markets.length === 0) return draw(undefined);
    const wanted = { markets, days: Number(days.value) };
    csv.href = historyAddress('csv', wanted);
    const address = historyAddress('json', wanted);
    if (address === asked && !again) return;
    asked = address;
    if (plot === undefined) state.textContent = texts.loading;
    try {
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
      const response = await fetch(address, { signal });
      if (!response.ok) throw new Error(`the service answered ${response.status}`);
      // The service answers its own page.
      const found = (await response.json()) as BoardHistory;
      if (asked === address) draw(chartData(found));
    } catch {
      if (asked !== address) return;
      asked = '';
      state.textContent = texts.failed;
    }
  }

  function draw(found: ChartData | undefined): void {
    data = found;
    plot?.destroy();
    plot = undefined;
    const isEmpty = found === undefined || found.days.length === 0;
    state.textContent = isEmpty ? texts.nothing : '';
    place.hidden = isEmpty;
    element('chart-data', HTMLDetailsElement).hidden = isEmpty;
    if (isEmpty) return;
    const premium = withPremium.checked ? found.premium : undefined;
    plot = new uPlot(
      options({ ...found, premium }, language, place.clientWidth),
      columns(found, premium),
      place,
    );
    showTable(found, language);
  }

  const redraw = () => draw(data);
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', (event) => {
    if (event.target === withPremium) redraw();
    else void read();
  });
  element('chart-whole', HTMLButtonElement).addEventListener('click', redraw);
  place.tabIndex = 0;
  place.setAttribute('role', 'application');
  place.setAttribute('aria-label', texts.keys);
  place.addEventListener('keydown', (event) => {
    if (plot !== undefined && moveBy(plot, event.key)) event.preventDefault();
  });
  new ResizeObserver(() => {
    const width = place.clientWidth;
    if (plot !== undefined && width > 0 && width !== plot.width) {
      plot.setSize({ width, height: CHART_HEIGHT });
    }
  }).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  document.getElementById('theme')?.addEventListener('change', redraw);
  void read();
  return {
    figures: () => {
      // Newer figures end in a newer last point; a zoomed chart is left as the reader set it.
      if (plot !== undefined && !isZoomed(plot)) void read(true);
    },
  };
}

function chartData({ series }: BoardHistory): ChartData {
  const days = [...new Set(series.flatMap(({ points }) => points.map(({ date }) => date)))].sort();
  const at = new Map(days.map((day, position) => [day, position]));
  const column = (
    one: BoardSeries,
    value: (point: BoardSeries['points'][number]) => number | undefined,
  ) => {
    const values: (number | null)[] = days.map(() => null);
    for (const point of one.points) values[at.get(point.date) ?? 0] = value(point) ?? null;
    return values;
  };
  const compared = series.find(({ points }) =>
    points.some((point) => point.gap_percent !== undefined),
  );
  return {
    days,
    series,
    values: series.map((one) => column(one, ({ rate }) => rate)),
    compared,
    premium: compared && column(compared, ({ gap_percent }) => gap_percent),
  };
}

function columns({ days, values }: ChartData, premium: ChartData['premium']): uPlot.AlignedData {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const all = [...values, ...(premium === undefined ? [] : [premium])].map((column) => [...column]);
  return [times, ...all];
}

/** A colour of the stylesheet, as it is now. */
function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

function options(
  { series, compared, premium }: ChartData,
  language: Language,
  width: number,
): uPlot.Options {
  const texts = CHART_TEXTS[language];
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  const none = '–';
  const lines: uPlot.Series[] = series.map(({ name, points }, position) => ({
    label: name,
    stroke: colour(`series-${position + 1}`),
    width: 2,
    // Official rates are of business days: the line goes on over the days between.
    spanGaps: true,
    points: { show: points.length <= DOTTED_POINTS },
    value: (_, value) => (value === null ? none : rateText(value, language)),
  }));
  const premiumLine: uPlot.Series = {
    label: texts.premiumOf(compared?.name ?? ''),
    scale: 'premium',
    stroke: colour('premium'),
    width: 1.5,
    dash: [5, 4],
    spanGaps: true,
    points: { show: (compared?.points.length ?? 0) <= DOTTED_POINTS },
    value: (_, value) => (value === null ? none : percentText(value, language)),
  };
  const isNarrow = width < 500;
  return {
    width,
    height: CHART_HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { drag: { x: true, y: false }, focus: { prox: 24 } },
    scales: { x: { time: true }, premium: { auto: true } },
    series: [
      {
        label: texts.day,
        value: (_, value) => (value === null ? none : shortDay(dayOf(value), language)),
      },
      ...lines,
      ...(premium === undefined ? [] : [premiumLine]),
    ],
    axes: [
      {
        ...axis,
        space: isNarrow ? 70 : 90,
        values: (_, splits) => splits.map((at) => axisDay(at, language)),
      },
      {
        ...axis,
        size: isNarrow ? 48 : 64,
        values: (_, splits) =>
          splits.map((value) => numberText(value, language, { min: 0, max: 2 })),
      },
      ...(premium === undefined
        ? []
        : [
            {
              ...axis,
              scale: 'premium',
              side: 1 as const,
              size: isNarrow ? 42 : 56,
              grid: { show: false },
              values: (_: uPlot, splits: number[]) =>
                splits.map((value) => `${numberText(value, language, { min: 0, max: 1 })}%`),
            },
          ]),
    ],
  };
}

/** Without the year: the legend has it. */
function axisDay(seconds: number, language: Language): string {
  const [day = '', month = ''] = shortDay(dayOf(seconds), language).split(/[/ ]/);
  return language === 'es' ? `${day}/${month}` : `${day} ${month}`;
}

function isZoomed(plot: uPlot): boolean {
  const { min, max } = plot.scales['x'] ?? {};
  const times = plot.data[0];
  return min !== times[0] || max !== times.at(-1);
}

/** Goes through the days and zooms. @returns whether the key was one of ours. */
function moveBy(plot: uPlot, key: string): boolean {
  const times = plot.data[0];
  const last = times.length - 1;
  const { min = 0, max = 0 } = plot.scales['x'] ?? {};
  const at = plot.cursor.idx ?? last;
  const zoomTo = (from: number, to: number) => plot.setScale('x', { min: from, max: to });
  const step = (max - min) * ZOOM_STEP;
  switch (key) {
    case 'ArrowLeft':
      return moveTo(plot, Math.max(0, at - 1));
    case 'ArrowRight':
      return moveTo(plot, Math.min(last, at + 1));
    case 'Home':
      return moveTo(plot, 0);
    case 'End':
      return moveTo(plot, last);
    case '+':
      zoomTo(min + step, max - step);
      return true;
    case '-':
      zoomTo(Math.max(times[0] ?? 0, min - step), Math.min(times[last] ?? 0, max + step));
      return true;
    default:
      return false;
  }
}

function moveTo(plot: uPlot, index: number): boolean {
  const left = plot.valToPos(plot.data[0][index] ?? 0, 'x');
  plot.setCursor({ left, top: plot.over.clientHeight / 2 });
  return true;
}

/** What the chart shows, for those who cannot see it: newest day first. */
function showTable(
  { days, series, values, compared, premium }: ChartData,
  language: Language,
): void {
  const texts = CHART_TEXTS[language];
  const [head, body] = document.querySelectorAll<HTMLElement>(
    '#chart-data thead, #chart-data tbody',
  );
  if (head === undefined || body === undefined) return;
  const premiumHead =
    premium && html`<th scope="col" class="figure">${texts.premiumOf(compared?.name ?? '')}</th>`;
  show(
    head,
    html`<tr><th scope="col">${texts.day}</th>${series.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)}${premiumHead}</tr>`
      .markup,
  );
  const cell = (
    value: number | null | undefined,
    write: (value: number, language: Language) => string,
  ) => html`<td class="figure">${typeof value === 'number' && write(value, language)}</td>`;
  const rows = days.map(
    (day, at) =>
      html`<tr><th scope="row">${shortDay(day, language)}</th>${values.map((column) => cell(column[at], rateText))}${premium && cell(premium[at], percentText)}</tr>`,
  );
  show(body, html`${rows.toReversed()}`.markup);
}

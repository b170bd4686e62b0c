import type uPlot from 'uplot';
import { element } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { percentText, rateText, shortDay } from '../../frame/format.ts';
import { html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import { type BoardHistory, MAX_BOARD_SERIES } from '../board-figures.ts';
import { historyAddress, MAX_CANDLE_DAYS } from '../history/chart-choice.ts';
import { CHART_TEXTS } from '../history/chart-texts.ts';
import type { LiveChart } from '../history/history-section.ts';
import { unitChangeText } from '../unit-text.ts';
import { type ChartData, chartData } from './chart-data.ts';
import { lineColours } from './line-colours.ts';
import { isZoomed, moveBy } from './plot-moves.ts';
import { chartHeight, drawPlots } from './plots.ts';

const READ_TIMEOUT_MS = 20_000;

/** The chart of the history: chosen markets over chosen days, and the premium in a panel below. */
export function liveChart(language: Language): LiveChart {
  const form = document.getElementById('chart-choice');
  // An operator may show no history; then there is no form.
  if (!(form instanceof HTMLFormElement)) return { figures: () => {}, answered: () => {} };
  return drawnChart(form, language);
}

function drawnChart(form: HTMLFormElement, language: Language): LiveChart {
  const texts = CHART_TEXTS[language];
  const withPremium = element('chart-premium', HTMLInputElement);
  const withCandles = element('chart-candles', HTMLInputElement);
  const state = element('chart-state', HTMLElement);
  const place = element('chart', HTMLElement);
  const below = element('chart-premium-plot', HTMLElement);
  const whole = element('chart-whole', HTMLButtonElement);
  const files = element('chart-files', HTMLElement);
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name=market]')];
  let plots: readonly uPlot[] = [];
  let data: ChartData | undefined;
  /** The text in the place of a chart without lines. */
  let instead: string = texts.nothing;
  let colours: ReadonlyMap<string, number> = new Map();
  let asked = '';

  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const days = () =>
    Number(form.querySelector<HTMLInputElement>('input[name=days]:checked')?.value);

  async function read(again = false): Promise<void> {
    const markets = chosen();
    for (const box of boxes) box.disabled = !box.checked && markets.length >= MAX_BOARD_SERIES;
    colours = lineColours(colours, markets);
    // Each button has the colour of its line.
    for (const box of boxes) {
      box.parentElement?.setAttribute('data-series', String(colours.get(box.value) ?? 0));
    }
    // Without a market there is nothing to draw and nothing to download.
    files.hidden = markets.length === 0;
    if (markets.length === 0) {
      asked = '';
      draw(undefined, texts.noMarket);
      return;
    }
    const candles = withCandles.checked && days() <= MAX_CANDLE_DAYS;
    const wanted = { markets, days: days(), candles };
    for (const format of ['csv', 'xlsx'] as const) {
      const link = element(`chart-${format}`, HTMLAnchorElement);
      link.href = historyAddress(format, { ...wanted, locale: language });
    }
    const address = historyAddress('json', wanted);
    if (address === asked && !again) {
      // Candles chosen over too many days change no figure, but need a word.
      if (data !== undefined) state.textContent = notes(data);
      return;
    }
    asked = address;
    if (plots.length === 0 && !again) state.textContent = texts.loading;
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
      // The previous chart would contradict the buttons.
      if (!again || plots.length === 0) draw(undefined, texts.failed);
    }
  }

  /** Notes about the chart for the reader. */
  function notes(found: ChartData): string {
    const isFull = chosen().length >= MAX_BOARD_SERIES;
    const lacksCandles = withCandles.checked && found.candles === undefined;
    return [
      ...(isFull ? [texts.tooMany(MAX_BOARD_SERIES)] : []),
      ...(lacksCandles ? [texts.noCandles(MAX_CANDLE_DAYS)] : []),
    ].join(' ');
  }

  function draw(found: ChartData | undefined, otherwise: string = texts.nothing): void {
    data = found;
    instead = otherwise;
    for (const plot of plots) plot.destroy();
    plots = [];
    whole.hidden = true;
    const isEmpty = found === undefined || found.days.length === 0;
    state.textContent = isEmpty ? instead : notes(found);
    const drawn = found?.series[found.candles?.position ?? -1];
    element('chart-candles-about', HTMLElement).textContent =
      drawn === undefined ? '' : texts.candlesAre(nameIn(drawn, language));
    const changes = (found?.unitChanges ?? []).map((one) => unitChangeText(one, language));
    element('chart-units', HTMLElement).textContent =
      changes.length === 0 ? '' : `${changes.join(' ')} ${texts.inTodaysUnit}`;
    place.hidden = isEmpty;
    const hasPremium = !isEmpty && withPremium.checked && found.premium !== undefined;
    below.hidden = !hasPremium;
    element('chart-data', HTMLDetailsElement).hidden = isEmpty;
    if (isEmpty) return;
    plots = drawPlots(found, {
      language,
      place,
      below: hasPremium ? below : undefined,
      colours: found.series.map(({ market }) => colours.get(market) ?? 1),
      onZoom: (zoomed) => {
        whole.hidden = !zoomed;
      },
    });
    showTable(found, language);
  }

  const redraw = () => draw(data, instead);
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', (event) => {
    if (event.target === withPremium) redraw();
    else void read();
  });
  whole.addEventListener('click', () => {
    redraw();
    place.focus();
  });
  place.tabIndex = 0;
  place.setAttribute('role', 'application');
  place.setAttribute('aria-label', texts.keys);
  place.addEventListener('keydown', (event) => {
    const [plot] = plots;
    if (plot !== undefined && moveBy(plot, event.key)) event.preventDefault();
  });
  new ResizeObserver(() => {
    const width = place.clientWidth;
    for (const plot of plots) {
      if (width === 0 || width === plot.width) continue;
      const height = plot === plots[0] ? chartHeight(width) : plot.height;
      plot.setSize({ width, height });
    }
  }).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  new MutationObserver(redraw).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
  void read();
  return {
    figures: () => {
      // Newer figures end in a newer last point; a zoomed chart is left as the reader set it.
      const [plot] = plots;
      if (plot !== undefined && !isZoomed(plot)) void read(true);
    },
    answered: () => {
      const hasFailed = asked === '' && chosen().length > 0;
      if (hasFailed) void read(true);
    },
  };
}

/** The chart's data as a table for screen readers, newest day first. */
function showTable(
  { days, series, values, candles, compared, premium }: ChartData,
  language: Language,
): void {
  const texts = CHART_TEXTS[language];
  const columns = series.flatMap((one, position) => {
    const name = nameIn(one, language);
    const close = { name, values: values[position] ?? [] };
    if (candles === undefined || position !== candles.position) return [close];
    const { open, high, low } = candles;
    return [
      { name: `${name}, ${texts.opens}`, values: open },
      { name: `${name}, ${texts.highest}`, values: high },
      { name: `${name}, ${texts.lowest}`, values: low },
      { ...close, name: `${name}, ${texts.closes}` },
    ];
  });
  const [head, body] = document.querySelectorAll<HTMLElement>(
    '#chart-data thead, #chart-data tbody',
  );
  if (head === undefined || body === undefined) return;
  const premiumHead =
    compared &&
    html`<th scope="col" class="figure">${texts.premiumOf(nameIn(compared, language))}</th>`;
  show(
    head,
    html`<tr><th scope="col">${texts.day}</th>${columns.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)}${premiumHead}</tr>`,
  );
  const cell = (
    value: number | null | undefined,
    write: (value: number, language: Language) => string,
  ) => html`<td class="figure">${typeof value === 'number' && write(value, language)}</td>`;
  const rows = days.map(
    (day, at) =>
      html`<tr><th scope="row">${shortDay(day, language)}</th>${columns.map((column) => cell(column.values[at], rateText))}${premium && cell(premium[at], percentText)}</tr>`,
  );
  show(body, html`${rows.toReversed()}`);
}

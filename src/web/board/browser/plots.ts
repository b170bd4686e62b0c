import uPlot from 'uplot';
import { hasValueDates } from '../../../domain/markets.ts';
import { numberText, percentText, rateText, shortDay, withPercent } from '../../frame/format.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import { CHART_TEXTS } from '../history/chart-texts.ts';
import { drawCandlesticks } from './candlesticks.ts';
import type { ChartData } from './chart-data.ts';
import { followFinger, isZoomed, SYNC_KEY } from './plot-moves.ts';
import { unitMarks } from './unit-marks.ts';

const CHART_HEIGHT = 300;
const NARROW_CHART_HEIGHT = 230;
const PREMIUM_HEIGHT = 138;
/** Height of the axis of days below the rates, in pixels. */
const DAYS_HEIGHT = 36;
/**
 * Distance of the axis of figures from the plot. Candles need more, because the first one extends
 * over the edge.
 */
const AXIS_GAP = 5;
const CANDLE_GAP = 9;
/** Distance of the axis of days from the lowest figure of the rates. */
const DAYS_GAP = 12;
/**
 * Above, right, below and left of a plot. The lowest figure needs room if no axis of days is below
 * it.
 */
const PADDING_PX: uPlot.Padding = [8, 22, 0, 0];
const PREMIUM_PADDING_PX: uPlot.Padding = [8, 22, 8, 0];
const NARROW_PX = 500;
/** Most points that are drawn as dots too. A single point makes no line. */
const DOTTED_POINTS = 10;
/** Largest distance of the pointer from a line that selects it. */
const FOCUS_PX = 24;
const NONE = '–';

interface PlotPlaces {
  readonly language: Language;
  readonly place: HTMLElement;
  /** The panel of the premium, if it is drawn. */
  readonly below: HTMLElement | undefined;
  /** The number of each series' colour in the stylesheet, from 1 on. */
  readonly colours: readonly number[];
  readonly onZoom: (zoomed: boolean) => void;
}

/** Draws the rates, and the premium in its own panel below, over the same days. */
export function drawPlots(data: ChartData, places: PlotPlaces): readonly uPlot[] {
  const { place, below } = places;
  const times = data.days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const both: uPlot[] = [];
  const scaled = (plot: uPlot) => {
    const { min, max } = plot.scales['x'] ?? {};
    if (min === undefined || max === undefined) return;
    for (const other of both) {
      const scale = other.scales['x'];
      if (other !== plot && (scale?.min !== min || scale.max !== max)) {
        other.setScale('x', { min, max });
      }
    }
    places.onZoom(isZoomed(plot));
  };
  const hooks: uPlot.Hooks.Arrays = {
    ready: [showNewest],
    setLegend: [showNewest],
    setScale: [(plot, name) => (name === 'x' ? scaled(plot) : undefined)],
  };
  const columns = (all: readonly (readonly (number | null)[])[]): uPlot.AlignedData => [
    times,
    ...all.map((column) => [...column]),
  ];
  const { candles, unitChanges } = data;
  const draw = [unitMarks(unitChanges, CHART_TEXTS[places.language].newUnit)];
  if (candles !== undefined) {
    draw.push(candleHook(candles.position, seriesColour(places, candles.position)));
  }
  const options = { ...rateOptions(data, places), hooks: { ...hooks, draw } };
  both.push(new uPlot(options, columns(rateColumns(data)), place));
  if (below !== undefined && data.premium !== undefined) {
    const options = { ...premiumOptions(data, places, below.clientWidth), hooks };
    both.push(new uPlot(options, columns([data.premium]), below));
  }
  for (const plot of both) followFinger(plot);
  return both;
}

function rateColumns({ values, candles }: ChartData) {
  return values.flatMap((column, position) =>
    position === candles?.position ? [candles.open, candles.high, candles.low, column] : [column],
  );
}

function candleHook(position: number, stroke: string): (plot: uPlot) => void {
  const style = { stroke, hollow: colour('card') };
  // The days are the first series of a plot.
  return (plot) => drawCandlesticks(plot, position + 1, style);
}

/** A colour of the stylesheet, in the reader's current theme. */
function colour(name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  // A canvas is drawn with what the stylesheet says, also where the system forces its own colours.
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function seriesColour({ colours }: PlotPlaces, position: number): string {
  return colour(`series-${colours[position] ?? 1}`);
}

/** Without a selected day the legend shows the figures of the newest visible one. */
function showNewest(plot: uPlot): void {
  if (typeof plot.legend.idx === 'number') return;
  const newest = plot.series[0]?.idxs?.[1];
  if (newest !== undefined) plot.setLegend({ idx: newest }, false);
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Squares of the legend are filled like those of the buttons. */
function legendColour(plot: uPlot, at: number): string {
  const { stroke } = plot.series[at] ?? {};
  const drawn = typeof stroke === 'function' ? stroke(plot, at) : stroke;
  return typeof drawn === 'string' ? drawn : '';
}

/** Height of the plot of rates in a place of that width, in pixels. */
export function chartHeight(width: number): number {
  return width < NARROW_PX ? NARROW_CHART_HEIGHT : CHART_HEIGHT;
}

function commonOptions(width: number, language: Language, hasCandles: boolean) {
  const isNarrow = width < NARROW_PX;
  const more = hasCandles ? CANDLE_GAP : 0;
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  return {
    days: {
      ...axis,
      grid: { show: false },
      size: DAYS_HEIGHT,
      gap: DAYS_GAP,
      space: isNarrow ? 70 : 100,
      values: (_: uPlot, splits: number[]) => splits.map((at) => axisDay(at, language)),
    },
    figures: {
      ...axis,
      gap: AXIS_GAP + more,
      size: (isNarrow ? 48 : 60) + more,
    },
    base: {
      width,
      padding: PADDING_PX,
      tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { markers: { fill: (plot: uPlot, at: number) => legendColour(plot, at) } },
      cursor: {
        // Only the day matters: the legend has the figures.
        y: false,
        drag: { x: true, y: false },
        sync: { key: SYNC_KEY, setSeries: false },
      },
      scales: { x: { time: true } },
    },
    day: {
      label: CHART_TEXTS[language].day,
      value: (_: uPlot, value: number | null) =>
        value === null ? NONE : shortDay(dayOf(value), language),
    },
  };
}

function rateOptions({ series, candles }: ChartData, places: PlotPlaces): uPlot.Options {
  const { language, place } = places;
  const { base, days, day, figures } = commonOptions(
    place.clientWidth,
    language,
    candles !== undefined,
  );
  const { opens, highest, lowest, closes } = CHART_TEXTS[language];
  const lines = series.flatMap((one, position): uPlot.Series[] => {
    const stepped = hasValueDates(one.market) ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const name = nameIn(one, language);
    const figure = {
      stroke: seriesColour(places, position),
      value: (_: uPlot, value: number | null) =>
        value === null ? NONE : rateText(value, language),
    };
    if (position === candles?.position) {
      // The legend has the four figures; the hook draws them as one candle.
      return [opens, highest, lowest, closes].map((part) => ({
        ...figure,
        label: `${name}, ${part}`,
        paths: () => null,
        points: { show: false },
      }));
    }
    return [
      {
        ...figure,
        label: name,
        width: 2,
        spanGaps: true,
        points: { show: !hasValueDates(one.market) && one.points.length <= DOTTED_POINTS },
        ...(stepped && { paths: stepped }),
      },
    ];
  });
  return {
    ...base,
    // The line under the pointer stands out; the four figures of a candle belong together.
    cursor: { ...base.cursor, focus: { prox: candles === undefined ? FOCUS_PX : -1 } },
    height: chartHeight(place.clientWidth),
    series: [day, ...lines],
    axes: [
      days,
      {
        ...figures,
        values: (_, splits, __, ___, step) =>
          splits.map((value) => numberText(value, language, { min: 0, max: decimalsOf(step) })),
      },
    ],
  };
}

function premiumOptions(
  { compared, candles }: ChartData,
  { language }: PlotPlaces,
  width: number,
): uPlot.Options {
  const { base, days, day, figures } = commonOptions(width, language, candles !== undefined);
  const name = compared === undefined ? '' : nameIn(compared, language);
  return {
    ...base,
    padding: PREMIUM_PADDING_PX,
    height: PREMIUM_HEIGHT,
    series: [
      day,
      {
        label: CHART_TEXTS[language].premiumOf(name),
        stroke: colour('premium'),
        fill: colour('premium-ground'),
        width: 1.5,
        spanGaps: true,
        points: { show: (compared?.points.length ?? 0) <= DOTTED_POINTS },
        value: (_, value) => (value === null ? NONE : percentText(value, language)),
      },
    ],
    axes: [
      { ...days, show: false },
      {
        ...figures,
        space: 30,
        values: (_, splits) =>
          splits.map((value) =>
            withPercent(numberText(value, language, { min: 0, max: 1 }), language),
          ),
      },
    ],
  };
}

/** Enough that two marks of the axis never have the same text: new bolívares begin below 1. */
function decimalsOf(step: number): number {
  return Math.max(2, 1 + Math.ceil(-Math.log10(step)));
}

/** Without the year: the legend has it. */
function axisDay(seconds: number, language: Language): string {
  const [day = '', month = ''] = shortDay(dayOf(seconds), language).split(/[/ ]/);
  return language === 'es' ? `${day}/${month}` : `${day} ${month}`;
}

import uPlot from 'uplot';
import { hasValueDates } from '../../../domain/markets.ts';
import { numberText, withPercent } from '../../frame/format.ts';
import type { Language } from '../../frame/language.ts';
import type { ChartData } from '../history/chart-data.ts';
import { dayTicks } from '../history/chart-days.ts';
import { drawCandlesticks } from './candlesticks.ts';

/** Where a plot drew which days and figures, in pixels from its left upper corner. */
export interface Frame {
  readonly from: number;
  readonly to: number;
  readonly min: number;
  readonly max: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotLook {
  readonly language: Language;
  /** The number of each series' colour in the stylesheet, from 1 on. */
  readonly colours: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly isNarrow: boolean;
}

interface Ink {
  /** A colour of the stylesheet, in the reader's current theme. */
  readonly colour: (name: string) => string;
  readonly font: string;
}

export type PlotKind = 'rates' | 'premium';

/** Room for the names and last figures at the ends of the lines, and for the marks of the axes. */
const GUTTER_PX = 128;
const NARROW_GUTTER_PX = 24;
const FIGURES_PX = 56;
const NARROW_FIGURES_PX = 46;
const DAYS_PX = 28;
/** Above the highest and below the lowest figure, for their marks. */
const ROOM_PX = 20;
/** Most points that are drawn as dots too. A single point makes no line. */
const DOTTED_POINTS = 10;

/** Draws the rates, or the premium over the same days. Positions of days are its abscissa. */
export function drawPlot(
  place: HTMLElement,
  kind: PlotKind,
  parts: {
    readonly data: ChartData;
    readonly look: PlotLook;
    readonly ink: Ink;
    readonly onFrame: (frame: Frame) => void;
  },
): uPlot {
  const { data, look, ink, onFrame } = parts;
  const { candles } = data;
  const columns = kind === 'rates' ? rateColumns(data) : [data.premium ?? []];
  const draw = [(plot: uPlot) => onFrame(frameOf(plot))];
  if (kind === 'rates' && candles !== undefined) {
    const stroke = ink.colour(`series-${look.colours[candles.position] ?? 1}`);
    const style = { stroke, hollow: ink.colour('card') };
    // The days are the first series of a plot.
    draw.push((plot) => drawCandlesticks(plot, candles.position + 1, style));
  }
  const { width, height, isNarrow } = look;
  const right = isNarrow ? NARROW_GUTTER_PX : GUTTER_PX;
  const options: uPlot.Options = {
    ...{ width, height },
    padding: kind === 'rates' ? [ROOM_PX, right, 0, 0] : [8, right, 8, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
    },
    series: [{}, ...(kind === 'rates' ? rateLines(data, look, ink) : [premiumLine(data, ink)])],
    axes: axesOf(kind, data, look, ink),
    hooks: { draw },
  };
  const days = data.days.map((_, position) => position);
  return new uPlot(options, [days, ...columns.map((column) => [...column])], place);
}

function frameOf({ bbox, scales }: uPlot): Frame {
  const pixels = (value: number) => value / devicePixelRatio;
  return {
    ...{ from: scales['x']?.min ?? 0, to: scales['x']?.max ?? 0 },
    ...{ min: scales['y']?.min ?? 0, max: scales['y']?.max ?? 0 },
    ...{ left: pixels(bbox.left), top: pixels(bbox.top) },
    ...{ width: pixels(bbox.width), height: pixels(bbox.height) },
  };
}

function rateColumns({ values, candles }: ChartData) {
  return values.flatMap((column, position) =>
    position === candles?.position ? [candles.open, candles.high, candles.low, column] : [column],
  );
}

function rateLines({ series, candles }: ChartData, { colours }: PlotLook, ink: Ink) {
  return series.flatMap((one, position): uPlot.Series[] => {
    const stroke = ink.colour(`series-${colours[position] ?? 1}`);
    if (position === candles?.position) {
      // A hook draws the four figures as one candle.
      const figure = { stroke, paths: () => null, points: { show: false } };
      return [figure, figure, figure, figure];
    }
    const isStepped = hasValueDates(one.market);
    const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const points = { show: !isStepped && one.points.length <= DOTTED_POINTS };
    return [{ stroke, width: 2, spanGaps: true, points, ...(paths && { paths }) }];
  });
}

function premiumLine({ compared }: ChartData, ink: Ink): uPlot.Series {
  return {
    ...{ stroke: ink.colour('premium'), fill: ink.colour('premium-ground'), width: 1.5 },
    spanGaps: true,
    points: { show: (compared?.points.length ?? 0) <= DOTTED_POINTS },
  };
}

function axesOf(kind: PlotKind, { days }: ChartData, look: PlotLook, ink: Ink): uPlot.Axis[] {
  const { language, isNarrow, width } = look;
  const axis = {
    stroke: ink.colour('quiet'),
    grid: { stroke: ink.colour('line'), width: 1 },
    ticks: { show: false },
    font: ink.font,
  };
  const ticks = (from: number, to: number) => dayTicks(days, { from, to }, { width, language });
  const figureText = (value: number, step: number) =>
    kind === 'rates'
      ? numberText(value, language, { min: 0, max: decimalsOf(step) })
      : withPercent(numberText(value, language, { min: 0, max: 1 }), language);
  return [
    {
      ...axis,
      show: kind === 'rates',
      grid: { show: false },
      size: DAYS_PX,
      gap: 8,
      splits: (_, __, from, to) => ticks(from, to).map(({ at }) => at),
      values: ({ scales }) =>
        ticks(scales['x']?.min ?? 0, scales['x']?.max ?? 0).map(({ text }) => text),
    },
    {
      ...axis,
      size: isNarrow ? NARROW_FIGURES_PX : FIGURES_PX,
      space: kind === 'rates' ? 48 : 32,
      gap: 8,
      values: (_, splits, __, ___, step) => splits.map((value) => figureText(value, step)),
    },
  ];
}

/** Enough that two marks of the axis never have the same text: new bolívares begin below 1. */
function decimalsOf(step: number): number {
  return Math.max(2, 1 + Math.ceil(-Math.log10(step)));
}

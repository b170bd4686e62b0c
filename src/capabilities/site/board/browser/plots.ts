import uPlot from 'uplot';
import type { Language } from '../../../../core/domain/words/language.ts';
import { numberText, withPercent } from '../../frame/format.ts';
import type { ChartLine } from '../history/chart-data.ts';
import { dayTicks } from '../history/chart-days.ts';
import { drawCandlesticks } from './candlesticks.ts';

/** Where a plot drew which days, in pixels of the page. */
export interface Frame {
  readonly from: number;
  readonly to: number;
  /** Within the chart. */
  readonly box: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
  /** Within the box. */
  x(day: number): number;
  y(value: number): number;
}

export type PlotKind = 'rates' | 'premium';

export interface PlotLook {
  readonly kind: PlotKind;
  readonly language: Language;
  readonly width: number;
  readonly height: number;
  readonly isNarrow: boolean;
}

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

/** Draws lines. Positions of days are their abscissa. */
export function drawPlot(
  place: HTMLElement,
  { days, lines }: { readonly days: readonly string[]; readonly lines: readonly ChartLine[] },
  look: PlotLook,
  onFrame: (frame: Frame) => void,
): uPlot {
  const { kind, language, width, height, isNarrow } = look;
  // The stylesheet knows the colours of the reader's theme.
  const ink = (name: string) => {
    place.style.color = `var(--${name})`;
    return getComputedStyle(place).color;
  };
  const columns = lines.map(({ values, candle }) =>
    candle ? [candle.open, candle.high, candle.low, values] : [values],
  );
  const draw = [(plot: uPlot) => onFrame(frameOf(plot))];
  const candles = lines.findIndex(({ candle }) => candle !== undefined);
  if (candles >= 0) {
    const style = { stroke: ink(lines[candles]?.colour ?? ''), hollow: ink('card') };
    // The days are the first series of a plot, and each line before is one.
    draw.push((plot) => drawCandlesticks(plot, candles + 1, style));
  }
  const { fontSize, fontFamily } = getComputedStyle(place);
  const axis = {
    stroke: ink('quiet'),
    grid: { stroke: ink('line'), width: 1 },
    ticks: { show: false },
    font: `${fontSize} ${fontFamily}`,
    gap: 8,
  };
  const ticks = ({ scales }: uPlot) =>
    dayTicks(days, { from: scales['x']?.min ?? 0, to: scales['x']?.max ?? 0 }, look);
  const right = isNarrow ? NARROW_GUTTER_PX : GUTTER_PX;
  const options: uPlot.Options = {
    ...{ width, height },
    padding: kind === 'rates' ? [ROOM_PX, right, 0, 0] : [8, right, 8, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
    },
    series: [{}, ...lines.flatMap((line) => seriesOf(line, kind, ink))],
    axes: [
      {
        ...axis,
        show: kind === 'rates',
        grid: { show: false },
        size: DAYS_PX,
        splits: (plot) => ticks(plot).map(({ at }) => at),
        values: (plot) => ticks(plot).map(({ text }) => text),
      },
      {
        ...axis,
        size: isNarrow ? NARROW_FIGURES_PX : FIGURES_PX,
        space: kind === 'rates' ? 48 : 32,
        values: (_, splits, __, ___, step) =>
          splits.map((value) =>
            kind === 'rates'
              ? numberText(value, language, { min: 0, max: decimalsOf(step) })
              : withPercent(numberText(value, language, { min: 0, max: 1 }), language),
          ),
      },
    ],
    hooks: { draw },
  };
  const data = [days.map((_, position) => position), ...columns.flat()];
  return new uPlot(options, data.map((column) => [...column]) as uPlot.AlignedData, place);
}

function frameOf(plot: uPlot): Frame {
  const { bbox, scales } = plot;
  const pixels = (value: number) => value / devicePixelRatio;
  return {
    ...{ from: scales['x']?.min ?? 0, to: scales['x']?.max ?? 0 },
    box: {
      ...{ left: pixels(bbox.left), top: pixels(bbox.top) },
      ...{ width: pixels(bbox.width), height: pixels(bbox.height) },
    },
    x: (day) => plot.valToPos(day, 'x'),
    y: (value) => plot.valToPos(value, 'y'),
  };
}

function seriesOf(
  { values, colour, isOfficial, candle }: ChartLine,
  kind: PlotKind,
  ink: (name: string) => string,
): readonly uPlot.Series[] {
  const stroke = ink(colour);
  if (candle !== undefined) {
    // A hook draws the four figures as one candle.
    const figure = { stroke, paths: () => null, points: { show: false } };
    return [figure, figure, figure, figure];
  }
  const isDotted = values.filter((value) => value !== null).length <= DOTTED_POINTS;
  const paths = isOfficial ? { paths: stepsBetweenDays } : {};
  const points = { show: !isOfficial && isDotted };
  return [{ stroke, spanGaps: true, points, width: kind === 'rates' ? 2 : 1.5, ...paths }];
}

/** The rate of a day is level at its name. It steps halfway to the next day, as at midnight. */
function stepsBetweenDays(
  plot: uPlot,
  series: number,
  first: number,
  last: number,
): uPlot.Series.Paths {
  const stroke = new Path2D();
  let before: number | undefined;
  for (let day = first; day <= last; day += 1) {
    const value = plot.data[series]?.[day] ?? undefined;
    if (value === undefined) continue;
    const y = plot.valToPos(value, 'y', true);
    const x = plot.valToPos(day, 'x', true);
    if (before === undefined) stroke.moveTo(x, y);
    else {
      const midnight = plot.valToPos(day - 0.5, 'x', true);
      stroke.lineTo(midnight, before);
      stroke.lineTo(midnight, y);
    }
    stroke.lineTo(x, y);
    before = y;
  }
  return { stroke };
}

/** Enough that two marks of the axis never have the same text: new bolívares begin below 1. */
function decimalsOf(step: number): number {
  return Math.max(2, 1 + Math.ceil(-Math.log10(step)));
}

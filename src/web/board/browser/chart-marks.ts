import { hasValueDates } from '../../../domain/markets.ts';
import { percentText, rateText, weekdayText } from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { nameIn } from '../age.ts';
import type { ChartData } from '../history/chart-data.ts';
import { figuresOn } from '../history/chart-reading.ts';
import { CHART_TEXTS } from '../history/chart-texts.ts';
import { apart, type ChartView, daysIn } from '../history/chart-view.ts';
import type { Frame, PlotKind } from './plots.ts';

/** What stands over a plot: it is of the page, so that the stylesheet and its theme apply to it. */

interface MarkParts {
  readonly data: ChartData;
  readonly language: Language;
  readonly colours: readonly number[];
  readonly isNarrow: boolean;
  readonly view: ChartView;
  readonly frame: Frame;
}

type Column = readonly (number | null)[];

const px = (value: number) => `${value}px`;
const xOf = ({ from, to, left, width }: Frame, day: number) =>
  left + ((day - from) / (to - from)) * width;
const yOf = ({ min, max, top, height }: Frame, value: number) =>
  top + ((max - value) / (max - min)) * height;
const colourOf = (colours: readonly number[], series: number | undefined) =>
  series === undefined ? 'var(--premium)' : `var(--series-${colours[series] ?? 1})`;

function dot(frame: Frame, day: number, value: number, background: string): Html {
  const style = { left: px(xOf(frame, day)), top: px(yOf(frame, value)), background };
  return html`<i class="point" style=${style}></i>`;
}

/** The last day within the view on which the column has a figure. */
function lastOf(column: Column, view: ChartView): number {
  const [first, last] = daysIn(view);
  for (let at = last; at >= first; at -= 1) if (typeof column[at] === 'number') return at;
  return -1;
}

const END_GAP = 36;
const NARROW_END_GAP = 16;

/** The name and the last figure of each line at its end: no legend is needed. */
export function LineEnds({ kind, ...parts }: MarkParts & { readonly kind: PlotKind }): Html {
  const { data, language, colours, isNarrow, view, frame } = parts;
  const lines: readonly { name: string; column: Column; series: number | undefined }[] =
    kind === 'premium'
      ? [{ name: CHART_TEXTS[language].premium, column: data.premium ?? [], series: undefined }]
      : data.series.map((one, series) => ({
          ...{ name: nameIn(one, language), column: data.values[series] ?? [], series },
        }));
  const ends = lines.flatMap(({ name, column, series }) => {
    const at = lastOf(column, view);
    const value = column[at];
    if (typeof value !== 'number') return [];
    const text = series === undefined ? percentText(value, language) : rateText(value, language);
    return [{ ...{ name, at, value, text }, colour: colourOf(colours, series) }];
  });
  const bottom = frame.top + frame.height;
  const places = isNarrow
    ? apart(
        ends.map(({ value }) => yOf(frame, value) - NARROW_END_GAP - 4),
        NARROW_END_GAP,
        bottom - NARROW_END_GAP,
      )
    : apart(
        ends.map(({ value }) => yOf(frame, value) - END_GAP / 2),
        END_GAP,
        bottom - END_GAP / 2,
      );
  const right = frame.left + frame.width;
  return html`${ends.map(({ name, at, value, text, colour }, position) => {
    const top = px(places[position] ?? 0);
    const side = isNarrow ? { width: px(right) } : { left: px(right + 12) };
    return html`${dot(frame, at, value, colour)}${
      (kind === 'rates' || !isNarrow) &&
      html`<p class="end" style=${{ top, ...side }}><span style=${{ color: colour }} title=${name}>${name}</span> <b>${text}</b></p>`
    }`;
  })}`;
}

/** Room on either side of a mark that must stay within the plot. */
const EXTREME_ROOM = 56;
/** Share of the width of a phone's plot from which on the names at the ends may stand. */
const NAMES_FROM = 0.45;
/** Among more lines a text would cover some of them: then only a ring marks the figure. */
const MOST_LINES = 3;

/** The highest and the lowest figure in sight, of the first line that is not official. */
export function Extremes({ data, language, colours, isNarrow, view, frame }: MarkParts): Html {
  const free = data.series.findIndex(({ market }) => !hasValueDates(market));
  const series = Math.max(0, free);
  const isCandle = data.candles?.position === series;
  const values = data.values[series] ?? [];
  const highs = isCandle ? (data.candles?.high ?? []) : values;
  const lows = isCandle ? (data.candles?.low ?? []) : values;
  const [first, last] = daysIn(view);
  const best = (column: Column, isBetter: (one: number, other: number) => boolean) => {
    let found = -1;
    for (let at = first; at <= last; at += 1) {
      const value = column[at];
      if (typeof value !== 'number') continue;
      const before = column[found];
      if (typeof before !== 'number' || isBetter(value, before)) found = at;
    }
    return found;
  };
  const { highestShort, lowestShort } = CHART_TEXTS[language];
  const high = best(highs, (one, other) => one > other);
  const low = best(lows, (one, other) => one < other);
  if (high < 0 || low < 0 || highs[high] === lows[low]) return undefined;
  const end = lastOf(values, view);
  const mark = (at: number, value: number, { text, kind }: Record<'text' | 'kind', string>) => {
    const x = xOf(frame, at);
    // On a phone the names at the ends stand on the plot, and have the last figure already.
    const isFree = !isNarrow || (at !== end && x < frame.left + frame.width * NAMES_FROM);
    const hasRoom = isFree && data.series.length <= MOST_LINES;
    const side =
      x > frame.left + frame.width - EXTREME_ROOM
        ? 'to-left'
        : x < frame.left + EXTREME_ROOM
          ? 'to-right'
          : '';
    const style = { left: px(x), top: px(yOf(frame, value)), color: colourOf(colours, series) };
    return html`<p class="extreme ${kind} ${side}" style=${style}><i class="ring"></i>${hasRoom && html`<span>${text} ${rateText(value, language)}</span>`}</p>`;
  };
  return html`${mark(high, highs[high] ?? 0, { text: highestShort, kind: 'high' })}${mark(low, lows[low] ?? 0, { text: lowestShort, kind: 'low' })}`;
}

/** A line on each day on which the unit changed. Its label turns where it would leave the plot. */
export function UnitMarks({ data, language, frame }: MarkParts): Html {
  return html`${data.unitChanges.map(({ on }) => {
    const day = data.days.indexOf(on);
    if (day < frame.from || day > frame.to) return undefined;
    const isRight = day - frame.from > (frame.to - frame.from) / 2;
    const { top, height } = frame;
    const style = { left: px(xOf(frame, day)), top: px(top), height: px(height) };
    return html`<div class=${isRight ? 'unit-mark to-left' : 'unit-mark'} style=${style}><span>${CHART_TEXTS[language].newUnit}</span></div>`;
  })}`;
}

const READING_WIDTH = 208;
const READING_EDGE = 12;
const READING_LINE = 20;

/**
 * The figures of the day that is read: at the crosshair, or on a phone above the plots, where no
 * finger covers them.
 */
export function DayReading({
  at,
  frame,
  ...parts
}: Omit<MarkParts, 'frame'> & { readonly at: number; readonly frame: Frame | undefined }): Html {
  const { data, language, colours } = parts;
  const figures = figuresOn(data, at, parts);
  const rows = figures.map(
    ({ name, text, series }) =>
      html`<div><dt><i style=${{ background: colourOf(colours, series) }}></i><span>${name}</span></dt><dd>${text}</dd></div>`,
  );
  const reading = (style: Readonly<Record<string, string>> | undefined) =>
    html`<div id="chart-reading" class="reading" style=${style}><b>${weekdayText(data.days[at] ?? '', language)}</b><dl>${rows}</dl></div>`;
  if (frame === undefined) return reading(undefined);
  const x = xOf(frame, at);
  const isRight = x - frame.left < READING_WIDTH + READING_EDGE;
  const left = isRight ? x + READING_EDGE : x - READING_EDGE - READING_WIDTH;
  const height = (figures.length + 1) * READING_LINE + 2 * READING_EDGE;
  const days = data.days.flatMap((_, day) => {
    const place = xOf(frame, day);
    return place > left - READING_EDGE && place < left + READING_WIDTH + READING_EDGE ? [day] : [];
  });
  const tops = days.flatMap((day) =>
    data.values.flatMap((column) =>
      typeof column[day] === 'number' ? yOf(frame, column[day]) : [],
    ),
  );
  const isCovering = Math.min(...tops) < frame.top + height;
  const top = isCovering ? frame.top + frame.height - height : frame.top;
  return reading({ left: px(left), top: px(top) });
}

/** The day that is read: a line through the plot, and a dot on each curve. */
export function Crosshair({ kind, ...parts }: MarkParts & { readonly kind: PlotKind }): Html {
  const { data, colours, view, frame } = parts;
  const { at } = view;
  if (at === undefined) return undefined;
  const columns = kind === 'rates' ? data.values : [data.premium ?? []];
  const { top, height } = frame;
  const style = { left: px(xOf(frame, at)), top: px(top), height: px(height) };
  return html`<div class="crosshair" style=${style}></div>${columns.map((column, series) => {
    const value = column[at];
    const colour = colourOf(colours, kind === 'rates' ? series : undefined);
    return typeof value === 'number' && dot(frame, at, value, colour);
  })}`;
}

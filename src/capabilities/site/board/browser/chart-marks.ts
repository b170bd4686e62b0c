import type { Language } from '../../../../core/domain/words/language.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import type { ChartData, ChartLine, Column } from '../history/chart-data.ts';
import { dayOn, figuresOn, shortName } from '../history/chart-reading.ts';
import { apart, type ChartView } from '../history/chart-view.ts';
import type { Frame } from './plots.ts';

/** What stands over a plot: it is of the page, so that the stylesheet and its theme apply to it. */

export interface Marked {
  readonly data: ChartData;
  readonly language: Language;
  readonly isNarrow: boolean;
  readonly view: ChartView;
}

interface MarkParts extends Marked {
  readonly frame: Frame;
}

interface LineParts extends MarkParts {
  readonly lines: readonly ChartLine[];
}

const px = (value: number) => `${value}px`;
const inkOf = ({ colour }: { readonly colour: string }) => `var(--${colour})`;

function dot({ x, y }: Frame, day: number, value: number, background: string): Html {
  return html`<i class="point" style=${{ left: px(x(day)), top: px(y(value)), background }}></i>`;
}

/** The last day within the view on which the column has a figure; -1 without one. */
function lastOf(column: Column, { from, to }: ChartView): number {
  const at = column.findLastIndex((value, day) => value !== null && day <= to);
  return at < from ? -1 : at;
}

const END_GAP = 36;
/** A name this near to the end of its line needs no leader. */
const NEAR_PX = 8;

/**
 * The name and the last figure of each line at its end: no legend is needed. On a phone they would
 * cover lines, and the reading above the plots has all names and figures.
 */
export function LineEnds({ lines, language, isNarrow, view, frame }: LineParts): Html {
  const ends = lines.flatMap((line) => {
    const at = lastOf(line.values, view);
    const value = line.values[at] ?? undefined;
    return value === undefined ? [] : [{ line, at, value }];
  });
  // The close of a candle has no dot, which would hide it.
  const dots = ends
    .filter(({ line }) => line.candle === undefined)
    .map(({ line, at, value }) => dot(frame, at, value, inkOf(line)));
  if (isNarrow) return dots;
  const wanted = ends.map(({ value }) => frame.y(value) - END_GAP / 2);
  const places = apart(wanted, END_GAP, frame.box.height - END_GAP / 2);
  const label = ({ line, value }: (typeof ends)[number], position: number) =>
    html`<p class="end" style=${{ top: px(places[position] ?? 0) }}><span style=${{ color: inkOf(line) }} title=${line.name}>${line.name}</span> <b>${line.write(value, language)}</b></p>`;
  // From the end of a line to its name, where that has moved away from it.
  const leader = ({ line, at, value }: (typeof ends)[number], position: number) => {
    const [from, to] = [frame.y(value), (places[position] ?? 0) + END_GAP / 2];
    const isNear = Math.abs(to - from) < NEAR_PX;
    return isNear
      ? ''
      : html`<path d=${`M${frame.x(at)} ${from}L${frame.box.width + 10} ${to}`} stroke=${inkOf(line)} />`;
  };
  return [dots, html`<svg class="leaders">${ends.map(leader)}</svg>`, ends.map(label)];
}

/** Among more lines the marks would cover some of them. */
const MOST_LINES = 3;

/** Of a mark's text: its characters are about this wide, and its middle is this far from its point. */
const CHARACTER_PX = 6.5;
const MARK_PX = 14;

/**
 * The highest and the lowest figure in sight, of the first line that is not official. Words that
 * would cover another line are left out.
 */
export function Extremes({ data, language, isNarrow, view, frame }: MarkParts): Html {
  const { rates } = data;
  const line = rates.find(({ isOfficial }) => !isOfficial) ?? rates[0];
  if (line === undefined || rates.length > MOST_LINES) return undefined;
  const { high: highs, low: lows } = line.candle ?? { high: line.values, low: line.values };
  const { from, to } = view;
  const inSight = (column: Column) => column.slice(from, to + 1).filter((one) => one !== null);
  const [high, low] = [Math.max(...inSight(highs)), Math.min(...inSight(lows))];
  if (!(high > low)) return undefined;
  const { highestShort, lowestShort, ofDays } = CHART_TEXTS[language];
  const { width } = frame.box;
  const name = isNarrow ? shortName(line.name) : line.name;
  const mark = (kind: 'high' | 'low', at: number, text: string) => {
    const x = frame.x(at);
    const value = kind === 'high' ? high : low;
    const style = { left: px(x), top: px(frame.y(value)), color: inkOf(line) };
    const whose = rates.length > 1 ? `${name} ` : '';
    const label = `${whose}${text}${line.candle ? ofDays : ''} ${line.write(value, language)}`;
    const half = (label.length * CHARACTER_PX) / 2;
    const y = frame.y(value) + (kind === 'high' ? -MARK_PX : MARK_PX);
    const isOver = ({ values }: ChartLine, middle: number) =>
      values.slice(from, to + 1).some((other, day) => {
        const isBeside = Math.abs(frame.x(from + day) - middle) < half;
        return isBeside && other !== null && Math.abs(frame.y(other) - y) < MARK_PX;
      });
    const others = rates.filter((other) => other !== line);
    const isFree = (middle: number) =>
      middle >= half && middle <= width - half && !others.some((one) => isOver(one, middle));
    const sides = x > width / 2 ? ['to-left', ''] : ['', 'to-left'];
    const side = sides.find((one) => isFree(one === '' ? x + half : x - half));
    return html`<p class="extreme ${kind} ${side ?? ''}" style=${style}><i class="ring"></i>${side !== undefined && html`<span>${label}</span>`}</p>`;
  };
  return html`${mark('high', highs.indexOf(high, from), highestShort)}${mark('low', lows.indexOf(low, from), lowestShort)}`;
}

/** A line on each day on which the unit changed. Its label turns where it would leave the plot. */
export function UnitMarks({ data, language, frame }: MarkParts): Html {
  return data.unitChanges.map(({ on }) => {
    const day = data.days.indexOf(on);
    if (day < frame.from || day > frame.to) return undefined;
    const x = frame.x(day);
    const side = x > frame.box.width / 2 ? 'to-left' : '';
    return html`<div class="unit-mark ${side}" style=${{ left: px(x) }}><span>${CHART_TEXTS[language].newUnit}</span></div>`;
  });
}

const READING_WIDTH = 240;
const READING_EDGE = 12;
const READING_LINE = 20;

/**
 * The figures of the day that is read: at the crosshair, or on a phone, without a frame, above the
 * plots, where no finger covers them.
 */
export function DayReading({
  at,
  frame,
  ...parts
}: Marked & { readonly at: number; readonly frame?: Frame }): Html {
  const { data, language } = parts;
  const rows = figuresOn(data, at, parts).map(
    ({ name, text, ...line }) =>
      html`<div><dt><i style=${{ background: inkOf(line) }}></i><span>${name}</span></dt><dd>${text}</dd></div>`,
  );
  const style = frame && readingPlace(data, at, { frame, lines: rows.length + 1 });
  return html`<div id="chart-reading" class="reading" style=${style}><b>${dayOn(data, at, language)}</b><dl>${rows}</dl></div>`;
}

/** Beside the crosshair; at the foot of the plot where it would cover a line. */
function readingPlace(
  { days, rates }: ChartData,
  at: number,
  { frame, lines }: { readonly frame: Frame; readonly lines: number },
) {
  const x = frame.x(at);
  const isRight = x < READING_WIDTH + READING_EDGE;
  const left = isRight ? x + READING_EDGE : x - READING_EDGE - READING_WIDTH;
  const height = lines * READING_LINE + 2 * READING_EDGE;
  const isCovering = days.some((_, day) => {
    const fromLeft = frame.x(day) - left + READING_EDGE;
    const isBeside = fromLeft > 0 && fromLeft < READING_WIDTH + 2 * READING_EDGE;
    const figures = isBeside ? rates.map(({ values }) => values[day] ?? undefined) : [];
    return figures.some((value) => value !== undefined && frame.y(value) < height);
  });
  return { left: px(left), top: px(isCovering ? frame.box.height - height : 0) };
}

/** The day that is read: a line through the plot, and a dot on each curve. */
export function Crosshair({ lines, view: { at }, frame }: LineParts): Html {
  if (at === undefined) return undefined;
  return html`<div class="crosshair" style=${{ left: px(frame.x(at)) }}></div>${lines.map(
    (line) => {
      const value = line.values[at];
      return typeof value === 'number' && dot(frame, at, value, inkOf(line));
    },
  )}`;
}

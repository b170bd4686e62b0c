import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { CHART_TEXTS } from '../../texts/texts.ts';
import type { ChartLine, ChartsParts } from '../history/chart-data.ts';
import { spokenReading } from '../history/chart-reading.ts';
import { afterKey, type ChartView, isZoomed, wholeDays, wholeView } from '../history/chart-view.ts';
import { Selection, useFingers } from './chart-fingers.ts';
import { Crosshair, DayReading, Extremes, LineEnds, UnitMarks } from './chart-marks.ts';
import { drawPlot, type Frame, type PlotKind, type PlotLook } from './plots.ts';

/** The same width as in the stylesheet. */
const NARROW = '(max-width: 47.5rem)';
const HEIGHTS = { rates: [340, 260], premium: [96, 88] } as const;

/** The plots of the history, and what a reader reads on them. */
export function Charts({ data, language, onZoom }: ChartsParts): Html {
  const { days, rates, premium } = data;
  const last = days.length - 1;
  const [sought, setView] = useState<ChartView>(() => wholeView(last));
  const view = wholeDays(sought);
  const [said, setSaid] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const { width, theme } = useSurroundings(place);
  const isNarrow = matchMedia(NARROW).matches;
  const [frames, setFrames] = useState<Partial<Record<PlotKind, Frame>>>({});
  const zoomed = isZoomed(view, last);
  useEffect(() => {
    onZoom(zoomed ? showWhole : undefined);
    return () => onZoom(undefined);
  }, [zoomed]);
  const { handlers, drag } = useFingers({ last, view, frame: frames.rates, onView: setView });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(sought, event.key, last);
    if (next === undefined) return;
    event.preventDefault();
    setView(next);
    setSaid(next.at === undefined ? '' : spokenReading(data, next.at, language));
  };
  const onBlur = () => setView((before) => ({ ...before, at: undefined }));
  const showWhole = () => {
    setView(wholeView(last));
    chart.current?.focus();
  };
  const at = view.at ?? view.to;
  const marked = { data, language, isNarrow, view };
  const plot = (kind: PlotKind, lines: readonly ChartLine[]) => {
    const frame = frames[kind];
    const height = HEIGHTS[kind][isNarrow ? 1 : 0];
    const parts = frame && { ...marked, frame, lines };
    return html`${
      width > 0 &&
      h(Plot, {
        ...{ data, lines, view, theme, look: { kind, language, width, height, isNarrow } },
        onFrame: (drawn: Frame) => setFrames((before) => ({ ...before, [kind]: drawn })),
      })
    }${
      parts &&
      html`<div class="marks" aria-hidden="true" style=${pixels(parts.frame.box)}>${kind === 'rates' && [h(UnitMarks, parts), h(Extremes, parts)]}${h(LineEnds, parts)}${kind === 'rates' && drag && h(Selection, { ...drag, frame: parts.frame })}${h(Crosshair, parts)}${
        kind === 'rates' && !isNarrow && view.at !== undefined && h(DayReading, { ...parts, at })
      }</div>`
    }`;
  };
  return html`<div ref=${place} class="plots" ...${handlers}>
${isNarrow && h(DayReading, { ...marked, at })}
<div id="chart" class="chart" ref=${chart} tabindex="0" role="application" aria-label="${CHART_TEXTS[language].keys}" onKeyDown=${onKeyDown} onBlur=${onBlur}>${plot('rates', rates)}</div>
${
  premium &&
  html`<div id="chart-premium-plot" class="chart small-chart"><p class="plot-title">${premium.title}</p><div class="plot-body">${plot('premium', [premium])}</div></div>`
}<p class="unseen" role="status">${said}</p></div>`;
}

const pixels = (box: Frame['box']) =>
  Object.fromEntries(Object.entries(box).map(([side, value]) => [side, `${value}px`]));

interface PlotParts {
  readonly data: ChartsParts['data'];
  readonly lines: readonly ChartLine[];
  readonly view: ChartView;
  readonly look: PlotLook;
  /** Changes with the theme. */
  readonly theme: number;
  readonly onFrame: (frame: Frame) => void;
}

/** One plot of the library. */
function Plot({ data, lines, view: { from, to }, look, theme, onFrame }: PlotParts): Html {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const drawn = [data, look.width, look.isNarrow, theme];
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const made = drawPlot(element.current, { days: data.days, lines }, look, onFrame);
    plot.current = made;
    return () => made.destroy();
  }, drawn);
  useLayoutEffect(() => {
    plot.current?.batch(() => plot.current?.setScale('x', { min: from, max: to }));
  }, [...drawn, from, to]);
  return useMemo(() => html`<div class="plot" ref=${element}></div>`, []);
}

/** The width of an element, and what else changes a drawing. */
function useSurroundings(place: { readonly current: HTMLElement | null }) {
  const [width, setWidth] = useState(0);
  const [theme, setTheme] = useState(0);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const repaint = () => setTheme((before) => before + 1);
    for (const media of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(media).addEventListener('change', repaint, { signal: stop.signal });
    }
    const themes = new MutationObserver(repaint);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const measure = () => setWidth(place.current?.clientWidth ?? 0);
    const sizes = new ResizeObserver(measure);
    if (place.current !== null) sizes.observe(place.current);
    measure();
    return () => {
      stop.abort();
      themes.disconnect();
      sizes.disconnect();
    };
  }, []);
  return { width, theme };
}

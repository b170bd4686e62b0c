import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { percentText } from '../../frame/format.ts';
import { type Html, html } from '../../frame/html.ts';
import { nameIn } from '../age.ts';
import { spokenReading } from '../history/chart-reading.ts';
import { CHART_TEXTS } from '../history/chart-texts.ts';
import { afterKey, type ChartView, daysIn, isZoomed, wholeView } from '../history/chart-view.ts';
import type { ChartsParts } from '../history/history-section.ts';
import { useFingers } from './chart-fingers.ts';
import { Crosshair, DayReading, Extremes, LineEnds, UnitMarks } from './chart-marks.ts';
import { drawPlot, type Frame, type PlotKind, type PlotLook } from './plots.ts';

/** The same width as in the stylesheet. */
const NARROW = '(max-width: 47.5rem)';
const HEIGHTS = { rates: [340, 260], premium: [96, 88] } as const;
/** Colours of the stylesheet with which a canvas is drawn. */
const INKS = ['quiet', 'line', 'card', 'premium', 'premium-ground'];
const SERIES_INKS = [1, 2, 3, 4, 5, 6].map((number) => `series-${number}`);

/** The plots of the history, and what a reader reads on them. */
export function Charts({ data, language, colours, premium, onZoom }: ChartsParts): Html {
  const texts = CHART_TEXTS[language];
  const last = data.days.length - 1;
  const [view, setView] = useState<ChartView>(() => wholeView(last));
  const [said, setSaid] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const { width, isNarrow, theme } = useSurroundings(place);
  const [frames, setFrames] = useState<Partial<Record<PlotKind, Frame>>>({});
  const zoomed = isZoomed(view, last);
  useEffect(() => {
    onZoom(zoomed);
    return () => onZoom(false);
  }, [zoomed]);
  const fingers = useFingers({ last, view, frame: frames.rates, onView: setView });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(view, event.key, last);
    if (next === undefined) return;
    event.preventDefault();
    setView(next);
    setSaid(spokenReading(data, next.at ?? last, language));
  };
  const showWhole = () => {
    setView(wholeView(last));
    chart.current?.focus();
  };
  const plot = (kind: PlotKind) =>
    width > 0 &&
    h(Plot, {
      ...{ kind, data, view, theme, place },
      look: { language, colours, width, isNarrow, height: HEIGHTS[kind][isNarrow ? 1 : 0] },
      onFrame: (frame: Frame) => setFrames((before) => ({ ...before, [kind]: frame })),
    });
  const marked = { data, language, colours, isNarrow, view };
  const { rates, premium: below } = frames;
  const at = view.at ?? daysIn(view)[1];
  return html`<div ref=${place} class="plots" ...${fingers.handlers}><span hidden>${[...INKS, ...SERIES_INKS].map((name) => html`<i data-ink=${name} style=${{ color: `var(--${name})` }}></i>`)}</span>
${isNarrow && h(DayReading, { ...marked, at, frame: undefined })}
<div id="chart" class="chart" ref=${chart} tabindex="0" role="application" aria-label="${texts.keys}" onKeyDown=${onKeyDown}>${plot('rates')}<div class="marks" aria-hidden="true">${
    rates && [
      h(UnitMarks, { ...marked, frame: rates }),
      h(Extremes, { ...marked, frame: rates }),
      h(LineEnds, { ...marked, frame: rates, kind: 'rates' }),
      fingers.selection(rates),
      h(Crosshair, { ...marked, frame: rates, kind: 'rates' }),
      !isNarrow && view.at !== undefined && h(DayReading, { ...marked, at, frame: rates }),
    ]
  }</div></div>
${
  premium &&
  html`<div id="chart-premium-plot" class="chart small-chart"><p class="plot-title">${
    data.compared === undefined
      ? texts.noPremium
      : html`<span>${texts.premiumOf(nameIn(data.compared, language))}</span>${isNarrow && html`<b>${percentText(data.premium?.findLast((value) => value !== null) ?? 0, language)}</b>`}`
  }</p>${
    data.compared !== undefined &&
    html`${plot('premium')}<div class="marks" aria-hidden="true">${
      below && [
        h(LineEnds, { ...marked, frame: below, kind: 'premium' }),
        h(Crosshair, { ...marked, frame: below, kind: 'premium' }),
      ]
    }</div>`
  }</div>`
}<p class="unseen" role="status">${said}</p></div>
<button type="button" id="chart-whole" class="whole" hidden=${!zoomed} onClick=${showWhole}>${texts.zoomOut}</button>`;
}

interface PlotParts {
  readonly kind: PlotKind;
  readonly data: ChartsParts['data'];
  readonly view: ChartView;
  readonly look: PlotLook;
  /** Changes with the theme. */
  readonly theme: number;
  /** The element with the inks. */
  readonly place: { readonly current: HTMLElement | null };
  readonly onFrame: (frame: Frame) => void;
}

/** One plot of the library. */
function Plot({ kind, data, view, look, theme, place, onFrame }: PlotParts): Html {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const drawn = [data, look.width, look.height, look.colours.join(), look.isNarrow, theme];
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const { fontSize, fontFamily } = getComputedStyle(element.current);
    const colour = (name: string) => {
      const ink = place.current?.querySelector(`[data-ink=${name}]`);
      return ink ? getComputedStyle(ink).color : '';
    };
    const ink = { colour, font: `${fontSize} ${fontFamily}` };
    const made = drawPlot(element.current, kind, { data, look, ink, onFrame });
    plot.current = made;
    return () => made.destroy();
  }, drawn);
  useLayoutEffect(() => {
    plot.current?.batch(() => plot.current?.setScale('x', { min: view.from, max: view.to }));
  }, [...drawn, view.from, view.to]);
  return useMemo(() => html`<div ref=${element}></div>`, []);
}

/** The width of an element, and what else changes a drawing. */
function useSurroundings(place: { readonly current: HTMLElement | null }) {
  const [width, setWidth] = useState(0);
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  const [theme, setTheme] = useState(0);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const repaint = () => setTheme((before) => before + 1);
    const narrow = matchMedia(NARROW);
    narrow.addEventListener('change', () => setNarrow(narrow.matches), { signal });
    for (const media of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(media).addEventListener('change', repaint, { signal });
    }
    const themes = new MutationObserver(repaint);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const sizes = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
    if (place.current !== null) sizes.observe(place.current);
    setWidth(place.current?.clientWidth ?? 0);
    return () => {
      stop.abort();
      themes.disconnect();
      sizes.disconnect();
    };
  }, []);
  return { width, isNarrow, theme };
}

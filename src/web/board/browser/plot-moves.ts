import uPlot from 'uplot';

/** Share of the shown days that are left when one key press zooms in. */
const ZOOM_FACTOR = 0.6;
/** The fewest days that can be shown: two points. */
const SHORTEST_SPAN_SEC = 24 * 3_600;
/** Plots with the same key move their cursors together. */
export const SYNC_KEY = 'history';

export function isZoomed(plot: uPlot): boolean {
  const { min, max } = plot.scales['x'] ?? {};
  const times = plot.data[0];
  return min !== times[0] || max !== times.at(-1);
}

/** Moves through the days and zooms. @returns whether the key was handled. */
export function moveBy(plot: uPlot, key: string): boolean {
  const last = plot.data[0].length - 1;
  const at = plot.cursor.idx ?? plot.series[0]?.idxs?.[1] ?? last;
  switch (key) {
    case 'ArrowLeft':
      moveTo(plot, Math.max(0, at - 1));
      return true;
    case 'ArrowRight':
      moveTo(plot, Math.min(last, at + 1));
      return true;
    case 'Home':
      moveTo(plot, 0);
      return true;
    case 'End':
      moveTo(plot, last);
      return true;
    case '+':
      zoom(plot, at, ZOOM_FACTOR);
      return true;
    case '-':
      zoom(plot, at, 1 / ZOOM_FACTOR);
      return true;
    default:
      return false;
  }
}

/**
 * A finger that slides along the days reads them, as the pointer of a mouse does. It does not
 * zoom: the stylesheet leaves a slide up or down, and two fingers, to the page.
 */
export function followFinger(plot: uPlot): void {
  plot.over.addEventListener('pointermove', ({ pointerType, clientX }) => {
    if (pointerType === 'touch') setCursors(clientX - plot.over.getBoundingClientRect().left);
  });
}

/** Shows a day. One that is out of sight moves the shown days. */
function moveTo(plot: uPlot, index: number): void {
  const time = plot.data[0][index] ?? 0;
  const { min = time, max = time } = plot.scales['x'] ?? {};
  const shift = Math.min(0, time - min) + Math.max(0, time - max);
  if (shift !== 0) show(plot, min + shift, max + shift);
  setCursors(plot.valToPos(time, 'x'));
}

/** Shows fewer or more days around one, which stays in its place as far as there are days. */
function zoom(plot: uPlot, index: number, factor: number): void {
  const times = plot.data[0];
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const time = times[index] ?? last;
  const { min = first, max = last } = plot.scales['x'] ?? {};
  const span = Math.min((max - min) * factor, last - first);
  if (span < SHORTEST_SPAN_SEC) return;
  const from = Math.min(Math.max(first, time - (time - min) * factor), last - span);
  show(plot, from, from + span);
  moveTo(plot, index);
}

/** Shows these days at once. Without a batch, a plot changes its scale only after the script. */
function show(plot: uPlot, min: number, max: number): void {
  plot.batch(() => plot.setScale('x', { min, max }));
}

/** @param left Distance from the left edge of the plots, in pixels. */
function setCursors(left: number): void {
  // The pointer of a mouse moves all cursors, but a script must set each one.
  for (const one of uPlot.sync(SYNC_KEY).plots) {
    const { clientWidth, clientHeight } = one.over;
    one.setCursor({ left: Math.min(Math.max(0, left), clientWidth), top: clientHeight / 2 });
  }
}

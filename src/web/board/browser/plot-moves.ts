import uPlot from 'uplot';

/** Share of the shown days that one key press moves. */
const ZOOM_STEP = 0.2;
/** Plots with the same key move their cursors together. */
export const SYNC_KEY = 'history';

export function isZoomed(plot: uPlot): boolean {
  const { min, max } = plot.scales['x'] ?? {};
  const times = plot.data[0];
  return min !== times[0] || max !== times.at(-1);
}

/** Moves through the days and zooms. @returns whether the key was handled. */
export function moveBy(plot: uPlot, key: string): boolean {
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
  const time = plot.data[0][index] ?? 0;
  // A cursor that is set by a key moves no other by itself, as the pointer does.
  for (const one of uPlot.sync(SYNC_KEY).plots) {
    one.setCursor({ left: one.valToPos(time, 'x'), top: one.over.clientHeight / 2 });
  }
  return true;
}

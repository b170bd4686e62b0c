import type uPlot from 'uplot';

/** Share of the way from one day to the next that a body takes. */
const BODY_SHARE = 0.6;
/** In pixels of the canvas. */
const NARROWEST_BODY = 1;
const WIDEST_BODY = 18;

interface CandleStyle {
  readonly stroke: string;
  /** Colour of the body of a day that closed higher than it opened. */
  readonly hollow: string;
}

/** Series `first` to `first + 3` are open, high, low and close. Falling bodies are filled. */
export function drawCandlesticks(plot: uPlot, first: number, style: CandleStyle): void {
  if (plot.series[first + 3]?.show === false) return;
  const [times, ...columns] = plot.data;
  const [open = [], high = [], low = [], close = []] = columns.slice(first - 1, first + 3);
  const { ctx, bbox } = plot;
  const y = (value: number) => Math.floor(plot.valToPos(value, 'y', true));
  const width = bodyWidth(plot, times);
  ctx.save();
  ctx.beginPath();
  // Half a body beyond either end, so that the first and the last candle are whole.
  ctx.rect(bbox.left - width / 2 - 1, bbox.top, bbox.width + width + 2, bbox.height);
  ctx.clip();
  ctx.strokeStyle = style.stroke;
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  for (let at = 0; at < times.length; at += 1) {
    const [opened, highest, lowest, closed] = [open[at], high[at], low[at], close[at]];
    if (opened == null || highest == null || lowest == null || closed == null) continue;
    const x = Math.floor(plot.valToPos(times[at] ?? 0, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, y(highest));
    ctx.lineTo(x, y(lowest));
    ctx.stroke();
    ctx.fillStyle = closed >= opened ? style.hollow : style.stroke;
    const top = y(Math.max(opened, closed));
    const body = [x - width / 2, top, width, y(Math.min(opened, closed)) - top] as const;
    ctx.fillRect(...body);
    ctx.strokeRect(...body);
  }
  ctx.restore();
}

/** Depends on the visible days, so that zooming in widens the bodies. */
function bodyWidth(plot: uPlot, times: ArrayLike<number>): number {
  const [one = 0, next = one] = [times[0], times[1]];
  const way = Math.abs(plot.valToPos(next, 'x', true) - plot.valToPos(one, 'x', true));
  const widest = WIDEST_BODY * Math.max(1, devicePixelRatio);
  return Math.floor(Math.min(widest, Math.max(NARROWEST_BODY, way * BODY_SHARE)));
}

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
  const { ctx, bbox, data } = plot;
  const [open = [], high = [], low = [], close = []] = data.slice(first, first + 4);
  const x = (day: number) => Math.floor(plot.valToPos(day, 'x', true));
  const y = (value: number) => Math.floor(plot.valToPos(value, 'y', true));
  // Fewer days in sight have wider bodies.
  const way = (plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true)) * BODY_SHARE;
  const widest = WIDEST_BODY * Math.max(1, devicePixelRatio);
  const width = Math.floor(Math.min(widest, Math.max(NARROWEST_BODY, way)));
  ctx.save();
  ctx.beginPath();
  // Half a body beyond either end, so that the first and the last candle are whole.
  ctx.rect(bbox.left - width / 2 - 1, bbox.top, bbox.width + width + 2, bbox.height);
  ctx.clip();
  ctx.strokeStyle = style.stroke;
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  for (const day of data[0]) {
    const [opened, highest, lowest, closed] = [open[day], high[day], low[day], close[day]];
    if (opened == null || highest == null || lowest == null || closed == null) continue;
    ctx.beginPath();
    ctx.moveTo(x(day), y(highest));
    ctx.lineTo(x(day), y(lowest));
    ctx.stroke();
    ctx.fillStyle = closed >= opened ? style.hollow : style.stroke;
    const top = y(Math.max(opened, closed));
    const body = [x(day) - width / 2, top, width, y(Math.min(opened, closed)) - top] as const;
    ctx.fillRect(...body);
    ctx.strokeRect(...body);
  }
  ctx.restore();
}

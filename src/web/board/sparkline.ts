import { type Html, html } from '../frame/html.ts';

/** Units of the drawing; the stylesheet stretches it over its card. */
const WIDTH = 1200;
const HEIGHT = 360;
/** Space above and below, so that the line is not cut. */
const MARGIN = 30;
/** Fewest values that make a meaningful line. */
const FEWEST = 3;

/**
 * A small curve of values, oldest first. Decoration: the chart and its table show the same.
 * @returns undefined for too few values.
 */
export function sparkline(values: readonly number[], kind: string): Html | undefined {
  if (values.length < FEWEST) return undefined;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const points = values.map((value, position) => {
    const x = Math.trunc((position * WIDTH) / (values.length - 1));
    const y = Math.trunc(HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN));
    return `${x} ${y}`;
  });
  const line = `M${points.join('L')}`;
  return html`<svg class="spark ${kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="fill" d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z"/><path d="${line}"/></svg>`;
}

import { DAY_MS } from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import type { OfficialStep } from '../../board/board-figures.ts';
import { PICTURE_COLOURS, PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-frame.ts';

/** Where the highest and the lowest rate stand. */
const TOP = 440;
const BOTTOM = 610;

/** The shape of the official rate over the last days, behind the figures: it begins at the lowest. */
export function curveBehind(steps: readonly OfficialStep[], today: string): Html {
  const [first] = steps;
  if (first === undefined || steps.length < 2) return undefined;
  const rates = steps.map(({ rate }) => rate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const begin = Date.parse(first.from);
  const whole = Date.parse(today) - begin + DAY_MS;
  const corners = steps.map(({ from, rate }) => {
    const x = ((Date.parse(from) - begin) / whole) * PICTURE_WIDTH;
    const y = BOTTOM - ((rate - low) / (high - low || 1)) * (BOTTOM - TOP);
    return `H${x}V${y}`;
  });
  const shape = `M0 ${PICTURE_HEIGHT}${corners.join('')}H${PICTURE_WIDTH}V${PICTURE_HEIGHT}Z`;
  return html`<path d=${shape} fill=${PICTURE_COLOURS.curve} />`;
}

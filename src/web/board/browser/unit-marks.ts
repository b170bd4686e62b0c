import type uPlot from 'uplot';
import type { UnitChange } from '../../../client/types.ts';

/**
 * Marks on the rates, a line with a label on each day on which the unit changed. They are elements
 * of the page, not drawings: the stylesheet gives their colours, and a label that would leave the
 * plot on the right turns to the left.
 */
export function unitMarks(changes: readonly UnitChange[], label: string): (plot: uPlot) => void {
  const marks = changes.map(({ on }) => {
    const mark = document.createElement('div');
    mark.className = 'unit-mark';
    const text = document.createElement('span');
    text.textContent = label;
    mark.append(text);
    return { mark, time: Date.parse(`${on}T00:00:00Z`) / 1000 };
  });
  return (plot) => {
    const width = plot.over.clientWidth;
    for (const { mark, time } of marks) {
      if (!mark.isConnected) plot.over.append(mark);
      const left = plot.valToPos(time, 'x');
      mark.style.left = `${left}px`;
      mark.hidden = left < 0 || left > width;
      mark.classList.toggle('to-left', left > width / 2);
    }
  };
}

import { expect, test } from 'vitest';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { percentText } from '../frame/format.ts';
import { moved } from './moved.ts';

test.each([
  [0.005, 'up', '▲'],
  [0.004, 'even', '='],
  [-0.004, 'even', '='],
  [-0.005, 'down', '▼'],
])('a change of %d percent is shown as %s, as its figure says', (percent, direction, arrow) => {
  for (const language of ['es', 'en'] as const) {
    const text = percentText(percent, language);
    expect(markupOf(moved(text))).toBe(
      `<span class="${direction}"><span aria-hidden="true">${arrow}</span> ${text}</span>`,
    );
  }
});

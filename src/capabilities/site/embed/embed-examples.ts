import { notFound } from '../../../core/domain/errors.ts';
import { addCaracasDays, DAY_MS, parseCaracasDay } from '../../../core/domain/time.ts';
import { CONTENT_TYPES } from '../../../core/http/framework/encoding/formats.ts';
import { WrittenBody } from '../../../core/http/framework/encoding/written-answer.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import type { BoardFigures } from '../board/board-figures.ts';
import { BOARD_LIMIT, boardAnswer } from '../figures/board.ts';
import type { CurrentFigures } from '../figures/current-figures.ts';

/** What the documents show the element with: the figures of the board, as a static copy has them. */

/** How the element is shown: with the figures of now, out of date, or not confirmed. */
export type ExampleState = 'now' | 'late' | 'doubt';

/** Older than any rate may be; whole weeks, so that a value date stays a business day. */
const AGED_DAYS = 28;

const FOLDER = '/embed/example';

/** What the attribute `static` of the element is given. */
export const exampleAddress = (state: ExampleState) => `${FOLDER}/${state}`;

const FORMS: Readonly<Record<ExampleState, (figures: BoardFigures) => object>> = {
  now: ({ rates, official }) => ({ rates, official: { rates: official } }),
  late: ({ rates }) => ({ rates: rates.map(aged), official: { rates: { USD: {}, EUR: {} } } }),
  doubt: ({ rates, official }) => ({
    rates: rates.map((rate) => ({ ...rate, in_doubt: true })),
    official: { rates: official },
  }),
};

function aged({ updated_at: time, effective_date: date, ...rate }: BoardFigures['rates'][number]) {
  const day = parseCaracasDay(date ?? '');
  return {
    ...rate,
    updated_at: new Date(Date.parse(time) - AGED_DAYS * DAY_MS).toISOString(),
    ...(day && { effective_date: addCaracasDays(day, -AGED_DAYS) }),
  };
}

/** Only pages of this site may read it: other sites have a key, a copy or the board. */
export function embedExamples(current: CurrentFigures): Page {
  return {
    path: `${FOLDER}/:state/v1/latest.json`,
    addressLimits: [BOARD_LIMIT],
    async respond({ path, now, take }) {
      take(BOARD_LIMIT);
      const [, name] = /^\/embed\/example\/(\w+)\//.exec(path) ?? [];
      const form = Object.entries(FORMS).find(([state]) => state === name)?.[1];
      if (form === undefined) throw notFound('unknown_path');
      const { figures } = await current.at(now);
      const body = new WrittenBody(JSON.stringify(form(figures)), { kept: false });
      return boardAnswer(body, CONTENT_TYPES.json);
    },
  };
}

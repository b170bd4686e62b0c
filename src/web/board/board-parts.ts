import type { StateReasonName } from '../../domain/state-names.ts';
import { momentText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { sourceName } from '../frame/source-names.ts';
import { reasonList, STATE_TEXTS } from '../frame/state.ts';
import { age, type BoardReader, nameIn } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { marketCards } from './market-cards.ts';
import { banks, marketRows } from './market-rows.ts';
import { official } from './official-part.ts';

/**
 * The parts of the board that change with the figures, by the id of their place on the page. Written
 * by the server, and by the script again when there are newer figures.
 */
export const BOARD_PARTS = {
  freshness,
  warning,
  official,
  market: marketCards,
  'market-rows': marketRows,
  banks,
} as const satisfies Readonly<Record<string, (figures: BoardFigures, reader: BoardReader) => Html>>;

const EMPTY = html``;

/** When the newest figure is from. What the service did meanwhile says nothing of the figures. */
function freshness({ rates }: BoardFigures, reader: BoardReader): Html {
  const newest = rates
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1);
  if (newest === undefined) return EMPTY;
  const texts = BOARD_TEXTS[reader.language];
  const moment = momentText(Date.parse(newest), reader.language);
  return html`${texts.newest(`${moment} (${texts.caracas})`)}, ${age(newest, reader)}`;
}

/** That one source fails is no warning as long as the figures are there; that there are none is said below. */
const NOT_WARNED_OF: readonly StateReasonName[] = ['sources_failing', 'no_figures'];

/** What is wrong with the figures, and since when. */
function warning({ state, rates, missing = [] }: BoardFigures, reader: BoardReader): Html {
  const { language, languageChosen } = reader;
  const reasons = state.reasons.filter(({ name }) => !NOT_WARNED_OF.includes(name));
  if (reasons.length === 0) return EMPTY;
  const texts = STATE_TEXTS[language];
  const nameOf = (id: string) => {
    const rate = [...rates, ...missing].find(({ market }) => market === id);
    return rate === undefined ? id : nameIn(rate, language);
  };
  const address = languageChosen ? `/status?lang=${language}` : '/status';
  return html`<div class="alert ${state.status}">${
    rates.length > 0 &&
    html`<p><strong>${texts.verdict[state.status]}</strong></p>
`
  }${reasonList(reasons, language, { market: nameOf, source: sourceName })}
<p><a href="${address}">${texts.details}</a></p></div>`;
}

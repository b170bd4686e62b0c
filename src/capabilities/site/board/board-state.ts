import type { StateReasonName } from '../../../core/domain/state-names.ts';
import { type ReasonView, reasonText } from '../../../core/domain/words/state-words.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { linkTo } from '../frame/page-view.ts';
import { sourceName } from '../frame/source-names.ts';
import { BOARD_TEXTS, STATE_TEXTS } from '../texts/texts.ts';
import { age, type BoardReader, nameIn } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { lateWords, SAID_ABOVE } from './late-warning.ts';

/**
 * A failing source alone gives no warning while there are figures. Missing figures are reported
 * below.
 */
const NOT_WARNED_OF: readonly StateReasonName[] = ['sources_failing', 'no_figures'];

/** The problems of the figures, each with its start: those that are not said above them. */
export function stateWarning(figures: BoardFigures, reader: BoardReader): Html {
  const { language } = reader;
  // The warning above the figures has its own heading and says these.
  const isWarned = lateWords(figures, reader) !== undefined;
  const unsaid = isWarned ? [...NOT_WARNED_OF, ...SAID_ABOVE] : NOT_WARNED_OF;
  const { state, rates, missing = [] } = figures;
  const shown = new Map([...missing, ...rates].map((one) => [one.market, nameIn(one, language)]));
  // The service may have more markets than the board: a reader cannot look them up here.
  const reasons = state.reasons.flatMap((reason) => {
    if (unsaid.includes(reason.name)) return [];
    const markets = reason.markets?.filter((id) => shown.has(id));
    return markets?.length === 0 ? [] : [{ ...reason, ...(markets && { markets }) }];
  });
  if (reasons.length === 0) return undefined;
  const texts = STATE_TEXTS[language];
  const names = { market: (id: string) => shown.get(id) ?? id, source: sourceName };
  const { lasting } = BOARD_TEXTS[language];
  const line = (reason: ReasonView) => html`<li>${reasonText(reason, language, names)}${
    reason.since !== undefined &&
    html`<span class="quiet">\u00a0· ${lasting} ${age(reason.since, reader, { lasting: true })}</span>`
  }</li>
`;
  return html`<div class="alert ${isWarned ? 'degraded' : state.status}">${
    rates.length > 0 &&
    !isWarned &&
    html`<p><strong>${texts.verdict[state.status]}</strong></p>
`
  }<ul class="reasons">
${reasons.map(line)}</ul>
<p><a href="${linkTo(reader, '/status')}">${texts.details}</a></p></div>`;
}

import type { OfficialRateWithChange } from '../../client/types.ts';
import { OFFICIAL_RATES } from '../../domain/markets.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { MINUS, nearDayText, percentText, rateText, signedText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { type BoardReader, fresh, rateAge } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { datedRates } from './staleness.ts';
import { unitChangeText } from './unit-text.ts';

/** The official dollar, its next rate, and the euro: what most people came for. */
export function official(figures: BoardFigures, reader: BoardReader): Html {
  const texts = BOARD_TEXTS[reader.language];
  if (figures.rates.length === 0 && Object.keys(figures.official).length === 0) {
    return html`<div class="nothing"><p class="lead">${texts.empty}</p><p class="quiet">${texts.emptyMore}</p></div>`;
  }
  const { language } = reader;
  const { inForce, since } = rateInForce(figures, 'USD', reader);
  const next = figures.official['USD']?.next;
  const euro = rateInForce(figures, 'EUR', reader);
  const head = html`<h2>${texts.officialNames.USD}</h2>`;
  const dollar =
    inForce === undefined
      ? html`${head}<p class="quiet">${texts.noneInForce}</p>`
      : html`<p class="eyebrow">${since}</p>
${head}
<p class="figure-line"><span class="big">${rateText(inForce.rate, language)}</span> <span class="unit">${texts.perUnit.USD}</span></p>
${
  inForce.change &&
  html`<p class="change">${changeFigures(inForce.change, language)} <span class="quiet">${texts.changeFromBefore}</span></p>`
}`;
  return html`${dollar}
<dl class="when"><div><dt>${next === undefined ? texts.next : texts.nextFrom(dayOf(next, reader))}</dt>
<dd>${next === undefined ? html`<span class="quiet">${nextMissing(figures, reader)}</span>` : rateWithChange(next, language)}</dd>
${figures.unit_changes?.map((one) => html`<dd class="quiet small">${unitChangeText(one, language)}</dd>`)}</div>
<div><dt>${texts.officialNames.EUR}</dt><dd>${
    euro.inForce === undefined
      ? html`<span class="quiet">${texts.noneInForce}</span>`
      : rateWithChange(euro.inForce, language)
  }</dd>
${euro.since && html`<dd class="quiet small">${euro.since}</dd>`}</div>${doubtfulRates(figures, reader)}</dl>`;
}

/** Dollar and euro of a held publication: shown by the bank, and not confirmed. */
function doubtfulRates(
  { in_doubt: rates = [] }: BoardFigures,
  reader: BoardReader,
): readonly Html[] {
  const { language } = reader;
  const texts = BOARD_TEXTS[language];
  return rates.flatMap(({ currency, rate, reasons, ...dated }) => {
    if (currency !== 'USD' && currency !== 'EUR') return [];
    const why = heldReasonText(reasons[0] ?? '', language);
    const name = `${texts.officialNames[currency]}, ${dayOf(dated, reader)}`;
    return [
      html`
<div><dt>${name} <span class="late">${texts.notConfirmed}</span></dt>
<dd><span class="medium">${rateText(rate, language)}</span>${why && html` <span class="quiet small">${why}</span>`}</dd></div>`,
    ];
  });
}

const dayOf = ({ value_date }: { readonly value_date: string }, { language, now }: BoardReader) =>
  nearDayText(value_date, caracasDayOf(now), language);

function rateInForce(figures: BoardFigures, currency: 'USD' | 'EUR', reader: BoardReader) {
  const inForce = figures.official[currency]?.in_force;
  if (inForce === undefined) return {};
  const row = datedRates(figures).find(({ market }) => market === OFFICIAL_RATES[currency]);
  if (row !== undefined) return { inForce, since: rateAge(row, reader) };
  const text = BOARD_TEXTS[reader.language].inForceSince(dayOf(inForce, reader));
  return { inForce, since: fresh(text, undefined) };
}

/** Why there is no next rate, as far as the page can know. */
function nextMissing({ state }: BoardFigures, { language, isCutOff }: BoardReader): string {
  const { noNext, nextOverdue, nextUnknown } = BOARD_TEXTS[language];
  if (isCutOff === true) return nextUnknown;
  const isOverdue = state.reasons.some(({ name }) => name === 'publications_missed');
  return isOverdue ? nextOverdue : noNext;
}

function rateWithChange({ rate, change }: OfficialRateWithChange, language: Language): Html {
  return html`<span class="medium">${rateText(rate, language)}</span>${
    change && html` <span class="change">${moved(percentText(change.percent, language))}</span>`
  }`;
}

function changeFigures(
  { amount, percent }: NonNullable<OfficialRateWithChange['change']>,
  language: Language,
): Html {
  const text = signedText(amount, language, { min: 4, max: 4 });
  return moved(`${text} (${percentText(percent, language)})`);
}

/** The text begins with its sign. The arrow and the colour repeat it. */
export function moved(text: string): Html {
  const direction = text.startsWith('+') ? 'up' : text.startsWith(MINUS) ? 'down' : 'even';
  const arrow = { up: '▲', down: '▼', even: '=' }[direction];
  return html`<span class="${direction}"><span aria-hidden="true">${arrow}</span> ${text}</span>`;
}
